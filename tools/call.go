package tools

import (
	"encoding/json/v2"
	"errors"
	"fmt"
	"slices"
	"strings"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
)

// Call is a Reader that can also write, inside one transaction. It writes to
// the collections of its own plugin only, as their change rules allow.
type Call struct {
	Reader
	plugin string
	rec    *recorder
	proofs *proofs
}

// New is a record that is not stored yet. It panics where the collection does
// not exist: that is a mistake of the tool.
func (c *Call) New(collection string) *core.Record {
	col, err := c.app.FindCachedCollectionByNameOrId(collection)
	if err != nil {
		panic(fmt.Errorf("no collection %q: %w", collection, err))
	}
	return core.NewRecord(col)
}

// Save stores a record. The person must be able to view it and the change rule
// must hold before (Was) and after (Becomes). An error ends the whole run.
func (c *Call) Save(rec *core.Record) error {
	col := rec.Collection()
	rule, err := c.rule(col)
	if err != nil {
		return err
	}
	if !rec.IsNew() {
		if err := c.may(rec, rule.Was); err != nil {
			return err
		}
	}
	expect := &expectation{of: rec, read: func() (*core.Record, bool, error) { return c.readIf(nil, col, rec.Id, &rule.Becomes) }}
	c.rec.expecting(expect)
	c.rec.try()
	err = c.app.SaveWithContext(c.ctx, rec)
	c.rec.expecting(nil)
	if err != nil {
		return saveError(err)
	}
	if !expect.asked {
		return c.rec.fail(fmt.Errorf("a save of %s was not recorded", col.Name))
	}
	if !expect.holds {
		// The record is written by now: the run must end, whatever the tool does.
		return c.rec.fail(Fail(Forbidden, "error.becomes", col.Name))
	}
	c.sawWritten(rec)
	c.wrote(rec)
	return nil
}

// Delete removes a record and what cascades from it.
func (c *Call) Delete(rec *core.Record) error {
	rule, err := c.rule(rec.Collection())
	if err != nil {
		return err
	}
	if err := c.may(rec, rule.Was); err != nil {
		return err
	}
	c.rec.try()
	if err := c.app.DeleteWithContext(c.ctx, rec); err != nil {
		return saveError(err)
	}
	return nil
}

// Secret is one that nobody can guess, to be handed to a person and kept as a
// hash. A preview shows the very one that its apply makes good.
func (c *Call) Secret() string {
	c.rec.mu.Lock()
	defer c.rec.mu.Unlock()
	return c.rec.names.secret()
}

// Send puts a message into the outbox in the same transaction: a preview
// sends nothing. The payload is what the sender of this kind understands.
func (c *Call) Send(kind string, payload any) error {
	b, err := json.Marshal(payload, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("send %s: %w", kind, err)
	}
	return c.rec.send(c.app, c.run.now, kind, string(b))
}

// rule is the change rule of a collection of the call's own plugin.
func (c *Call) rule(col *core.Collection) (Rule, error) {
	if err := c.ctx.Err(); err != nil {
		return Rule{}, err
	}
	rule, ok := c.run.reg.rules[col.Name]
	if !ok || rule.plugin != c.plugin {
		return Rule{}, Fail(Forbidden, "error.no_rule", col.Name)
	}
	return rule.Rule, nil
}

// may checks the view rule, unless this run has handed the record out, and Was.
func (c *Call) may(rec *core.Record, was string) error {
	col := rec.Collection()
	known, handed := c.run.seen[rec]
	if !handed {
		ok, err := c.allowed(col, rec.Id, col.ViewRule)
		if err == nil && ok {
			ok, err = c.within(col, rec.Id)
		}
		if err != nil {
			return err
		}
		if !ok {
			return Fail(NotFound, "error.not_found", col.Name, rec.Id)
		}
	}
	if !known.was || known.writes != c.run.writes() {
		ok, err := c.allowed(col, rec.Id, &was)
		if err != nil {
			return err
		}
		if !ok {
			return Fail(Forbidden, "error.was", col.Name)
		}
	}
	c.rec.vouch(rec)
	return nil
}

// saveError tells a refusal of PocketBase's validation, which the caller can
// act on, from a failure.
func saveError(err error) error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	problems, ok := fieldProblems(err)
	if !ok {
		return err
	}
	return Fail(Invalid, "error.fields", problems).Because(err)
}

// fieldProblems says of each field that a validation error names what is wrong
// with it.
func fieldProblems(err error) (string, bool) {
	fields, ok := errors.AsType[validation.Errors](err)
	names := make([]string, 0, len(fields))
	for name, problem := range fields {
		names = append(names, fmt.Sprintf("%s: %s", name, strings.TrimSuffix(problem.Error(), ".")))
	}
	slices.Sort(names)
	return strings.Join(names, "; "), ok
}
