package household

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// link looks at what records name: other records must be in the part or seen
// by the person, members may be absent.
func (re *restoring) link() error {
	for _, a := range re.list {
		for _, f := range exported(a.col) {
			link, is := f.(*core.RelationField)
			to, given := a.fields[f.GetName()].(string)
			switch {
			case !is || !given:
			case link.CollectionId == accounts:
				if err := re.member(a, link.Name, to); err != nil {
					return err
				}
			default:
				if err := re.linked(a, link, to); err != nil {
					return err
				}
			}
		}
		if err := re.private(a); err != nil {
			return err
		}
	}
	return nil
}

// linked finds the record that a field names. One that is there unseen is told
// apart from none by nothing.
func (re *restoring) linked(a *arriving, link *core.RelationField, to string) error {
	if label, there := re.labels[re.keys[link.CollectionId]+"/"+to]; there {
		a.above(link, label)
		return nil
	}
	name, sees, err := re.view.nameOf(link.CollectionId, to)
	switch {
	case err != nil:
		return err
	case !sees:
		return a.problem(tools.T("household.restore.no_such", link.Name, short(to)))
	}
	a.above(link, name)
	return nil
}

// member takes out a handle that nobody has here. A share stays, as that of a
// person of this name.
func (re *restoring) member(a *arriving, field, handle string) error {
	if re.members[handle] != "" {
		return nil
	}
	name, err := parseName(field, handle, maxPerson)
	if err != nil {
		return a.refused(err)
	}
	delete(a.fields, field)
	if a.fields["private"] != nil {
		return nil // it passes to the person who acts
	}
	re.absent[name] = true // without what nobody sees: a card shows it
	if a.table.collection == shares {
		if a.fields["person"] != nil {
			return a.problem(tools.T("household.restore.both"))
		}
		a.fields["person"] = name
	}
	return nil
}

// private gives what is private to the person who brings it back: nobody but
// its owner could export it.
func (re *restoring) private(a *arriving) error {
	if a.fields["private"] == nil {
		return nil
	}
	re.privates[a.id] = true
	me := re.view.handles[re.c.Actor.Person]
	if owner, given := a.fields["owner"].(string); given && owner != me {
		return a.problem(tools.T("household.restore.private"))
	}
	if delete(a.fields, "owner"); me != "" {
		a.fields["owner"] = me
	}
	return nil
}

// above names a record that belongs to another by that one, and by its day.
func (a *arriving) above(link *core.RelationField, name string) {
	if link.Required {
		a.label = strings.TrimSpace(name + " " + a.label)
	}
}
