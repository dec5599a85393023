package assistant

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// What a model is told of its proposals begins so. The script of the demonstration
// goes by it.
const (
	ToldDecisions = "What became of what you proposed:"
	ToldYes       = "The person confirmed, and it is done: "
	ToldNo        = "The person said no, and nothing was changed: "
	ToldWhy       = "Their reason: "
)

// decisions tell what became of earlier proposals of the conversation, and of
// those that took their place. What ended is told once, and kept with the
// question.
func (t *turn) decisions(ctx context.Context) string {
	var lines []string
	var left []open
	instead := map[string]bool{} // took the place of one that is told now
	for todo := t.said.Open; len(todo) > 0; {
		o := todo[0]
		todo = todo[1:]
		if o.Private && !t.q.Scope.Private {
			left = append(left, o)
			continue
		}
		p, err := t.l.c.Gate.Status(ctx, t.agent, o.ID)
		switch {
		case tools.KindOf(err) == tools.NotFound && err != nil: // forgotten
			continue
		case err != nil:
			t.l.c.Log.Warn("what became of a proposal could not be told", "error", err)
			left = append(left, o)
			continue
		}
		if p.State == gate.Pending {
			left = append(left, o)
			if !instead[o.ID] {
				continue
			}
		}
		if p.ReplacedBy != "" {
			instead[p.ReplacedBy] = true
			todo = slices.Concat([]open{{p.ReplacedBy, o.Private}}, todo)
		}
		lines = append(lines, t.decided(p))
	}
	t.said.Open = left
	if len(lines) == 0 {
		return ""
	}
	return ToldDecisions + "\n" + data("decisions", strings.Join(lines, "\n"))
}

// decided is what became of one.
func (t *turn) decided(p gate.Proposal) string {
	title := t.titled(p.Card)
	switch p.State {
	case gate.Pending:
		return "It waits for the person now: " + title
	case gate.Applied:
		says := ToldYes + title
		if len(p.Keep) > 0 {
			says = "The person confirmed some of it:"
			for i, it := range p.Items {
				if slices.Contains(p.Keep, i) {
					says += "\n  done: " + t.titled(it.Card)
				} else {
					says += "\n  left out, and not changed: " + t.titled(it.Card)
				}
			}
		}
		if p.Receipt != nil {
			for _, c := range p.Receipt.Changes[:min(len(p.Receipt.Changes), 8)] {
				says += fmt.Sprintf("\n  %s %s %s", c.Op, c.Collection, c.ID) // and no more of it: a card shows also what the question was not about
			}
		}
		return says
	case gate.Discarded:
		says := ToldNo + title
		if p.Reason != "" {
			says += "\n  " + ToldWhy + line(p.Reason, 500)
		}
		return says
	case gate.Expired:
		return "Nobody decided in time, and nothing was changed: " + title
	case gate.Replaced:
		return "The person wrote it differently, and the next took its place: " + title
	case gate.Stale:
		if p.ReplacedBy == "" {
			return "Something had changed meanwhile, and nothing was done: " + title
		}
		return "Something had changed meanwhile, and the next took its place: " + title
	}
	return "It could not be done, and nothing was changed: " + title
}

// titled is the title of a card in a line of English.
func (t *turn) titled(c tools.Card) string { return line(t.l.c.Catalogue.English(c.Title), 160) }
