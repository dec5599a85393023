package budget

import (
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// What hosts add to a prompt, or make of what is no text, in tokens: more than
// any of them says, since what was not held cannot be settled.
const (
	forRequest = 2_000  // their own instructions on tools
	forTool    = 100    // around its name, help and schema
	forMessage = 50     // around its parts, calls and results
	forPicture = 6_000  // 4,784 are the most that a host names
	forPage    = 10_000 // its text, and a picture of it
	mostPages  = 600    // that a host reads of a PDF
	perPage    = 500    // bytes of a PDF that nobody counted the pages of

	usualOutput = 8192
)

// worst is the most that a request may use: a token is at least a byte of what
// is sent, and the answer ends at its limit.
func worst(r gateway.Request) (prompt, output int64) {
	n := int64(forRequest)
	for _, b := range r.System {
		n += forMessage + text(b.Text)
	}
	for _, t := range r.Tools {
		n += forTool + text(t.Name) + text(t.Description) + int64(len(t.Schema))
	}
	for _, m := range r.Messages {
		n += forMessage + max(said(m), raw(m.Raw))
		for _, p := range m.Parts {
			n += part(p)
		}
		for _, res := range m.Results {
			n += forMessage + text(res.Call) + text(res.Text)
		}
	}
	output = int64(r.MaxOutput)
	if output <= 0 {
		output = usualOutput
	}
	return min(n, mostTokens), min(output, mostTokens)
}

func said(m gateway.Message) int64 {
	n := text(m.Text)
	for _, c := range m.Calls {
		n += forMessage + text(c.ID) + text(c.Name) + int64(len(c.Args))
	}
	return n
}

func raw(r *gateway.Raw) (n int64) {
	if r == nil {
		return 0
	}
	for _, item := range r.Items {
		n += forMessage + int64(len(item))
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
			pages = min(len(p.Data)/perPage+1, mostPages)
		}
		n += min(int64(pages), mostTokens/forPage) * forPage
	default:
		n += forPicture
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
