package hooks

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// pausing is a scene that says that it has begun, and waits.
func pausing(s gateway.Scene) (gateway.Scene, <-chan struct{}) {
	begun := make(chan struct{})
	s.When = func(gateway.Request) bool { close(begun); return true }
	s.Wait = time.Hour
	return s, begun
}

// open opens the folder of an instance, here or a copy of it, with the same script.
func (k *talk) open(dir string, change func(*App), env ...string) *talk {
	k.t.Helper()
	again := &talk{script: k.script, asked: k.asked}
	again.instance = openInstance(k.t, dir, func(a *App) {
		a.scripts, a.badge.pause = []roster.Script{{ID: "model", Name: "Model", Provider: k.script}}, 0
		change(a)
	}, env...)
	return again
}

func (k *talk) restart(change func(*App), env ...string) *talk {
	k.t.Helper()
	if err := k.close(); err != nil {
		k.t.Fatal(err)
	}
	return k.open(k.DataDir, change, env...)
}

// rows counts those of a table.
func (k *talk) rows(table string) (n int) {
	k.t.Helper()
	if err := k.pb.DB().Select("count(*)").From(table).Row(&n); err != nil {
		k.t.Fatal(err)
	}
	return n
}

// TestBudgetEnds: a budget that ends in the middle of a turn ends it with a
// sentence and the time of the next; what was done stays, and waits for its nod.
func TestBudgetEnds(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Netflix", "15.99")
	k.must("/operator/budgets", k.token("ann"), `{"everybody":true,"day_tokens":"50000"}`)
	k.script.Then(gateway.Scene{
		Say: "I propose it.", Calls: calls("household_subscription_pause", `{"id":"`+id+`"}`), Usage: &gateway.Usage{Uncached: 20_000, Output: 8000},
	}, gateway.Scene{Say: "Never said."})
	h := k.ask("ann", assistant.Question{Text: "Pause it", Language: "de"})
	k.failed(h, assistant.Limited, tools.Limit, "budget.reached.day_tokens")
	if h.end.Text != "I propose it." || len(h.end.Proposals) != 1 || h.end.Usage.Uncached != 20_000 {
		t.Errorf("%+v", h.end)
	}
	if after, _ := h.of(assistant.EventError)[0].at("retry_after").(float64); after < 1 || after > 86_400 {
		t.Errorf("to be asked again after %v s", after)
	}
	status, a := k.web("POST", prefix+"/proposals/"+h.end.Proposals[0]+"/confirm", k.token("ann"), `{"digest":"`+h.of(assistant.EventProposal)[0].str("digest")+`"}`)
	want(t, status, a, 200, "")
	k.must("/operator/budgets", k.token("ann"), `{"everybody":true,"day_tokens":""}`)
	k.goesOn(h)
}

// TestAccountEnds: who is suspended, or deleted, in the middle of a turn changes
// nothing any more, and whoever follows it is told the end.
func TestAccountEnds(t *testing.T) {
	for name, row := range map[string]func(*talk){
		"suspended": func(k *talk) { k.stand("bob", "suspended") },
		"deleted": func(k *talk) {
			if err := k.pb.Delete(k.user("bob")); err != nil {
				k.t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalkIn(t, gate.ModeTrusted)
			id := k.subscription("ann", "Netflix", "15.99")
			bob := k.user("bob").Id
			ends := func(gateway.Request) bool { row(k); return true }
			k.script.Then(
				gateway.Scene{Say: "I look.", Calls: calls("household_overview", `{}`)},
				gateway.Scene{When: ends, Calls: calls("household_subscription_update", `{"id":"`+id+`","name":"Mine"}`)},
			)
			h := k.ask("bob", assistant.Question{Text: "Rename it"})
			k.failed(h, assistant.Broken, tools.Forbidden, "error.not_approved")
			if len(h.of(assistant.EventTurn)) != 1 || len(h.end.Proposals) > 0 || !strings.HasPrefix(h.end.Text, "I look.") {
				t.Errorf("%+v", h.end)
			}
			rec, err := k.pb.FindRecordById("household_subscriptions", id)
			if err != nil || rec.GetString("name") != "Netflix" {
				t.Errorf("it is called %s, %v", rec.GetString("name"), err)
			}
			if n := k.rows(tools.TurnsTable) + k.rows(tools.ConversationsTable); name == "deleted" && n > 0 {
				t.Errorf("%d rows of somebody who has gone are left", n)
			}
			if name == "suspended" {
				if _, err := k.loop.Ask(t.Context(), k.user("bob"), assistant.Question{Client: "again", Text: "And now?"}); err == nil {
					if h := k.ask("bob", assistant.Question{Text: "And now?"}); h.err == nil {
						t.Errorf("%s may still ask: %+v", bob, h.end)
					}
				}
			}
		})
	}
}

