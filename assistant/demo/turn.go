package demo

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

// reply is what comes next: calls, which may come with words, or the answer.
type reply struct {
	text  string
	calls []gateway.Call
}

// turn is a question, and what came of it so far.
type turn struct {
	s     *Script
	r     gateway.Request
	lang  string
	asked string // the person's words
	words []string
	told  string     // what became of earlier proposals, if that is news
	steps [][]result // of the tools called since, by answer
}

// result is what a tool answered.
type result struct {
	tool   string
	text   string
	data   jsontext.Value // of a tool that was read
	failed bool
}

// read reads a request.
func (s *Script) read(r gateway.Request) turn {
	t := turn{s: s, r: r}
	last := 0
	for n, m := range r.Messages {
		if m.Role == gateway.User {
			last = n
		}
	}
	if len(r.Messages) == 0 {
		return t
	}
	for _, p := range r.Messages[last].Parts {
		if p.Media != gateway.Text {
			continue
		}
		if strings.HasPrefix(p.Text, assistant.ToldDecisions) {
			t.told = p.Text
		}
		t.asked = p.Text // the question comes last
	}
	t.words = offer.Plain(t.asked)
	var calls []gateway.Call
	for _, m := range r.Messages[last+1:] {
		switch m.Role {
		case gateway.Assistant:
			calls = m.Calls
		case gateway.Tools:
			var step []result
			for n, got := range m.Results {
				step = append(step, result{called(calls[n]), got.Text, inside(got.Text), got.Error})
			}
			t.steps = append(t.steps, step)
		}
	}
	return t
}

// called is the tool that a call is for, by whichever way.
func called(c gateway.Call) string {
	var in struct {
		Name string `json:"name"`
	}
	if c.Name == "use_tool" && json.Unmarshal(c.Args, &in) == nil {
		return in.Name
	}
	return c.Name
}

// inside is the JSON of a result, which stands between marks.
func inside(text string) jsontext.Value {
	_, rest, ok := strings.Cut(text, "<data source=")
	if !ok {
		return nil
	}
	_, rest, _ = strings.Cut(rest, "\n")
	body, _, _ := strings.Cut(rest, "\n</data>")
	if v := jsontext.Value(body); v.IsValid() {
		return v
	}
	return nil
}

// got is the last answer of a tool; ok is false where it was not called, or failed.
func got[T any](t *turn, tool string) (v T, ok bool) {
	for _, step := range slices.Backward(t.steps) {
		for _, r := range slices.Backward(step) {
			if r.tool == tool && !r.failed && r.data != nil {
				return v, json.Unmarshal(r.data, &v) == nil
			}
		}
	}
	return v, false
}

// last are the results of the last calls.
func (t *turn) last() []result {
	if len(t.steps) == 0 {
		return nil
	}
	return t.steps[len(t.steps)-1]
}

// failure is why a call of this turn failed, if one did.
func (t *turn) failure() (why string, failed bool) {
	for _, r := range t.last() {
		if r.failed {
			_, why, _ = strings.Cut(r.text, "\n")
			_, why, _ = strings.Cut(why, "\n")
			why, _, _ = strings.Cut(why, "\n</data>")
			return why, true
		}
	}
	return "", false
}

// repeats says that the same would be called again: what it answered could not be
// read.
func (t *turn) repeats(next reply) bool {
	return slices.ContainsFunc(next.calls, func(c gateway.Call) bool {
		return slices.ContainsFunc(t.last(), func(r result) bool { return r.tool == called(c) })
	})
}

// waits says that what was called last waits for the person; else it is done.
func (t *turn) waits() bool {
	return slices.ContainsFunc(t.last(), func(r result) bool { return strings.HasPrefix(r.text, "It waits") })
}

// replies gives the answer.
func (t *turn) replies(key string, args ...any) reply { return reply{text: t.sentence(key, args...)} }

func (t *turn) sentence(key string, args ...any) string {
	return t.s.c.Say(t.lang, tools.T(key, args...))
}

// call is one of a tool: by its own name where it is listed, else as those are
// called that are not.
func (t *turn) call(name string, args map[string]any) gateway.Call {
	listed := slices.ContainsFunc(t.r.Tools, func(is gateway.Tool) bool { return is.Name == name })
	if !listed {
		name, args = "use_tool", map[string]any{"name": name, "args": args}
	}
	b, err := json.Marshal(args, json.Deterministic(true))
	if err != nil || args == nil {
		b = []byte("{}")
	}
	return gateway.Call{Name: name, Args: b}
}

// calls is a reply of calls, with ids that no other has in this conversation.
func (t *turn) calls(all ...gateway.Call) reply {
	for n := range all {
		all[n].ID = fmt.Sprintf("script_%d_%d", len(t.r.Messages), n+1)
	}
	return reply{calls: all}
}

// one is a reply of one call.
func (t *turn) one(name string, args map[string]any) reply { return t.calls(t.call(name, args)) }

// money is an amount as a tool gives it.
func money(amount, currency string) any {
	m, err := tools.ParseMoney(amount, currency)
	if err != nil {
		return amount + " " + currency
	}
	return m
}
