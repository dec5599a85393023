package tools

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// step is one write of one record, in the order in which it happened. Before
// and After are whole records.
type step struct {
	Op             Op
	Collection, ID string
	Before, After  map[string]any
	Files          map[string]string // content of the files that came with it, by name
}

func (s step) key() string { return s.Collection + "/" + s.ID }

// recorder collects what one transaction writes. It is tied to that
// transaction's app, so that two runs at once never mix.
type recorder struct {
	mu        sync.Mutex
	names     names // of new records and files
	preview   bool
	restoring bool
	foreign   bool // a writer that is not ours: PocketBase stores its files itself
	seen      map[*core.Record]seen
	counting  bool // the rows that each save hits, see countRows

	steps   []step
	tries   int // of a Call to write
	sends   []message
	uploads []upload
	known   map[string]map[string]any // the state of a record as last collected
	vouched map[string]bool           // records that the person could view before they changed
	closed  bool
	writing int   // writes under way
	poison  error // what no tool may swallow
	expect  *expectation
	moves   []func() // of the head of the audit chain, once it is committed
	rows    int      // that saves hit, and the outbox
}

// expectation is the change rule of the record that a Call is saving: reading
// it back and asking the rule is one query.
type expectation struct {
	of   *core.Record
	read func() (rec *core.Record, holds bool, err error)

	asked, holds bool
}

type message struct{ Kind, Payload string }

type upload struct {
	path string
	file *filesystem.File
}

func newRecorder(n names) *recorder {
	return &recorder{names: n, seen: map[*core.Record]seen{}, known: map[string]map[string]any{}, vouched: map[string]bool{}}
}

// recordersKey is where the recorders of the open transactions are kept in the
// app's store, which the app shares with its transactions.
const recordersKey = "nodkeep.recorders"

// recorderOf is the recorder of the transaction that app is, or nil.
func recorderOf(app core.App) *recorder {
	all, _ := app.Store().Get(recordersKey).(*sync.Map)
	if all == nil {
		return nil
	}
	x, _ := all.Load(app)
	rec, _ := x.(*recorder)
	return rec
}

// Restoring says that a record is being put back by an undo: a plugin's hook
// then skips what it would do beside, since that is put back too.
func Restoring(e *core.RecordEvent) bool {
	x := recorderOf(e.App)
	return x != nil && x.restoring
}

// vouch notes that the person could view the record before it changed.
func (x *recorder) vouch(rec *core.Record) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.vouched[rec.Collection().Name+"/"+rec.Id] = true
}

// fail makes the run fail in the end, even if the tool swallows the error.
func (x *recorder) fail(err error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.poison == nil {
		x.poison = err
	}
	return err
}

// expecting says what the next save must become; nil when it is done.
func (x *recorder) expecting(e *expectation) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.expect = e
}

// try counts a write before it is made: one that fails may have had a hook
// change something all the same.
func (x *recorder) try() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tries++
}

// writes counts what was written so far, or tried: as long as it stays the
// same, so does what the database holds.
func (x *recorder) writes() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.steps) + x.tries
}

// close ends the recording: a tool that runs on has nothing to write to. It
// answers an error where one is writing at this moment, in a goroutine that it
// left behind: what that writes would be in no card.
func (x *recorder) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closed = true
	if x.writing > 0 {
		return errors.New("a tool goes on writing after its end")
	}
	return nil
}

// accounts says that an account was written, or what the core keeps of one: undo
// does not take that back.
func (x *recorder) accounts() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(x.steps, func(s step) bool { return ofAccounts(s.Collection) })
}

func (x *recorder) send(app core.App, at time.Time, kind, payload string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return errClosed
	}
	_, err := app.NonconcurrentDB().Insert(outboxTable, dbx.Params{
		"id": x.names.id(), "kind": kind, "payload": payload, "state": "waiting", "created": Stamp(at),
	}).Execute()
	if err != nil {
		return fmt.Errorf("outbox: %w", err)
	}
	x.rows++
	x.sends = append(x.sends, message{kind, payload})
	return nil
}

var errClosed = errors.New("this call is over")