// TestPluginOff: a conversation outlives the plugin that it was about, and tells of
// it nothing that it cannot do.
func TestPluginOff(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Netflix", "15.99")
	k.script.Then(gateway.Scene{Calls: calls("household_overview", `{}`, "household_subscription_pause", `{"id":"`+id+`"}`)}, gateway.Scene{Say: "It waits."})
	h := k.ask("ann", assistant.Question{Text: "Pause it"})
	if h.err != nil || len(h.end.Proposals) != 1 {
		t.Fatalf("%+v %+v", h.end, h.err)
	}
	k = k.restart(func(a *App) { a.Plugins = nil })
	k.script.Then(
		gateway.Scene{Calls: calls("household_overview", `{}`, "household_subscription_pause", `{"id":"`+id+`"}`, "use_tool", `{"name":"household_subscription_list"}`, "show_screen", `{"tool":"household_subscription_list","form":"table"}`)},
		gateway.Scene{Say: "It is not there."},
	)
	h = k.ask("ann", assistant.Question{Text: "And now?", Conversation: h.start.Conversation})
	if h.err != nil || h.end.Text != "It is not there." || len(h.end.Proposals) > 0 {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	for _, r := range k.told() {
		if !r.Error || !strings.Contains(r.Text, "(not_found)") {
			t.Errorf("the model is told %s", r.Text)
		}
	}
	k.goesOn(h)
	k = k.restart(func(*App) {})
	k.script.Then(gateway.Scene{Calls: calls("household_overview", `{}`)}, gateway.Scene{Say: "It is back."})
	if h = k.ask("ann", assistant.Question{Text: "And now?", Conversation: h.start.Conversation}); h.err != nil || h.end.Text != "It is back." || k.told()[0].Error {
		t.Errorf("%+v %+v", h.end, h.err)
	}
}

// halfway begins a turn that has proposed something and waits for its model.
func (k *talk) halfway(q assistant.Question) (*assistant.Turn, string) {
	k.t.Helper()
	id := k.subscription("ann", "Netflix", "15.99")
	waits, begun := pausing(gateway.Scene{Say: "Never said."})
	k.script.Then(gateway.Scene{Say: "I propose it.", Calls: calls("household_subscription_pause", `{"id":"`+id+`"}`)}, waits)
	turn, err := k.begin("ann", q)
	if err != nil {
		k.t.Fatal(err)
	}
	<-begun
	return turn, turn.ID()
}

// TestServerEnds: a server that ends in the middle of a turn ends it with a
// sentence; after the start the same question is that turn, and nothing is done
// again.
func TestServerEnds(t *testing.T) {
	q := assistant.Question{Client: "the-one", Text: "Pause it", Language: "es"}
	check := func(t *testing.T, k *talk, id string, finish assistant.Finish, key, text string) {
		t.Helper()
		asked, waits := len(k.script.Asked()), k.rows(tools.ProposalsTable)
		for range 2 {
			turn, err := k.begin("ann", q)
			if err != nil || turn.ID() != id {
				t.Fatal(err, turn)
			}
			h := k.follow(turn)
			k.failed(h, finish, tools.Unavailable, key)
			if ends := h.of(assistant.EventTurn); len(ends) != 1 || h.end.ID != id || h.end.Text != text {
				t.Errorf("%+v", h.end)
			}
		}
		if len(k.script.Asked()) != asked || k.rows(tools.ProposalsTable) != waits || waits != 1 {
			t.Errorf("asked %d times more, %d proposals", len(k.script.Asked())-asked, waits)
		}
		status, a := k.web("GET", prefix+"/proposals", k.token("ann"), "")
		if want(t, status, a, 200, ""); a.str("items", "0", "state") != "pending" {
			t.Errorf("%s", a)
		}
	}
	t.Run("closed", func(t *testing.T) {
		k := newTalk(t)
		turn, id := k.halfway(q)
		again := k.restart(func(*App) {})
		h := k.follow(turn)
		k.failed(h, assistant.Interrupted, tools.Unavailable, "assistant.error.closing")
		check(t, again, id, assistant.Interrupted, "assistant.error.closing", "I propose it.")
		again.goesOn(h)
	})
	t.Run("killed", func(t *testing.T) {
		k := newTalk(t)
		_, id := k.halfway(q)
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Dir(k.DataDir))); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(tools.KeyFile(filepath.Join(dir, "pb_data")), 0o600); err != nil {
			t.Fatal(err)
		}
		again := k.open(filepath.Join(dir, "pb_data"), func(*App) {})
		var left int // it would keep its conversation for ever
		if err := again.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_turns WHERE state = 'running'").Row(&left); err != nil || left > 0 {
			t.Error(left, "turns seem under way:", err)
		}
		check(t, again, id, assistant.Interrupted, "assistant.error.interrupted", "")
		turn, err := again.loop.Turn(t.Context(), again.user("ann").Id, id)
		if err != nil {
			t.Fatal(err)
		}
		again.goesOn(again.follow(turn))
	})
}

