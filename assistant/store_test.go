package assistant

import (
	"encoding/json/jsontext"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// books is a loop that only keeps, with its own clock.
type books struct {
	*Loop
	t   *testing.T
	app *toolstest.App
	ann string
	at  time.Time
}

func newBooks(t *testing.T) *books {
	b := &books{t: t, app: toolstest.New(t), at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	b.ann = b.app.Member("ann").Id
	c, err := i18n.Load(i18n.Core(), Locales())
	if err != nil {
		t.Fatal(err)
	}
	b.Loop = &Loop{
		c:       Config{App: b.app, Keys: tools.Keys{Secrets: [32]byte{1}}, Catalogue: c, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return b.at }},
		running: map[string]*Turn{}, starts: map[string]int{}, asking: map[question]chan struct{}{},
	}
	return b
}

// begins writes down a turn and makes it known, as Ask does.
func (b *books) begins(id string, c conversationRow, fresh bool) *turn {
	b.t.Helper()
	w := &turn{l: b.Loop, row: turnRow{ID: id, Person: b.ann, Conversation: c.ID, Client: id, Assistant: "model", Created: tools.Stamp(b.at)}}
	w.handle = &Turn{id: id, conversation: c.ID, person: b.ann, record: newRecord(), cancel: func(error) {}}
	b.running[id] = w.handle
	b.wait.Add(1)
	b.must(b.begin(b.t.Context(), w.row, c, fresh))
	return w
}

// ends writes down what a turn came to.
func (b *books) ends(w *turn, said string) {
	b.t.Helper()
	w.handle.record.say(said)
	b.must(b.finish(w.row, conversation{Past: []past{{Turn: w.row.ID, Answer: said}}}, w.handle.record.store()))
	b.forget(w.handle)
}

func (b *books) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *books) count(table string) (n int) {
	b.t.Helper()
	b.must(b.app.DB().Select("count(*)").From(table).Row(&n))
	return n
}

// kinds are those of what a turn tells after an event.
func kinds(t *Turn, after int) string {
	var all []string
	events, _, _ := t.record.after(after)
	for _, e := range events {
		all = append(all, strconv.Itoa(e.ID)+" "+string(e.Kind))
	}
	return strings.Join(all, ", ")
}

// TestATurnEndsWhileAClientComes: who read that it goes on a moment before it
// ended is told what it came to, and not that its server died.
func TestATurnEndsWhileAClientComes(t *testing.T) {
	b := newBooks(t)
	w := b.begins("one", conversationRow{ID: "c", Person: b.ann}, true)
	row, ok, err := b.turnOf(t.Context(), dbx.HashExp{"id": "one"})
	if b.must(err); !ok || row.State != running {
		t.Fatal(row)
	}
	b.ends(w, "Hello")
	got, err := b.turn(t.Context(), row)
	if b.must(err); kinds(got, 0) != "1 delta" {
		t.Errorf("it is told %s", kinds(got, 0))
	}
}

// TestInterruptedIsToldWhole: whatever number a client has seen of a turn that a
// killed server left, it is told the end.
func TestInterruptedIsToldWhole(t *testing.T) {
	b := newBooks(t)
	row := b.begins("one", conversationRow{ID: "c", Person: b.ann}, true).row
	b.running = map[string]*Turn{}
	b.must(b.Recover(t.Context()))
	for _, after := range []int{0, 1, 2, 3, 4, 1000} {
		got, err := b.Turn(t.Context(), b.ann, row.ID)
		if b.must(err); kinds(got, after) != "1 start, 2 error, 3 turn" {
			t.Errorf("after %d it is told %q", after, kinds(got, after))
		}
	}
}

// TestTwoWindows: a question that was read into a conversation before another one
// ended there takes nothing of it back.
func TestTwoWindows(t *testing.T) {
	b := newBooks(t)
	first := b.begins("one", conversationRow{ID: "c", Person: b.ann}, true)
	late, _, _, err := b.conversation(t.Context(), b.ann, "c")
	b.must(err)
	b.ends(first, "Hello")
	err = b.begin(t.Context(), turnRow{ID: "two", Person: b.ann, Conversation: "c", Client: "two", Created: tools.Stamp(b.at)}, late, false)
	if tools.KindOf(err) != tools.Conflict {
		t.Errorf("it began all the same: %v", err)
	}
	now, _, _, err := b.conversation(t.Context(), b.ann, "c")
	b.must(err)
	b.ends(b.begins("three", now, false), "Again")
}

