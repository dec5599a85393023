package hooks

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
)

// talk is an instance whose assistant is a script that a test writes.
type talk struct {
	*instance
	script *gateway.Script
	asked  int
}

func newTalk(t testing.TB, env ...string) *talk {
	t.Helper()
	return newTalkIn(t, gate.ModeAsk, env...)
}

// newTalkIn is one whose assistant has another mode.
func newTalkIn(t testing.TB, mode gate.Mode, env ...string) *talk {
	t.Helper()
	s := gateway.NewScript()
	k := &talk{script: s}
	k.instance = newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.scripts, a.badge.pause = []roster.Script{{ID: "model", Name: "Model", Mode: mode, Provider: s}}, 0
	}, env...)
	k.makeOperator("ann")
	k.must("/operator/grants", k.token("ann"), `{"assistant":"model","allow":true,"everybody":true}`)
	return k
}

// happened is what came of a turn.
type happened struct {
	events []assistant.Event
	start  assistant.Start
	end    assistant.Ended
	err    *struct {
		Kind string `json:"kind"`
		Text struct {
			Text string `json:"text"`
			Key  string `json:"key"`
		} `json:"text"`
	}
}

// kinds are those of the events, each run of deltas once.
func (h happened) kinds() string {
	var all []string
	for _, e := range h.events {
		if k := string(e.Kind); e.Kind != assistant.EventDelta || len(all) == 0 || all[len(all)-1] != k {
			all = append(all, k)
		}
	}
	return strings.Join(all, " ")
}

// of are the events of a kind.
func (h happened) of(kind assistant.EventKind) (all []answer) {
	for _, e := range h.events {
		if e.Kind == kind {
			var a answer
			if err := json.Unmarshal(e.Data, &a.any); err != nil {
				panic(err)
			}
			all = append(all, a)
		}
	}
	return all
}

// ask asks as a member and waits for the end.
func (k *talk) ask(handle string, q assistant.Question) happened {
	k.t.Helper()
	t, err := k.begin(handle, q)
	if err != nil {
		k.t.Fatal(err)
	}
	return k.follow(t)
}

func (k *talk) begin(handle string, q assistant.Question) (*assistant.Turn, error) {
	k.t.Helper()
	if q.Client == "" {
		k.asked++
		q.Client = fmt.Sprint("question-", k.asked)
	}
	if q.Language == "" {
		q.Language = "en"
	}
	return k.loop.Ask(context.Background(), k.user(handle), q)
}

func (k *talk) follow(t *assistant.Turn) (h happened) {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	err := t.Follow(ctx, 0, func(e assistant.Event) error {
		h.events = append(h.events, e)
		switch e.Kind {
		case assistant.EventStart:
			return json.Unmarshal(e.Data, &h.start)
		case assistant.EventTurn:
			return json.Unmarshal(e.Data, &h.end)
		case assistant.EventError:
			return json.Unmarshal(e.Data, &h.err)
		}
		return nil
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return h
}

// conversationOf is that of a turn which may still be under way.
func (k *talk) conversationOf(t *assistant.Turn) string {
	k.t.Helper()
	var start assistant.Start
	begun := errors.New("it has begun")
	err := t.Follow(context.Background(), 0, func(e assistant.Event) error {
		return errors.Join(json.Unmarshal(e.Data, &start), begun)
	})
	if !errors.Is(err, begun) || start.Conversation == "" {
		k.t.Fatal(err)
	}
	return start.Conversation
}
