package tools

import (
	"encoding/json/v2"
	"slices"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/search"
)

// Where a run has a scope, all that it finds has passed here: restrictTo and
// narrow are the only places at which a Reader asks for records by rule.

// inScope is what must hold for a record to be in the scope of the run; nil
// where all of the collection is. The resolver is that of the query.
func (r *Reader) inScope(s *Scope, col *core.Collection, resolver func() *core.RecordFieldResolver) (dbx.Expression, error) {
	if s == nil || ofAccounts(col.Name) || r.run.reg.scopes[col.Name].Always {
		return nil, nil
	}
	listed, err := r.listed(s, col)
	if err != nil {
		return nil, err
	}
	shared, err := r.shared(s, col, resolver)
	if err != nil {
		return nil, err
	}
	switch {
	case listed == nil:
		return shared, nil
	case shared == nil:
		return listed, nil
	}
	return dbx.And(listed, shared), nil
}

// listed wants a record to be among the ids of the scope, or a part of what is.
func (r *Reader) listed(s *Scope, col *core.Collection) (dbx.Expression, error) {
	if s.Only == nil || r.run.reg.scopes[col.Name].Always {
		return nil, nil
	}
	among, err := idAmong(col, "only", append(slices.Clone(s.Only[col.Name]), r.run.written[col.Name]...))
	if err != nil {
		return nil, err
	}
	part, err := r.partIn(col, func(above *core.Collection, _ func() *core.RecordFieldResolver) (dbx.Expression, error) {
		return r.listed(s, above)
	})
	if err != nil || part == nil {
		return among, err
	}
	return dbx.Or(among, part), nil
}

// shared wants a record to be what others see too, or a part of such a one.
// What this run itself has written it may find again.
func (r *Reader) shared(s *Scope, col *core.Collection, resolver func() *core.RecordFieldResolver) (dbx.Expression, error) {
	scoping := r.run.reg.scopes[col.Name]
	closed := r.run.reg.AllPrivate(col)
	if s.Private || (scoping.Part == "" && scoping.Shared == "" && !closed) {
		return nil, nil
	}
	expr, err := r.partIn(col, func(above *core.Collection, resolver func() *core.RecordFieldResolver) (dbx.Expression, error) {
		return r.shared(s, above, resolver)
	})
	switch {
	case closed:
		expr = dbx.NewExp("1 = 0")
	case scoping.Shared != "":
		expr, err = search.FilterData(scoping.Shared).BuildExpr(resolver())
	}
	if err != nil || expr == nil {
		return expr, err
	}
	written, err := idAmong(col, "written", r.run.written[col.Name])
	if err != nil {
		return nil, err
	}
	return dbx.Or(expr, written), nil
}

// partIn wants a part to be one of what holds; nil for what is no part. A part
// of nothing is in no scope.
func (r *Reader) partIn(col *core.Collection, holds func(*core.Collection, func() *core.RecordFieldResolver) (dbx.Expression, error)) (dbx.Expression, error) {
	field := r.run.reg.scopes[col.Name].Part
	if field == "" {
		return nil, nil
	}
	name, err := partOf(r.app, col.Name, field)
	if err != nil {
		return nil, err
	}
	above, err := r.collection(name)
	if err != nil {
		return nil, err
	}
	q := r.app.ConcurrentDB().Select(above.Name + ".id").From(above.Name)
	resolver := core.NewRecordFieldResolver(r.app, above, nil, true)
	expr, err := holds(above, func() *core.RecordFieldResolver { return resolver })
	if err != nil {
		return nil, err
	}
	if expr != nil {
		q.AndWhere(expr)
	}
	if err := resolver.UpdateQuery(q); err != nil {
		return nil, err
	}
	// The places of its values have names that nothing around it has: those of
	// filters are drawn, those of ids say of which collection they are.
	inner := q.Distinct(false).Build()
	return dbx.NewExp("[["+col.Name+"."+field+"]] IN ("+inner.SQL()+")", inner.Params()), nil
}

// idAmong wants the id to be one of these.
func idAmong(col *core.Collection, of string, ids []string) (dbx.Expression, error) {
	if ids == nil {
		ids = []string{}
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	place := "nodkeep_" + of + "_" + col.Name
	return dbx.NewExp("[["+col.Name+".id]] IN (SELECT value FROM json_each({:"+place+"}))", dbx.Params{place: string(list)}), nil
}

// within says whether a stored record is in the scope of the run.
func (r *Reader) within(col *core.Collection, id string) (bool, error) {
	if r.scope == nil {
		return true, nil
	}
	q := r.app.ConcurrentDB().Select("(1)").From(col.Name).AndWhere(dbx.HashExp{col.Name + ".id": id}).WithContext(r.ctx)
	if _, err := r.restrictTo(q, col, r.scope); err != nil {
		return false, err
	}
	var found []int
	err := q.Limit(1).Column(&found)
	return err == nil && len(found) > 0, err
}

// wrote notes what a Call has stored: it may find it again, whatever it has
// become.
func (r *Reader) wrote(rec *core.Record) {
	if r.scope == nil {
		return
	}
	name := rec.Collection().Name
	if !slices.Contains(r.run.written[name], rec.Id) {
		r.run.written[name] = append(r.run.written[name], rec.Id)
	}
}
