package hooks

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestBadMessages: what is no question is refused in a sentence, before a model is
// asked; what only looks odd is answered.
func TestBadMessages(t *testing.T) {
	k := newTalk(t)
	for text, key := range map[string]string{
		strings.Repeat("a", 5000): "assistant.error.long", strings.Repeat("ü", 2001): "assistant.error.long",
		"": "assistant.error.empty", " \n\t\u00a0 ": "assistant.error.empty", "\u200b\u2060\ufeff": "assistant.error.empty", "\x00\x01": "assistant.error.empty",
	} {
		_, err := k.begin("ann", assistant.Question{Text: text})
		if e, ok := errors.AsType[*tools.Error](err); !ok || e.Text.Key != key {
			t.Errorf("%.20q: %v, want %s", text, err, key)
		}
		k.sentences(tools.T(key, 5000, 4000))
	}
	if n := len(k.script.Asked()); n > 0 {
		t.Errorf("the model was asked %d times", n)
	}
	k.script.Then(gateway.Scene{Always: true, Say: "Yes."})
	for _, text := range []string{"🦊🦊👨\u200d👩\u200d👧🏳️\u200d🌈", "bad \xff\xfe bytes", strings.Repeat("a", 4000), "nul \x00 here"} {
		if h := k.ask("ann", assistant.Question{Text: text}); h.err != nil || h.end.Text != "Yes." {
			t.Errorf("%.20q: %+v %+v", text, h.end, h.err)
		}
		asked := k.script.Asked()
		if said := lastSaid(asked[len(asked)-1]); !utf8.ValidString(said) || strings.Contains(said, "\x00") {
			t.Errorf("the model is told %q", said)
		}
	}
}

// sentences checks that a text is one in each language, and not the same in two.
func (k *talk) sentences(text tools.Text) {
	k.t.Helper()
	said := map[string]bool{}
	for _, lang := range []string{"en", "de", "es"} {
		s := k.catalogue.Say(lang, text)
		if s == "" || s == text.Key || strings.Contains(s, "{0}") {
			k.t.Errorf("%s in %s: %q", text.Key, lang, s)
		}
		said[s] = true
	}
	if len(said) != 3 {
		k.t.Errorf("%s is the same in two languages", text.Key)
	}
}

// goesOn checks that a turn ended as it should, and that its conversation can be
// gone on with.
func (k *talk) goesOn(h happened) {
	k.t.Helper()
	if ends := h.of(assistant.EventTurn); len(ends) != 1 || h.events[len(h.events)-1].Kind != assistant.EventTurn {
		k.t.Errorf("%d turns end", len(ends))
	}
	if n := len(h.of(assistant.EventError)); n > 1 {
		k.t.Errorf("%d errors", n)
	}
	if n := k.script.Left(); n > 0 {
		k.t.Fatalf("%d scenes were not played: %+v %+v", n, h.end, h.err)
	}
	k.script.Then(gateway.Scene{Say: "Here I am."})
	if next := k.ask("ann", assistant.Question{Text: "Are you there?", Conversation: h.start.Conversation}); next.err != nil || next.end.Text != "Here I am." || next.end.Conversation != h.start.Conversation {
		k.t.Errorf("it cannot be gone on with: %+v %+v", next.end, next.err)
	}
}

// failed checks the sentence that a turn ended with.
func (k *talk) failed(h happened, finish assistant.Finish, kind tools.Kind, key string) {
	k.t.Helper()
	if h.err == nil || h.err.Kind != string(kind) || h.err.Text.Key != key || h.err.Text.Text == "" || h.err.Text.Text == key || h.end.Finish != finish {
		k.t.Errorf("it ended as %+v, %+v, want %s: %s %s", h.end, h.err, finish, kind, key)
	}
}

// told is what the model was told of the calls of its last answer but one.
func (k *talk) told() []gateway.ToolResult {
	k.t.Helper()
	asked := k.script.Asked()
	messages := asked[len(asked)-1].Messages
	return messages[len(messages)-1].Results
}

