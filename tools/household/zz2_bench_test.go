package household

import (
	"fmt"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

func BenchmarkParts(b *testing.B) {
	a := newHome(b)
	cat, _ := apply[Category](b, a, "ann", "household_category_add", args{"name": "Music"})
	for i := range 60 {
		id := add(b, a, "ann", args{"name": fmt.Sprintf("Sub %02d", i), "tags": []string{"x", "y"}, "category": cat.ID, "notes": "some notes here"}).ID
		if i%5 == 0 {
			apply[Updated](b, a, "ann", "household_subscription_update", args{"id": id, "amount": "17.99", "price_from": "2025-06-15"})
		}
	}
	probe := tools.NewRead(tools.Def{Name: "household_probe_x", Title: "x", Help: "x"}, func(r *tools.Reader, in struct{}) (string, error) {
		for name, f := range map[string]func(){
			"subs": func() { _, err := r.List(subscriptions, tools.Query{Sort: "name", Limit: 51}); ok(b, err) },
			"subs filter": func() { _, err := r.List(subscriptions, tools.Query{Filter: "(ends_on = '' || ends_on >= {:today})", Params: map[string]any{"today": "2026-01-01"}, Sort: "name", Limit: 51}); ok(b, err) },
			"home": func() { _, err := homeOf(r); ok(b, err) },
			"cats": func() { _, err := categoryNames(r); ok(b, err) },
		} {
			b.Run(name, func(b *testing.B) { for b.Loop() { f() } })
		}
		recs, _ := r.List(subscriptions, tools.Query{Sort: "name", Limit: 50})
		b.Run("prices or", func(b *testing.B) { for b.Loop() { _, err := pricesOf(r, recs); ok(b, err) } })
		b.Run("prices or 10", func(b *testing.B) { for b.Loop() { _, err := pricesOf(r, recs[:10]); ok(b, err) } })
		b.Run("prices all", func(b *testing.B) { for b.Loop() { _, err := r.List(prices, tools.Query{Sort: "from"}); ok(b, err) } })
		v, _ := viewOf(r, home{}, recs...)
		b.Run("show", func(b *testing.B) { for b.Loop() { for _, rec := range recs { v.show(rec) } } })
		return "", nil
	})
	_ = probe
	pl := plug{Plugin{}, probe}
	a2 := a
	_ = a2
	runProbe(b, a, pl)
}

func ok(b *testing.B, err error) { if err != nil { b.Fatal(err) } }

type plug struct {
	Plugin
	t tools.Tool
}

func (p plug) Tools() []tools.Tool { return append(p.Plugin.Tools(), p.t) }
