package tools

import (
	"database/sql"
	"errors"
	"maps"
	"slices"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
)

// undoing takes the steps of its targets back.
type undoing struct {
	runner    *Runner
	actor     Actor
	targets   []auditRow
	conflicts []UndoConflict
	unseen    int
}

// run restores every record to what it was: it looks whether the records are
// still as the entries left them, takes the steps back newest first, checks
// what came out, and that nothing beyond the plan happened.
func (u *undoing) run(c *Call) error {
	u.conflicts, u.unseen = nil, 0
	steps, err := loadSteps(c.ctx, c.app.DB(), u.targets)
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		return Fail(Conflict, "error.nothing_to_undo", u.targets[0].ID)
	}
	for _, phase := range []func(*Call, []step) error{u.mayBefore, u.present, u.invert, u.beyond, u.valid, u.mayAfter} {
		if err := phase(c, steps); err != nil {
			return err
		}
		if len(u.conflicts) > 0 || u.unseen > 0 {
			e := Fail(Conflict, "error.undo_conflict", len(u.conflicts)+u.unseen)
			e.Conflicts = u.conflicts
			if u.unseen > 0 {
				e.Conflicts = append(e.Conflicts, UndoConflict{Reason: T("card.unseen", u.unseen)})
			}
			return e
		}
	}
	return nil
}

