package tools

import (
	"encoding/json/v2"
	"maps"
	"slices"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/dbutils"
)

// reached is what a question has come to so far.
type reached struct {
	runner *Runner
	reader *Reader
	ids    map[string]map[string]bool
	n      int
}

// add takes in a record; false where it is in already.
func (in *reached) add(collection, id string) bool {
	if in.ids[collection] == nil {
		in.ids[collection] = map[string]bool{}
	}
	if in.ids[collection][id] {
		return false
	}
	in.ids[collection][id] = true
	in.n++
	return true
}

func (in *reached) all() map[string][]string {
	all := make(map[string][]string, len(in.ids))
	for collection, ids := range in.ids {
		all[collection] = slices.Sorted(maps.Keys(ids))
	}
	return all
}

// link is a relation from the records of one collection to those of another.
type link struct {
	from, to *core.Collection
	field    *core.RelationField
	part     bool // it names what its records are parts of,
	plain    bool // and they have no other links: a scope finds them by that
}

// links are the relations between plugins' collections.
func (in *reached) links() ([]link, error) {
	cols, err := in.reader.app.FindAllCollections()
	if err != nil {
		return nil, err
	}
	var all []link
	has := map[string]int{} // links of a collection, in and out
	for _, col := range cols {
		for _, f := range col.Fields {
			rel, ok := f.(*core.RelationField)
			if !ok || rel.Hidden || !in.runner.askable(col.Name) {
				continue
			}
			to, err := in.reader.app.FindCachedCollectionByNameOrId(rel.CollectionId)
			if err != nil || !in.runner.askable(to.Name) {
				continue
			}
			all = append(all, link{from: col, to: to, field: rel, part: in.runner.reg.scopes[col.Name].Part == rel.Name})
			has[col.Name]++
			has[to.Name]++
		}
	}
	for i := range all {
		all[i].plain = all[i].part && has[all[i].from.Name] == 1
	}
	return all, nil
}

// stride is where a link leads from some records: to these of one collection.
type stride func(l link, from map[string][]string) (collection string, ids []string, err error)

// follow takes in what strides lead to, and what that leads to, until there is
// nothing new.
func (in *reached) follow(from map[string][]string, strides ...stride) error {
	links, err := in.links()
	if err != nil {
		return err
	}
	for len(from) > 0 {
		next := map[string][]string{}
		for _, l := range links {
			for _, lead := range strides {
				collection, ids, err := lead(l, from)
				if err != nil {
					return err
				}
				for _, id := range ids {
					if in.add(collection, id) {
						next[collection] = append(next[collection], id)
					}
				}
				if in.n > maxReach {
					return Fail(TooLarge, "error.scope_large", maxReach)
				}
			}
		}
		from = next
	}
	return nil
}

// naming leads to the records that name others. Plain parts come with what they
// are parts of, and need not be named.
func (in *reached) naming(l link, from map[string][]string) (string, []string, error) {
	ids := from[l.to.Name]
	if len(ids) == 0 || l.plain {
		return "", nil, nil
	}
	raw, err := json.Marshal(ids)
	if err != nil {
		return "", nil, err
	}
	column := l.from.Name + "." + l.field.Name
	named := "[[" + column + "]] IN (SELECT value FROM json_each({:nodkeep_named}))"
	if l.field.IsMultiple() {
		named = "EXISTS (SELECT 1 FROM " + dbutils.JSONEach(column) + " AS nodkeep_each WHERE nodkeep_each.value IN (SELECT value FROM json_each({:nodkeep_named})))"
	}
	found, err := in.ask(l.from, "id", dbx.NewExp(named, dbx.Params{"nodkeep_named": string(raw)}))
	return l.from.Name, found, err
}

// parts leads to parts that have links of their own.
func (in *reached) parts(l link, from map[string][]string) (string, []string, error) {
	if !l.part {
		return "", nil, nil
	}
	return in.naming(l, from)
}

// named leads to the records that others name.
func (in *reached) named(l link, from map[string][]string) (string, []string, error) {
	if len(from[l.from.Name]) == 0 {
		return "", nil, nil
	}
	of, err := idAmong(l.from, "from", from[l.from.Name])
	if err != nil {
		return "", nil, err
	}
	values, err := in.ask(l.from, l.field.Name, of)
	if err != nil {
		return "", nil, err
	}
	ids := map[string]bool{}
	for _, v := range values {
		maps.Copy(ids, listed(v))
	}
	if len(ids) == 0 {
		return "", nil, nil
	}
	to, err := idAmong(l.to, "to", slices.Collect(maps.Keys(ids)))
	if err != nil {
		return "", nil, err
	}
	found, err := in.ask(l.to, "id", to)
	return l.to.Name, found, err
}

// ask reads a column of the records that the person may list, as far as private
// ones are switched on.
func (in *reached) ask(col *core.Collection, column string, which dbx.Expression) ([]string, error) {
	rd := in.reader
	q := rd.app.ConcurrentDB().Select(col.Name + "." + column).From(col.Name).AndWhere(which).WithContext(rd.ctx)
	ok, err := rd.restrictTo(q, col, rd.scope, col.ListRule)
	if err != nil || !ok {
		return nil, err
	}
	var found []string
	return found, q.Limit(maxReach + 1).Column(&found)
}
