package tools

import (
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// AccountQuery selects accounts. Zero values select all.
type AccountQuery struct {
	Status    []string
	Operators bool   // only those who are
	Handle    string // how it begins
	Oldest    bool   // the order: by creation, else by handle
	// Limit is the page's length, unlimited at 0. It begins behind the account
	// AfterID, which stands at AfterKey in the order: pages neither skip nor repeat
	// anybody when one before them goes.
	Limit             int
	AfterKey, AfterID string
}

// Key is where an account stands in the order.
func (q AccountQuery) Key(rec *core.Record) string {
	if q.Oldest {
		return rec.GetDateTime("created").String()
	}
	return rec.GetString("handle")
}

func (q AccountQuery) order() string {
	if q.Oldest {
		return "created"
	}
	return "handle"
}

// Accounts lists accounts of any status. Only operators may: their status is
// hidden from everybody else, and so is out of the reach of List.
func (r *Reader) Accounts(q AccountQuery) ([]*core.Record, error) {
	if !r.Operator() {
		return nil, Fail(Forbidden, "error.not_operator")
	}
	sel := r.app.RecordQuery(Members).Where(q.where()).OrderBy(q.order(), "id").WithContext(r.ctx)
	if q.Limit > 0 {
		sel.Limit(int64(q.Limit))
	}
	var recs []*core.Record
	if err := sel.All(&recs); err != nil {
		return nil, err
	}
	r.saw(false, recs...)
	return recs, nil
}

// CountAccounts counts what Accounts would list.
func (r *Reader) CountAccounts(q AccountQuery) (n int, err error) {
	if !r.Operator() {
		return 0, Fail(Forbidden, "error.not_operator")
	}
	err = r.app.ConcurrentDB().Select("count(*)").From(Members).Where(q.where()).WithContext(r.ctx).Row(&n)
	return n, err
}

// HasAccount says whether there is an account of any status with this handle
// or address, in any case. Only operators may ask.
func (r *Reader) HasAccount(field, value string) (bool, error) {
	if !r.Operator() {
		return false, Fail(Forbidden, "error.not_operator")
	}
	return HasAccount(r.app, field, value)
}

// HasAccount says whether there is an account of any status with this handle
// or address, in any case.
func HasAccount(app core.App, field, value string) (bool, error) {
	var n int
	err := app.DB().Select("count(*)").From(Members).Where(dbx.NewExp("[["+field+"]] = {:value} COLLATE NOCASE", dbx.Params{"value": value})).Row(&n)
	return n > 0, err
}

func (q AccountQuery) where() dbx.Expression {
	var all []dbx.Expression
	if len(q.Status) > 0 {
		status := make([]any, len(q.Status))
		for i, s := range q.Status {
			status[i] = s
		}
		all = append(all, dbx.In("status", status...))
	}
	if q.Operators {
		all = append(all, dbx.HashExp{"operator": true})
	}
	if h := strings.ToLower(q.Handle); h != "" {
		// Not LIKE: a handle may hold its wildcards.
		all = append(all, dbx.NewExp("handle >= {:from} AND handle < {:to}", dbx.Params{"from": h, "to": h + "\uffff"}))
	}
	if q.AfterID != "" {
		all = append(all, dbx.NewExp("([["+q.order()+"]], [[id]]) > ({:key}, {:id})", dbx.Params{"key": q.AfterKey, "id": q.AfterID}))
	}
	if len(all) == 0 {
		return nil
	}
	return dbx.And(all...)
}
