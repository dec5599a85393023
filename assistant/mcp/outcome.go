package mcp

import (
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// outcome is what became of a call that changes something.
type outcome struct {
	Status     string     `json:"status"`
	State      string     `json:"state,omitempty"` // that of the proposal, under the name that clients were promised
	Output     any        `json:"output,omitempty"`
	Receipt    *receipt   `json:"receipt,omitempty"`
	Card       string     `json:"card,omitempty"` // for the person: what is asked, or what was done
	Proposal   string     `json:"proposal,omitempty"`
	Link       string     `json:"link,omitempty"` // where the person decides
	Expires    *time.Time `json:"expires,omitempty"`
	Reason     string     `json:"reason,omitempty"` // what the person said
	ReplacedBy string     `json:"replaced_by,omitempty"`
	Next       string     `json:"next,omitempty"` // what to do now
}

// receipt is a tools.Receipt without its cards, which are told in words.
type receipt struct {
	Audit     []string       `json:"audit"`
	Changes   []tools.Change `json:"changes"`
	Unseen    int            `json:"unseen,omitempty"`
	UndoUntil *time.Time     `json:"undo_until,omitempty"`
}

// The words for what became of a call, beside the states of a proposal.
const (
	statusDone    = "done"
	statusPending = "pending"
)

// statuses are all that a call can end with.
func statuses() []any {
	all := []any{statusDone}
	for _, s := range []gate.State{gate.Pending, gate.Discarded, gate.Expired, gate.Stale, gate.Replaced, gate.Failed} {
		all = append(all, string(s))
	}
	return all
}

// outcomeOf is the schema of an outcome around a tool's own output. Of that it
// has the type alone: whoever changes something knows what it is, and told whole
// it would be four fifths of the list of tools.
func outcomeOf(out *jsonschema.Schema) *jsonschema.Schema {
	s := tools.NewRead[struct{}, outcome](tools.Def{}, nil).Output
	if out == nil {
		delete(s.Properties, "output")
	} else {
		s.Properties["output"] = &jsonschema.Schema{Type: out.Type, Types: out.Types, Description: "the record as it is now, or what else the tool says"}
	}
	s.Properties["status"].Enum = statuses()
	s.Properties["receipt"].Properties["changes"].Items = &jsonschema.Schema{Type: "object"}
	return s
}

// outcome tells what a call did, or what became of the proposal that it made.
func (d *Door) outcome(a gate.Agent, got gate.Answer) outcome {
	var o outcome
	if p := got.Proposal; p != nil {
		o = d.outcomeOfProposal(a, *p)
	}
	if got.Receipt != nil {
		o.Status, o.Output, o.Receipt = statusDone, got.Output, receiptOf(got.Receipt)
		if o.Card == "" && len(got.Receipt.Cards) > 0 {
			o.Card = d.card(a, got.Receipt.Cards[0])
		}
	}
	return o
}

func (d *Door) outcomeOfProposal(a gate.Agent, p gate.Proposal) outcome {
	o := outcome{Status: string(p.State), State: string(p.State), Proposal: p.ID, Card: d.card(a, p.Card), Reason: p.Reason, ReplacedBy: p.ReplacedBy}
	switch p.State {
	case gate.Applied:
		o.Status = statusDone
		if p.Receipt != nil {
			o.Receipt = receiptOf(p.Receipt)
			if len(p.Receipt.Outputs) == 1 {
				o.Output = p.Receipt.Outputs[0]
			}
		}
	case gate.Pending:
		o.Link, o.Expires = d.c.Link(p.ID), &p.Expires
		where := "Show the person the card and the link, where they decide"
		if o.Link == "" { // no server runs, and no page answers
			where = "Show the person the card: they decide at the terminal of that machine, by nodkeep proposal confirm " + p.ID + " --as NAME, or discard in place of confirm"
		}
		o.Next = "Nothing is changed yet. " + where + "; then ask proposal_status with the id " + p.ID + " (wait up to 50 seconds at a time) what became of it. Do not repeat the call."
	case gate.Discarded:
		o.Next = "The person said no, and nothing was changed. Do not ask again for the same; go by the reason, if there is one."
	case gate.Replaced, gate.Stale:
		if p.ReplacedBy != "" {
			o.Next = "Nothing was changed by this one. Another took its place: ask proposal_status with the id " + p.ReplacedBy + "."
		} else {
			o.Next = "Nothing was changed: something is different since it was shown. Look at it again and make the call anew."
		}
	case gate.Expired:
		o.Next = "Nobody decided in time, and nothing was changed. Make the call again if it is still wanted."
	case gate.Failed:
		o.Next = "It could not be done, and nothing was changed."
	}
	return o
}

func receiptOf(r *tools.Receipt) *receipt {
	out := &receipt{Audit: r.Audit, Changes: r.Changes, Unseen: r.Unseen}
	if out.Changes == nil {
		out.Changes = []tools.Change{}
	}
	if out.Audit == nil {
		out.Audit = []string{}
	}
	if !r.UndoUntil.IsZero() {
		out.UndoUntil = &r.UndoUntil
	}
	return out
}

// card is what a person reads, as text.
func (d *Door) card(a gate.Agent, c tools.Card) string {
	var b strings.Builder
	b.WriteString(d.say(a, c.Title))
	for _, lines := range [][]tools.Text{c.Lines, c.Sends, c.Taint} {
		for _, line := range lines {
			b.WriteString("\n- " + d.say(a, line))
		}
	}
	return b.String()
}
