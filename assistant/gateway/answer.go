package gateway

import (
	"encoding/json/jsontext"
	"strings"
)

// answer gathers what a decoder finds, and holds the rules that are the same
// for every protocol.
type answer struct {
	show      func(Delta)
	text      strings.Builder
	reasoning strings.Builder
	calls     []Call
	ids       map[string]int // of the calls, where each stands
	finish    Finish
	ended     bool // the host said that it has finished: only then may a call run
	usage     *Usage
	billed    []Billed
	cost      *int64
	model     string
	refusal   *Refusal
	raw       []jsontext.Value
	err       *Error
	begun     bool // the host was at work on it, also where nothing of that is to be seen
	odd       bool // something came that cannot be read
}

// say shows a piece of the answer.
func (a *answer) say(text string) {
	if text != "" {
		a.text.WriteString(text)
		a.show(Delta{Text: text})
	}
}

// think shows a piece of the thinking.
func (a *answer) think(text string) {
	if text != "" {
		a.reasoning.WriteString(text)
		a.show(Delta{Reasoning: text})
	}
}

// fail keeps the first error; what a host says after it explains nothing.
func (a *answer) fail(err *Error) {
	if a.err == nil {
		a.err = err
	}
}

// over notes why the answer ended, as the host says: "" if it does not say why.
func (a *answer) over(why Finish) {
	a.ended = true
	if why != "" {
		a.finish = why
	}
}

// result is what it comes to.
func (a *answer) result(t target) (Result, *Error) {
	r := Result{Text: a.text.String(), Reasoning: a.reasoning.String(), Finish: a.finish, Usage: a.usage, Model: a.model, Refusal: a.refusal}
	err := a.err
	switch {
	case err != nil:
	case !a.ended:
		err = &Error{Kind: Truncated, Message: "the answer ended without saying so", Retryable: true}
	case (r.Finish == Stop || r.Finish == ToolUse || r.Finish == "") && len(a.calls) > 0:
		r.Finish, r.Calls = ToolUse, a.calls
	case r.Finish == ToolUse || r.Finish == "":
		r.Finish = Stop
	}
	if err == nil && r.Finish == Stop && r.Text == "" {
		err = &Error{Kind: Empty, Message: "the answer has neither text nor a call", Retryable: true}
	}
	if err != nil {
		err.AfterContent = r.Text != "" || r.Reasoning != ""
		r.Finish = Failed
	}
	if (r.Finish == Stop || r.Finish == ToolUse) && len(a.raw) > 0 {
		r.Raw = &Raw{Protocol: t.Protocol, Host: t.Host, Model: t.Model, Items: a.raw}
	}
	return r, err
}
