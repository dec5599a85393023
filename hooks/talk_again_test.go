package hooks

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestPrivateDecisionsStay: what became of a proposal about what only the person sees
// is told with the next question for which that is switched on, and no other.
func TestPrivateDecisionsStay(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Secret Club", "66.60", `,"private":true,"owner":"ann"`)
	all := assistant.Scope{Private: true}
	k.script.Then(gateway.Scene{Calls: calls("household_subscription_pause", `{"id":"`+id+`"}`)}, gateway.Scene{Say: "It waits."})
	h := k.ask("ann", assistant.Question{Text: "Pause that one", Scope: all})
	cards := h.of(assistant.EventProposal)
	if len(cards) != 1 {
		t.Fatalf("%+v %+v", h.end, h.err)
	}
	status, a := k.web("POST", prefix+"/proposals/"+cards[0].str("id")+"/confirm", k.token("ann"), `{"digest":"`+cards[0].str("digest")+`"}`)
	want(t, status, a, 200, "")
	for _, scope := range []assistant.Scope{{}, all} {
		k.script.Then(gateway.Scene{Say: "Yes."})
		k.ask("ann", assistant.Question{Text: "Is it done?", Scope: scope, Conversation: h.start.Conversation})
		asked := k.script.Asked()
		text := string(jsonOf(t, asked[len(asked)-1].Messages))
		if strings.Contains(text, "Secret Club") != scope.Private || strings.Contains(text, "The person confirmed") != scope.Private {
			t.Errorf("private %t: the model is told %s", scope.Private, text)
		}
	}
}

// TestAnothersConversation: who names a conversation of somebody else begins one of
// their own, in which nothing of it is told.
func TestAnothersConversation(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Say: "hushhush"}, gateway.Scene{Say: "Yes."})
	h := k.ask("ann", assistant.Question{Text: "whisper"})
	other := k.ask("bob", assistant.Question{Text: "Is it?", Conversation: h.start.Conversation})
	text := string(jsonOf(t, k.script.Asked()[1].Messages))
	if other.err != nil || other.start.Conversation == h.start.Conversation || strings.Contains(text, "whisper") || strings.Contains(text, "hushhush") {
		t.Errorf("%+v, the model is told %s", other.start, text)
	}
}

// TestTurnsAreForgotten: 30 minutes after its end a turn is not found, and its
// client's id begins another; a sweep then leaves no row of it.
func TestTurnsAreForgotten(t *testing.T) {
	var clock atomic.Int64
	clock.Store(time.Now().UnixNano())
	k := newTalk(t)
	k = k.restart(func(a *App) { a.now = func() time.Time { return time.Unix(0, clock.Load()).UTC() } })
	k.script.Then(gateway.Scene{Always: true, Say: "Yes."})
	q := assistant.Question{Client: "it", Text: "Is it?"}
	h := k.ask("ann", q)
	ann := k.user("ann").Id
	sweep := func(turns, conversations int) {
		t.Helper()
		if err := k.loop.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a, b := k.rows(tools.TurnsTable), k.rows(tools.ConversationsTable); a != turns || b != conversations {
			t.Errorf("%d turns and %d conversations are left, want %d and %d", a, b, turns, conversations)
		}
	}
	clock.Add(int64(29 * time.Minute))
	sweep(1, 1)
	if again := k.ask("ann", q); again.end.ID != h.end.ID || again.end.Text != "Yes." {
		t.Errorf("it is gone: %+v", again.end)
	}
	clock.Add(int64(2 * time.Minute))
	if _, err := k.loop.Turn(t.Context(), ann, h.end.ID); tools.KindOf(err) != tools.NotFound {
		t.Errorf("it is found: %v", err)
	}
	if items, _, err := k.loop.Conversations(t.Context(), ann, 0, ""); err != nil || len(items) != 0 {
		t.Errorf("it is listed: %v %v", items, err)
	}
	again := k.ask("ann", q)
	if again.end.ID == h.end.ID || again.end.Text != "Yes." {
		t.Errorf("it is told again: %+v", again.end)
	}
	clock.Add(int64(20 * time.Minute))
	last := k.ask("ann", assistant.Question{Text: "Still?", Conversation: again.start.Conversation})
	clock.Add(int64(20 * time.Minute))
	if next := k.ask("ann", assistant.Question{Text: "Still?", Conversation: again.start.Conversation}); next.start.Conversation != last.start.Conversation {
		t.Error("a conversation ends though it is used")
	}
	clock.Add(int64(31 * time.Minute))
	sweep(0, 0)
}

