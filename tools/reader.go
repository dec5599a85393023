package tools

import (
	"context"
	"database/sql"
	"encoding/json/v2"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/search"
)

// Reader is one run of a tool by one actor, able to read what that person may
// see: the collection's list and view rule, as everywhere else. What they may
// not see is not found.
type Reader struct {
	Actor Actor

	ctx   context.Context
	app   core.App // the concurrent pool, or the transaction of a Call
	run   *run
	scope *Scope                        // of what it finds; nil is all that the person may see
	was   func(*core.Collection) string // of a Call: what must hold before it changes a record
}

// run is what the calls of one run share.
type run struct {
	info   *core.RequestInfo // the person, read again for this run
	now    time.Time
	reg    *Registry
	writes func() int            // how many were made or tried in this run of Calls
	seen   map[*core.Record]seen // records handed out by this run of Calls; nil for a read
	viewed map[key]view          // which of them the person may view, and when that was so
	refs   map[string]Words      // names of linked records, once they were looked up for a card

	since   since               // how records were, for entries about them
	foreign []Text              // where text came from that others wrote
	written map[string][]string // under a scope: the ids that this run has stored, by collection
}

// Context ends when the run's time is over.
func (r *Reader) Context() context.Context { return r.ctx }

// Now is the clock of this run, UTC; a plugin converts with its own zone.
func (r *Reader) Now() time.Time { return r.run.now }

// Find reads a record that the person may view; otherwise the error is of kind
// NotFound, whether it exists or not.
func (r *Reader) Find(collection, id string) (*core.Record, error) {
	col, err := r.collection(collection)
	if err != nil {
		return nil, err
	}
	if id == "" || (col.ViewRule == nil && !r.unbound()) {
		return nil, Fail(NotFound, "error.not_found", collection, Quoted(id, 60))
	}
	// A Call mostly finds what it is about to change: the change rule is asked
	// along, and once more without it where it does not hold.
	if was := r.wasOf(col); was != "" {
		rec, ok, err := r.readIf(r.scope, col, id, col.ViewRule, &was)
		if err != nil {
			return nil, err
		}
		if ok {
			r.saw(true, rec)
			return rec, nil
		}
	}
	rec, ok, err := r.readIf(r.scope, col, id, col.ViewRule)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, Fail(NotFound, "error.not_found", collection, Quoted(id, 60))
	}
	r.saw(false, rec)
	return rec, nil
}

// wasOf is what must hold before a change by a Call; "" where nothing must.
func (r *Reader) wasOf(col *core.Collection) string {
	if r.was == nil {
		return ""
	}
	return r.was(col)
}

// readIf reads a record if it is in the scope and the rules hold for it.
func (r *Reader) readIf(s *Scope, col *core.Collection, id string, rules ...*string) (*core.Record, bool, error) {
	q := r.app.RecordQuery(col).AndWhere(dbx.HashExp{col.Name + ".id": id}).Limit(1).WithContext(r.ctx)
	if _, err := r.restrictTo(q, col, s, rules...); err != nil {
		return nil, false, err
	}
	rec := &core.Record{}
	err := q.Distinct(false).One(rec) // the first of them is all that is wanted
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return rec, err == nil, err
}

// List reads the records that the person may list, in a stable order.
func (r *Reader) List(collection string, query Query) ([]*core.Record, error) {
	col, err := r.collection(collection)
	if err != nil {
		return nil, err
	}
	q := r.app.RecordQuery(col).WithContext(r.ctx)
	ok, err := r.narrow(q, col, query)
	if err != nil || !ok {
		return nil, err
	}
	query.page(q)
	var recs []*core.Record
	if err := q.All(&recs); err != nil {
		return nil, err
	}
	if col.ViewRule != nil && col.ListRule != nil && *col.ViewRule == *col.ListRule {
		r.saw(false, recs...) // else, what is listed need not be viewable
	}
	return recs, nil
}

// narrow applies the list rule, then the query's own filter and order. Filters
// cannot reach hidden fields, the request or other collections: they may come
// from outside, rules never do.
func (r *Reader) narrow(q *dbx.SelectQuery, col *core.Collection, query Query) (bool, error) {
	rule, who := "", r.run.info
	if !r.unbound() {
		if col.ListRule == nil {
			return false, nil
		}
		rule = r.open(*col.ListRule)
	}
	if rule != "" && r.seesAbove(col, query) {
		rule = ""
	}
	if rule == "" && !strings.Contains(query.Filter+query.Sort, ".") {
		who = nil // no rule is asked, of no other collection either: PocketBase copies the account to do so
	}
	resolver := core.NewRecordFieldResolver(r.app, col, who, true)
	if rule != "" {
		expr, err := search.FilterData(rule).BuildExpr(resolver)
		if err != nil {
			return false, err
		}
		q.AndWhere(expr)
	}
	expr, err := r.inScope(r.scope, col, func() *core.RecordFieldResolver { return resolver })
	if err != nil {
		return false, err
	}
	if expr != nil {
		q.AndWhere(expr)
	}
	if err := r.filterWithin(q, col, query); err != nil {
		return false, err
	}
	if err := addFilter(q, resolver, query); err != nil {
		return false, err
	}
	for _, name := range slices.Sorted(maps.Keys(query.In)) { // the text of a statement is what it is prepared by
		column, err := fieldColumn(col, name)
		if err == nil {
			err = addIn(q, column, name, query.In[name])
		}
		if err != nil {
			return false, err
		}
	}
	for _, field := range search.ParseSortFromString(query.Sort) {
		if field.Name == "" {
			continue
		}
		expr, err := field.BuildExpr(resolver)
		if err != nil {
			return false, Fail(Invalid, "error.filter", err.Error())
		}
		if expr != "" {
			q.AndOrderBy(expr)
		}
	}
	q.AndOrderBy("[[" + col.Name + ".id]]")
	if err := resolver.UpdateQuery(q); err != nil {
		return false, err
	}
	if !col.IsView() {
		r.once(q)
	}
	return true, nil
}

// addFilter narrows q by the query's own filter.
func addFilter(q *dbx.SelectQuery, resolver *core.RecordFieldResolver, query Query) error {
	resolver.SetAllowHiddenFields(false)
	for _, s := range []string{query.Filter, query.Sort} {
		if strings.Contains(s, "@request.") || strings.Contains(s, "@collection.") {
			return Fail(Invalid, "error.filter", "@request and @collection are for rules only")
		}
	}
	if query.Filter == "" {
		return nil
	}
	expr, err := search.FilterData(query.Filter).BuildExpr(resolver, query.Params)
	if err != nil {
		return Fail(Invalid, "error.filter", err.Error())
	}
	q.AndWhere(expr)
	return nil
}

// addIn wants the column of a field to be one of many values. One alone is
// compared as such: the table function costs as much as all else.
func addIn(q *dbx.SelectQuery, column, name string, values []string) error {
	if len(values) == 1 {
		q.AndWhere(dbx.NewExp(column+" = {:nodkeep_"+name+"}", dbx.Params{"nodkeep_" + name: values[0]}))
		return nil
	}
	list, err := json.Marshal(values)
	if err != nil {
		return err
	}
	q.AndWhere(dbx.NewExp(column+" IN (SELECT value FROM json_each({:nodkeep_"+name+"}))", dbx.Params{"nodkeep_" + name: string(list)}))
	return nil
}

func (r *Reader) collection(name string) (*core.Collection, error) {
	col, err := r.app.FindCachedCollectionByNameOrId(name)
	if err != nil {
		return nil, Fail(NotFound, "error.no_collection", name)
	}
	return col, nil
}
