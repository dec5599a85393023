package budget

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// What hosts add to a prompt, or make of what is no text, in tokens: more than
// any of them says, since what was not held cannot be settled.
const (
	forRequest = 2_000  // their own instructions on tools
	forTool    = 100    // around its name, help and schema
	forMessage = 50     // around its parts, calls and results
	forPage    = 10_000 // its text, and a picture of it
	mostPages  = 600    // that a host reads of a PDF
	forMember  = 20     // around an argument of a call: some hosts write each on lines of its own

)

// worst is the most that a request may use: a token is at least a byte of what
// is sent, and the answer ends at its limit.
func worst(r gateway.Request) (prompt, output int64) {
	n := int64(forRequest)
	for _, b := range r.System {
		n += forMessage + text(b.Text)
	}
	for _, t := range r.Tools {
		n += forTool + text(t.Name) + text(t.Description) + written(t.Schema)
	}
	for _, m := range r.Messages {
		n += forMessage + max(said(m), raw(m.Raw))
		for _, p := range m.Parts {
			n += part(p)
		}
		for _, res := range m.Results {
			n += forMessage + text(res.Call) + quoted(res.Text)
		}
	}
	output = int64(r.MaxOutput)
	if output <= 0 {
		output = gateway.DefaultOutput
	}
	return min(n, mostTokens), min(output, mostTokens)
}

func said(m gateway.Message) int64 {
	n := text(m.Text)
	for _, c := range m.Calls {
		n += forMessage + text(c.ID) + text(c.Name) + written(c.Args) + forMember*int64(1+bytes.Count(c.Args, []byte(",")))
	}
	return n
}

func raw(r *gateway.Raw) (n int64) {
	if r == nil {
		return 0
	}
	for _, item := range r.Items {
		n += forMessage + written(item) + forMember*int64(1+bytes.Count(item, []byte(",")))
	}
	return n
}

func part(p gateway.Part) int64 {
	n := forMessage + text(p.Text) + text(p.Name)
	switch p.Media {
	case gateway.Text:
	case gateway.PDF:
		pages := p.Pages
		if pages <= 0 {
			pages = pagesOf(p.Data)
		}
		n += min(int64(pages), mostTokens/forPage) * forPage
	default:
		n += picture(p.Data)
	}
	return n
}

// text is what a string may be at most. What is no UTF-8 becomes a character of
// three bytes.
func text(s string) int64 {
	if utf8.ValidString(s) {
		return int64(len(s))
	}
	return 3 * int64(len(s))
}

// quoted is what a text may be that a host puts into JSON of its own before a
// model reads it, some in ASCII alone.
func quoted(s string) (n int64) {
	for _, r := range s {
		switch {
		case strings.ContainsRune("\"\\\n\r\t\b\f", r):
			n += 2
		case r >= 0x10000:
			n += 12
		case r < ' ' || r >= utf8.RuneSelf || strings.ContainsRune("<>&'", r):
			n += 6
		default:
			n++
		}
	}
	return n
}

// written is what JSON may be that a host writes anew: a line for each member, if
// it likes that.
func written(v []byte) int64 {
	n := quoted(string(v))
	for _, c := range v {
		if strings.IndexByte(",:{}[]", c) >= 0 {
			n += 2
		}
	}
	return n
}
