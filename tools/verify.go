package tools

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Verification is what a check of the audit chain found.
type Verification struct {
	OK      bool   `json:"ok"`
	Entries int64  `json:"entries"`
	Erased  int64  `json:"erased"`  // entries whose payload was erased, as another entry says
	Beyond  int64  `json:"beyond"`  // valid entries that the head has not reached: a crash, no attack
	Problem string `json:"problem"` // what is wrong, "" if nothing
	// HeadOnly says that the chain itself is right and only does not meet the
	// head: that the operator can accept.
	HeadOnly bool `json:"head_only"`
}

// Verify walks the whole chain. It finds a changed byte, a removed, reordered
// or appended entry, an emptied payload and a cut tail. A head file that was
// rolled back together with the database cannot be seen.
func (r *Runner) Verify(ctx context.Context) (Verification, error) {
	if err := r.chain.load(); err != nil {
		return Verification{}, err
	}
	// The head first: entries that come later are beyond it, never before.
	h, ok, err := readHead(r.chain.path)
	if err != nil {
		return Verification{}, err
	}
	v := Verification{}
	walk := verifier{chain: r.chain, v: &v, head: h, erased: map[string]bool{}}
	err = r.snapshot(func(db dbx.Builder) error { return walk.run(ctx, db) })
	if found, is := errors.AsType[*finding](err); is {
		v.Problem = found.text
		return v, nil
	}
	if err != nil {
		return v, err
	}
	switch {
	case !ok && v.Entries > 0:
		v.Problem = "the head file is missing: it was removed, or the data folder was restored without it"
	case h == lostHead:
		v.Problem = "the head file is damaged"
	case v.Entries < h.Seq:
		v.Problem = fmt.Sprintf("the chain ends at entry %d but the head is %d: cut, restored or power lost", v.Entries, h.Seq)
	case !walk.met && h.Seq > 0:
		v.Problem = fmt.Sprintf("entry %d is not the one that the head names: the chain was cut and went on, or restored", h.Seq)
	default:
		v.OK, v.Beyond = true, v.Entries-h.Seq
	}
	v.HeadOnly = !v.OK
	return v, nil
}

type finding struct{ text string }

// Error is what was found.
func (f *finding) Error() string { return f.text }

func found(format string, args ...any) error { return &finding{fmt.Sprintf(format, args...)} }

type verifier struct {
	chain  *chain
	v      *Verification
	head   head
	met    bool
	prev   head
	blank  []string        // entries without payload
	erased map[string]bool // as erasures say
	steps  int64
}

func (w *verifier) run(ctx context.Context, db dbx.Builder) error {
	const page = 500
	for {
		var rows []auditRow
		err := db.Select("*").From(auditTable).Where(dbx.NewExp("seq > {:s}", dbx.Params{"s": w.prev.Seq})).
			OrderBy("seq").Limit(page).WithContext(ctx).All(&rows)
		if err != nil && ctx.Err() == nil {
			return found("the entries after %d cannot be read: %s", w.prev.Seq, err)
		}
		if err != nil {
			return err
		}
		for i := range rows {
			if err := w.entry(ctx, db, &rows[i]); err != nil {
				return err
			}
		}
		if len(rows) < page {
			break
		}
	}
	for _, id := range w.blank {
		if !w.erased[id] {
			return found("the payload of entry %s was emptied and no entry says why", id)
		}
	}
	var entries, steps int64
	if err := db.Select("count(*)").From(auditTable).Row(&entries); err != nil {
		return err
	}
	if err := db.Select("count(*)").From(stepsTable).Row(&steps); err != nil {
		return err
	}
	if entries != w.v.Entries || steps != w.steps {
		return found("there are rows that belong to no entry of the chain")
	}
	w.v.Erased = int64(len(w.blank))
	return nil
}

func (w *verifier) entry(ctx context.Context, db dbx.Builder, row *auditRow) error {
	if row.Seq != w.prev.Seq+1 {
		return found("entry %d is missing", w.prev.Seq+1)
	}
	if w.chain.mac(row.Seq, row.ID, row.At, row.Kind, row.Commitment, w.prev.MAC) != row.MAC {
		return found("entry %d was changed, or the one before it", row.Seq)
	}
	var steps []stepRow
	err := db.Select("entry", "n", "op", "collection", "record", "before", "after", "files").From(stepsTable).
		Where(dbx.HashExp{"entry": row.ID}).OrderBy("n", "rowid").WithContext(ctx).All(&steps)
	if err != nil {
		return err
	}
	w.steps += int64(len(steps))
	if row.Salt == "" {
		for _, p := range row.payload() {
			if p != "" {
				return found("entry %d was changed", row.Seq)
			}
		}
		if len(steps) > 0 {
			return found("entry %d has changes it did not have", row.Seq)
		}
		w.blank = append(w.blank, row.ID)
	} else if commitment(row.Salt, row.payload(), steps) != row.Commitment {
		return found("what entry %d says was changed", row.Seq)
	} else if entryKind(row.Kind) == kindErasure {
		var ids []string
		if err := json.Unmarshal([]byte(row.Args), &ids); err != nil {
			return found("entry %d erases what cannot be read", row.Seq)
		}
		for _, id := range ids {
			w.erased[id] = true
		}
	}
	if row.Seq == w.head.Seq {
		w.met = row.MAC == w.head.MAC
	}
	w.prev = head{row.Seq, row.MAC}
	w.v.Entries++
	return nil
}

// snapshot runs f on one state of the database, while others go on writing.
func (r *Runner) snapshot(f func(dbx.Builder) error) error {
	db, ok := r.app.ConcurrentDB().(*dbx.DB)
	if !ok {
		return f(r.app.ConcurrentDB())
	}
	return db.Transactional(func(tx *dbx.Tx) error { return f(tx) })
}

// Accept makes the newest entry the head, once, because the operator says that
// the chain is right as it stands (after a restore). That is an entry itself.
func (r *Runner) Accept(ctx context.Context, a Actor, reason string) (string, error) {
	v, err := r.Verify(ctx)
	if err != nil {
		return "", r.told(err)
	}
	if v.OK || !v.HeadOnly {
		// What was changed inside stays so: accepting would only hide it.
		return "", r.told(Fail(Conflict, "error.accept", v.Problem))
	}
	e := entry{Kind: kindHead, State: stateApplied, Actor: a, Reason: clip(reason, 500), At: r.c.Now()}
	if err := r.app.RunInTransaction(func(tx core.App) error { return r.append(tx, &e, nil) }); err != nil {
		return "", err
	}
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	// What others have written meanwhile follows: a head that is already beyond
	// stays. One of entries that are not there, as after a restore, does not.
	if r.chain.head.Seq < e.Seq || !r.chain.has(r.chain.head) {
		r.chain.head = head{e.Seq, e.MAC}
		clear(r.chain.waiting)
	}
	if err := writeHead(r.chain.path, r.chain.head); err != nil {
		return "", err
	}
	return e.ID, r.chain.catchUp()
}
