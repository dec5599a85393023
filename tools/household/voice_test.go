package household

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// listener is a home whose agents may read, and that notes whose words they were
// given.
type listener struct {
	*toolstest.App
	t     *testing.T
	heard []string
}

func newListener(t *testing.T) *listener {
	t.Helper()
	l := &listener{t: t}
	decide := func(ctx context.Context, app core.App, a tools.Actor, w tools.Weight) (tools.Decision, error) {
		if w.Effect == tools.EffectRead {
			return tools.Run, nil
		}
		return tools.DecidePerson(ctx, app, a, w)
	}
	l.App = toolstest.NewWith(t, tools.Config{Limit: time.Minute, Decide: decide, Foreign: func(_ context.Context, _ tools.Actor, sources []tools.Text) error {
		for _, s := range sources {
			l.heard = append(l.heard, l.Catalogue.English(s))
		}
		return nil
	}}, Plugin{})
	return l
}

// hears reads as ann's agent, and gives whose words it was given.
func (l *listener) hears(tool string, in any) string {
	l.t.Helper()
	l.heard = nil
	who := l.As("ann")
	who.Agent, who.Door = "someagent", tools.DoorMCP
	if _, err := l.Runner.Read(l.t.Context(), who, l.Call(tool, in)); err != nil {
		l.t.Fatalf("%s: %v", tool, err)
	}
	slices.Sort(l.heard)
	return strings.Join(l.heard, ", ")
}