// TestAConversationIsUsedFromTheFirst: one that would be too old in the middle of
// its next turn is not, and cannot be begun on twice.
func TestAConversationIsUsedFromTheFirst(t *testing.T) {
	b := newBooks(t)
	b.ends(b.begins("one", conversationRow{ID: "c", Person: b.ann}, true), "Hello")
	b.at = b.at.Add(keptFor - time.Second)
	row, _, ok, err := b.conversation(t.Context(), b.ann, "c")
	if b.must(err); !ok {
		t.Fatal("it is gone")
	}
	w := b.begins("two", row, false)
	b.at = b.at.Add(150 * time.Second)
	b.must(b.Sweep(t.Context()))
	if _, _, ok, err := b.conversation(t.Context(), b.ann, "c"); !ok || err != nil {
		t.Error("it is gone in the middle of a turn: ", err)
	}
	b.ends(w, "Again")
}

// TestNobodysTurn: of an account that has gone meanwhile nothing is written.
func TestNobodysTurn(t *testing.T) {
	b := newBooks(t)
	b.must(b.app.Delete(b.app.Member("ann")))
	err := b.begin(t.Context(), turnRow{ID: "one", Person: b.ann, Conversation: "c", Client: "one"}, conversationRow{ID: "c", Person: b.ann}, true)
	if tools.KindOf(err) != tools.Forbidden || b.count(tools.TurnsTable)+b.count(tools.ConversationsTable) != 0 {
		t.Errorf("%v, %d turns, %d conversations", err, b.count(tools.TurnsTable), b.count(tools.ConversationsTable))
	}
}

// TestWhatCouldNotBeWrittenDownGoes: a turn whose end the database did not take is
// swept like any other, and one that goes on is not.
func TestWhatCouldNotBeWrittenDownGoes(t *testing.T) {
	b := newBooks(t)
	b.forget(b.begins("lost", conversationRow{ID: "a", Person: b.ann}, true).handle)
	b.begins("on", conversationRow{ID: "b", Person: b.ann}, true)
	for range 2 {
		b.must(b.Sweep(t.Context()))
		b.at = b.at.Add(keptFor + time.Second)
	}
	b.must(b.Sweep(t.Context()))
	if turns, cs := b.count(tools.TurnsTable), b.count(tools.ConversationsTable); turns != 1 || cs != 1 || b.live("on") == nil {
		t.Errorf("%d turns and %d conversations are left", turns, cs)
	}
}

// TestAlone: requests of one question begin one after the other, others do not wait.
func TestAlone(t *testing.T) {
	b := newBooks(t)
	leave, err := b.alone(t.Context(), b.ann, "x")
	b.must(err)
	other, err := b.alone(t.Context(), b.ann, "y")
	b.must(err)
	other()
	var all sync.WaitGroup
	inside := 0
	for range 20 {
		all.Go(func() {
			leave, err := b.alone(t.Context(), b.ann, "x")
			if err != nil {
				t.Error(err)
				return
			}
			inside++ // under -race: alone
			leave()
		})
	}
	leave()
	if all.Wait(); inside != 20 || len(b.asking) != 0 {
		t.Errorf("%d were let in, %d are left", inside, len(b.asking))
	}
}

// TestPaceAfterTheClock: a clock that is set back keeps nobody waiting for longer
// than an interval.
func TestPaceAfterTheClock(t *testing.T) {
	var p pace
	l, now := DefaultLimits(), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for range l.Burst {
		if _, ok := p.try("ann", now, l); !ok {
			t.Fatal("a burst is not let through")
		}
	}
	now = now.Add(-24 * time.Hour)
	if wait, ok := p.try("ann", now, l); ok || wait > l.Every {
		t.Errorf("ann waits %s, %t", wait, ok)
	}
	if _, ok := p.try("ann", now.Add(l.Every), l); !ok {
		t.Error("ann is kept waiting")
	}
}

// TestRecordFromAnywhere: whichever event a client has seen last, it is given the
// same pieces after it; and nothing once a turn is over.
func TestRecordFromAnywhere(t *testing.T) {
	r := newRecord()
	for n := range 50 {
		switch n % 5 {
		case 0, 3:
			r.add(EventTool, jsontext.Value("{}"))
		default:
			r.say(strconv.Itoa(n) + " ü ")
		}
	}
	r.end()
	r.say("late")
	r.add(EventTool, jsontext.Value("{}"))
	all, _, _ := r.after(0)
	if len(all) != 50 || strings.Contains(r.said(), "late") {
		t.Fatalf("%d events, %s", len(all), r.said())
	}
	for n := range all {
		rest, _, _ := r.after(n)
		if len(rest) != 50-n {
			t.Fatalf("%d events after %d", len(rest), n)
		}
		for i, e := range rest {
			if e.ID != all[n+i].ID || string(e.Data) != string(all[n+i].Data) {
				t.Errorf("after %d: %s, was %s", n, e.Data, all[n+i].Data)
			}
		}
	}
}
