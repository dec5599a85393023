package hooks

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTimesOfATurn: a model that takes too long over one call, or over all of them,
// ends the turn by a sentence; what it said and proposed before stays.
func TestTimesOfATurn(t *testing.T) {
	for key, env := range map[string][]string{
		"assistant.error.call_time": {"NODKEEP_CALL_SECONDS=1", "NODKEEP_TURN_SECONDS=100"},
		"assistant.error.turn_time": {"NODKEEP_CALL_SECONDS=100", "NODKEEP_TURN_SECONDS=1"},
	} {
		t.Run(key, func(t *testing.T) {
			k := newTalk(t, env...)
			id := k.subscription("ann", "Netflix", "15.99")
			k.script.Then(
				gateway.Scene{Say: "I propose it.", Calls: calls("household_subscription_pause", `{"id":"`+id+`"}`)},
				gateway.Scene{Say: "Never said.", Wait: time.Hour},
			)
			h := k.ask("ann", assistant.Question{Text: "Pause it"})
			k.failed(h, assistant.Limited, tools.Limit, key)
			if h.end.Text != "I propose it." || len(h.end.Proposals) != 1 || !strings.Contains(h.err.Text.Text, "1") {
				t.Errorf("%+v %+v", h.end, h.err)
			}
			k.sentences(tools.T(key, "Model", 1))
			k.goesOn(h)
		})
	}
}

// TestReadsSideBySide: of the reads of one answer four run at once and no more, and
// each result is that of its call, in the order of the calls.
func TestReadsSideBySide(t *testing.T) {
	plugin := lingering{make(chan struct{}, 100), make(chan struct{})}
	k := &talk{script: gateway.NewScript()}
	k.instance = newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.scripts = []roster.Script{{ID: "model", Name: "Model", Provider: k.script}}
		a.Plugins = append(a.Plugins, plugin)
		a.settings.Plugins = append(a.settings.Plugins, "slow")
	})
	k.makeOperator("ann")
	k.must("/operator/grants", k.token("ann"), `{"assistant":"model","allow":true,"everybody":true}`)
	const asked = 9
	var all []gateway.Call
	for n := range asked {
		name := "slow_look"
		if n == asked-1 {
			name = "household_overview"
		}
		all = append(all, gateway.Call{ID: fmt.Sprint("call-", n), Name: name, Args: []byte(`{}`)})
	}
	k.script.Then(gateway.Scene{Calls: all}, gateway.Scene{Say: "Seen."})
	turn, err := k.begin("ann", assistant.Question{Text: "Look"})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		select {
		case <-plugin.came:
		case <-time.After(patient):
			t.Fatalf("%d run side by side", n)
		}
	}
	select {
	case <-plugin.came:
		t.Error("more than four run side by side")
	case <-time.After(100 * time.Millisecond):
	}
	close(plugin.let)
	if h := k.follow(turn); h.err != nil || h.end.Text != "Seen." {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	results := k.told()
	if len(results) != asked {
		t.Fatalf("%d results", len(results))
	}
	for n, r := range results {
		if r.Call != all[n].ID || r.Error || !strings.Contains(r.Text, `<data source="`+all[n].Name+`">`) {
			t.Errorf("result %d: %+v", n, r)
		}
	}
}

// TestProviderPanics: what answers may break in any way: the person is told, in no
// words of it, and asks again.
func TestProviderPanics(t *testing.T) {
	k := newTalk(t)
	k.script.Then(
		gateway.Scene{Say: "I look.", Calls: calls("household_overview", `{}`)},
		gateway.Scene{When: func(gateway.Request) bool { panic("secret words") }},
	)
	h := k.ask("ann", assistant.Question{Text: "Look"})
	k.failed(h, assistant.Broken, tools.Internal, "error.internal")
	if h.end.Text != "I look." || strings.Contains(fmt.Sprint(h.events), "secret") {
		t.Errorf("%+v", h.end)
	}
}

// TestConversationsAreListed: the last used first, by pages, with the turn that is
// under way and the form that waits; none of another's, and none that is too old.
func TestConversationsAreListed(t *testing.T) {
	k := newTalk(t)
	k.script.Then(
		gateway.Scene{Say: "One."}, gateway.Scene{Calls: calls("ask_person", `{"questions":[{"text":"Which one?"}]}`)},
		gateway.Scene{Say: "Three.", Wait: time.Hour},
	)
	var ids []string
	for n, text := range []string{"The first", "The second"} {
		if n > 0 {
			time.Sleep(2 * time.Millisecond) // they are told apart by when they were used
		}
		ids = append(ids, k.ask("ann", assistant.Question{Text: text}).start.Conversation)
	}
	time.Sleep(2 * time.Millisecond)
	under, err := k.begin("ann", assistant.Question{Text: "And now?", Conversation: ids[0]})
	if err != nil {
		t.Fatal(err)
	}
	pages := func(handle, query string) (all []answer) {
		t.Helper()
		for cursor, n := "", 0; n < 10; n++ {
			status, a := k.web("GET", prefix+"/conversations?"+query+"&cursor="+cursor, k.token(handle), "")
			want(t, status, a, 200, "")
			for i := range a.len("items") {
				all = append(all, answer{a.at("items", fmt.Sprint(i))})
			}
			if cursor = a.str("next"); cursor == "" {
				break
			}
		}
		return all
	}
	if _, err := k.pb.NonconcurrentDB().Update(tools.ConversationsTable, dbx.Params{"used": tools.Stamp(time.Now())}, dbx.HashExp{"person": k.user("ann").Id}).Execute(); err != nil {
		t.Fatal(err)
	}
	if n := len(pages("ann", "limit=1")); n != 2 { // used in the same moment
		t.Errorf("ann finds %d of 2", n)
	}
	if n := len(pages("bob", "limit=1")); n != 0 {
		t.Errorf("bob finds %d", n)
	}
	for _, query := range []string{"limit=1", "limit=2", "limit=50"} {
		list := map[string]answer{}
		all := pages("ann", query)
		for _, c := range all {
			list[c.str("id")] = c
		}
		first, second := list[ids[0]], list[ids[1]]
		if len(all) != 2 || first.str("title") != "The first" || first.str("running") != under.ID() || second.str("running") != "" || second.str("form", "questions", "0", "text") != "Which one?" || first.at("form") != nil {
			t.Errorf("%s: %v", query, all)
		}
		used, _ := time.Parse(time.RFC3339, second.str("used"))
		expires, _ := time.Parse(time.RFC3339, second.str("expires"))
		if expires.Sub(used) != 30*time.Minute || second.str("assistant") != "model" || second.str("turns", "0", "text") != "The second" || second.str("turns", "0", "finish") != "form" {
			t.Errorf("%s", second)
		}
	}
	status, a := k.web("GET", prefix+"/conversations?limit=201", k.token("ann"), "")
	want(t, status, a, 400, tools.Invalid)
	status, a = k.web("GET", prefix+"/conversations?cursor=x", k.token("ann"), "")
	want(t, status, a, 400, tools.Invalid)
	if err := k.loop.Stop(context.Background(), k.user("ann").Id, under.ID()); err != nil {
		t.Fatal(err)
	}
	k.follow(under)
	if all := pages("ann", "limit=1"); len(all) != 2 || all[0].str("id") != ids[0] || all[0].len("turns") != 2 {
		t.Errorf("the last used is not the first: %v", all)
	}
}
