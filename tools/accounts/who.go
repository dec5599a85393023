package accounts

import (
	"slices"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// maxAtOnce is for how many people at once something is set.
const maxAtOnce = 200

// whoIn names for whom something is set: people, or everybody.
type whoIn struct {
	Accounts  []tools.Personal `json:"accounts,omitempty"` // ids or handles
	Everybody bool             `json:"everybody,omitzero"`
}

// target is one of them; without an id it is everybody.
type target struct{ id, handle string }

func (in whoIn) targets(r *tools.Reader) (all []target, err error) {
	switch {
	case in.Everybody && len(in.Accounts) > 0, !in.Everybody && len(in.Accounts) == 0:
		return nil, invalid("nodkeep.error.who")
	case len(in.Accounts) > maxAtOnce:
		return nil, invalid("nodkeep.error.too_many", len(in.Accounts), maxAtOnce)
	case in.Everybody:
		return []target{{}}, nil
	}
	for _, name := range in.Accounts {
		rec, err := anybody(r, string(name))
		if err != nil {
			return nil, err
		}
		if t := (target{rec.Id, string(named(rec))}); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all, nil
}

// anybody finds a member by handle or id, and by id also who is none now.
func anybody(r *tools.Reader, handleOrID string) (*core.Record, error) {
	rec, err := member(r, handleOrID)
	if tools.KindOf(err) == tools.NotFound {
		return find(r, handleOrID)
	}
	return rec, err
}

// handles of targets; none for everybody.
func handles(all []target) []string {
	out := []string{}
	for _, t := range all {
		if t.id != "" {
			out = append(out, t.handle)
		}
	}
	return out
}

// theirs finds what a collection has for a person, or for everybody; nil where
// it has nothing.
func theirs(r *tools.Reader, collection, person string, more map[string]string) (*core.Record, error) {
	in := map[string][]string{"person": {person}}
	for field, value := range more {
		in[field] = []string{value}
	}
	q := tools.Query{In: in, Limit: 1}
	if person == "" {
		q.Filter = "everybody = true"
	}
	recs, err := r.List(collection, q)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	return recs[0], nil
}

// unseen refuses a change by who has not seen what stands now: seen is when
// that was last changed, as a list says; nil asks nothing, and "" says that
// there was nothing. rec may be nil.
func unseen(seen *string, rec *core.Record, now []tools.Text) error {
	if seen == nil {
		return nil
	}
	var had, has time.Time
	if *seen != "" {
		var err error
		if had, err = time.Parse(time.RFC3339, *seen); err != nil {
			return invalid("nodkeep.error.seen")
		}
	}
	if rec != nil {
		has = at(rec, "updated")
	}
	if had.Equal(has) {
		return nil
	}
	return conflict("nodkeep.error.changed", now)
}
