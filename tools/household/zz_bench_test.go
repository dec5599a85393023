package household

import (
	"fmt"
	"testing"
	"time"
)

func TestScratchBig(t *testing.T) {
	a := newHome(t)
	var ids []string
	for i := range 1000 {
		in := args{"name": fmt.Sprintf("Sub %03d", i), "private": i%10 == 0}
		ids = append(ids, add(t, a, "ann", in).ID)
	}
	_, err := a.DB().NewQuery(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 99999)
	INSERT INTO household_charges (id, subscription, date, amount, currency, text, created, updated)
	SELECT printf('c%014d', i), (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS rn FROM household_subscriptions) s WHERE s.rn = n.i % 1000), date('2018-01-01', printf('+%d days', i/40)), 1599, 'EUR', 'NETFLIX', '', '' FROM n`).Execute()
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string, f func()) {
		best := time.Hour
		for range 5 {
			s := time.Now()
			f()
			best = min(best, time.Since(s))
		}
		t.Log(name, best)
	}
	in("charges all", func() { read[chargeListOut](t, a, "bob", "household_charge_list", nil) })
	in("charges one", func() { read[chargeListOut](t, a, "ann", "household_charge_list", args{"subscription": ids[5]}) })
	in("charges from", func() { read[chargeListOut](t, a, "ann", "household_charge_list", args{"from": "2020-01-01", "to": "2020-02-01"}) })
	in("get", func() { read[Details](t, a, "ann", "household_subscription_get", args{"id": ids[5]}) })
	in("list", func() { read[subscriptionListOut](t, a, "ann", "household_subscription_list", nil) })
	in("overview", func() { read[Overview](t, a, "ann", "household_overview", nil) })
	in("upcoming 90", func() { read[upcomingOut](t, a, "ann", "household_upcoming", args{"days": 90}) })
	n := 0
	in("update", func() { n++; apply[Updated](t, a, "ann", "household_subscription_update", args{"id": ids[7], "notes": fmt.Sprint(n)}) })
	in("add", func() { n++; add(t, a, "ann", args{"name": fmt.Sprint("N", n)}) })
	in("bulk 500", func() { n++; apply[Bulk](t, a, "ann", "household_subscriptions_bulk_update", args{"ids": ids[:500], "add_tags": []string{fmt.Sprint("t", n)}}) })
	in("delete", func() { n++; apply[Deleted](t, a, "ann", "household_subscription_delete", args{"id": ids[n+20]}) })
	in("match", func() { read[any](t, a, "ann", "household_import_match", sampleRows()) })
	in("import", func() { apply[Imported](t, a, "ann", "household_import_apply", sampleRows()) })
	in("tag rename", func() { n++; apply[TagRenamed](t, a, "ann", "household_tag_rename", args{"from": "t17", "to": "t18"}); apply[TagRenamed](t, a, "ann", "household_tag_rename", args{"from": "t18", "to": "t17"}) })
}