// TestBadCalls: a model that calls what is none, or calls it wrongly, is told so
// for each call, and can still answer. Nothing comes of it.
func TestBadCalls(t *testing.T) {
	k := newTalk(t)
	id := k.subscription("ann", "Netflix", "15.99")
	before := k.tables()
	bad := calls(
		"no_such_tool", `{}`, "", `{}`, strings.Repeat("x", 5000), `{}`, "household_subscription_get", `{"id":"invented00000id"}`,
		"household_subscription_update", `{"id":"invented00000id","amount":"1.00"}`, "household_subscription_get", `{"id":["a"]}`,
		"use_tool", `{"name":"use_tool","args":{"name":"use_tool","args":{}}}`, "use_tool", `{"args":{}}`, "use_tool", `{"name":"nothing"}`,
		"find_tools", `{"words":"`+strings.Repeat("ü x", 100_000)+`"}`, "find_tools", `{}`,
		"show_screen", `{"tool":"household_subscription_delete","args":{"id":"`+id+`"},"form":"table"}`,
		"show_screen", `{"tool":"use_tool","args":{"name":"household_subscription_delete","args":{"id":"`+id+`"}},"form":"table"}`,
		"show_screen", `{"tool":"household_subscription_list","form":"picture"}`, "ask_person", `{"questions":[]}`, "activity_list", `{"limit":100000}`,
	)
	worse := []gateway.Call{
		{Name: "household_overview", Invalid: true},
		{Name: "household_overview", Args: jsontext.Value(`[1]`)},
		{Name: "household_overview", Args: jsontext.Value(`"x"`)},
		{Name: "household_subscription_get", Args: jsontext.Value(`{"id":"` + strings.Repeat("x", 100_000) + `"}`)},
		{Name: "household_subscription_get", Args: jsontext.Value(`{"id":` + strings.Repeat("[", 900) + strings.Repeat("]", 900) + `}`)},
		{Name: "undo", Args: jsontext.Value(`{"audit":["invented"]}`)},
		{Name: "undo", Args: jsontext.Value(`{}`)},
		{Name: "household_subscription_add", Args: jsontext.Value(`{"name":""}`)},
		{Name: "use_tool", Args: jsontext.Value(`{"name":"undo","args":{"audit":["invented"]}}`)},
		{Name: "use_tool", Invalid: true},
		{Name: "ask_person", Args: jsontext.Value(`{"questions":"?"}`)},
	}
	k.script.Then(gateway.Scene{Calls: bad}, gateway.Scene{Calls: worse}, gateway.Scene{Say: "I could not."})
	h := k.ask("ann", assistant.Question{Text: "Look"})
	if h.err != nil || h.end.Text != "I could not." || len(h.end.Proposals) > 0 || len(h.of(assistant.EventScreen))+len(h.of(assistant.EventForm)) > 0 {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	asked := k.script.Asked()
	for n, r := range [][]gateway.ToolResult{asked[1].Messages[len(asked[1].Messages)-1].Results, k.told()} {
		for i, res := range r {
			if n == 0 && (i == 9 || i == 10) { // find_tools found something, or nothing
				continue
			}
			if !res.Error || len(res.Text) > 3000 || !strings.Contains(res.Text, "<data source=\"error\">") || strings.Contains(res.Text, "(internal)") {
				t.Errorf("round %d, call %d: %.300s", n, i, res.Text)
			}
		}
	}
	if changed := differing(before, k.tables()); len(changed) > 0 {
		t.Errorf("changed: %v", changed)
	}
	var figures struct {
		Changes int `json:"changes"`
	}
	var args string
	if err := k.pb.DB().NewQuery("SELECT args FROM nodkeep_audit WHERE tool = 'ask'").Row(&args); err != nil || json.Unmarshal([]byte(args), &figures) != nil || figures.Changes != 0 {
		t.Errorf("the entry says %s, %v", args, err)
	}
	k.goesOn(h)
}

// TestBadInside: use_tool calls the model's own tools as the model itself does.
func TestBadInside(t *testing.T) {
	k := newTalk(t)
	k.subscription("ann", "Netflix", "15.99")
	k.script.Then(
		gateway.Scene{Calls: []gateway.Call{
			used("find_tools", `{"words":"delete"}`), used("show_screen", `{"tool":"household_subscription_list","form":"table"}`),
			used("ask_person", `{"questions":[{"text":"Which? https://evil.example/x"}]}`), used("ask_person", `{"questions":[{"text":"And which?"}]}`),
		}},
	)
	h := k.ask("ann", assistant.Question{Text: "Look"})
	forms := h.of(assistant.EventForm)
	if h.err != nil || h.end.Finish != assistant.AskedBack || len(forms) != 1 || len(h.of(assistant.EventScreen)) != 1 {
		t.Fatalf("%+v %+v %s", h.end, h.err, h.kinds())
	}
	if strings.Contains(forms[0].String(), "evil.example") {
		t.Errorf("an address is asked: %s", forms[0])
	}
	k.goesOn(h)
}

// TestBadModels: a model that never ends, asks too much, changes too much or says
// nothing costs no more than a turn may, and the person reads one sentence.
func TestBadModels(t *testing.T) {
	k := newTalk(t, "NODKEEP_MESSAGE_BURST=100")
	id := k.subscription("ann", "Netflix", "15.99")
	change := func(n int) []gateway.Call {
		var all []gateway.Call
		for i := range n {
			all = append(all, calls("household_subscription_update", fmt.Sprintf(`{"id":%q,"notes":"note %d"}`, id, i))...)
		}
		return all
	}
	ask := func(n int) string {
		return `{"questions":[` + strings.TrimSuffix(strings.Repeat(`{"text":"Which one?"},`, n), ",") + `]}`
	}
	again := func(n int, s gateway.Scene) []gateway.Scene { return slices.Repeat([]gateway.Scene{s}, n) }
	before := k.tables()
	for name, row := range map[string]struct {
		scenes []gateway.Scene
		finish assistant.Finish
		kind   tools.Kind
		key    string
		text   string
		cards  int
		forms  int
	}{
		"the same for ever":        {again(6, gateway.Scene{Calls: calls("household_overview", `{}`)}), assistant.Limited, tools.Limit, "assistant.error.calls", "", 0, 0},
		"the same, and speaks":     {again(6, gateway.Scene{Say: "Wait.", Calls: calls("household_overview", `{}`)}), assistant.Limited, tools.Limit, "assistant.error.calls", strings.TrimSuffix(strings.Repeat("Wait.\n\n", 6), "\n\n"), 0, 0},
		"twenty questions":         {[]gateway.Scene{{Calls: calls("ask_person", ask(20))}, {Say: "Then not."}}, assistant.Answered, "", "", "Then not.", 0, 0},
		"four, and four more":      {[]gateway.Scene{{Calls: calls("ask_person", ask(4), "ask_person", ask(4))}}, assistant.AskedBack, "", "", "", 0, 1},
		"fifty changes":            {[]gateway.Scene{{Calls: change(50)}, {Say: "Five."}}, assistant.Answered, "", "", "Five.", 1, 0},
		"fifty changes, in rounds": {again(6, gateway.Scene{Calls: change(10)}), assistant.Limited, tools.Limit, "assistant.error.calls", "", 1, 0},
		"a hundred calls":          {[]gateway.Scene{{Calls: slices.Repeat(calls("household_overview", `{}`), 100)}, {Say: "Done."}}, assistant.Answered, "", "", "Done.", 0, 0},
		"nothing":                  {[]gateway.Scene{{}}, assistant.Broken, tools.Unavailable, "roster.say.empty", "", 0, 0},
		"blanks":                   {[]gateway.Scene{{Say: " \n "}}, assistant.Broken, tools.Unavailable, "roster.say.empty", " \n ", 0, 0},
		"nothing after a look":     {[]gateway.Scene{{Calls: calls("household_overview", `{}`)}, {}}, assistant.Broken, tools.Unavailable, "roster.say.empty", "", 0, 0},
		"nothing beside a card":    {[]gateway.Scene{{Calls: change(1)}, {}}, assistant.Answered, "", "", "", 1, 0},
		"calls that are none":      {[]gateway.Scene{{Finish: gateway.ToolUse}}, assistant.Broken, tools.Unavailable, "roster.say.empty", "", 0, 0},
		"an end that is none":      {[]gateway.Scene{{Say: "So", Finish: "odd"}}, assistant.Broken, tools.Unavailable, "roster.say.empty", "So", 0, 0},
		"another language":         {[]gateway.Scene{{Say: "Вот ответ. 答えです。"}}, assistant.Answered, "", "", "Вот ответ. 答えです。", 0, 0},
		"too long":                 {[]gateway.Scene{{Say: "A long", Finish: gateway.MaxTokens}}, assistant.Limited, tools.Limit, "assistant.error.cut", "A long", 0, 0},
		"no":                       {[]gateway.Scene{{Say: "No", Refusal: &gateway.Refusal{Message: "I will not"}}}, assistant.Refusal, tools.Forbidden, "assistant.error.refused", "No", 0, 0},
		"too much":                 {[]gateway.Scene{{Finish: gateway.ContextWindow}}, assistant.Broken, tools.TooLarge, "roster.say.context", "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			k.t = t
			k.script.Then(row.scenes...)
			h := k.ask("ann", assistant.Question{Text: "Go on"})
			if row.key == "" && (h.err != nil || h.end.Finish != row.finish) {
				t.Errorf("%+v %+v", h.end, h.err)
			} else if row.key != "" {
				k.failed(h, row.finish, row.kind, row.key)
			}
			if n := len(h.of(assistant.EventProposal)); h.end.Text != row.text || n != row.cards || n != len(h.end.Proposals) || len(h.of(assistant.EventForm)) != row.forms {
				t.Errorf("said %q, %d cards, %s", h.end.Text, n, h.kinds())
			}
			if len(h.events) > 300 {
				t.Errorf("%d events", len(h.events))
			}
			items := 0
			for _, c := range h.of(assistant.EventProposal) {
				items += c.len("items")
			}
			if items > 5 {
				t.Errorf("%d changes wait", items)
			}
			if changed := differing(before, k.tables()); len(changed) > 0 {
				t.Errorf("changed: %v", changed)
			}
			k.goesOn(h)
		})
	}
}

