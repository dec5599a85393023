package hooks

import (
	"github.com/nodkeep/nodkeep/tools"
)

// readerView is what every page of these shows of who reads it.
type readerView struct {
	Who  string
	Said *tools.Text // what has just happened
}

// nodListView is what waits for one person.
type nodListView struct {
	readerView
	Items  []waitingCard
	Agents []agentView // those of which several wait
	More   bool
}

// waitingCard is one of them, in a list.
type waitingCard struct {
	ID    string
	Title tools.Text
	Parts []tools.Text // what they are, where there are several
	Agent tools.Text
	Left  tools.Text
	Grave bool
}

// agentView is an agent, and how many of its proposals wait.
type agentView struct {
	ID    string
	Name  tools.Text
	Count int
}

// cardView is a card that waits for a nod. Shown are the items that the digest
// is of.
type cardView struct {
	readerView
	Asks, Left    tools.Text
	Mode          tools.Text
	Good          bool // the agent may still act
	Warns, Lines  []tools.Text
	Taint         []tools.Text
	Items         []itemView
	Ticks         bool // which of them
	Grave, Money  bool
	Digest, Shown string
	Reason        string
	Others        *agentView
}

// itemView is one call of a card.
type itemView struct {
	N            int
	Kept, Open   bool
	Money        bool
	Title        tools.Text
	Warns, Lines []tools.Text
	Changes      []changeView
}

// changeView is what happens to one record, field by field.
type changeView struct {
	Caption       tools.Text
	Before, After bool // which columns there are
	Fields        []fieldView
	Hidden        int
}

type fieldView struct {
	Label, Before, After tools.Text
	WasThere, IsThere    bool
}

// maxFolded is how many changes a card's sentences say one by one: more are
// opened, so that none is missed.
const maxFolded = 3

func changesView(changes []tools.Change) (views []changeView) {
	for _, c := range changes {
		v := changeView{Caption: tools.T("nod.op."+string(c.Op), tools.Text(c.Label)), Before: c.Op != tools.OpCreate, After: c.Op != tools.OpDelete, Hidden: c.Hidden}
		for _, f := range c.Fields {
			v.Fields = append(v.Fields, fieldView{tools.Text(f.Label), tools.OrNone(f.Before), tools.OrNone(f.After), v.Before, v.After})
		}
		views = append(views, v)
	}
	return views
}

// warns says clearly what cannot be had back so easily.
func warns(effect tools.Effect, sends []tools.Text) []tools.Text {
	switch effect {
	case tools.EffectDestroy:
		return append([]tools.Text{tools.T("nod.destroys")}, sends...)
	case tools.EffectSend:
		return append([]tools.Text{tools.T("nod.sends")}, sends...)
	}
	return sends
}
