package tools

import (
	"database/sql"
	"errors"
	"slices"
)

// mayBefore and mayAfter hold an undo of somebody else's entries to the change
// rules, record by record. One's own entries, cascades included, are taken
// back as they were made.

func (u *undoing) mayBefore(c *Call, steps []step) error {
	if err := u.stillSeen(c); err != nil {
		return err
	}
	return u.eachOfOthers(steps, func(s step) error {
		rule, err := u.rule(s)
		if err != nil {
			return err
		}
		col, err := c.collection(s.Collection)
		if err != nil {
			return err
		}
		if _, err := c.app.FindRecordById(col, s.ID); errors.Is(err, sql.ErrNoRows) {
			return nil // it is created by the undo: Becomes decides
		} else if err != nil {
			return err
		}
		seen, err := c.allowed(col, s.ID, col.ViewRule)
		if err != nil {
			return err
		}
		if !seen {
			return Fail(NotFound, "error.no_entry")
		}
		return u.holds(c, s, rule.Was)
	})
}

// stillSeen refuses to touch what the person could see when they changed it, and
// no longer can: it has become another's business. What a cascade did to records
// that they never saw is taken back with the rest. Of what is gone, what it hung
// on may be gone too, and come back in the same undo.
func (u *undoing) stillSeen(c *Call) error {
	type touched struct {
		seq   int64
		nets  []step
		whole map[string]map[string]any
		gone  ghosts
	}
	all := make([]touched, len(u.targets))
	back := ghosts{}
	for i, target := range u.targets {
		steps, err := loadSteps(c.ctx, c.app.DB(), []auditRow{target})
		if err != nil {
			return err
		}
		t := &all[i]
		t.seq = target.Seq
		if t.nets, err = u.runner.netStored(steps); err != nil {
			return err
		}
		if t.whole, t.gone, err = u.runner.wholeRecords(&c.Reader, t.nets); err != nil {
			return err
		}
		back.add(t.gone)
	}
	for _, t := range slices.Backward(all) { // as the past is read once
		now, err := c.visibleAmong(t.nets, nil, t.gone.keys(), back, nil)
		if err != nil {
			return err
		}
		was, _, err := u.runner.asItWas(&c.Reader, t.seq, t.nets, t.whole, t.gone)
		if err != nil {
			return err
		}
		then, err := c.visibleAmong(t.nets, nil, t.gone.keys(), was, was.without(t.nets))
		if err != nil {
			return err
		}
		for i := range t.nets {
			if then[i] && !now[i] {
				return Fail(NotFound, "error.no_entry")
			}
		}
	}
	return nil
}

func (u *undoing) mayAfter(c *Call, steps []step) error {
	return u.eachOfOthers(steps, func(s step) error {
		rule, err := u.rule(s)
		if err != nil {
			return err
		}
		if err := u.holds(c, s, rule.Becomes); err != nil {
			return err
		}
		// Nobody brings back what they may not see.
		col, err := c.collection(s.Collection)
		if err != nil || col.ViewRule == nil {
			return err
		}
		return u.holds(c, s, *col.ViewRule)
	})
}

// eachOfOthers calls f for the records of entries that are not the person's.
func (u *undoing) eachOfOthers(steps []step, f func(step) error) error {
	if !slices.ContainsFunc(u.targets, func(w auditRow) bool { return w.Person != u.actor.Person }) {
		return nil
	}
	done := map[string]bool{}
	for _, s := range steps {
		if done[s.key()] {
			continue
		}
		done[s.key()] = true
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

func (u *undoing) rule(s step) (Rule, error) {
	rule, ok := u.runner.reg.rules[s.Collection]
	if !ok {
		return Rule{}, Fail(Forbidden, "error.no_rule", s.Collection)
	}
	return rule.Rule, nil
}

func (u *undoing) holds(c *Call, s step, rule string) error {
	col, err := c.collection(s.Collection)
	if err != nil {
		return err
	}
	rec, err := c.app.FindRecordById(col, s.ID)
	if err != nil {
		return nil // gone on both sides of the undo: nothing to hold
	}
	ok, err := c.allowed(col, rec.Id, &rule)
	if err != nil {
		return err
	}
	if !ok {
		return Fail(Forbidden, "error.not_yours", s.Collection)
	}
	return nil
}
