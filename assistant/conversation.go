package assistant

import (
	"encoding/json/jsontext"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// mostPast is how many turns are told to a model again; beyond it the oldest
	// leave in blocks, so that what was sent before stays the beginning of what is
	// sent next for most turns.
	mostPast = 10
	block    = 4
	// mostSaid bounds all of them, in bytes.
	mostSaid = 60_000
	// slimText is what is kept of an answer, slimResult of what a tool answered,
	// slimArgs of what it was called with, in bytes.
	slimText   = 4000
	slimResult = 400
	slimArgs   = 1000
	// slimName is how long a tool may be called: what is longer is none.
	slimName = 200
)

// conversation is what was said, as it is sealed.
type conversation struct {
	Past  []past         `json:"past"`
	Open  []open         `json:"open,omitempty"` // proposals whose end the model was not told
	Form  *Form          `json:"form,omitempty"` // that waits for answers
	About Scope          `json:"about,omitzero"` // of the question that the form belongs to
	Taint jsontext.Value `json:"taint,omitempty"`
}

// past is a turn that is over, in what a model is told of it again. It never
// changes: what is left out was left out when the turn ended.
type past struct {
	Turn   string `json:"turn"`
	Asked  string `json:"asked"`           // the person's words
	Told   string `json:"told,omitempty"`  // what had been decided before them
	Steps  []step `json:"steps,omitempty"` // what the model said and called on the way
	Answer string `json:"answer"`
	Finish Finish `json:"finish"`

	// Private: what only the person sees may be in it, and goes to no model with a
	// question that is without.
	Private bool `json:"private,omitzero"`
}

// open is a proposal that was not decided when its turn ended.
type open struct {
	ID      string `json:"id"`
	Private bool   `json:"private,omitzero"` // as of its turn
}

// step is one answer of a model that called tools.
type step struct {
	Text    string               `json:"text,omitempty"`
	Calls   []gateway.Call       `json:"calls"`
	Results []gateway.ToolResult `json:"results"`
}

// add puts a turn to the others, and lets a block of them go where they are too
// many.
func (c *conversation) add(p past) {
	c.Past = append(c.Past, p)
	for len(c.Past) > mostPast || len(c.Past) > block && c.size() > mostSaid {
		c.Past = append([]past(nil), c.Past[block:]...)
	}
}

func (c *conversation) size() (n int) {
	for _, p := range c.Past {
		n += len(p.Asked) + len(p.Told) + len(p.Answer)
		for _, s := range p.Steps {
			n += len(s.Text)
			for _, call := range s.Calls {
				n += len(call.Args)
			}
			for _, r := range s.Results {
				n += len(r.Text)
			}
		}
	}
	return n
}

// messages are what a model is told of the turns before this one. All of it
// stays the same until a block of it goes. Turns with what only the person sees
// are told where that was switched on for this question, too.
func (c *conversation) messages(private bool) (all []gateway.Message) {
	for _, p := range c.Past {
		if p.Private && !private {
			continue
		}
		all = append(all, gateway.Message{Role: gateway.User, Parts: textParts(p.Told, p.Asked)})
		for _, s := range p.Steps {
			all = append(all,
				gateway.Message{Role: gateway.Assistant, Text: s.Text, Calls: s.Calls},
				gateway.Message{Role: gateway.Tools, Results: s.Results})
		}
		all = append(all, gateway.Message{Role: gateway.Assistant, Text: p.last()})
	}
	if len(all) > 0 {
		all[len(all)-1].Cache = true
	}
	return all
}

// last is what the model said in the end: its Answer without what it said on the
// way, which stands with the calls. A host takes no answer without a word.
func (p past) last() string {
	left := strings.TrimSpace(p.Answer)
	for _, s := range p.Steps {
		left = strings.TrimSpace(strings.TrimPrefix(left, strings.TrimSpace(s.Text)))
	}
	switch {
	case left != "":
		return left
	case p.Finish == AskedBack:
		return "(The person is asked.)"
	case p.Finish == Stopped:
		return "(The person stopped this.)"
	}
	return "(no answer)"
}

func textParts(texts ...string) (parts []gateway.Part) {
	for _, t := range texts {
		if t != "" {
			parts = append(parts, gateway.Part{Media: gateway.Text, Text: t})
		}
	}
	return parts
}

// slim is a step as it is told again in later turns: who called what, and how the
// answer began.
func (s step) slim() step {
	out := step{Text: cut(s.Text, slimText)}
	few := min(len(s.Calls), len(s.Results), mostCalls) // no more were made
	for _, c := range s.Calls[:few] {
		if len(c.Name) > slimName {
			c.Name = "unknown"
		}
		if len(c.Args) > slimArgs || c.Invalid {
			c.Args, c.Invalid = jsontext.Value("{}"), false
		}
		out.Calls = append(out.Calls, c)
	}
	for _, r := range s.Results[:few] {
		r.Text = slimmed(r.Text)
		out.Results = append(out.Results, r)
	}
	return out
}

// slimmed is how a tool's answer began, inside the marks that it stood in.
func slimmed(text string) string {
	if len(text) <= slimResult {
		return text
	}
	return document.Closed(cut(text, slimResult))
}

// taint names what earlier turns have read that the person did not write: their
// answers may tell a model what to do as well as the text itself.
func (c *conversation) taint() ([]tools.Text, error) {
	var t []tools.Text
	if len(c.Taint) == 0 {
		return nil, nil
	}
	return t, tools.Restore(c.Taint, &t)
}
