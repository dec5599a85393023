package household

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// Pauses and shares are held to their rules whoever writes them.
func TestBelowHoldsForAnyWriter(t *testing.T) {
	a := newHome(t)
	ann := a.Member("ann").Id
	sub := add(t, a, "ann", nil).ID
	other := add(t, a, "ann", args{"name": "Other"}).ID
	apply[Divided](t, a, "ann", shareTool, args{"id": other, "shares": []args{{"member": "ann", "weight": 1}, {"person": "Eva", "weight": 2}}})
	apply[Paused](t, a, "ann", pauseTool, args{"id": sub, "from": "2026-05-01", "resumes": "2026-06-01"})
	apply[Paused](t, a, "ann", pauseTool, args{"id": sub, "from": "2026-09-01"})
	rows := []struct {
		collection string
		values     map[string]any
		ok         bool
	}{
		{pauses, map[string]any{"from": "2026-06-01", "until": "2026-07-01"}, true},
		{pauses, map[string]any{"from": "2026-04-01", "until": "2026-05-01", "shift": true}, true},
		{pauses, map[string]any{"subscription": other, "from": "2026-05-10"}, true},
		{pauses, map[string]any{"from": "1899-12-31", "until": "2026-04-10"}, false},
		{pauses, map[string]any{"subscription": other, "from": "2026-07-10", "until": "2200-01-01"}, false},
		{pauses, map[string]any{"from": "2026-07-10", "until": "2026-07-10"}, false},
		{pauses, map[string]any{"from": "2026-07-10", "until": "2026-07-09"}, false},
		{pauses, map[string]any{"from": "2026-07-10", "until": "2026-07-32"}, false},
		{pauses, map[string]any{"from": "", "until": "2026-07-20"}, false},
		{pauses, map[string]any{"from": "2026-05-31", "until": "2026-06-10"}, false},
		{pauses, map[string]any{"from": "2026-08-01"}, false},
		{pauses, map[string]any{"from": "2027-01-01", "until": "2027-02-01"}, false},
		{pauses, map[string]any{"subscription": "nobody", "from": "2026-07-10", "until": "2026-07-11"}, false},
		{shares, map[string]any{"member": ann, "weight": 1}, true},
		{shares, map[string]any{"person": "Eve", "fixed": 500}, true},
		{shares, map[string]any{"subscription": other, "member": ann, "weight": 1}, false},
		{shares, map[string]any{"subscription": other, "person": "EVA", "weight": 1}, false},
		{shares, map[string]any{"subscription": other, "person": "Eve", "fixed": 1_000_000}, true}, // it is scaled
		{shares, map[string]any{"person": "Eve"}, false},
		{shares, map[string]any{"weight": 1}, false},
		{shares, map[string]any{"member": ann, "person": "Ann", "weight": 1}, false},
		{shares, map[string]any{"member": "nobody", "weight": 1}, false},
		{shares, map[string]any{"person": " ", "weight": 1}, false},
		{shares, map[string]any{"person": "Eve", "weight": -1}, false},
		{shares, map[string]any{"person": "Eve", "weight": 1001}, false},
		{shares, map[string]any{"person": "Eve", "weight": 0.5}, false},
		{shares, map[string]any{"person": "Eve", "weight": 1, "fixed": 1}, false},
		{shares, map[string]any{"person": "Eve", "fixed": -1}, false},
		{shares, map[string]any{"person": "Eve", "fixed": 1.5}, false},
		{shares, map[string]any{"person": "Eve", "fixed": float64(tools.MaxMinor) + 1}, false},
		{shares, map[string]any{"person": "Eve", "weight": 1, "currency": "USD"}, false},
		{shares, map[string]any{"person": "Eve", "weight": 1, "subscription": ""}, false},
	}
	for _, row := range rows {
		values := map[string]any{"subscription": sub}
		if row.collection == shares {
			values["currency"] = "EUR"
		}
		for k, v := range row.values {
			values[k] = v
		}
		rec := record(t, a.App, row.collection, values)
		if err := a.Save(rec); (err == nil) != row.ok {
			t.Errorf("%s %v: %v", row.collection, row.values, err)
			continue
		}
		if row.ok { // alone again, so that the next row fails by itself or not at all
			if err := a.Delete(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
}
