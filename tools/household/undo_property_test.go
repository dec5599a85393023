package household

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// manyWrites is how many random writes are undone together.
const manyWrites = 50

// writer makes random calls of every tool that changes something.
type writer struct {
	tb  testing.TB
	app *toolstest.App
	rng *rand.Rand
	n   int
}

// any gives the id of a stored record, whosever it is; "" where there is none.
func (w *writer) any(collection string) string {
	recs, err := w.app.FindAllRecords(collection)
	if err != nil {
		w.tb.Fatal(err)
	}
	if len(recs) == 0 {
		return ""
	}
	return recs[w.rng.IntN(len(recs))].Id
}

func (w *writer) some(collection string) []string {
	ids := []string{}
	for range 1 + w.rng.IntN(3) {
		if id := w.any(collection); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// paused gives a subscription that has a pause: most have none, and only such a
// one can be resumed.
func (w *writer) paused() string {
	rec, err := w.app.FindRecordById(pauses, w.any(pauses))
	if err != nil {
		return ""
	}
	return rec.GetString("subscription")
}

// trying gives a subscription that is on trial, or was: only for such a one
// there is something to decide.
func (w *writer) trying() string {
	recs, err := w.app.FindRecordsByFilter(subscriptions, "trial_ends_on != ''", "id", 0, 0)
	if err != nil {
		w.tb.Fatal(err)
	}
	if len(recs) == 0 {
		return ""
	}
	return recs[w.rng.IntN(len(recs))].Id
}

func (w *writer) name() string { w.n++; return fmt.Sprintf("Thing %d", w.n) }

func (w *writer) day(from, to int) string { return day(from + w.rng.IntN(to-from+1)) }

func (w *writer) one(of ...string) string { return of[w.rng.IntN(len(of))] }

func (w *writer) amount() string { return fmt.Sprintf("%d.%02d", w.rng.IntN(90), w.rng.IntN(100)) }

func (w *writer) yes() bool { return w.rng.IntN(2) == 0 }

// calls makes arguments for each tool. What is refused is refused; enough of
// them go through.
func (w *writer) calls() map[string]func() args {
	sub := func() string { return w.any(subscriptions) }
	return map[string]func() args{
		"household_subscription_add": func() args {
			in := args{"name": w.name(), "amount": w.amount(), "cycle": w.one("P1W", "P4W", "P1M", "P3M", "P1Y"), "private": w.yes(), "tags": []string{w.one("a", "b", "c")}}
			if w.rng.IntN(3) == 0 {
				in["trial_ends_on"] = w.day(0, 20)
			} else {
				in["first_date"] = w.day(-500, 30)
			}
			return in
		},
		"household_subscription_update": func() args {
			in := []args{
				{"name": w.name(), "amount": w.amount(), "price_from": w.day(-10, 60), "tags": []string{w.one("a", "b"), "d"}},
				{"amount": w.amount(), "notes": w.name(), "remind_days": w.rng.IntN(5), "account": w.one("a", "b")},
				{"amount": w.amount(), "currency": w.one("EUR", "JPY"), "owner": w.one("ann", "bob")},
				{"first_date": w.day(-500, 30), "cycle": w.one("P1W", "P1M", "P3M")},
				{"anchor_day": 1 + w.rng.IntN(31), "category": w.any(categories), "payment_method": w.any(methods)},
				{"trial_ends_on": w.day(0, 20), "private": w.yes()},
				{"intro_amount": w.amount(), "intro_until": w.day(10, 90)},
				{"clear": []string{w.one("ends_on", "category", "payment_method", "tags", "trial_ends_on", "anchor_day")}},
			}[w.rng.IntN(8)]
			in["id"] = sub()
			return in
		},
		"household_subscription_cancel": func() args { return args{"id": sub()} },
		"household_subscription_delete": func() args { return args{"id": sub()} },
		"household_subscription_pause": func() args {
			return args{"id": sub(), "from": w.day(-5, 50), "resumes": w.day(51, 90), "shift": w.yes()}
		},
		"household_subscription_resume": func() args { return args{"id": w.paused()} },
		"household_subscription_share": func() args {
			return args{"id": sub(), "shares": []args{{"member": "ann", "weight": 2}, {"person": "Oma", "weight": 1 + w.rng.IntN(3)}}}
		},
		"household_subscription_replace":      func() args { return args{"id": sub(), "by": sub()} },
		"household_subscription_terms":        func() args { return args{"id": sub(), "min_term": "P12M", "notice": w.one("P1M", "P14D")} },
		"household_notice_given":              func() args { return args{"id": sub()} },
		"household_trial_decide":              func() args { return args{"id": w.trying(), "decision": w.one(keep, lose)} },
		"household_price_set":                 func() args { return args{"subscription": sub(), "amount": w.amount(), "from": w.day(1, 300)} },
		"household_subscriptions_bulk_update": func() args { return args{"ids": w.some(subscriptions), "add_tags": []string{w.one("e", "f")}} },
		"household_subscriptions_bulk_delete": func() args { return args{"ids": w.some(subscriptions)} },
		"household_subscriptions_bulk_pause": func() args {
			return args{"ids": w.some(subscriptions), "from": w.day(100, 150), "resumes": w.day(151, 200)}
		},
		"household_subscriptions_bulk_resume": func() args { return args{"ids": []string{w.paused()}} },
		"household_subscriptions_bulk_cancel": func() args { return args{"ids": w.some(subscriptions)} },
		"household_charge_add":                func() args { return args{"subscription": sub(), "date": w.day(-300, 0), "amount": w.amount()} },
		"household_charge_confirm":            func() args { return args{"subscription": sub(), "amount": w.amount()} },
		"household_charge_skip":               func() args { return args{"subscription": sub(), "due": w.day(0, 40)} },
		"household_charge_update":             func() args { return args{"id": w.any(charges), "amount": w.amount()} },
		"household_charge_delete":             func() args { return args{"id": w.any(charges)} },
		"household_charges_bulk_confirm":      func() args { return args{} },
		"household_category_add":              func() args { return args{"name": w.name(), "color": "#a0b0c0"} },
		"household_category_update":           func() args { return args{"id": w.any(categories), "name": w.name()} },
		"household_category_merge":            func() args { return args{"from": w.any(categories), "into": w.any(categories)} },
		"household_category_delete":           func() args { return args{"id": w.any(categories)} },
		"household_payment_method_add":        func() args { return args{"name": w.name()} },
		"household_payment_method_update":     func() args { return args{"id": w.any(methods), "name": w.name()} },
		"household_payment_method_merge":      func() args { return args{"from": w.any(methods), "into": w.any(methods)} },
		"household_payment_method_delete":     func() args { return args{"id": w.any(methods)} },
		"household_tag_rename":                func() args { return args{"from": w.one("a", "b", "c"), "to": w.one("c", "d", "e")} },
		"household_tag_delete":                func() args { return args{"tag": w.one("a", "b", "c", "d")} },
		"household_settings_update": func() args {
			return args{"time_zone": w.one("Asia/Tokyo", "UTC", "Europe/Berlin"), "remind_hour": w.rng.IntN(24)}
		},
	}
}

// notRandom are the tools that need more than random arguments; their undo is
// tried by TestEveryWriteIsUndone, which tries every tool that writes.
func notRandom() []string {
	return []string{
		"household_import_apply", "household_reminder_done", "household_rate_import", "household_restore", "household_hand_over", "household_logo_set", "household_price_delete",
	}
}

// Whatever was written, undoing all of it restores every record byte for byte:
// at once, or one after the other.
func TestUndoRestoresAnyWrites(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 1
	}
	did := map[string]int{}
	for round := range rounds {
		a := toolstest.NewWith(t, tools.Config{Limit: time.Minute, UndoLimit: 5 * time.Minute}, Plugin{})
		w := &writer{tb: t, app: a, rng: rand.New(rand.NewPCG(uint64(round), 3))}
		calls := w.calls()
		names := slices.Sorted(maps.Keys(calls))
		write := func(n int) (audit []string) {
			for tries := 0; len(audit) < n; tries++ {
				if tries > 40*n {
					t.Fatalf("only %d of %d writes went through", len(audit), n)
				}
				tool := names[w.rng.IntN(len(names))]
				switch w.rng.IntN(3) {
				case 0:
					tool = w.one("household_subscription_add", "household_category_add", "household_payment_method_add", "household_subscription_update", "household_subscription_update")
				case 1: // what was done least
					for _, other := range names {
						if did[other] < did[tool] {
							tool = other
						}
					}
				}
				receipt, err := a.Apply(a.As("ann"), tool, calls[tool]())
				if kind := tools.KindOf(err); err != nil && kind == tools.Internal {
					t.Fatalf("%s: %v", tool, err)
				}
				if err == nil && len(receipt.Changes) > 0 {
					did[tool]++
					audit = append(audit, receipt.Audit...)
				}
			}
			return audit
		}
		write(15)
		before := dump(t, a)
		audit := write(manyWrites)
		if cmp.Equal(before, dump(t, a)) {
			t.Fatal("nothing was written")
		}
		if round%2 == 0 {
			if _, err := a.Undo(a.As("ann"), audit...); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		} else {
			for _, id := range slices.Backward(audit) {
				if _, err := a.Undo(a.As("ann"), id); err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
			}
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("round %d: %s", round, diff)
		}
	}
	t.Logf("%v", did)
	if testing.Short() {
		return
	}
	for _, tool := range newHome(t).Registry.Tools() {
		if tool.Effect != tools.EffectRead && did[tool.Name] == 0 && !slices.Contains(notRandom(), tool.Name) {
			t.Errorf("%s never went through", tool.Name)
		}
	}
}

// What hung on something is taken back together with it, in whatever order the
// two went.
func TestUndoOfWhatHungOnWhatIsGone(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", args{"private": true}).ID
	store(t, a, charges, args{"subscription": id, "date": "2026-01-15", "amount": 1599, "currency": "EUR"})
	before := dump(t, a)
	rec, err := a.FindFirstRecordByData(charges, "subscription", id)
	if err != nil {
		t.Fatal(err)
	}
	var audit []string
	for _, call := range []tools.Invocation{
		a.Call("household_charge_delete", args{"id": rec.Id}), a.Call("household_subscription_delete", args{"id": id}),
	} {
		receipt, err := a.Apply(a.As("ann"), call.Tool, call.Args)
		if err != nil {
			t.Fatal(err)
		}
		audit = append(audit, receipt.Audit...)
	}
	if _, err := a.Undo(a.As("bob"), audit...); tools.KindOf(err) != tools.NotFound {
		t.Errorf("bob: %v", err)
	}
	if _, err := a.Undo(a.As("ann"), audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