// bindRecorder hooks the recorder into every write of a record.
func (r *Runner) bindRecorder() {
	app := r.app
	app.OnRecordCreate().Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepNames", Priority: -200, Func: func(e *core.RecordEvent) error {
		if x := recorderOf(e.App); x != nil && !x.restoring {
			x.name(e.Record)
		}
		return e.Next()
	}})
	write := func(op Op) *hook.Handler[*core.RecordEvent] {
		return &hook.Handler[*core.RecordEvent]{Id: "nodkeepRecord", Priority: -50, Func: func(e *core.RecordEvent) error {
			if !journaled(e.Record.Collection()) {
				return e.Next()
			}
			if x := recorderOf(e.App); x != nil {
				return x.collect(e, op)
			}
			return r.journal(e, op)
		}}
	}
	app.OnRecordCreateExecute().Bind(write(OpCreate))
	app.OnRecordUpdateExecute().Bind(write(OpUpdate))
	app.OnRecordDeleteExecute().Bind(write(OpDelete))
}

// collect notes one write, what the record was before and what it is after.
// A step is appended after the write, so a parent's deletion comes after those
// that cascade from it, and undoing newest first restores the parent first.
func (x *recorder) collect(e *core.RecordEvent, op Op) error {
	if err := x.begin(); err != nil {
		return err
	}
	defer x.ended()
	st := step{Op: op, Collection: e.Record.Collection().Name, ID: e.Record.Id}
	var err error
	if op != OpCreate {
		if st.Before, err = x.before(e); err != nil {
			return err
		}
	}
	if op != OpDelete && !x.foreign {
		if st.Files, err = x.holdUploads(e.Record); err != nil {
			return err
		}
	}
	if err := x.counted(e); err != nil {
		return x.failedWrite(e, st, err)
	}
	if op != OpDelete {
		// Read back: what counts is what the database now holds.
		fresh, err := x.readBack(e)
		if err != nil {
			return x.fail(err)
		}
		if st.After, err = export(fresh); err != nil {
			return x.fail(err)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.steps = append(x.steps, st)
	x.known[st.key()] = st.After
	return nil
}

func (x *recorder) begin() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return errClosed
	}
	x.writing++
	return nil
}

func (x *recorder) ended() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writing--
}

// failedWrite passes on the error of a write. A tool may go on after one that
// left the record as it was; where something failed after the write, the row is
// changed but not collected, and the run must end.
func (x *recorder) failedWrite(e *core.RecordEvent, st step, err error) error {
	stored, readErr := e.App.FindRecordById(st.Collection, e.Record.Id)
	switch {
	case errors.Is(readErr, sql.ErrNoRows) && st.Before == nil:
		return err
	case readErr != nil || st.Before == nil:
		return x.fail(err)
	}
	now, exportErr := export(stored)
	if exportErr != nil || !maps.Equal(now, st.Before) {
		return x.fail(err)
	}
	return err
}

// readBack reads a record that was just written, and asks the change rule that
// a Call expects of it.
func (x *recorder) readBack(e *core.RecordEvent) (*core.Record, error) {
	x.mu.Lock()
	expect := x.expect
	x.mu.Unlock()
	if expect != nil && expect.of == e.Record {
		rec, holds, err := expect.read()
		if err != nil {
			return nil, err
		}
		if expect.asked, expect.holds = true, holds; holds {
			return rec, nil
		}
	}
	return e.App.FindRecordById(e.Record.Collection(), e.Record.Id)
}

// before is the record as the database holds it. It is read only where this
// transaction does not know it already.
func (x *recorder) before(e *core.RecordEvent) (map[string]any, error) {
	x.mu.Lock()
	known := x.known[e.Record.Collection().Name+"/"+e.Record.Id]
	_, handed := x.seen[e.Record]
	x.mu.Unlock()
	if known != nil {
		return known, nil
	}
	if handed {
		return export(e.Record.Original())
	}
	stored, err := e.App.FindRecordById(e.Record.Collection(), e.Record.Id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, Fail(NotFound, "error.not_found", e.Record.Collection().Name, e.Record.Id)
	}
	if err != nil {
		return nil, err
	}
	return export(stored)
}

// journaled leaves out what is no content: our own books and PocketBase's
// bookkeeping of sessions.
func journaled(col *core.Collection) bool {
	switch col.Name {
	case auditTable, stepsTable, noncesTable, outboxTable, filesTable, ProposalsTable, UploadsTable,
		core.CollectionNameMFAs, core.CollectionNameOTPs, core.CollectionNameExternalAuths, core.CollectionNameAuthOrigins:
		return false
	}
	return true
}
