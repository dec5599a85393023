package tools

import (
	"context"
	"database/sql"
	"encoding/json/v2"
	"errors"
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

	ctx context.Context
	app core.App // the concurrent pool, or the transaction of a Call
	run *run
}

// run is what the calls of one run share.
type run struct {
	info *core.RequestInfo // the person, read again for this run
	now  time.Time
	reg  *Registry
	seen map[*core.Record]bool // records handed out by this run of Calls; nil for a read
	refs map[string]Words      // names of linked records, once they were looked up for a card
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
	q := r.app.RecordQuery(col).AndWhere(dbx.HashExp{col.Name + ".id": id}).Limit(1).WithContext(r.ctx)
	ok, err := restrict(r.app, q, col, r.run.info, col.ViewRule)
	if err != nil {
		return nil, err
	}
	if !ok || id == "" {
		return nil, Fail(NotFound, "error.not_found", collection, id)
	}
	rec := &core.Record{}
	if err := q.One(rec); errors.Is(err, sql.ErrNoRows) {
		return nil, Fail(NotFound, "error.not_found", collection, id)
	} else if err != nil {
		return nil, err
	}
	r.saw(rec)
	return rec, nil
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
	if query.Limit > 0 {
		q.Limit(int64(query.Limit))
	}
	if query.Offset > 0 {
		q.Offset(int64(query.Offset))
		if query.Limit <= 0 {
			q.Limit(-1)
		}
	}
	var recs []*core.Record
	if err := q.All(&recs); err != nil {
		return nil, err
	}
	if col.ViewRule != nil && *col.ViewRule == *col.ListRule {
		r.saw(recs...) // else, what is listed need not be viewable
	}
	return recs, nil
}

// narrow applies the list rule, then the query's own filter and order. Filters
// cannot reach hidden fields, the request or other collections: they may come
// from outside, rules never do.
func (r *Reader) narrow(q *dbx.SelectQuery, col *core.Collection, query Query) (bool, error) {
	if col.ListRule == nil {
		return false, nil
	}
	resolver := core.NewRecordFieldResolver(r.app, col, r.run.info, true)
	if *col.ListRule != "" {
		expr, err := search.FilterData(*col.ListRule).BuildExpr(resolver)
		if err != nil {
			return false, err
		}
		q.AndWhere(expr)
	}
	resolver.SetAllowHiddenFields(false)
	for _, s := range []string{query.Filter, query.Sort} {
		if strings.Contains(s, "@request.") || strings.Contains(s, "@collection.") {
			return false, Fail(Invalid, "error.filter", "@request and @collection are for rules only")
		}
	}
	if query.Filter != "" {
		expr, err := search.FilterData(query.Filter).BuildExpr(resolver, query.Params)
		if err != nil {
			return false, Fail(Invalid, "error.filter", err.Error())
		}
		q.AndWhere(expr)
	}
	for name, values := range query.In {
		column, err := fieldColumn(col, name)
		if err != nil {
			return false, err
		}
		list, err := json.Marshal(values)
		if err != nil {
			return false, err
		}
		q.AndWhere(dbx.NewExp(column+" IN (SELECT value FROM json_each({:nodkeep_"+name+"}))", dbx.Params{"nodkeep_" + name: string(list)}))
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
	return true, resolver.UpdateQuery(q)
}

// Member finds an approved member by handle or id, and gives both: members
// name each other, as owners say.
func (r *Reader) Member(handleOrID string) (id, handle string, err error) {
	for _, field := range []string{core.FieldNameId, "handle"} { // an id first: a handle may look like one
		rec := &core.Record{}
		err := r.app.RecordQuery(membersCollection).AndWhere(dbx.HashExp{field: handleOrID, "status": approved}).
			Limit(1).WithContext(r.ctx).One(rec)
		if err == nil && handleOrID != "" {
			return rec.Id, rec.GetString("handle"), nil
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", "", err
		}
	}
	return "", "", Fail(NotFound, "error.no_such_member", clip(handleOrID, 60))
}

func (r *Reader) collection(name string) (*core.Collection, error) {
	col, err := r.app.FindCachedCollectionByNameOrId(name)
	if err != nil {
		return nil, Fail(NotFound, "error.no_collection", name)
	}
	return col, nil
}

// saw remembers the records that a Call handed out: they need no second look
// at the view rule when they are saved.
func (r *Reader) saw(recs ...*core.Record) {
	if r.run.seen == nil {
		return
	}
	for _, rec := range recs {
		r.run.seen[rec] = true
	}
}