// TestSameQuestion: a question that is sent again is one, however often at once;
// the same id for another, or another beside it, is a conflict.
func TestSameQuestion(t *testing.T) {
	k := newTalk(t)
	waits, begun := pausing(gateway.Scene{Say: "Yes."})
	k.script.Then(waits)
	q := assistant.Question{Client: "the-one", Text: "Is it?", Language: "en"}
	ann := k.user("ann")
	var all sync.WaitGroup
	ids := make([]string, 10)
	for n := range ids {
		all.Go(func() {
			turn, err := k.loop.Ask(context.Background(), ann, q)
			if err != nil {
				t.Error(err)
				return
			}
			ids[n] = turn.ID()
		})
	}
	all.Wait()
	<-begun
	if slices.Sort(ids); ids[0] != ids[9] || ids[0] == "" || len(k.script.Asked()) != 1 || k.rows(tools.TurnsTable) != 1 || k.rows(tools.ConversationsTable) != 1 {
		t.Errorf("turns %v, asked %d times, %d rows, %d conversations", ids, len(k.script.Asked()), k.rows(tools.TurnsTable), k.rows(tools.ConversationsTable))
	}
	conflict := func(q assistant.Question, key string) {
		t.Helper()
		_, err := k.begin("ann", q)
		if e, ok := errors.AsType[*tools.Error](err); !ok || e.Kind != tools.Conflict || e.Text.Key != key {
			t.Errorf("%+v: %v", q, err)
		}
		k.sentences(tools.T(key))
	}
	turn, err := k.begin("ann", q)
	if err != nil {
		t.Fatal(err)
	}
	other := q
	other.Text = "Is it not?"
	conflict(other, "assistant.error.client_used")
	conflict(assistant.Question{Text: "And this?", Conversation: k.conversationOf(turn)}, "assistant.error.under_way")
	if _, err := k.loop.Turn(t.Context(), k.user("bob").Id, ids[0]); tools.KindOf(err) != tools.NotFound {
		t.Errorf("another finds it: %v", err)
	}
	if err := k.loop.Stop(t.Context(), k.user("bob").Id, ids[0]); tools.KindOf(err) != tools.NotFound {
		t.Errorf("another stops it: %v", err)
	}
	if err := k.loop.Stop(t.Context(), ann.Id, ids[0]); err != nil {
		t.Fatal(err)
	}
	h := k.follow(turn)
	if h.err != nil || h.end.Finish != assistant.Stopped {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	k.goesOn(h)
}

// TestStops: a turn that its person stops ends at once, with what was said and
// done so far, and no more of it.
func TestStops(t *testing.T) {
	stopping := func(k *talk, turns <-chan *assistant.Turn) {
		if err := k.loop.Stop(context.Background(), k.user("ann").Id, (<-turns).ID()); err != nil {
			k.t.Error(err)
		}
	}
	ends := func(k *talk, turns chan<- *assistant.Turn) happened {
		k.t.Helper()
		turn, err := k.begin("ann", assistant.Question{Text: "Rename it"})
		if err != nil {
			k.t.Fatal(err)
		}
		turns <- turn
		h := k.follow(turn)
		if h.err != nil || h.end.Finish != assistant.Stopped {
			k.t.Errorf("%+v %+v", h.end, h.err)
		}
		return h
	}
	t.Run("in the middle of a word", func(t *testing.T) {
		k, turns := newTalk(t), make(chan *assistant.Turn, 1)
		k.script.Then(gateway.Scene{Say: "One two three", Runes: 4, Between: 50 * time.Millisecond, When: func(gateway.Request) bool { return true }})
		turn, err := k.begin("ann", assistant.Question{Text: "Count"})
		if err != nil {
			t.Fatal(err)
		}
		turns <- turn
		err = turn.Follow(t.Context(), 0, func(e assistant.Event) error {
			if e.Kind == assistant.EventDelta {
				return errStop
			}
			return nil
		})
		if !errors.Is(err, errStop) {
			t.Fatal(err)
		}
		stopping(k, turns)
		h := k.follow(turn)
		if h.err != nil || h.end.Finish != assistant.Stopped || !strings.HasPrefix(h.end.Text, "One") || strings.Contains(h.end.Text, "three") {
			t.Errorf("%+v %+v", h.end, h.err)
		}
		k.goesOn(h)
	})
	t.Run("between two calls", func(t *testing.T) {
		k, turns := newTalkIn(t, gate.ModeTrusted), make(chan *assistant.Turn, 1)
		id := k.subscription("ann", "Netflix", "15.99")
		before := k.tables()
		k.script.Then(
			gateway.Scene{Say: "I look.", Calls: calls("household_overview", `{}`)},
			gateway.Scene{When: func(gateway.Request) bool { stopping(k, turns); return true }, Calls: calls("household_subscription_update", `{"id":"`+id+`","name":"Mine"}`)},
		)
		h := ends(k, turns)
		if changed := differing(before, k.tables()); len(changed) > 0 || h.end.Text != "I look." {
			t.Errorf("%+v, changed %v", h.end, changed)
		}
		k.goesOn(h)
	})
	t.Run("before a word", func(t *testing.T) {
		k, turns := newTalk(t), make(chan *assistant.Turn, 1)
		k.script.Then(gateway.Scene{When: func(gateway.Request) bool { stopping(k, turns); return true }, Say: "Never said."})
		h := ends(k, turns)
		items, _, err := k.loop.Conversations(t.Context(), k.user("ann").Id, 0, "")
		if err != nil || len(items) != 1 || len(items[0].Turns) != 1 || items[0].Turns[0].Answer != "" {
			t.Errorf("it is listed as %+v, %v", items, err)
		}
		k.goesOn(h)
		for _, m := range k.script.Asked()[1].Messages {
			if m.Role == gateway.Assistant && m.Text == "" {
				t.Error("a model is given an answer without words, which hosts refuse")
			}
		}
	})
	t.Run("in the middle of a change", func(t *testing.T) {
		k, turns := newTalkIn(t, gate.ModeTrusted), make(chan *assistant.Turn, 1)
		first, second := k.subscription("ann", "Netflix", "15.99"), k.subscription("ann", "Disney", "15.99")
		var once sync.Once
		k.pb.OnRecordUpdate("household_subscriptions").BindFunc(func(e *core.RecordEvent) error {
			once.Do(func() { stopping(k, turns) })
			return e.Next()
		})
		rename := func(id, name string) []gateway.Call {
			return calls("household_subscription_update", `{"id":"`+id+`","name":"`+name+`"}`)
		}
		k.script.Then(gateway.Scene{Calls: append(rename(first, "One"), rename(second, "Two")...)})
		h := ends(k, turns)
		// What was done is told, and what was not done is not.
		told := map[string]bool{}
		for _, c := range h.of(assistant.EventProposal) {
			told[c.str("items", "0", "changes", "0", "id")] = c.str("state") == "applied"
		}
		for id, name := range map[string]string{first: "Netflix", second: "Disney"} {
			rec, err := k.pb.FindRecordById("household_subscriptions", id)
			if err != nil {
				t.Fatal(err)
			}
			if changed := rec.GetString("name") != name; changed != told[id] {
				t.Errorf("%s changed: %t, told: %t", name, changed, told[id])
			}
		}
		if rec, err := k.pb.FindRecordById("household_subscriptions", second); err != nil || rec.GetString("name") != "Disney" {
			t.Errorf("it went on after the stop: %v", err)
		}
		k.goesOn(h)
	})
}

var errStop = errors.New("enough")

// TestTurnStored: what was kept of a turn is the same as what was told, letter by
// letter, for a client that comes back after a restart.
func TestTurnStored(t *testing.T) {
	k := newTalk(t)
	k.subscription("ann", "Netflix", "15.99")
	k.script.Then(
		gateway.Scene{Say: "Ich sehe nach: 🦊 ü.", Runes: 1, Calls: calls("household_overview", `{}`, "show_screen", `{"tool":"household_subscription_list","form":"table"}`)},
		gateway.Scene{Say: "So.", Calls: calls("ask_person", `{"questions":[{"text":"Which?","choices":["a","b"]}]}`)},
	)
	h := k.ask("ann", assistant.Question{Client: "it", Text: "Look"})
	again := k.restart(func(*App) {})
	turn, err := again.loop.Turn(t.Context(), again.user("ann").Id, h.end.ID)
	if err != nil {
		t.Fatal(err)
	}
	got := again.follow(turn)
	if len(got.events) != len(h.events) {
		t.Fatalf("%d events, were %d", len(got.events), len(h.events))
	}
	same := func(a, b jsontext.Value) bool {
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && answer{x}.String() == answer{y}.String()
	}
	for n, e := range got.events {
		if e.ID != n+1 || e.Kind != h.events[n].Kind || !same(e.Data, h.events[n].Data) {
			t.Errorf("event %d: %s %s, was %s %s", n, e.Kind, e.Data, h.events[n].Kind, h.events[n].Data)
		}
	}
}
