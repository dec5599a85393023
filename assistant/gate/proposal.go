package gate

import (
	"encoding/json/jsontext"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// State is what became of a proposal.
type State string

// The states. All but the first are final.
const (
	Pending   State = "pending"
	Applied   State = "applied"
	Discarded State = "discarded"
	Expired   State = "expired"
	Stale     State = "stale"    // something changed meanwhile; ReplacedBy shows what it would do now
	Replaced  State = "replaced" // by one with other arguments
	Failed    State = "failed"   // it cannot be done any more; Reason says why
)

// Proposal is calls of an agent that wait for a person: previewed together,
// bound to what the preview showed, good once.
type Proposal struct {
	ID         string         `json:"id"`
	State      State          `json:"state"`
	Items      []Item         `json:"items"`
	Card       tools.Card     `json:"card"`
	Digest     string         `json:"digest"`           // while it waits, else empty; for people, never for a model
	Expires    time.Time      `json:"expires,omitzero"` // absent of what ran without a nod
	Created    time.Time      `json:"created"`
	Decided    time.Time      `json:"decided,omitzero"`
	By         string         `json:"by,omitzero"` // where it was decided: a door, or ByClient
	Actor      tools.Actor    `json:"actor"`
	Keep       []int          `json:"keep,omitempty"` // which items, by place, where not all of them
	Receipt    *tools.Receipt `json:"receipt"`
	Reason     string         `json:"reason"`
	ReplacedBy string         `json:"replaced_by"`

	calls []tools.Invocation
	scope *tools.Scope // of the question that it comes from
}

// ByClient is a nod that an MCP client answered for its person.
const ByClient = "client"

// Item is one call of a proposal, as a person is shown it. Of arguments beyond
// 16 kB it has the hash, as the audit.
type Item struct {
	Tool    string         `json:"tool"`
	Effect  tools.Effect   `json:"effect"`
	Money   bool           `json:"money"`
	Args    jsontext.Value `json:"args"`
	Card    tools.Card     `json:"card"`
	Changes []tools.Change `json:"changes"`
	Unseen  int            `json:"unseen"`
	Sends   []string       `json:"sends"`
}

// itemsOf makes what is kept of a preview.
func itemsOf(p tools.Preview, taint []tools.Text) []Item {
	items := make([]Item, len(p.Items))
	for i, it := range p.Items {
		if len(taint) > 0 {
			it.Card.Taint = taint
		}
		items[i] = Item{it.Tool, it.Effect, it.Money, jsontext.Value(tools.KeptArgs(it.Args)), it.Card, it.Changes, it.Unseen, it.Sends}
	}
	return items
}

// card is what a person reads of all items together.
func card(items []Item) tools.Card {
	if len(items) == 1 {
		return items[0].Card
	}
	all := tools.Card{Title: tools.T("gate.card.many", len(items)), Lines: []tools.Text{}, Sends: []tools.Text{}, Taint: []tools.Text{}}
	for i, it := range items {
		all.Lines = append(all.Lines, it.Card.Title)
		all.Grave = all.Grave || it.Card.Grave
		all.Sends = append(all.Sends, it.Card.Sends...)
		if i == 0 {
			all.Taint = it.Card.Taint // the agent's, and so the same of each
		}
	}
	return all
}

// kept are the items of the places; nil is all of them.
func (p *Proposal) kept(keep []int) []Item {
	if keep == nil {
		return p.Items
	}
	var items []Item
	for _, i := range keep {
		items = append(items, p.Items[i])
	}
	return items
}

// choose checks which items are to be kept, in the order of the proposal, and
// gives their calls. All of them are nil, however they are named.
func (p *Proposal) choose(keep []int) ([]int, []tools.Invocation, error) {
	if keep == nil {
		return nil, p.calls, nil
	}
	if len(keep) == 0 {
		return nil, nil, tools.Fail(tools.Invalid, "gate.error.keep_none")
	}
	wanted := map[int]bool{}
	for _, i := range keep {
		if i < 0 || i >= len(p.calls) || wanted[i] {
			return nil, nil, tools.Fail(tools.Invalid, "gate.error.keep", i, len(p.calls)-1)
		}
		wanted[i] = true
	}
	if len(wanted) == len(p.calls) {
		return nil, p.calls, nil
	}
	var places []int
	var calls []tools.Invocation
	for i, c := range p.calls {
		if wanted[i] {
			places, calls = append(places, i), append(calls, c)
		}
	}
	return places, calls, nil
}