// TestProviderFails: however a host fails, at once or in the middle, the person is
// told in their language, what was said is kept, and they can ask again.
func TestProviderFails(t *testing.T) {
	k := newTalk(t, "NODKEEP_MESSAGE_BURST=500")
	kinds := map[error]tools.Kind{context.Canceled: tools.Unavailable, context.DeadlineExceeded: tools.Unavailable, errors.New("odd"): tools.Internal}
	for _, kind := range []gateway.ErrorKind{
		gateway.Billing, gateway.Auth, gateway.ContextLength, gateway.RateLimit, gateway.Overloaded, gateway.Server, gateway.Unsupported, gateway.BadRequest,
		gateway.NoModel, gateway.Truncated, gateway.Empty, gateway.Unreachable, "new",
	} {
		is := tools.Unavailable
		switch kind {
		case gateway.ContextLength:
			is = tools.TooLarge
		case gateway.RateLimit:
			is = tools.Limit
		}
		kinds[&gateway.Error{Kind: kind, Message: "sk-secret at 10.0.0.1"}] = is
	}
	later := &gateway.Error{Kind: gateway.RateLimit, RetryAfter: 7_000_000_000, Message: "sk-secret"}
	kinds[later] = tools.Limit
	for err, kind := range kinds {
		said := map[string]bool{}
		for _, lang := range []string{"en", "de", "es"} {
			look := gateway.Scene{Say: "I look.", Calls: calls("household_overview", `{}`)}
			k.script.Then(look, gateway.Scene{Say: "It is", Err: err})
			h := k.ask("ann", assistant.Question{Text: "What do I pay?", Language: lang})
			if h.err == nil {
				t.Fatalf("%v: %+v", err, h.end)
			}
			said[h.err.Text.Text] = true
			finish := assistant.Broken
			if kind == tools.Limit {
				finish = assistant.Limited
			}
			k.failed(h, finish, kind, h.err.Text.Key)
			if h.end.Text != "I look.\n\nIt is" || strings.Contains(fmt.Sprint(h.events), "secret") {
				t.Errorf("%v: %+v", err, h.end)
			}
			for _, e := range h.of(assistant.EventError) {
				if after := e.at("retry_after"); (after == 7.0) != errors.Is(err, later) {
					t.Errorf("%v: to be asked again after %v", err, after)
				}
			}
			if lang == "en" {
				k.goesOn(h)
			}
		}
		if len(said) != 3 {
			t.Errorf("%v is said alike: %v", err, slices.Collect(maps.Keys(said)))
		}
	}
}