// present finds what somebody changed since: per record the fields that these
// steps left must still hold what they left.
func (u *undoing) present(c *Call, steps []step) error {
	type state struct {
		step
		fields map[string]any // nil: gone
	}
	left := map[string]*state{}
	var order []string
	for _, s := range steps {
		col, err := c.app.FindCachedCollectionByNameOrId(s.Collection)
		if err != nil {
			u.conflict(c, s, nil, T("undo.no_collection", s.Collection))
			continue
		}
		if col.IsAuth() || ofAccounts(col.Name) {
			u.conflict(c, s, nil, T("undo.account"))
			continue
		}
		if lost := lostFields(col, s.Before); len(lost) > 0 {
			u.conflict(c, s, lost, T("undo.no_field"))
			continue
		}
		st := left[s.key()]
		if st == nil {
			st = &state{step: s}
			left[s.key()] = st
			order = append(order, s.key())
		}
		switch {
		case s.After == nil:
			st.fields = nil
		case s.Op == OpCreate || st.fields == nil:
			st.fields = maps.Clone(s.After)
		default:
			maps.Copy(st.fields, s.After)
		}
	}
	for _, key := range order {
		st := left[key]
		rec, err := c.app.FindRecordById(st.Collection, st.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		switch {
		case st.fields == nil && rec != nil:
			u.conflict(c, st.step, nil, T("undo.exists"))
		case st.fields != nil && rec == nil:
			u.conflict(c, st.step, nil, T("undo.gone"))
		case rec != nil:
			now, err := export(rec)
			if err != nil {
				return err
			}
			skip := u.runner.reg.volatile[st.Collection]
			var differ []string
			for _, f := range rec.Collection().Fields {
				name := f.GetName()
				want, ok := st.fields[name]
				if ok && f.Type() != core.FieldTypeAutodate && !slices.Contains(skip, name) && now[name] != want {
					differ = append(differ, name)
				}
			}
			if len(differ) > 0 {
				u.conflict(c, st.step, differ, T("undo.changed"))
			}
		}
	}
	return nil
}

// lostFields are the fields with a value that the collection has no more.
func lostFields(col *core.Collection, values map[string]any) []string {
	var lost []string
	for name, v := range values {
		if col.Fields.GetByName(name) == nil && !zero(v) {
			lost = append(lost, name)
		}
	}
	slices.Sort(lost)
	return lost
}

// invert takes the steps back, newest first, without validation: in between, a
// record may point to one that is restored later.
func (u *undoing) invert(c *Call, steps []step) error {
	for _, s := range slices.Backward(steps) {
		rec, err := c.app.FindRecordById(s.Collection, s.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		switch {
		case s.Op == OpDelete && rec == nil:
			col, err := c.app.FindCachedCollectionByNameOrId(s.Collection)
			if err != nil {
				return err
			}
			fresh := core.NewRecord(col)
			if err := load(fresh, s.Before, nil); err != nil {
				return err
			}
			err = c.app.SaveNoValidateWithContext(c.ctx, fresh)
			if err := u.saved(c, s, err); err != nil {
				return err
			}
		case s.Op == OpCreate && rec != nil:
			if err := u.saved(c, s, c.app.DeleteWithContext(c.ctx, rec)); err != nil {
				return err
			}
		case s.Op == OpUpdate && rec != nil:
			if err := load(rec, s.Before, nil); err != nil {
				return err
			}
			if err := u.saved(c, s, c.app.SaveNoValidateWithContext(c.ctx, rec)); err != nil {
				return err
			}
		case s.Op == OpCreate: // a cascade of this undo took it already
		default:
			u.conflict(c, s, nil, T("undo.gone"))
		}
		if len(u.conflicts) > 0 {
			return nil
		}
	}
	return nil
}

// saved makes a refused write a conflict; other failures end the undo.
func (u *undoing) saved(c *Call, s step, err error) error {
	_, own := errors.AsType[*Error](err)
	_, invalid := errors.AsType[validation.Errors](err)
	if err == nil || c.ctx.Err() != nil || (!own && !invalid) {
		return err
	}
	u.conflict(c, s, invalidFields(err), refusedText(err))
	return nil
}

// plan is what the undo of a record may come to.
type plan struct {
	op     Op              // "" for a record that is not there before and after
	fields map[string]bool // that an update may touch
}

// plans reads from the steps what their undo comes to, record by record.
func plans(steps []step) map[string]plan {
	was, all := map[string]bool{}, map[string]plan{}
	for _, s := range steps {
		p, seen := all[s.key()]
		if !seen {
			was[s.key()] = s.Op != OpCreate
			p.fields = map[string]bool{}
		}
		for _, side := range []map[string]any{s.Before, s.After} {
			for name := range side {
				p.fields[name] = true
			}
		}
		switch is := s.After != nil; {
		case was[s.key()] && is:
			p.op = OpUpdate
		case was[s.key()]:
			p.op = OpCreate
		case is:
			p.op = OpDelete
		default:
			p.op = ""
		}
		all[s.key()] = p
	}
	return all
}

// beyond finds what happened besides the plan: a hook's or a cascade's doing
// on what was linked since, also to records that the plan knows.
func (u *undoing) beyond(c *Call, steps []step) error {
	planned := plans(steps)
	nets, err := netChanges(c.app, c.rec.steps)
	if err != nil {
		return err
	}
	strange := make([][]string, len(nets)) // the fields of what was not planned; nil is as planned
	found := false
	for i, s := range nets {
		fields, err := changedFields(c.app, s, nil)
		if err != nil {
			return err
		}
		p, ok := planned[s.key()]
		switch {
		case !ok || p.op != s.Op:
			if s.Op != OpUpdate {
				fields = nil
			}
		case s.Op == OpUpdate:
			fields = slices.DeleteFunc(fields, func(f string) bool { return p.fields[f] })
			if len(fields) == 0 {
				continue
			}
		default:
			continue
		}
		strange[i], found = append([]string{}, fields...), true
	}
	if !found {
		return nil
	}
	// What a cascade took is judged beside what it hung on, which went with it.
	visible, err := c.visibleSteps(nets, nil)
	if err != nil {
		return err
	}
	for i, s := range nets {
		switch {
		case strange[i] == nil:
		case visible[i]:
			u.name(c, s, strange[i], T("undo.linked"))
		default:
			u.unseen++
		}
	}
	return nil
}

// valid checks every restored record as PocketBase would on saving it.
func (u *undoing) valid(c *Call, steps []step) error {
	checked := map[string]bool{}
	for _, s := range steps {
		if checked[s.key()] {
			continue
		}
		checked[s.key()] = true
		rec, err := c.app.FindRecordById(s.Collection, s.ID)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		if err := c.app.ValidateWithContext(c.ctx, rec); err != nil {
			u.conflict(c, s, invalidFields(err), refusedText(err))
		}
	}
	return nil
}
