package household

import (
	"maps"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// voices are whose words a run hands out to an agent beside its person's: what
// other members wrote into notes, addresses and accounts, and the lines of bank
// statements. They may try to tell a model what to do. Names and tags are not
// among them: they are short, stand on every card, and people have seen them. If
// they counted, an agent of a family would have to ask for everything. A person
// sees for themselves whose words they are, and so has none: nil.
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

// whole hears what a subscription says beyond its name.
func (v *voices) whole(sub values) {
	if v == nil || sub.GetString("owner") == v.r.Actor.Person {
		return
	}
	if sub.GetString("notes") != "" || sub.GetString("url") != "" || sub.GetString("account") != "" {
		v.others[sub.GetString("owner")] = true
	}
}

// booked hears the text of a charge of a subscription: a statement's, or of who
// has that.
func (v *voices) booked(c charged, owner string) {
	switch {
	case v == nil || c.text == "":
	case !c.byHand:
		v.statement = true
	case owner != v.r.Actor.Person:
		v.others[owner] = true
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
