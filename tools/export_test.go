package tools

import (
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
