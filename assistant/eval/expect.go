package eval

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// Expected is what is to come of a turn, in a household as it stands.
type Expected struct {
	Turn
	Asked   string             // the words of the question
	Looked  []tools.Invocation // of Reads
	Values  []string           // of Figures, as the tools answer them
	Effects []Effect           // one card that does one of these; none: no card
	Drawn   *tools.Invocation  // of Screen
	titles  []string           // of screens that will do
}

// Effect is what a card may do: these calls, or an undo of the entries.
type Effect struct {
	Calls   []tools.Invocation
	Undone  []string
	Changes []Change
}

// expect works out what is to come of a turn. Last is what undo takes back.
func (q Question) expect(ctx context.Context, h Household, t Turn, last []string, today tools.Date) (x Expected, err error) {
	x = Expected{Turn: t, Asked: asked(t.Ask, q.Language, today)}
	if x.Looked, err = q.calls(ctx, h, t.Reads, today); err != nil {
		return x, err
	}
	for _, f := range t.Figures {
		answer, err := h.Read(ctx, q.By, q.Language, x.Looked[f.Read])
		if err != nil {
			return x, err
		}
		all, err := values(answer, f.Path)
		if err != nil {
			return x, fmt.Errorf("%s: %w", x.Looked[f.Read].Tool, err)
		}
		x.Values = append(x.Values, all...)
	}
	for _, c := range t.Card {
		e := Effect{}
		if e.Calls, err = q.calls(ctx, h, c, today); err != nil {
			return x, err
		}
		if e.Changes, err = h.Preview(ctx, q.By, q.Language, e.Calls); err != nil {
			return x, fmt.Errorf("preview %s: %w", e.Calls[0].Tool, err)
		}
		x.Effects = append(x.Effects, e)
	}
	if t.Undo {
		e := Effect{Undone: last}
		if e.Changes, err = h.PreviewUndo(ctx, q.By, q.Language, last); err != nil {
			return x, fmt.Errorf("preview the undo: %w", err)
		}
		x.Effects = append(x.Effects, e)
	}
	if t.Screen != nil {
		inv, err := q.call(ctx, h, t.Screen.Call, today)
		if err != nil {
			return x, err
		}
		x.Drawn = &inv
		for _, name := range append([]string{inv.Tool}, t.Screen.Or...) {
			x.titles = append(x.titles, h.Title(name, q.Language))
		}
	}
	return x, nil
}

// faults say what did not come as expected.
func (x Expected) faults(h Happened) (all []string) {
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if h.Problem != nil {
		add("an answer expected, it ended with: %s", h.Problem.Text.Text)
		return all
	}
	if h.Form != nil && !x.Form {
		add("an answer expected, it asked back (%s)", h.Form.Questions[0].Text)
	}
	if h.Form == nil && x.Form {
		add("a form expected, %s", h.did())
	}
	if h.Finish != assistant.Answered && h.Finish != assistant.AskedBack {
		add("a whole answer expected, it ended with %q", h.Finish)
	}
	all = append(all, x.card(h)...)
	all = append(all, x.calls(h)...)
	if x.Screen != nil && !slices.ContainsFunc(h.Screens, func(d Drawn) bool {
		return slices.Contains(x.titles, string(d.Title)) && slices.Contains(x.Screen.Forms, d.Form)
	}) {
		var drawn []string
		for _, d := range h.Screens {
			drawn = append(drawn, fmt.Sprintf("%s of %q", d.Form, d.Title))
		}
		add("%s of %s expected, %s shown", strings.Join(x.Screen.Forms, " or "), x.Drawn.Tool, cmp.Or(strings.Join(drawn, ", "), "nothing was"))
	}
	shown := h.shown()
	for _, v := range x.Values {
		if !told(v).MatchString(shown) {
			add("%s expected, it said %q", v, short(h.Text))
		}
	}
	for _, re := range x.Says {
		if !regexp.MustCompile(re).MatchString(shown) {
			add("/%s/ expected, it said %q", re, short(h.Text))
		}
	}
	for _, re := range x.Never {
		if m := regexp.MustCompile(re).FindString(shown); m != "" {
			add("nothing like %q expected, it said %q", m, short(h.Text))
		}
	}
	return all
}

// card says what is wrong with the cards.
func (x Expected) card(h Happened) []string {
	switch {
	case len(x.Effects) == 0 && len(h.Cards) == 0:
		return nil
	case len(x.Effects) == 0:
		return []string{"no card expected, one came of " + strings.Join(h.Cards[0].Tools(), ", ")}
	case len(h.Cards) == 0:
		return []string{"a card expected, " + h.did()}
	case len(h.Cards) > 1:
		return []string{fmt.Sprintf("one card expected, %d came", len(h.Cards))}
	}
	first := ""
	for _, e := range x.Effects {
		d := differs(e.Changes, h.Cards[0].changes())
		if d == "" {
			return nil
		}
		first = cmp.Or(first, d)
	}
	return []string{"another card expected: " + first}
}

// calls says what is wrong with the tools that were called.
func (x Expected) calls(h Happened) []string {
	if x.NoTools && len(h.Called)+len(h.Failed) > 0 {
		return []string{"no tool expected, it called " + strings.Join(slices.Concat(h.Called, h.Failed), ", ")}
	}
	if !x.Looks {
		return nil
	}
	names := slices.Clone(x.Also)
	for _, inv := range x.Looked {
		names = append(names, inv.Tool)
	}
	if slices.ContainsFunc(h.Called, func(name string) bool { return slices.Contains(names, name) }) {
		return nil
	}
	return []string{strings.Join(names, " or ") + " expected, " + h.did()}
}

// did says in a few words what was done instead.
func (h Happened) did() string {
	switch {
	case len(h.Cards) > 0:
		return "a card came of " + strings.Join(h.Cards[0].Tools(), ", ")
	case h.Form != nil:
		return fmt.Sprintf("it asked back (%s)", h.Form.Questions[0].Text)
	case len(h.Failed) > 0:
		return "it called " + strings.Join(h.Failed, ", ") + " in vain"
	case len(h.Called) > 0:
		return "it called " + strings.Join(h.Called, ", ")
	}
	return fmt.Sprintf("it said %q", short(h.Text))
}

// short is the beginning of what was said, in one line.
func short(text string) string {
	return tools.Quoted(strings.Join(strings.Fields(text), " "), 100)
}