// furnish gives somebody a subscription with words in every place.
func (l *listener) furnish(who, name string) string {
	l.t.Helper()
	must := func(tool string, in args) {
		l.t.Helper()
		if _, err := l.Apply(l.As(who), tool, in); err != nil {
			l.t.Fatalf("%s: %v", tool, err)
		}
	}
	must("household_category_add", args{"name": name + " category"})
	must("household_payment_method_add", args{"name": name + " card"})
	s := add(l.t, l.App, who, args{
		"name": name, "notes": name + " notes", "tags": []string{name + "tag"}, "account": name + "@example.com", "url": "https://example.com/" + name,
		"category": name + " category", "payment_method": name + " card",
	})
	must("household_charge_add", args{"subscription": s.ID, "date": day(-3), "amount": "1.00", "text": name + " text"})
	bear := []args{{"member": who, "weight": 1}, {"person": name + "person", "weight": 1}}
	if who != "ann" {
		bear = append(bear, args{"member": "ann", "weight": 1}) // who is reminded of it
	}
	must("household_subscription_share", args{"id": s.ID, "shares": bear})
	must("household_price_set", args{"subscription": s.ID, "from": day(20), "amount": "19.99"})
	over := add(l.t, l.App, who, args{"name": name + " over"})
	rec, err := l.FindRecordById(subscriptions, over.ID)
	if err == nil {
		rec.Set("ends_on", day(-2))
		err = l.Save(rec)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return s.ID
}

// handedOut is one call of each read tool that hands agents what bob wrote, or
// what a statement said.
func handedOut(id string) map[string]args {
	return map[string]args{
		"household_subscription_list": {"status": "all"}, "household_subscription_get": {"id": id}, "household_charge_list": {},
		"household_search": {"query": "notes"}, "household_export": {},
	}
}

// silent are the read tools that hand out names at most, which people have seen.
func silent() map[string]any {
	none := struct{}{}
	return map[string]any{
		"household_overview": none, "household_upcoming": args{"days": 60}, "household_spending": args{"by": "subscription"}, "household_price_changes": none,
		"household_savings": none, "household_share_overview": none, "household_calendar": args{"from": day(-5), "to": day(60)}, "household_tag_list": none,
		"household_briefing": none, "household_reminder_list": args{"days": 60}, "household_category_list": none, "household_payment_method_list": none,
		"household_settings_get": none, "household_rate_list": none, "household_import_match": sampleRows(),
	}
}

// TestVoicesOfOwn: an agent that reads its person's own words is marked by
// nothing.
func TestVoicesOfOwn(t *testing.T) {
	l := newListener(t)
	id := l.furnish("ann", "annflix")
	for tool, in := range handedOut(id) {
		if got := l.hears(tool, in); got != "" {
			t.Errorf("%s: %s", tool, got)
		}
	}
	for _, by := range []string{"month", "category", "payment_method", "member", "tag", "subscription"} {
		if got := l.hears("household_spending", args{"by": by}); got != "" {
			t.Errorf("by %s: %s", by, got)
		}
	}
}

// TestVoicesOfOthers: every read that hands out what bob wrote says so, and none
// that does not.
func TestVoicesOfOthers(t *testing.T) {
	l := newListener(t)
	own := l.furnish("ann", "annflix")
	id := l.furnish("bob", "bobflix")
	bobs := handedOut(id)
	for tool, in := range bobs {
		if got := l.hears(tool, in); got != "entries by bob" {
			t.Errorf("%s: %q", tool, got)
		}
	}
	for tool, in := range silent() {
		if got := l.hears(tool, in); got != "" {
			t.Errorf("%s: %q", tool, got)
		}
	}
	for _, tool := range l.Registry.Tools() {
		_, speaks := bobs[tool.Name]
		_, known := silent()[tool.Name]
		if tool.Effect == tools.EffectRead && tool.Hidden == "" && !speaks && !known {
			t.Errorf("%s: does it hand out words of others? Put it into a list of this test", tool.Name)
		}
	}
	for _, row := range []struct {
		tool  string
		in    args
		heard bool
	}{
		{"household_subscription_get", args{"id": own}, false},
		{"household_subscription_list", args{"owner": "me"}, false},
		{"household_subscription_list", args{"search": "annflix"}, false},
		{"household_subscription_list", args{"limit": 1}, false}, // annflix is first
		{"household_charge_list", args{"subscription": own}, false},
		{"household_charge_list", args{"state": "expected"}, false},
		{"household_search", args{"query": "annflix"}, false},
		{"household_search", args{"query": "bobflix", "in": []string{"category"}}, false},
		{"household_search", args{"query": "bobflixtag"}, false},
		{"household_search", args{"query": "bobflix notes"}, true},
		{"household_search", args{"query": "bobflix text", "in": []string{"charge"}}, true},
		{"household_export", args{"format": "csv"}, true},
	} {
		if got := l.hears(row.tool, row.in); (got == "entries by bob") != row.heard || (got != "" && !row.heard) {
			t.Errorf("%s %v: %q", row.tool, row.in, got)
		}
	}
	// People are told nothing, and nobody of somebody who has left.
	l.heard = nil
	for tool, in := range bobs {
		if _, err := l.Read(l.As("ann"), tool, in); err != nil || l.heard != nil {
			t.Errorf("%s: a person is no agent: %v %v", tool, l.heard, err)
		}
	}
	bob, err := l.FindFirstRecordByData(tools.Members, "handle", "bob")
	if err == nil {
		err = l.Delete(bob)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := l.hears("household_subscription_get", args{"id": id}); got != "entries by somebody who has left" {
		t.Error(got)
	}
}

// TestVoicesOfStatements: the lines of a statement are marked where they are
// handed out. What it calls a merchant a person has reviewed, as a name.
func TestVoicesOfStatements(t *testing.T) {
	l := newListener(t)
	row := args{
		"merchant": "Gym", "cycle": "P1M", "amount": "9.99", "currency": "EUR", "first_date": day(-65), "last_date": day(-4), "active": true,
		"evidence": []args{{"line": 2, "date": day(-65), "amount": "-9.99", "text": "IGNORE a"}, {"line": 3, "date": day(-35), "amount": "-9.99", "text": "IGNORE b"}, {"line": 4, "date": day(-4), "amount": "-9.99", "text": "IGNORE c"}},
	}
	out, _ := apply[Imported](t, l.App, "ann", "household_import_apply", args{"file": "bank.csv", "fingerprint": "x", "subscriptions": []args{row}})
	id := out.Added[0].ID
	const bank = "a bank statement"
	for tool, heard := range map[string]string{"household_charge_list": bank, "household_export": bank, "household_subscription_get": bank, "household_subscription_list": ""} {
		if got := l.hears(tool, handedOut(id)[tool]); got != heard {
			t.Errorf("%s: %q", tool, got)
		}
	}
	for query, heard := range map[string]string{"gym": "", "gym 9.99": "", "ignore c": bank} {
		if got := l.hears("household_search", args{"query": query}); got != heard {
			t.Errorf("%s: %q", query, got)
		}
	}
}

// TestVoicesOfActivity: the list of what was done tells what others wrote, too.
func TestVoicesOfActivity(t *testing.T) {
	l := newListener(t)
	who := l.As("ann")
	who.Agent, who.Door = "someagent", tools.DoorMCP
	hears := func() string {
		t.Helper()
		l.heard = nil
		if _, err := l.Runner.Activity(t.Context(), who, tools.ActivityQuery{}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(l.heard)
		return strings.Join(l.heard, ", ")
	}
	add(t, l.App, "ann", args{})
	if got := hears(); got != "" {
		t.Errorf("her own: %s", got)
	}
	apply[Imported](t, l.App, "ann", "household_import_apply", sampleRows())
	if got := hears(); got != "an imported file" {
		t.Error(got)
	}
	add(t, l.App, "bob", args{"private": true})
	if got := hears(); got != "an imported file" {
		t.Errorf("what she does not see: %s", got)
	}
	add(t, l.App, "bob", args{"name": "Bobflix"})
	if got := hears(); got != "an imported file, what others changed here" {
		t.Error(got)
	}
}
