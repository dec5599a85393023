package tools

import (
	"context"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// AppOf is the transaction of a Call, as code that reaches further has it.
func AppOf(c *Call) core.App { return c.app }

// SetRule replaces a change rule, so that one app serves many.
func (r *Registry) SetRule(collection string, rule Rule) {
	r.rules[collection] = ownedRule{rule, "lab"}
}

// Recompute forges the chain: it runs sql and then writes every commitment and
// MAC anew, with the keys that it is given.
func Recompute(app core.App, keys Keys, sql string) error {
	if _, err := app.DB().NewQuery(sql).Execute(); err != nil {
		return err
	}
	c := &chain{app: app, key: keys.Chain[:]}
	var rows []auditRow
	if err := app.DB().Select("*").From(auditTable).OrderBy("seq").All(&rows); err != nil {
		return err
	}
	prev := ""
	for _, w := range rows {
		var steps []stepRow
		if err := app.DB().Select("*").From(stepsTable).Where(dbx.HashExp{"entry": w.ID}).OrderBy("n").All(&steps); err != nil {
			return err
		}
		com := commitment(w.Salt, w.payload(), steps)
		prev = c.mac(w.Seq, w.ID, w.At, w.Kind, com, prev)
		if _, err := app.DB().Update(auditTable, dbx.Params{"commitment": com, "mac": prev}, dbx.HashExp{"id": w.ID}).Execute(); err != nil {
			return err
		}
	}
	return nil
}

// Limits are what the runner holds calls to.
func (r *Runner) Limits() Config { return r.c }

// ForgetHead makes tests of the audit able to say that a head was lost.
func (r *Runner) ForgetHead() {
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	r.chain.loaded = false
}

// SumBothWays is a Sum from above, where that is a way, and record by record.
func SumBothWays(r *Reader, collection string, query Query, group []string, sums ...string) (above []Row, ok bool, records []Row, err error) {
	col, err := r.collection(collection)
	if err != nil {
		return nil, false, nil, err
	}
	s, err := summed(col, group, sums)
	if err != nil {
		return nil, false, nil, err
	}
	if _, _, ok = r.fromAbove(col, query, group); ok {
		if above, err = r.Sum(collection, query, group, sums...); err != nil {
			return nil, true, nil, err
		}
	}
	records, err = r.sumRecords(col, query, s)
	return above, ok, records, err
}

// PlanFromAbove is how SQLite goes about a Sum from above.
func PlanFromAbove(r *Reader, collection string, query Query, group []string) (plan []string) {
	col, err := r.collection(collection)
	if err != nil {
		return nil
	}
	q, by, ok := r.fromAbove(col, query, group)
	if !ok {
		return nil
	}
	built := q.Select(by).GroupBy(by).OrderBy(by).Build()
	var rows []struct{ Detail string }
	if err := r.app.ConcurrentDB().NewQuery("EXPLAIN QUERY PLAN " + built.SQL()).Bind(built.Params()).All(&rows); err != nil {
		return []string{err.Error()}
	}
	for _, row := range rows {
		plan = append(plan, row.Detail)
	}
	return plan
}

// Distinct says whether a list takes out what its joins find twice.
func Distinct(r *Reader, collection string, query Query) bool {
	col, err := r.collection(collection)
	if err != nil {
		return false
	}
	q := r.app.RecordQuery(col)
	ok, err := r.narrow(q, col, query)
	return ok && err == nil && q.Info().Distinct
}

// SeesAbove says whether a query is answered without asking the list rule.
func SeesAbove(r *Reader, collection string, query Query) bool {
	col, err := r.collection(collection)
	return err == nil && r.seesAbove(col, query)
}

// GivenName is a stored file's name without what was drawn by chance.
func GivenName(stored string) string { return givenName(stored) }

// Open is what of a rule a read asks the database.
func Open(r *Reader, rule string) string { return r.open(rule) }

// CheckScopes holds what a registry's plugins say of scopes to the collections.
func CheckScopes(r *Registry, app core.App) error { return r.checkScopes(app) }

// PlanOfActivity is how SQLite goes about a page of entries.
func PlanOfActivity(r *Runner, query ActivityQuery) (plan string) {
	return planOf(r, r.pageQuery(context.Background(), query, 1<<62, 51).Build())
}

func planOf(r *Runner, built *dbx.Query) (plan string) {
	var rows []struct{ Detail string }
	if err := r.app.ConcurrentDB().NewQuery("EXPLAIN QUERY PLAN " + built.SQL()).Bind(built.Params()).All(&rows); err != nil {
		return err.Error()
	}
	for _, row := range rows {
		plan += row.Detail + "\n"
	}
	return plan
}
