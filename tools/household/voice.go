package household

import (
	"maps"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// voices are whose words a run hands out to an agent beside its person's: those
// of other members, and those of bank statements. They may try to tell a model
// what to do. A person sees for themselves whose they are, and so has none: nil.
type voices struct {
	r         *tools.Reader
	others    map[string]bool // owners of what was handed out
	statement bool
}

func voicesIn(r *tools.Reader) *voices {
	if r.Actor.Agent == "" {
		return nil
	}
	return &voices{r: r, others: map[string]bool{}}
}

// name hears the name of a subscription, by whoever has it. One that still is
// as a statement called it is the statement's.
func (v *voices) name(sub values) {
	if v == nil {
		return
	}
	v.owner(sub)
	if merchant := sub.GetString("merchant"); merchant != "" && sub.GetString("name") == tidied(merchant, maxName) {
		v.statement = true
	}
}

// whole hears all that a subscription says of itself.
func (v *voices) whole(sub values) {
	if v == nil {
		return
	}
	v.owner(sub)
	v.statement = v.statement || sub.GetString("merchant") != ""
}

// owner hears the person who has a subscription in what stands in it or below.
func (v *voices) owner(sub values) {
	if v == nil {
		return
	}
	if id := sub.GetString("owner"); id != v.r.Actor.Person {
		v.others[id] = true
	}
}

// booked hears the text of a charge that a statement brought.
func (v *voices) booked(c charged) {
	if v != nil && c.text != "" && !c.byHand {
		v.statement = true
	}
}

// names hears the names of some subscriptions of a book.
func (v *voices) names(all book, ids map[string]bool) {
	if v == nil || len(ids) == 0 {
		return
	}
	for _, e := range all {
		if ids[e.id()] {
			v.name(e)
		}
	}
}

// tell marks the run with whom it has heard.
func (v *voices) tell() error {
	if v == nil {
		return nil
	}
	if v.statement {
		v.r.Foreign(tools.T("household.voice.statement"))
	}
	if len(v.others) == 0 {
		return nil
	}
	handles, err := handlesOf(v.r)
	for _, id := range slices.Sorted(maps.Keys(v.others)) {
		if handle := handles[id]; handle != "" {
			v.r.Foreign(tools.T("household.voice.member", tools.Personal(handle)))
		} else {
			v.r.Foreign(tools.T("household.voice.former"))
		}
	}
	return err
}

// tellNames marks a run that hands out the names of these subscriptions.
func tellNames(r *tools.Reader, recs []*core.Record) error {
	v := voicesIn(r)
	for _, rec := range recs {
		v.name(rec)
	}
	return v.tell()
}

// idsOf collects ids, for names.
func idsOf[T any](list []T, id func(T) string) map[string]bool {
	ids := make(map[string]bool, len(list))
	for _, one := range list {
		ids[id(one)] = true
	}
	return ids
}
