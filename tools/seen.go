package tools

import "github.com/pocketbase/pocketbase/core"

// seen is what is known of a record that a Call handed out: where was is set,
// the person may change it, as long as nothing more was written.
type seen struct {
	was    bool
	writes int
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
		r.run.viewed[key{rec.Collection().Id, rec.Id}] = writes
	}
}

// seesAbove says that all that a query can find belongs to records that this
// run has handed out and has written nothing since, and that it is seen by
// whoever sees those: its list rule has been asked already.
func (r *Reader) seesAbove(col *core.Collection, query Query) bool {
	if r.run.seen == nil {
		return false // without a transaction what was true need not be any more
	}
	for name, ids := range query.In {
		field, ok := col.Fields.GetByName(name).(*core.RelationField)
		if !ok || field.IsMultiple() || field.CollectionId == col.Id || len(ids) == 0 {
			continue
		}
		above, err := r.app.FindCachedCollectionByNameOrId(field.CollectionId)
		if err != nil || above.ViewRule == nil || above.ListRule == nil || *above.ViewRule != *above.ListRule {
			continue
		}
		if r.viewedAll(above, ids) && r.sameAbove(col, above, name) {
			return true
		}
	}
	return false
}

func (r *Reader) viewedAll(col *core.Collection, ids []string) bool {
	writes := r.run.writes()
	for _, id := range ids {
		if at, ok := r.run.viewed[key{col.Id, id}]; !ok || at != writes {
			return false
		}
	}
	return true
}
