package gateway_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

func question(text string) gateway.Message {
	return gateway.Message{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: text}}}
}

// TestScript plays a question with calls, as a host would answer it.
func TestScript(t *testing.T) {
	meter := &tally{}
	s := gateway.NewScript(
		gateway.Scene{Think: "Hm.", Say: "Ich sehe nach.", Runes: 4, Calls: []gateway.Call{{Name: "list_items"}, {ID: "x", Name: "fly", Invalid: true}}},
		gateway.Scene{When: func(r gateway.Request) bool { return len(r.Messages) > 3 }, Say: "Later."},
		gateway.Scene{Say: "Zwei.", Usage: &gateway.Usage{Uncached: 1, Output: 2}},
		gateway.Scene{Refusal: &gateway.Refusal{Message: "No."}, Say: "I "},
		gateway.Scene{Finish: gateway.MaxTokens, Say: "A long", Calls: []gateway.Call{{Name: "fly"}}},
	)
	r := gateway.Request{Meter: meter, Messages: []gateway.Message{question("Look.")}}
	var deltas []string
	ask := func() gateway.Result {
		t.Helper()
		res, err := s.Stream(t.Context(), r, func(d gateway.Delta) { deltas = append(deltas, d.Text+"|"+d.Reasoning) })
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := ask()
	if want := []string{"|Hm.", "Ich |", "sehe|", " nac|", "h.|"}; !slices.Equal(deltas, want) || res.Text != "Ich sehe nach." || res.Reasoning != "Hm." || res.Finish != gateway.ToolUse || res.First <= 0 || res.Raw == nil {
		t.Errorf("%q, %+v", deltas, res)
	}
	if c := res.Calls; len(c) != 2 || c[0].ID == "" || string(c[0].Args) != "{}" || c[1].ID != "x" || c[1].Args != nil {
		t.Fatalf("%+v", c)
	}
	if *res.Usage != (gateway.Usage{Uncached: 20, Output: 10}) {
		t.Errorf("%+v", res.Usage)
	}
	r.Messages = append(r.Messages, gateway.Message{Role: gateway.Assistant, Calls: res.Calls},
		gateway.Message{Role: gateway.Tools, Results: []gateway.ToolResult{{Call: res.Calls[0].ID, Text: "two"}, {Call: "x", Error: true}}})
	if res = ask(); res.Text != "Zwei." || res.Finish != gateway.Stop || res.Usage.Output != 2 || res.Raw != nil {
		t.Errorf("%+v", res)
	}
	if res = ask(); res.Finish != gateway.Refused || res.Refusal.Message != "No." {
		t.Errorf("%+v", res)
	}
	if res = ask(); res.Finish != gateway.MaxTokens || len(res.Calls) > 0 {
		t.Errorf("%+v", res)
	}
	if s.Left() != 1 || len(s.Asked()) != 4 {
		t.Errorf("%d left, %d asked", s.Left(), len(s.Asked()))
	}
	_, err := s.Stream(t.Context(), r, func(gateway.Delta) {})
	if err == nil || !strings.Contains(err.Error(), "no answer to this request") {
		t.Error(err)
	}
	meter.check(t, 4, 0)
}

// TestScriptRefuses gives it conversations that no host takes.
func TestScriptRefuses(t *testing.T) {
	call := gateway.Message{Role: gateway.Assistant, Calls: []gateway.Call{{ID: "a", Name: "get"}, {ID: "b", Name: "get"}}}
	results := func(ids ...string) gateway.Message {
		m := gateway.Message{Role: gateway.Tools}
		for _, id := range ids {
			m.Results = append(m.Results, gateway.ToolResult{Call: id})
		}
		return m
	}
	for want, all := range map[string][]gateway.Message{
		"is missing":                   nil,
		"is no user's":                 {call, results("a", "b")},
		"is an answer":                 {question("Look."), {Role: gateway.Assistant, Text: "It is"}},
		"other results than":           {question("Look."), call, results("a")},
		"other results than there":     {question("Look."), call, results("b", "a")},
		"comes before the results":     {question("Look."), call, question("And?")},
		"2 has other results":          {question("Look."), {Role: gateway.Assistant, Text: "Yes."}, results()},
		"says nothing":                 {{Role: gateway.User}},
		"message 1 is of nobody":       {question("Look."), {Role: "system"}},
		"than there were calls":        {question("Look."), call, results("a", "b", "c")},
		"message 4 comes before":       {question("Look."), call, results("a", "b"), call, question("And?")},
		"message 2 has other results ": {question("Look."), call, results("a", "a")},
	} {
		meter := &tally{}
		_, err := gateway.NewScript(gateway.Scene{Say: "Yes."}).Stream(t.Context(), gateway.Request{Messages: all, Meter: meter}, func(gateway.Delta) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		meter.check(t, 0, 0)
	}
}

// stop is a meter that lets nothing through.
type stop struct{ tally }

var errStop = errors.New("no money")

func (*stop) Hold(context.Context) error { return errStop }

// TestScriptFails tries what ends a scene early, and what it then cost.
func TestScriptFails(t *testing.T) {
	r := gateway.Request{Messages: []gateway.Message{question("Look.")}}
	overloaded := &gateway.Error{Kind: gateway.Overloaded, Retryable: true}
	for _, row := range []struct {
		name     string
		scene    gateway.Scene
		unbilled int
		after    bool
	}{
		{"before", gateway.Scene{Err: overloaded}, 1, false},
		{"after", gateway.Scene{Say: "A half", Err: overloaded}, 0, true},
		{"cut", gateway.Scene{Err: &gateway.Error{Kind: gateway.Truncated}}, 0, false},
	} {
		meter := &tally{}
		r.Meter = meter
		res, err := gateway.NewScript(row.scene).Stream(t.Context(), r, func(gateway.Delta) {})
		if e, ok := errors.AsType[*gateway.Error](err); !ok || e.AfterContent != row.after || res.Finish != gateway.Failed || overloaded.AfterContent {
			t.Errorf("%s: %+v, %v", row.name, res, err)
		}
		meter.check(t, 1, row.unbilled)
	}
	none := &stop{}
	r.Meter = none
	if _, err := gateway.NewScript(gateway.Scene{Say: "Yes."}).Stream(t.Context(), r, func(gateway.Delta) {}); !errors.Is(err, errStop) {
		t.Error(err)
	}
	none.check(t, 0, 0)
	meter := &tally{}
	r.Meter = meter
	ctx, leave := context.WithCancel(t.Context())
	res, err := gateway.NewScript(gateway.Scene{Say: "Yes.", Runes: 1, Between: time.Hour}).Stream(ctx, r, func(gateway.Delta) { leave() })
	if !errors.Is(err, context.Canceled) || res.Text != "Y" {
		t.Errorf("%+v, %v", res, err)
	}
	meter.check(t, 1, 0)
	if _, err := gateway.NewScript(gateway.Scene{Say: "Yes."}).Stream(ctx, r, func(gateway.Delta) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	meter.check(t, 1, 0)
}
