package household

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// setAside takes out what is here just the same, and refuses what differs.
func (re *restoring) setAside() (unchanged int, err error) {
	here, err := re.here()
	if err != nil {
		return 0, err
	}
	var fresh []*arriving
	for _, a := range re.list {
		rec := here[a.key()]
		if rec == nil {
			fresh = append(fresh, a)
			continue
		}
		stored, err := re.view.fields(rec)
		if err != nil {
			return 0, err
		}
		switch differ := different(stored, a.fields); {
		case len(differ) == 0:
			unchanged++
		case re.completes(a, stored, differ) && rec.GetString(a.table.self) != "":
			unchanged++ // it names what this person does not see, and is not told so
		case re.completes(a, stored, differ):
			a.here = rec
			fresh = append(fresh, a)
		default:
			return 0, tools.Fail(tools.Conflict, "household.error.restore_differs", a.where(), names(differ))
		}
	}
	re.list = fresh
	return unchanged, nil
}

// completes says that all which a record here lacks is the name of a private
// one: another member brought it back, whose export could not name that.
func (re *restoring) completes(a *arriving, stored map[string]any, differ []string) bool {
	self := a.table.self
	to, _ := a.fields[self].(string)
	return self != "" && slices.Equal(differ, []string{self}) && stored[self] == nil && re.privates[to]
}

// here reads the records of the part that stand already, by key.
func (re *restoring) here() (map[string]*core.Record, error) {
	here := map[string]*core.Record{}
	for _, t := range exportTables() {
		q := tools.Query{Limit: 1}
		if !t.one() {
			q = tools.Query{In: map[string][]string{"id": {}}}
			for _, a := range re.list {
				if a.table.key == t.key {
					q.In["id"] = append(q.In["id"], a.id)
				}
			}
			if len(q.In["id"]) == 0 {
				continue
			}
		}
		recs, err := re.c.List(t.collection, q)
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			a := arriving{table: t}
			if !t.one() {
				a.id = rec.Id
			}
			here[a.key()] = rec
		}
	}
	return here, nil
}

// different names the fields in which two records differ.
func different(a, b map[string]any) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return reflect.DeepEqual(a[name], b[name])
	})
}

// write stores what is new, each record after those that it needs, and gives
// the subscriptions among them.
func (re *restoring) write(out *Restored) (made []*core.Record, err error) {
	to := map[string]string{}
	for _, a := range re.list {
		self, _ := a.fields[a.table.self].(string)
		to[a.key()] = a.table.key + "/" + self
	}
	deep := depths(to)
	slices.SortStableFunc(re.list, func(a, b *arriving) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(deep[a.key()], deep[b.key()]))
	})
	for _, a := range re.list {
		if a.table.collection == rates && !re.c.Operator() {
			out.LeftOut++
			continue
		}
		rec := a.here
		if rec != nil {
			rec.Set(a.table.self, a.fields[a.table.self])
		} else {
			rec = re.c.New(a.table.collection)
			err = re.fill(rec, a)
		}
		if err == nil {
			err = re.c.Save(rec)
		}
		if err != nil {
			return nil, a.refused(err)
		}
		if a.here != nil {
			out.Linked++
			continue
		}
		if out.Created[a.table.key]++; a.table.collection == subscriptions {
			made = append(made, rec)
		}
	}
	return made, nil
}

// fill puts the fields of an export into a new record.
func (re *restoring) fill(rec *core.Record, a *arriving) error {
	if !a.table.one() {
		rec.Id = a.id
	}
	for name, v := range a.fields {
		switch f := rec.Collection().Fields.GetByName(name).(type) {
		case *core.FileField:
			if err := re.c.Attach(rec, name, v.(tools.Upload)); err != nil { // as parse has made it
				return err
			}
			continue
		case *core.RelationField:
			if f.CollectionId == accounts {
				v = re.members[v.(string)]
			}
		}
		rec.Set(name, v)
	}
	if rec.GetBool("private") {
		rec.Set("owner", re.c.Actor.Person)
	}
	return nil
}
