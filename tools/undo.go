package tools

import (
	"context"
	"encoding/json/v2"
	"errors"
	"slices"

	"github.com/pocketbase/dbx"
)

// UndoTool is the tool that an undo's entry names.
const UndoTool = "nodkeep_undo"

// maxUndo bounds the entries that one undo names.
const maxUndo = 500

// PreviewUndo shows what taking changes back would do, by doing it and rolling
// it back.
func (r *Runner) PreviewUndo(ctx context.Context, a Actor, spec UndoSpec) (Preview, error) {
	inv, err := spec.Invocation()
	if err != nil {
		return Preview{}, r.told(err)
	}
	return r.Preview(ctx, a, inv)
}

// Undo takes changes back, all or none, in one transaction. What stands in the
// way is an error of kind Conflict that names records and fields.
func (r *Runner) Undo(ctx context.Context, a Actor, digest string, spec UndoSpec) (Receipt, error) {
	inv, err := spec.Invocation()
	if err != nil {
		return Receipt{}, r.told(err)
	}
	return r.Apply(ctx, a, digest, inv)
}

// Invocation is the undo as a call.
func (s UndoSpec) Invocation() (Invocation, error) {
	args, err := json.Marshal(s)
	return Invocation{UndoTool, args}, err
}

// prepareUndo makes the call of an undo, which comes alone: it brings a state
// back, and knows nothing of what is done beside it.
func (r *Runner) prepareUndo(ctx context.Context, a Actor, invs []Invocation) ([]call, error) {
	if len(invs) > 1 {
		return nil, Fail(Invalid, "error.undo_alone")
	}
	var spec UndoSpec
	if err := json.Unmarshal(invs[0].Args, &spec, json.RejectUnknownMembers(true)); err != nil {
		return nil, Fail(Invalid, "error.arguments", err.Error())
	}
	if (len(spec.Audit) == 0) == (spec.Agent == "") {
		return nil, Fail(Invalid, "error.undo_what")
	}
	if len(spec.Audit) > maxUndo || len(spec.Except) > maxUndo {
		return nil, Fail(Invalid, "error.undo_many", maxUndo)
	}
	person, err := r.person(r.app, a)
	if err != nil {
		return nil, err
	}
	targets, err := r.targets(r.reader(ctx, r.app, a, person), spec)
	if err != nil {
		return nil, err
	}
	inv, err := spec.Invocation()
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(targets))
	for i, t := range targets {
		ids[i] = t.ID
	}
	u := &undoing{runner: r, actor: a, targets: targets}
	return []call{{
		Invocation: inv, kind: kindUndo, title: r.undoTitle(targets), effect: EffectWrite, undoes: ids,
		do: func(c *Call) (any, error) { return nil, u.run(c) },
	}}, nil
}

// undoTitle says what is taken back.
func (r *Runner) undoTitle(targets []auditRow) Text {
	if t := r.reg.tools[targets[0].Tool]; t != nil && len(targets) == 1 {
		return T("card.undo_one", T(t.Title))
	}
	return T("card.undo", len(targets))
}

// targets finds the entries that a spec means, in order. An entry that the
// person has no part in does not exist for them.
func (r *Runner) targets(rd *Reader, spec UndoSpec) ([]auditRow, error) {
	q := r.app.ConcurrentDB().Select("*").From(auditTable).OrderBy("seq").WithContext(rd.ctx)
	if spec.Agent != "" {
		q.Where(dbx.HashExp{"agent": spec.Agent, "person": rd.Actor.Person, "state": stateApplied}).AndWhere(dbx.NewExp("kind != {:asked}", dbx.Params{"asked": string(kindQuestion)})).
			AndWhere(dbx.NewExp("at >= {:since}", dbx.Params{"since": Stamp(spec.Since)}))
	} else {
		q.Where(dbx.In("id", anys(spec.Audit)...))
	}
	if len(spec.Except) > 0 {
		q.AndWhere(dbx.NotIn("id", anys(spec.Except)...))
	}
	var rows []auditRow
	if err := q.All(&rows); err != nil {
		return nil, err
	}
	undone, err := r.undone(rd.ctx)
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, w := range rows {
		chosen[w.ID] = true
	}
	seen := map[string]bool{}
	for _, w := range slices.Backward(rows) { // as the past is read once
		if seen[w.ID] = w.Person == rd.Actor.Person; !seen[w.ID] {
			if seen[w.ID], err = r.entryVisible(rd, w); err != nil {
				return nil, err
			}
		}
	}
	var targets []auditRow
	for _, w := range rows {
		by := undone[w.ID]
		taken := by != "" && !chosen[by]
		if spec.Agent != "" && taken {
			continue
		}
		if err := r.undoable(w, seen[w.ID], taken); err != nil {
			return nil, err
		}
		targets = append(targets, w)
	}
	if spec.Agent != "" && len(targets) == 0 {
		return nil, Fail(NotFound, "error.undo_nothing")
	}
	if spec.Agent == "" && len(targets) != len(unique(spec.Audit, spec.Except)) || len(targets) == 0 {
		return nil, Fail(NotFound, "error.no_entry")
	}
	return targets, nil
}

func (r *Runner) undoable(w auditRow, seen, undone bool) error {
	if w.State != stateApplied || w.Kind == string(kindErasure) || w.Kind == string(kindHead) || w.Kind == string(kindQuestion) {
		return Fail(Conflict, "error.nothing_to_undo", w.ID)
	}
	switch {
	case !seen:
		return Fail(NotFound, "error.no_entry")
	case undone:
		return Fail(Conflict, "error.undone", w.ID)
	case w.Salt == "" || ParseStamp(w.At).Before(r.c.Now().AddDate(0, 0, -r.c.UndoDays)):
		return Fail(Expired, "error.undo_expired", w.ID, r.c.UndoDays)
	}
	return nil
}

// undone maps entries to the entry that took them back, as far as that one
// was not taken back itself.
func (r *Runner) undone(ctx context.Context) (map[string]string, error) {
	var rows []struct {
		ID     string `db:"id"`
		Undoes string `db:"undoes"`
	}
	err := r.app.ConcurrentDB().Select("id", "undoes").From(auditTable).Where(dbx.NewExp("undoes != ''")).
		AndWhere(dbx.HashExp{"state": stateApplied}).OrderBy("seq").WithContext(ctx).All(&rows)
	if err != nil {
		return nil, err
	}
	// Newest first: an undo that was itself taken back, by one that holds, holds no more.
	by := map[string]string{}
	for _, row := range slices.Backward(rows) {
		if by[row.ID] != "" {
			continue
		}
		for _, id := range parseStrings(row.Undoes) {
			by[id] = row.ID
		}
	}
	return by, nil
}

func anys(l []string) []any {
	out := make([]any, len(l))
	for i, s := range l {
		out[i] = s
	}
	return out
}

// unique is the set of ids that are not excepted.
func unique(ids, except []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	for _, id := range except {
		delete(set, id)
	}
	return set
}

// refusedText says why a record cannot be stored as it was: in the sentence of
// a rule that has one, so that it is read in the language of who asks.
func refusedText(err error) Text {
	if own, ok := errors.AsType[*Error](err); ok {
		return T("undo.refused", own.Text)
	}
	problems, ok := fieldProblems(err)
	if !ok {
		problems = err.Error()
	}
	return T("undo.refused", clip(problems, 200))
}
