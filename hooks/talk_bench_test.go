package hooks

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// slowModel takes as long as one does, and notes when it was asked. The first
// request of each question is answered with a call: in every other conversation of
// a tool that reads, else of one that is none, which costs no more than the loop.
type slowModel struct {
	takes time.Duration

	mu    sync.Mutex
	asked map[string]time.Time // by the question, when it first was
	ended map[string]time.Time // when an answer with a call ended
	read  []time.Duration      // from the end of such an answer to the next request, with a read between
	alone []time.Duration      // and without
}

// Stream answers after a while.
func (m *slowModel) Stream(ctx context.Context, r gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
	came := time.Now()
	if r.Meter != nil { // before it no byte leaves
		if err := r.Meter.Hold(ctx); err != nil {
			return gateway.Result{Finish: gateway.Failed}, err
		}
	}
	now := time.Now()
	question := questionOf(r)
	res := gateway.Result{Model: "slow", Attempts: 1, Finish: gateway.Stop, Text: "That is 99 EUR.", Usage: &gateway.Usage{Uncached: 100, Output: 20}}
	m.mu.Lock()
	if _, again := m.asked[question]; !again {
		m.asked[question] = now
		name := "household_subscription_list"
		if strings.HasPrefix(question, "Alone") {
			name = "household_nosuch"
		}
		res.Finish, res.Text, res.Calls = gateway.ToolUse, "", []gateway.Call{{ID: "c1", Name: name, Args: []byte(`{"limit":5}`)}}
	} else if took := came.Sub(m.ended[question]); strings.HasPrefix(question, "Alone") {
		m.alone = append(m.alone, took)
	} else {
		m.read = append(m.read, took)
	}
	m.mu.Unlock()
	select {
	case <-time.After(m.takes):
	case <-ctx.Done():
		return gateway.Result{Finish: gateway.Failed}, ctx.Err()
	}
	show(gateway.Delta{Text: res.Text})
	if r.Meter != nil {
		r.Meter.Settle(gateway.Spent{Usage: res.Usage})
	}
	m.mu.Lock()
	m.ended[question] = time.Now()
	m.mu.Unlock()
	return res, nil
}

func questionOf(r gateway.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == gateway.User {
			return m.Parts[len(m.Parts)-1].Text
		}
	}
	return ""
}

// BenchmarkAsk holds what a question takes until the model is asked, with 200
// conversations at once that each wait for their model most of the time, and what
// the loop adds between two requests beside the tools that it runs.
func BenchmarkAsk(b *testing.B) {
	const conversations, each, limit, between = 200, 2, 10 * time.Millisecond, 2 * time.Millisecond
	m := &slowModel{takes: 5 * time.Second, asked: map[string]time.Time{}, ended: map[string]time.Time{}}
	i := newInstanceWith(b, filepath.Join(b.TempDir(), "pb_data"), func(a *App) {
		a.scripts, a.badge.pause = []roster.Script{{ID: "model", Name: "Model", Provider: m}}, 0
	}, "NODKEEP_MESSAGE_BURST=1000")
	i.makeOperator("ann")
	token := i.token("ann")
	if status, a := i.web("POST", prefix+"/operator/grants", token, `{"assistant":"model","allow":true,"everybody":true}`); status != 200 {
		b.Fatal(a)
	}
	for n := range 40 {
		body := fmt.Sprintf(`{"name":"Subscription %d","amount":"%d.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-05"}`, n, n+3)
		if status, a := i.call("household_subscription_add", token, body); status != 200 {
			b.Fatal(a)
		}
	}
	users, err := i.pb.FindCollectionByNameOrId(tools.Members)
	if err != nil {
		b.Fatal(err)
	}
	people := make([]*core.Record, conversations/2) // each has two conversations
	for n := range people {
		rec := core.NewRecord(users)
		rec.Load(map[string]any{"handle": fmt.Sprint("member", n), "status": tools.Approved, "language": "en"})
		rec.SetRandomPassword()
		if err := i.pb.Save(rec); err != nil {
			b.Fatal(err)
		}
		people[n] = rec
	}
	for b.Loop() {
		var mu sync.Mutex
		begun := map[string]time.Time{}
		var all sync.WaitGroup
		for n := range conversations {
			all.Go(func() {
				time.Sleep(time.Duration(n) * 2 * m.takes / conversations) // people do not ask in one moment
				conversation := ""
				for turn := range each {
					q := assistant.Question{Client: fmt.Sprintf("q-%d-%d-%d", b.N, n, turn), Text: fmt.Sprintf("%s %d of conversation %d in %d?", []string{"Alone", "Question"}[n%2], turn, n, b.N), Language: "en", Conversation: conversation}
					mu.Lock()
					begun[q.Text] = time.Now()
					mu.Unlock()
					t, err := i.loop.Ask(context.Background(), people[n/2], q)
					if err == nil {
						err = t.Follow(context.Background(), 0, func(e assistant.Event) error {
							if e.Kind == assistant.EventStart {
								conversation = startOf(b, e).Conversation
							}
							return nil
						})
					}
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		m.mu.Lock()
		// The first question of a person waits for their briefing to be made.
		var first, later []time.Duration
		for question, at := range begun {
			if took := m.asked[question].Sub(at); strings.Contains(question, " 0 of") {
				first = append(first, took)
			} else {
				later = append(later, took)
			}
		}
		alone, read := m.alone, m.read
		m.asked, m.ended, m.alone, m.read = map[string]time.Time{}, map[string]time.Time{}, nil, nil
		m.mu.Unlock()
		at := func(all []time.Duration, part int) float64 {
			slices.Sort(all)
			return float64(all[min(len(all)-1, len(all)*part/100)].Microseconds()) / 1000
		}
		for name, all := range map[string][]time.Duration{"first": first, "later": later, "alone": alone, "with-read": read} {
			b.ReportMetric(at(all, 50), "ms/"+name+"-p50")
			b.ReportMetric(at(all, 95), "ms/"+name+"-p95")
		}
		b.Logf("ms until the model is asked: first question p50 %.1f, p95 %.1f, later p50 %.1f, p95 %.1f; between two requests: alone p50 %.1f, p95 %.1f; with a read p50 %.1f, p95 %.1f", at(first, 50), at(first, 95), at(later, 50), at(later, 95), at(alone, 50), at(alone, 95), at(read, 50), at(read, 95))
		if p90 := at(alone, 90); p90 > float64(between.Milliseconds()) {
			b.Errorf("between two requests the loop takes %.1f ms at p90 beside its tools, at most %s are allowed", p90, between)
		}
		if p95 := at(later, 95); p95 > float64(limit.Milliseconds()) {
			b.Errorf("95 of 100 questions reach the model within %.1f ms, at most %s are allowed", p95, limit)
		}
	}
}

func startOf(tb testing.TB, e assistant.Event) (s assistant.Start) {
	tb.Helper()
	if err := json.Unmarshal(e.Data, &s); err != nil {
		tb.Fatal(err)
	}
	return s
}