// TestTightenedBetween: what is taken from a person, or from their assistant,
// between two calls is gone for the second.
func TestTightenedBetween(t *testing.T) {
	for name, row := range map[string]struct {
		mode   gate.Mode
		change func(k *talk, gym string)
		args   string
		says   string // to the model; "" where the turn ends
		kind   tools.Kind
		key    string
	}{
		"nothing": {gate.ModeTrusted, func(*talk, string) {}, `{"name":"Gym B"}`, "Done.", "", ""},
		"the grant": {gate.ModeTrusted, func(k *talk, _ string) {
			k.must("/operator/grants", k.token("ann"), `{"assistant":"model","allow":false,"everybody":true}`)
		}, `{"name":"Gym B"}`, "", tools.Forbidden, "budget.error.grant"},
		"the mode":   {gate.ModeTrusted, func(k *talk, _ string) { k.scripts[0].Mode = gate.ModeRead }, `{"name":"Gym B"}`, "(forbidden)", "", ""},
		"some of it": {gate.ModeTrusted, func(k *talk, _ string) { k.scripts[0].Mode = gate.ModeAsk }, `{"name":"Gym B"}`, "It waits for the person", "", ""},
		"the record": {gate.ModeTrusted, func(k *talk, gym string) {
			status, a := k.call("household_subscription_update", k.token("bob"), `{"id":"`+gym+`","private":true}`)
			want(k.t, status, a, 200, "")
		}, `{"name":"Gym B"}`, "(not_found)", "", ""},
		"being an operator": {gate.ModeTrusted, func(k *talk, _ string) {
			k.makeOperator("bob")
			status, a := k.local("POST", "/operator/operators/"+k.user("ann").Id+"/remove", "", "{}")
			want(k.t, status, a, 200, "")
		}, `{"name":"Gym B"}`, "Done.", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalkIn(t, row.mode)
			gym := k.subscription("bob", "Gym", "59.00")
			write := strings.Replace(row.args, "{", `{"id":"`+gym+`",`, 1)
			changes := func(gateway.Request) bool { row.change(k, gym); return true }
			k.script.Then(
				gateway.Scene{Say: "I look.", Calls: calls("household_overview", `{}`)},
				gateway.Scene{When: changes, Calls: calls("household_subscription_update", write)},
			)
			if row.says != "" {
				k.script.Then(gateway.Scene{Say: "So it is."})
			}
			h := k.ask("ann", assistant.Question{Text: "Rename it"})
			if row.says == "" {
				k.failed(h, assistant.Broken, row.kind, row.key)
			} else if r := k.told(); h.err != nil || len(r) != 1 || !strings.Contains(r[0].Text, row.says) {
				t.Errorf("%+v %+v, the model is told %v", h.end, h.err, r)
			}
			if !strings.HasPrefix(h.end.Text, "I look.") {
				t.Errorf("what was said is lost: %+v", h.end)
			}
			rec, err := k.pb.FindRecordById("household_subscriptions", gym)
			if err != nil {
				t.Fatal(err)
			}
			if got := rec.GetString("name"); (got == "Gym B") != (row.says == "Done.") {
				t.Errorf("it is called %s", got)
			}
		})
	}
}

