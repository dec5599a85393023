package hooks

import (
	"context"
	"encoding/json/jsontext"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// rogue is a model's host that keeps to nothing.
type rogue func(context.Context, gateway.Request, func(gateway.Delta)) (gateway.Result, error)

func (f rogue) Stream(ctx context.Context, r gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
	return f(ctx, r, show)
}

// newRogue is an instance whose assistant is one.
func newRogue(t testing.TB, mode gate.Mode, f rogue, env ...string) *talk {
	t.Helper()
	k := &talk{}
	k.instance = newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.scripts, a.badge.pause = []roster.Script{{ID: "model", Name: "Model", Mode: mode, Provider: f}}, 0
	}, env...)
	k.makeOperator("ann")
	k.must("/operator/grants", k.token("ann"), `{"assistant":"model","allow":true,"everybody":true}`)
	return k
}

// TestModelSpeaksOnAfterItsEnd: what comes once an answer has ended is no part of
// it, nor of the turn, nor of the next one.
func TestModelSpeaksOnAfterItsEnd(t *testing.T) {
	late, said := make(chan struct{}), make(chan struct{})
	k := newRogue(t, gate.ModeAsk, func(_ context.Context, _ gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
		show(gateway.Delta{Text: "Hello"})
		go func() {
			<-late
			for range 100 {
				show(gateway.Delta{Text: " and more"})
			}
			close(said)
		}()
		return gateway.Result{Finish: gateway.Stop, Text: "Hello"}, nil
	})
	turn, err := k.begin("ann", assistant.Question{Text: "Hello?"})
	if err != nil {
		t.Fatal(err)
	}
	close(late)
	h := k.follow(turn)
	<-said
	if again := k.follow(turn); h.end.Text != "Hello" || len(again.events) != len(h.events) || len(h.of(assistant.EventTurn)) != 1 {
		t.Errorf("%q, %d events and then %d", h.end.Text, len(h.events), len(again.events))
	}
}

// TestModelCallsWithoutMeasure: thousands of calls with the same id and arguments
// of megabytes end in a sentence or an answer, and what is kept of them is small.
func TestModelCallsWithoutMeasure(t *testing.T) {
	n := 0
	huge := jsontext.Value(`{"search":"` + strings.Repeat("x", 2<<20) + `"}`)
	k := newRogue(t, gate.ModeAsk, func(_ context.Context, _ gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
		n++
		if n > 1 {
			for range 10_000 {
				show(gateway.Delta{Text: "a "})
			}
			return gateway.Result{Finish: gateway.Stop, Text: strings.Repeat("a ", 10_000)}, nil
		}
		res := gateway.Result{Finish: gateway.ToolUse}
		for i := range 3000 {
			args := jsontext.Value(`{}`)
			if i < 20 {
				args = huge
			}
			res.Calls = append(res.Calls, gateway.Call{ID: "same", Name: "household_subscription_list", Args: args})
		}
		return res, nil
	})
	h := k.ask("ann", assistant.Question{Text: "Hello?"})
	if h.end.Finish != assistant.Answered || len(h.end.Text) != 20_000 {
		t.Errorf("%s, %d bytes, %+v", h.end.Finish, len(h.end.Text), h.err)
	}
	if got := len(h.of(assistant.EventTool)); got > 32 {
		t.Errorf("%d events of tools", got)
	}
	var said, events int
	if err := k.pb.DB().Select("length(said)").From(tools.ConversationsTable).Row(&said); err != nil {
		t.Fatal(err)
	}
	if err := k.pb.DB().Select("length(events)").From(tools.TurnsTable).Row(&events); err != nil {
		t.Fatal(err)
	}
	t.Log("kept of the conversation: ", said, ", of the turn: ", events)
	if said > 200_000 {
		t.Errorf("%d bytes are kept of a conversation", said)
	}
}

// TestToolPanics: a change that panics in its transaction ends its turn with a
// sentence, takes the change back, and keeps nobody from writing.
func TestToolPanics(t *testing.T) {
	k := newTalkIn(t, gate.ModeTrusted)
	id := k.subscription("ann", "Netflix", "15.99")
	bad := true
	k.pb.OnRecordUpdate("household_subscriptions").BindFunc(func(e *core.RecordEvent) error {
		if err := e.Next(); err != nil {
			return err
		}
		if bad {
			panic("secret words")
		}
		return nil
	})
	rename := gateway.Scene{Calls: calls("household_subscription_update", `{"id":"`+id+`","name":"Mine"}`)}
	k.script.Then(rename, gateway.Scene{Say: "It failed."})
	h := k.ask("ann", assistant.Question{Text: "Rename it"})
	asked := k.script.Asked()
	if said := asked[1].Messages[len(asked[1].Messages)-1].Results[0]; h.err != nil || !said.Error || strings.Contains(said.Text, "secret") {
		t.Errorf("%+v, the model is told %+v", h.err, said)
	}
	rec, err := k.pb.FindRecordById("household_subscriptions", id)
	if err != nil || rec.GetString("name") != "Netflix" {
		t.Error(rec, err)
	}
	bad = false
	k.script.Then(rename, gateway.Scene{Say: "Done."})
	if h = k.ask("ann", assistant.Question{Text: "Rename it", Conversation: h.end.Conversation}); h.err != nil || h.end.Finish != assistant.Answered {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	if rec, err = k.pb.FindRecordById("household_subscriptions", id); err != nil || rec.GetString("name") != "Mine" {
		t.Error(rec, err)
	}
}
