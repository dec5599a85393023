package tools

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// seen is what is known of a record that a Call handed out: where was is set,
// the person may change it, as long as nothing more was written.
type seen struct {
	was    bool
	writes int
}

// view is a moment at which a person could view a record, and by which rule.
type view struct {
	writes int
	rule   string
}

// key names a stored record, whatever becomes of what stands for it in memory.
type key struct{ collection, id string }

// sawWritten remembers a record that a Call has written: it need not look at
// the view rule to write it once more.
func (r *Reader) sawWritten(rec *core.Record) {
	r.run.seen[rec] = seen{writes: r.run.writes()}
}

// saw remembers records that a Call handed out since the person may view them,
// and whether they may change them: they need no second look at the rules when
// they are saved, nor does what belongs to them when it is read.
func (r *Reader) saw(was bool, recs ...*core.Record) {
	if r.run.seen == nil {
		return
	}
	writes := r.run.writes()
	for _, rec := range recs {
		r.run.seen[rec] = seen{was, writes}
		if rule := rec.Collection().ViewRule; rule != nil { // nil: for superusers alone
			r.run.viewed[key{rec.Collection().Id, rec.Id}] = view{writes, *rule}
		}
	}
}

// seesAbove says that all that a query can find belongs to one record that this
// run has handed out and has written nothing since, and that it is seen by
// whoever sees that: its list rule has been asked already. With more than one,
// the rule is what keeps SQLite at the index below them. A filter that joins is
// left to PocketBase, which lets the rule join along; so are views, which may
// hold one id twice.
func (r *Reader) seesAbove(col *core.Collection, query Query) bool {
	if r.run.seen == nil || len(r.run.viewed) == 0 {
		return false // without a transaction what was true need not be any more
	}
	if col.IsView() || strings.Contains(query.Filter+query.Sort, ".") {
		return false
	}
	for name, ids := range query.In {
		field, ok := col.Fields.GetByName(name).(*core.RelationField)
		if !ok || field.IsMultiple() || field.CollectionId == col.Id || len(ids) != 1 {
			continue
		}
		above, err := r.app.FindCachedCollectionByNameOrId(field.CollectionId)
		if err != nil || above.IsView() || above.ViewRule == nil || above.ListRule == nil || *above.ViewRule != *above.ListRule {
			continue
		}
		at, ok := r.run.viewed[key{above.Id, ids[0]}]
		if ok && at == (view{r.run.writes(), *above.ViewRule}) && r.sameAbove(col, above, name) {
			return true
		}
	}
	return false
}
