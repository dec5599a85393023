package household

import (
	"maps"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type restoreIn struct {
	Household map[string]any `json:"household" jsonschema:"a part, as household_export gave it"`
}

// Restored is what became of a part.
type Restored struct {
	Created   map[string]int `json:"created" jsonschema:"how many records, by list"`
	Unchanged int            `json:"unchanged" jsonschema:"records that were here, just the same"`
	Linked    int            `json:"linked,omitzero" jsonschema:"records that were here, and only lacked that they replace a private one of yours"`
	LeftOut   int            `json:"left_out,omitzero" jsonschema:"days whose exchange rates are new here: only an operator may bring them"`
	Absent    []string       `json:"absent,omitempty" jsonschema:"handles that nobody has here: what was theirs has no owner, their shares are a person's of that name"`
	cost      sums           // a month, of what goes on
}

func restoreTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_restore", Title: "household.title.restore", Effect: tools.EffectWrite,
		Help: "Takes back what household_export gave, part after part, under the same ids. What is here just the same stays; what differs is a conflict.",
	}, restore, tools.WithCard(restoreCard))
}

// restoring is a part on its way in.
type restoring struct {
	c          *tools.Call
	view       *exportView
	collection func(name string) *core.Collection
	members    map[string]string // ids by handle
	list       []*arriving       // in the order of the tables
	keys       map[string]string // of the tables in the part, by the id of the collection
	labels     map[string]string // of its records, by key
	absent     map[string]bool   // handles that nobody has here
	privates   map[string]bool   // subscriptions that only the person sees
}

func restoringOf(collection func(string) *core.Collection) *restoring {
	return &restoring{
		collection: collection, members: map[string]string{},
		keys: map[string]string{}, labels: map[string]string{}, absent: map[string]bool{}, privates: map[string]bool{},
	}
}

func restore(c *tools.Call, in restoreIn) (Restored, error) {
	view, err := exportViewOf(&c.Reader)
	if err != nil {
		return Restored{}, err
	}
	re := restoringOf(func(name string) *core.Collection { return c.New(name).Collection() })
	re.c, re.view = c, view
	for id, handle := range view.handles {
		re.members[handle] = id
	}
	own, err := c.Rows(subscriptions, tools.Query{Filter: "private = true"})
	if err != nil {
		return Restored{}, err
	}
	for _, row := range own {
		re.privates[row.GetString("id")] = true
	}
	if err := re.parse(in.Household); err != nil {
		return Restored{}, err
	}
	if err := re.link(); err != nil {
		return Restored{}, err
	}
	out := Restored{Created: map[string]int{}}
	if out.Unchanged, err = re.setAside(); err != nil {
		return Restored{}, err
	}
	made, err := re.write(&out)
	if err != nil {
		return Restored{}, err
	}
	if len(re.absent) > 0 {
		out.Absent = slices.Sorted(maps.Keys(re.absent))
	}
	out.cost, err = costOf(&c.Reader, made)
	return out, err
}

// costOf adds up what new subscriptions cost a month, those that go on.
func costOf(r *tools.Reader, recs []*core.Record) (sums, error) {
	h, err := homeOf(r)
	if err != nil {
		return nil, err
	}
	by, err := belowOf(r, recs)
	if err != nil {
		return nil, err
	}
	var cost sums
	for _, rec := range recs {
		s, err := scheduleOf(rec, by[rec.Id])
		if err != nil {
			return nil, err
		}
		if month := s.cycle.PerMonth(s.on(h.today)); month > 0 && !s.over(h.today) {
			cost.add(s.money(month))
		}
	}
	return cost, nil
}