// TestWhatEachRequestCarries: the key of the cache, which is a person's own and does
// not say whose, the effort, and the marks up to which a host keeps what it has read:
// the rules, what was said before, and the end.
func TestWhatEachRequestCarries(t *testing.T) {
	k := newTalk(t)
	var marks []string
	var keys []string
	noting := func(s gateway.Scene) gateway.Scene {
		s.When = func(r gateway.Request) bool { // the messages go on being used
			at := fmt.Sprint(r.System[len(r.System)-1].Cache, " ", r.Effort, " of ", len(r.Messages), ":")
			for i, m := range r.Messages {
				if m.Cache {
					at += fmt.Sprint(" ", i)
				}
			}
			marks, keys = append(marks, at), append(keys, r.CacheKey)
			return true
		}
		return s
	}
	look, yes := gateway.Scene{Calls: calls("household_overview", `{}`)}, gateway.Scene{Say: "Yes."}
	k.script.Then(noting(yes), noting(look), noting(look), noting(yes), noting(yes))
	h := k.ask("ann", assistant.Question{Text: "Is it?"})
	k.ask("ann", assistant.Question{Text: "And this?", Conversation: h.start.Conversation, Effort: gateway.Low})
	k.ask("bob", assistant.Question{Text: "Is it?"})
	if want := []string{"true  of 1: 0", "true low of 3: 1 2", "true low of 5: 1 4", "true low of 7: 1 6", "true  of 1: 0"}; !slices.Equal(marks, want) {
		t.Errorf("the requests are marked %q, want %q", marks, want)
	}
	if keys[0] == "" || !slices.Equal(keys[:4], slices.Repeat(keys[:1], 4)) || keys[4] == keys[0] || strings.Contains(keys[0], k.user("ann").Id) {
		t.Errorf("the keys are %q", keys)
	}
}

// TestAddressOfAnEarlierQuestion: what the person wrote stays theirs to be said again.
func TestAddressOfAnEarlierQuestion(t *testing.T) {
	k := newTalk(t)
	const given = "https://netflix.example/account"
	k.script.Then(gateway.Scene{Say: "I see."}, gateway.Scene{Say: "It was " + given + " and not https://evil.example/x."})
	h := k.ask("ann", assistant.Question{Text: "It is at " + given})
	if h = k.ask("ann", assistant.Question{Text: "Where was it?", Conversation: h.start.Conversation}); h.end.Text != "It was "+given+" and not [address left out]." {
		t.Errorf("said %q", h.end.Text)
	}
}

// TestCallsOfOneAnswer: sixteen are made, and the others told that they are not.
func TestCallsOfOneAnswer(t *testing.T) {
	k := newTalk(t)
	var all []gateway.Call
	for range 18 {
		all = append(all, calls("household_overview", `{}`)...)
	}
	k.script.Then(gateway.Scene{Calls: all}, gateway.Scene{Say: "Seen."})
	h := k.ask("ann", assistant.Question{Text: "Look"})
	for n, r := range k.told() {
		if r.Error != (n >= 16) || r.Error && !strings.Contains(r.Text, "(limit)") {
			t.Errorf("call %d: %s", n, r.Text)
		}
	}
	if n := len(h.of(assistant.EventTool)); n != 32 {
		t.Errorf("%d events of tools", n)
	}
}

// TestTurnsOfOthers: three of one person keep nobody else from asking.
func TestTurnsOfOthers(t *testing.T) {
	k := newTalk(t)
	for range 3 {
		waits, begun := pausing(gateway.Scene{Say: "Never said."})
		k.script.Then(waits)
		if _, err := k.begin("ann", assistant.Question{Text: "Is it?"}); err != nil {
			t.Fatal(err)
		}
		<-begun
	}
	k.script.Then(gateway.Scene{Say: "Yes."})
	if h := k.ask("bob", assistant.Question{Text: "Is it?"}); h.err != nil || h.end.Text != "Yes." {
		t.Errorf("%+v %+v", h.end, h.err)
	}
}

// TestNoSuchUpload: a change that names a file that there is none of is refused, and
// leaves an entry.
func TestNoSuchUpload(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Calls: calls("household_import_apply", `{"upload":"invented00000id","subscriptions":[{"row":0}]}`)}, gateway.Scene{Say: "No."})
	h := k.ask("ann", assistant.Question{Text: "Take it over"})
	if r := k.told(); h.err != nil || len(r) != 1 || !r[0].Error || strings.Contains(r[0].Text, "(internal)") {
		t.Errorf("%+v, the model is told %+v", h.err, r)
	}
	status, a := k.web("GET", prefix+"/audit?agent=model&tool=household_import_apply", k.token("ann"), "")
	if want(t, status, a, 200, ""); a.len("items") != 1 || a.str("items", "0", "state") != "refused" {
		t.Errorf("%s", a)
	}
}

// TestThoughtsGoBack: within a question a model is given its thoughts again, as hosts
// want them with the calls that they led to; not in a later question, which may be
// another model's.
func TestThoughtsGoBack(t *testing.T) {
	k := newTalk(t)
	k.script.Then(
		gateway.Scene{Think: "They want to know.", Calls: calls("household_overview", `{}`)}, gateway.Scene{Say: "Yes."}, gateway.Scene{Say: "Yes."},
	)
	h := k.ask("ann", assistant.Question{Text: "Is it?"})
	k.ask("ann", assistant.Question{Text: "And this?", Conversation: h.start.Conversation})
	asked := k.script.Asked()
	if raw := asked[1].Messages[1].Raw; raw == nil || len(raw.Items) == 0 || !strings.Contains(string(raw.Items[0]), "They want to know.") {
		t.Errorf("it is given %+v", asked[1].Messages[1])
	}
	for _, m := range asked[2].Messages {
		if m.Raw != nil {
			t.Errorf("it is given %+v", m)
		}
	}
}
