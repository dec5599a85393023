package hooks

import (
	"context"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// converses has a member ask an assistant.
func (i *instance) converses(handle, id string) (gateway.Result, error) {
	i.t.Helper()
	a, err := i.roster.For(context.Background(), i.user(handle).Id, id)
	if err != nil {
		return gateway.Result{}, err
	}
	return a.Stream(context.Background(), gateway.Request{MaxOutput: 100, Messages: []gateway.Message{
		{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: "Hello?"}}},
	}}, func(gateway.Delta) {})
}

// TestAPersonAsksAModel: from a grant to the bill. Nothing leaves before a
// member may ask, has agreed to the host and has something to spend; at four
// fifths of a limit they are told, at a limit when it is new again; and their
// operator gives more with one tap.
func TestAPersonAsksAModel(t *testing.T) {
	h := fake.New(t, fake.Anthropic)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.asked, a.badge.pause, a.now = h.Transport(), 0, func() time.Time { return now }
	}, "ASSISTANTS=claude", "ASSISTANT_CLAUDE_BASE_URL="+h.Base(), "ASSISTANT_CLAUDE_MODEL="+h.Model(), "ASSISTANT_CLAUDE_KEY="+fake.Key,
		"ASSISTANT_CLAUDE_PRICE_INPUT=1", "ASSISTANT_CLAUDE_PRICE_OUTPUT=1000", "NODKEEP_DAILY_CAP=10")
	i.makeOperator("ann")
	ann, bob := i.token("ann"), i.token("bob")
	server := httptest.NewServer(i.handler)
	defer func() { server.CloseClientConnections(); server.Close() }()
	bobs := i.connect(server.URL)
	if status := i.listen(server.URL, bobs, bob, topicBudget); status != 204 {
		t.Fatal(status)
	}
	refused := func(handle string, kind tools.Kind, key string) error {
		t.Helper()
		was := len(h.Asked())
		_, err := i.converses(handle, "claude")
		if is := roster.Problem(roster.Assistant{}, err); is.Kind != kind || is.Text.Key != key {
			t.Errorf("%s is told %v, want %s", handle, err, key)
		}
		if n := len(h.Asked()); n != was {
			t.Error("the host was asked")
		}
		return err
	}
	answered := func() {
		t.Helper()
		h.Then(fake.Turn{Steps: []fake.Step{fake.Say("Hello.")}, Usage: &fake.Usage{Uncached: 50, CacheRead: 30, CacheWrite: 20, Output: 90}})
		if res, err := i.converses("bob", "claude"); err != nil || res.Text != "Hello." {
			t.Errorf("%+v %v", res, err)
		}
	}
	_ = refused("bob", tools.Forbidden, "budget.error.grant")
	i.must("/operator/grants", ann, `{"assistant":"claude","allow":true,"everybody":true}`)
	_ = refused("bob", tools.Forbidden, "budget.error.consent")
	i.must("/me/consents", bob, `{"assistant":"claude"}`)
	_ = refused("ann", tools.Forbidden, "budget.error.consent") // an operator, too
	answered()
	if n := h.Last().Body["metadata"].(map[string]any)["user_id"]; n != i.roster.Person(i.user("bob").Id) {
		t.Error("the host is told of ", n)
	}

	// 90 tokens of an answer are 0.09, and 100 of a prompt 0.0001.
	i.must("/operator/budgets", ann, `{"everybody":true,"day_cost":"0.20"}`)
	use := i.see("/me/usage", bob)
	if use.at("day", "cost_micros") != 90100.0 || use.at("items", "0", "requests") != 1.0 || use.at("items", "0", "input_uncached") != 50.0 || use.at("items", "0", "cache_read") != 30.0 ||
		use.at("items", "0", "cache_write") != 20.0 || use.at("items", "0", "output") != 90.0 || use.str("items", "0", "day") != "2026-11-30" || use.str("items", "0", "assistant") != "claude" || use.at("limits", "0", "near") != false {
		t.Errorf("%s", use)
	}
	bobs.silent(t, "half of a limit is told")
	answered()
	if got := bobs.next(t); !strings.HasPrefix(got, topicBudget+" {") || !strings.Contains(got, `"which":"day_cost"`) || !strings.Contains(got, "0.20 USD") {
		t.Error(got)
	}
	if use := i.see("/me/usage", bob); use.at("limits", "0", "near") != true {
		t.Errorf("who was not there is not told: %s", use)
	}
	err := refused("bob", tools.Limit, "budget.reached.day_cost")
	if is, ok := errors.AsType[*budget.Reached](err); !ok || !is.Until.Equal(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", is)
	}

	// One tap asks, one tap gives: neither wants a card first.
	status, a := i.web("POST", prefix+"/me/more", bob, `{}`)
	want(t, status, a, 200, "")
	status, a = i.web("POST", prefix+"/operator/requests/"+a.str("output", "id")+"/approve", ann, "")
	want(t, status, a, 200, "")
	answered()
	status, a = i.web("POST", prefix+"/me/more", bob, `{"day_cost":""}`)
	want(t, status, a, 200, "")
	status, a = i.web("POST", prefix+"/operator/requests/"+a.str("output", "id")+"/refuse", ann, "")
	want(t, status, a, 200, "")
	if a.str("output", "state") != "refused" {
		t.Errorf("%s", a)
	}

	// What a person set themselves holds below that, and the cap above all.
	i.must("/me/limits", bob, `{"month_tokens":600}`)
	_ = refused("bob", tools.Limit, "budget.short.month_tokens")
	i.must("/me/limits", bob, `{"month_tokens":null}`)
	if figures := i.see("/operator/figures", ann); figures.at("items", "0", "requests") != 3.0 || figures.at("items", "0", "cost_micros") != 270300.0 || figures.str("items", "0", "handle") != "bob" {
		t.Errorf("%s", figures)
	}
	now = now.Add(12 * time.Hour) // the next day, and all is new
	answered()
	status, a = i.web("DELETE", prefix+"/me/consents/claude", bob, "")
	want(t, status, a, 200, "")
	_ = refused("bob", tools.Forbidden, "budget.error.consent")
	i.must("/me/consents", bob, `{"assistant":"claude"}`)
	i.stand("bob", "suspended")
	_ = refused("bob", tools.Forbidden, "budget.error.person")

	// What is older than three months goes with the hour.
	if n := i.spentBy(i.user("bob").Id); n != 4 {
		t.Error(n)
	}
	now = time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	i.hourly(now)
	if n := i.spentBy(i.user("bob").Id); n != 1 {
		t.Errorf("%d requests are remembered", n)
	}
}

// TestWhatIsReached: only what operators can raise is asked of them.
func TestWhatIsReached(t *testing.T) {
	i, ann, bob := newDesk(t, "ASSISTANT_LOCAL_KEY=sk-hush")
	i.must("/operator/budgets", ann, `{"everybody":true,"day_cost":"1","month_cost":"100"}`)
	i.must("/me/limits", bob, `{"month_cost":"0.95"}`)
	id := i.user("bob").Id
	i.used(id, time.Now().UTC().Format(time.DateOnly), "local", 960_000)
	if fields, err := i.reachedLimits(t.Context(), id); err != nil || strings.Join(fields, " ") != "day_cost" {
		t.Error(fields, err)
	}
	// The tools know that there is a key, and never which.
	if key := i.fixedFields()["local"]["key"]; key != "set" {
		t.Error(key)
	}
}
