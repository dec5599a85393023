package household

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// No tool that is called a write deletes or cancels, whatever it is given that
// goes through; but for a pause that never took place and a share that is
// dropped, which the engine weighs as what they are: TestResume and
// TestShareIsDropped try those.
func TestWritesAreHarmless(t *testing.T) {
	a := newHome(t)
	operator(t, a, "ann")
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Music"})
	apply[Method](t, a, "ann", "household_payment_method_add", args{"name": "Visa"})
	id := add(t, a, "ann", args{"tags": []string{"fun", "tv"}, "first_date": "2024-01-31", "ends_on": "2199-01-01"}).ID
	apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "amount": "16.99", "price_from": "2025-01-31"})
	rests := add(t, a, "ann", args{"name": "Rests"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": rests, "from": day(-9)})
	calls := map[string][]any{
		pauseTool:                    {args{"id": id}, args{"id": id, "from": day(-3), "resumes": day(30), "shift": true}},
		handOverName:                 {args{"to": "bob", "ids": []string{id}}},
		bulkPauseName:                {args{"ids": []string{id}, "resumes": day(30)}},
		bulkResumeName:               {args{"ids": []string{rests}}},
		shareTool:                    {args{"id": id, "shares": []ShareIn{{Member: "bob", Weight: 1}, {Person: "Eve", Weight: 1}}}},
		resumeTool:                   {args{"id": rests}, args{"id": rests, "on": day(30)}},
		"household_subscription_add": {args{"name": "New", "amount": "1", "cycle": "P1Y", "first_date": "2026-02-28", "ends_on": "2026-03-01"}},
		"household_subscription_update": {
			args{"id": id, "name": "N", "amount": "19.99", "price_from": "2025-06-30", "first_date": "2023-12-31", "category": "Music", "private": true},
			args{"id": id, "amount": "15.99", "price_from": "2025-01-31", "cycle": "P1Y", "clear": []string{"ends_on", "tags", "notes", "merchant", "category", "anchor_day"}},
			args{"id": id, "trial_from": "2024-01-01", "trial_ends_on": "2024-02-01", "decide_by": "2024-01-31", "intro_amount": "1", "intro_until": "2024-03-01"},
			args{"id": id, "url": "example.com", "account": "a", "remind_days": 3, "clear": []string{"trial_ends_on", "payment_method"}},
		},
		"household_logo_set":                  {args{"id": id, "logo": picture("a.png", png)}},
		termsTool:                             {args{"id": id, "from": "2024-01-01", "min_term": "P24M", "extension": "P12M", "notice": "P3M"}},
		"household_subscriptions_bulk_update": {args{"ids": []string{id}, "category": "Music", "remove_tags": []string{"fun", "tv"}, "private": true, "owner": "ann"}},
		"household_category_add":              {args{"name": "Books", "color": "#fff", "icon": "📚"}},
		"household_category_update":           {args{"id": "Music", "name": "Sound", "color": "#fff"}},
		"household_payment_method_add":        {args{"name": "Giro"}},
		"household_payment_method_update":     {args{"id": "Visa", "name": "Visa gold", "icon": "card"}},
		"household_price_set":                 {args{"subscription": id, "amount": "3", "from": "2024-06-30"}, args{"subscription": id, "amount": "3", "from": "2199-06-30"}},
		"household_settings_update":           {args{"time_zone": "Asia/Tokyo", "language": "de", "currency": "USD"}},
		"household_rate_import":               {args{"file": daily}, args{"file": history}},
		"household_restore":                   {args{"household": smallPart()}},
		"household_tag_rename":                {args{"from": "fun", "to": "tv"}},
		"household_tag_delete":                {args{"tag": "FUN"}},
		confirmTool:                           {args{"subscription": id, "amount": "1"}},
		skipTool:                              {args{"subscription": id, "due": "2026-01-31"}},
		chargeAddName:                         {args{"subscription": id, "date": day(-2), "amount": "1", "currency": "USD"}},
		updateTool:                            {args{"id": charge(t, a, rests, "2025-01-15", 1, nil), "due": "2025-02-15", "amount": "2", "clear": []string{"text"}}},
		allTool:                               {args{"ids": []string{id}, "from": "2025-01-01"}, args{}},
		"household_reminder_done":             {openReminder(t, a, id)},
		"household_import_apply":              {sampleRows(), statement("f", monthlyRow("Netflix", "17.99", "2025-06-30", "2025-09-30"))},
	}
	var writes []string
	for _, tool := range a.Registry.Tools() {
		if tool.Effect == tools.EffectWrite {
			writes = append(writes, tool.Name)
		}
	}
	slices.Sort(writes)
	if diff := cmp.Diff(writes, slices.Sorted(maps.Keys(calls))); diff != "" {
		t.Errorf("not all are tried: %s", diff)
	}
	for tool, ins := range calls {
		for _, in := range ins {
			p, err := a.Preview(a.As("ann"), tool, in)
			if err != nil {
				t.Errorf("%s: %v", tool, err)
				continue
			}
			item := p.Items[0]
			if item.Effect != tools.EffectWrite || len(item.Changes) == 0 {
				t.Errorf("%s %v is a %s with %d changes", tool, in, item.Effect, len(item.Changes))
			}
			for _, c := range item.Changes {
				if c.Op == tools.OpDelete || c.After["status"] == cancelled {
					t.Errorf("%s: %+v", tool, c)
				}
			}
		}
	}
}

// The most that a bulk tool takes is taken. How long it may take is held by
// BenchmarkBulkOfTheMost: a busy machine would fail it here.
func TestBulkOfTheMost(t *testing.T) {
	a := toolstest.NewWith(t, tools.Config{Limit: time.Minute}, Plugin{})
	out, _ := apply[Imported](t, a, "ann", "household_import_apply", manyRows())
	ids := addedIDs(out)
	if len(ids) != maxIDs {
		t.Fatalf("%d were added", len(ids))
	}
	foreign := append(slices.Clone(ids[1:]), add(t, a, "bob", args{"private": true}).ID)
	before := dump(t, a)
	for _, tool := range []string{"update", "delete", "pause", "resume", "cancel"} {
		in := args{"ids": foreign}
		if tool == "update" {
			in["add_tags"] = []string{"x"}
		}
		refused(t, a, "household_subscriptions_bulk_"+tool, in, tools.NotFound, foreign[maxIDs-1])
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Errorf("with one that is another's something was stored: %s", diff)
	}
	if out, _ := apply[BulkSaved](t, a, "ann", bulkPauseName, args{"ids": ids, "resumes": day(40)}); out.Count != maxIDs || out.PerMonth[0].Amount != "2000.00" {
		t.Errorf("%d were paused: %v", out.Count, out.PerMonth)
	}
	if out, _ := apply[BulkSaved](t, a, "ann", bulkResumeName, args{"ids": ids, "on": day(9)}); out.Count != maxIDs {
		t.Errorf("%d were resumed", out.Count)
	}
	if out, _ := apply[BulkCancelled](t, a, "ann", bulkCancelName, args{"ids": ids}); out.Count != maxIDs {
		t.Errorf("%d were cancelled", out.Count)
	}
	apply[Gone](t, a, "bob", "household_subscription_delete", args{"id": foreign[maxIDs-1]})
	if out, _ := apply[Bulk](t, a, "ann", "household_subscriptions_bulk_update", args{"ids": ids, "add_tags": []string{"x"}}); out.Count != maxIDs {
		t.Errorf("%d were changed", out.Count)
	}
	if out, _ := apply[BulkGone](t, a, "ann", "household_subscriptions_bulk_delete", args{"ids": ids}); out.Count != maxIDs {
		t.Errorf("%d were deleted", out.Count)
	}
	if left := dump(t, a); len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}

// BenchmarkBulkOfTheMost holds the most that a bulk tool takes against the time
// that a call has.
func BenchmarkBulkOfTheMost(b *testing.B) {
	const limit = 5 * time.Second
	a := toolstest.NewWith(b, tools.Config{Limit: time.Minute}, Plugin{})
	out, _ := apply[Imported](b, a, "ann", "household_import_apply", manyRows())
	again := manyRows()
	for i := range again.Subscriptions {
		again.Subscriptions[i].Merchant += " Two"
		again.Subscriptions[i].Amount = "77.00"
	}
	for tool, in := range map[string]any{
		bulkCancelName:                        args{"ids": addedIDs(out)},
		bulkPauseName:                         args{"ids": addedIDs(out)},
		"household_import_apply":              again,
		"household_subscriptions_bulk_update": args{"ids": addedIDs(out), "add_tags": []string{"x"}},
		"household_subscriptions_bulk_delete": args{"ids": addedIDs(out)},
	} {
		b.Run(tool, func(b *testing.B) {
			for b.Loop() {
				start := time.Now()
				if _, err := a.Preview(a.As("ann"), tool, in); err != nil {
					b.Fatal(err)
				}
				if took := time.Since(start); took > limit {
					b.Errorf("it takes %s, and has %s", took, limit)
				}
			}
		})
	}
}

func manyRows() tools.ImportRows {
	rows := statement("f")
	for i := range maxIDs {
		r := monthlyRow(fmt.Sprintf("Shop %c%c", 'a'+i%26, 'a'+i/26), "4.00", "2025-01-15", "2025-03-15")
		r.Evidence = r.Evidence[:1]
		rows.Subscriptions = append(rows.Subscriptions, r)
	}
	return rows
}

func addedIDs(out Imported) []string {
	ids := make([]string, len(out.Added))
	for i, item := range out.Added {
		ids[i] = item.ID
	}
	return ids
}