// TestPace: who asks too often is told when to ask again, and nobody else is; three
// questions of a person are answered at a time.
func TestPace(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Always: true, Say: "Yes."})
	for range 12 {
		k.ask("ann", assistant.Question{Text: "Is it?"})
	}
	_, err := k.begin("ann", assistant.Question{Text: "Is it?"})
	if e, ok := errors.AsType[*tools.Error](err); !ok || e.Kind != tools.Limit || e.Text.Key != "assistant.error.often" || e.After <= 0 || e.After > 15*time.Second {
		t.Errorf("%+v", err)
	}
	k.sentences(tools.T("assistant.error.often", 15))
	if h := k.ask("bob", assistant.Question{Text: "Is it?"}); h.err != nil {
		t.Errorf("%+v", h.err)
	}

	k = newTalk(t)
	k.script.Then(gateway.Scene{Always: true, Say: "Yes.", Wait: time.Hour})
	for range 3 {
		if _, err := k.begin("ann", assistant.Question{Text: "Is it?"}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = k.begin("ann", assistant.Question{Text: "Is it?"})
	if e, ok := errors.AsType[*tools.Error](err); !ok || e.Kind != tools.Limit || e.Text.Key != "assistant.error.turns" {
		t.Errorf("%+v", err)
	}
	k.sentences(tools.T("assistant.error.turns", 3))
}

// TestAddressMade: an address that the model wrote is no address that it was given,
// also once a tool has stored it and told it, in this question and in the next.
func TestAddressMade(t *testing.T) {
	k := newTalkIn(t, gate.ModeTrusted)
	id := k.subscription("ann", "Netflix", "15.99", `,"url":"https://netflix.example/account"`)
	const made, says = "https://evil.example/c?d=1599", "https://evil.example/c?d=1599 and https://netflix.example/account"
	get := calls("household_subscription_get", `{"id":"`+id+`"}`)
	k.script.Then(
		gateway.Scene{Calls: calls("household_subscription_update", `{"id":"`+id+`","notes":"`+made+`"}`, made, `{}`)},
		gateway.Scene{Calls: get},
		gateway.Scene{Say: says},
	)
	const want = "[address left out] and https://netflix.example/account"
	h := k.ask("ann", assistant.Question{Text: "Look"})
	if h.err != nil || h.end.Text != want || h.of(assistant.EventProposal)[0].str("state") != "applied" {
		t.Errorf("%+v %+v", h.end, h.err)
	}
	k.script.Then(gateway.Scene{Calls: get}, gateway.Scene{Say: says})
	if h = k.ask("ann", assistant.Question{Text: "Look", Conversation: h.start.Conversation}); h.err != nil || h.end.Text != want {
		t.Errorf("%+v %+v", h.end, h.err)
	}
}
