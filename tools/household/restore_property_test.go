package household

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// TestExportIsIdentity: whatever members did, what an export has comes back
// the same, in parts however small.
func TestExportIsIdentity(t *testing.T) {
	repriced := 0
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			a := newHome(t)
			done := scribble(t, a, rand.New(rand.NewPCG(seed, 1)), 80)
			repriced += lastPriceHolds(t, a)
			who := []string{"ann", "bob"}[seed%2]
			all := parts(t, a, who, args{"limit": 5})
			if len(all) < 3 || done < 20 {
				t.Errorf("%d calls went through, %d parts", done, len(all))
			}
			b := newHome(t)
			operator(t, b, who)
			restoreAll(t, b, who, all)
			if diff := cmp.Diff(exportOf(t, a, who), exportOf(t, b, who)); diff != "" {
				t.Error(diff)
			}
			restoreAll(t, a, who, all) // into the very household that it came from
			if diff := cmp.Diff(exportOf(t, b, who), exportOf(t, a, who)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if repriced == 0 { // one of the households may have no dated price
		t.Error("nothing was repriced")
	}
}

// lastPriceHolds wants the amount of each subscription to be its last dated
// price, and gives how many have one. No rule for any writer can: both are stored
// one after the other, and a part of an export may have the one without the other.
func lastPriceHolds(t *testing.T, a *toolstest.App) int {
	t.Helper()
	recs, err := a.FindRecordsByFilter(prices, "", "subscription,from", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]float64{}
	for _, rec := range recs {
		last[rec.GetString("subscription")] = rec.GetFloat("amount")
	}
	for id, amount := range last {
		rec, err := a.FindRecordById(subscriptions, id)
		if err != nil {
			t.Fatal(err)
		}
		if rec.GetFloat("amount") != amount || !rec.GetBool("repriced") {
			t.Errorf("%s costs %v, its last price is %v", rec.GetString("name"), rec.GetFloat("amount"), amount)
		}
	}
	return len(last)
}

// scribble makes random calls as both members, and says how many went through.
func scribble(tb testing.TB, a *toolstest.App, r *rand.Rand, n int) (done int) {
	tb.Helper()
	w := &writer{tb: tb, app: a, rng: r}
	calls := w.calls()
	calls["household_subscription_add"] = func() args {
		return args{
			"name": w.one("Netflix", "=Gym", "Ünïcode 🎵", "a'b"), "amount": w.one("0", "9.99", "15"), "currency": w.one("EUR", "USD", "KWD"),
			"cycle": w.one("P1M", "P4W", "P1Y"), "first_date": w.day(-700, 30), "anchor_day": 0, "ends_on": w.one("", w.day(100, 900)), "private": w.rng.IntN(3) == 0,
			"notes": w.one("", "two\nlines", "-;=\t1"), "merchant": w.one("X", `"Ü*1"`), "tags": []string{w.one("a", "b"), w.one("c", "ä")},
		}
	}
	calls["household_import_apply"] = func() args {
		return args{"file": "f", "fingerprint": "f", "subscriptions": []tools.Recurring{monthlyRow(w.one("Netflix", "News"), w.one("9.99", "5.00"), "2025-01-31", "2025-06-30")}}
	}
	names := slices.Sorted(maps.Keys(calls))
	for range n {
		tool := names[r.IntN(len(names))]
		if r.IntN(3) == 0 {
			tool = "household_subscription_add"
		}
		_, err := a.Apply(a.As(w.one("ann", "bob")), tool, calls[tool]())
		if err == nil {
			done++
		} else if tools.KindOf(err) == tools.Internal {
			tb.Fatalf("%s: %v", tool, err)
		}
	}
	return done
}

// TestRestoreOfRandomLies: whatever a file says, nothing breaks, and what is
// refused writes nothing.
func TestRestoreOfRandomLies(t *testing.T) {
	a := newHome(t)
	rich(t, a)
	good := exportOf(t, a, "ann")
	b := newPlace(t)
	add(t, b, "bob", args{"name": "Hidden", "private": true})
	before := dump(t, b)
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 150 {
		file := lie(t, good, func(h map[string]any) {
			for range 1 + r.IntN(2) {
				twist(r, h)
			}
		})
		p, err := b.Preview(b.As("ann"), "household_restore", args{"household": file})
		if err == nil && len(p.Items[0].Changes) > 0 {
			taken++
			continue
		}
		if _, err := b.Apply(b.As("ann"), "household_restore", args{"household": file}); err == nil || tools.KindOf(err) == tools.Internal {
			t.Errorf("%v: %v", file, err)
		}
	}
	if diff := cmp.Diff(before, dump(t, b)); diff != "" {
		t.Error(diff)
	}
	if taken == 0 || taken == 150 {
		t.Errorf("%d of 150 go through: the lies are too great or too small", taken)
	}
}

// twist changes one value of JSON somewhere.
func twist(r *rand.Rand, v any) {
	values := []any{nil, true, "", "x", "=1", "2025-02-30", "aaaaaaaaaaaaaaa", 0, -1, 1.5, 1e300, []any{}, []any{"x", 1}, map[string]any{}, map[string]any{"id": "x"}}
	switch v := v.(type) {
	case map[string]any:
		key := slices.Sorted(maps.Keys(v))[r.IntN(len(v))]
		switch x := v[key]; {
		case r.IntN(4) > 0 && isFull(x):
			twist(r, x)
		case r.IntN(4) == 0:
			delete(v, key)
		case r.IntN(4) == 0:
			v["more"] = x
		default:
			v[key] = values[r.IntN(len(values))]
		}
	case []any:
		i := r.IntN(len(v))
		if j := r.IntN(len(v)); r.IntN(8) == 0 {
			v[i] = v[j]
		} else if isFull(v[i]) {
			twist(r, v[i])
		} else {
			v[i] = values[r.IntN(len(values))]
		}
	}
}

func isFull(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// FuzzRestoreParse: no file breaks what reads it.
func FuzzRestoreParse(f *testing.F) {
	a := newHome(f)
	rich(f, a)
	f.Add(exportOf(f, a, "ann"))
	f.Add(`{"version":1,"subscriptions":[{"id":"aaaaaaaaaaaaaaa","name":"x","logo":{"name":"x.png","data":"eA=="}}],"charges":[{}]}`)
	f.Add(`{"version":1,"settings":{"currency":"EUR"},"rates":[{"id":"aaaaaaaaaaaaaaa","rates":{"USD":"1"}}]}`)
	cols := map[string]*core.Collection{}
	for _, t := range exportTables() {
		col, err := a.FindCollectionByNameOrId(t.collection)
		if err != nil {
			f.Fatal(err)
		}
		cols[t.collection] = col
	}
	f.Fuzz(func(t *testing.T, file string) {
		var in map[string]any
		if json.Unmarshal([]byte(file), &in) != nil {
			return
		}
		re := restoringOf(func(name string) *core.Collection { return cols[name] })
		if err := re.parse(in); err != nil && tools.KindOf(err) != tools.Invalid && tools.KindOf(err) != tools.TooLarge {
			t.Error(err)
		} else if err == nil && len(re.labels) != len(re.list) {
			t.Errorf("%d records, %d keys", len(re.list), len(re.labels))
		}
	})
}

// BenchmarkRestoreOfTheMost holds the largest part to half of the time that a
// call has.
func BenchmarkRestoreOfTheMost(b *testing.B) {
	const limit = 5 * time.Second
	a := toolstest.NewWith(b, tools.Config{Limit: time.Minute}, Plugin{})
	var subs, dated, rests, parts, booked []args
	for i := range 100 {
		id := fmt.Sprintf("subscription%03d", i)
		below := func(kind string, n int, more args) args {
			rec := args{"id": fmt.Sprintf("%s%05d%0*d", kind, n, 10-len(kind), i), "subscription": id}
			maps.Copy(rec, more)
			return rec
		}
		sub := args{"id": id, "name": fmt.Sprint("S", i), "amount": 1599, "currency": "EUR", "cycle": "P1M", "first_date": "2024-01-31", "repriced": true, "status": "active", "tags": []string{"a", "b"}, "notes": "some words"}
		if i > 0 {
			sub["replaces"] = fmt.Sprintf("subscription%03d", i-1-(i-1)%10)
		}
		subs = append(subs, sub)
		dated = append(dated, below("price", 1, args{"from": "2024-01-31", "amount": 999, "currency": "EUR"}), below("price", 2, args{"from": "2025-01-31", "amount": 1599, "currency": "EUR"}))
		rests = append(rests, below("pause", 1, args{"from": "2024-03-01", "until": "2024-04-01"}))
		parts = append(parts, below("share", 1, args{"member": "ann", "weight": 1, "currency": "EUR"}), below("share", 2, args{"person": "Oma", "weight": 1, "position": 1, "currency": "EUR"}))
		for n := range 4 {
			booked = append(booked, below("paid", n, args{"date": fmt.Sprintf("2024-%02d-28", n+5), "due": fmt.Sprintf("2024-%02d-28", n+5), "amount": 1599, "currency": "EUR", "text": "what the statement says"}))
		}
	}
	in := args{"household": args{"version": 1, "subscriptions": subs, "prices": dated, "pauses": rests, "shares": parts, "charges": booked}}
	for b.Loop() {
		start := time.Now()
		p, err := a.Preview(a.As("ann"), "household_restore", in)
		if err != nil {
			b.Fatal(err)
		}
		if len(p.Items[0].Changes) != maxExported {
			b.Fatalf("%d records", len(p.Items[0].Changes))
		}
		if took := time.Since(start); took > limit/2 {
			b.Errorf("it takes %s of the %s that a call has", took, limit)
		}
	}
}
