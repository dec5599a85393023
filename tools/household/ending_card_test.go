package household

import (
	"strings"
	"testing"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// A pause, or the end of one, that the last day comes before is none.
func TestPauseBeyondTheEnd(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	ends := add(t, a, "ann", args{"name": "Ends", "ends_on": "2026-06-30"}).ID
	plain := add(t, a, "ann", args{"name": "Plain"}).ID
	ids := []string{ends, plain}
	says(t, a, pauseTool, args{"id": ends}, "Pause Ends from 5 March 2026: saves 15.99 EUR a month", "Not charged again until it is resumed", "It ends on 30 June 2026, before it would go on")
	says(t, a, pauseTool, args{"id": ends, "resumes": "2026-08-01"}, "Pause Ends from 5 March 2026 until 1 August 2026: saves 63.96 EUR, 4 charges", "It is not charged after that", "It ends on 30 June 2026, before it would go on")
	last := add(t, a, "ann", args{"name": "Last", "ends_on": "2026-03-10"}).ID
	says(t, a, pauseTool, args{"id": last}, "Pause Last from 5 March 2026: no charge falls into it", "It ends on 10 March 2026, before it would go on")
	if said := card(t, a, "ann", pauseTool, args{"id": ends, "resumes": "2026-05-01"}); strings.Contains(said, "ends") {
		t.Errorf("it says %s", said)
	}
	says(t, a, bulkPauseName, args{"ids": ids}, "Pause 2 subscriptions (Ends, Plain): saves 31.98 EUR a month", "From 5 March 2026; not charged again until they are resumed", "1 of them ends before it would go on")
	if said := card(t, a, "ann", bulkPauseName, args{"ids": ids, "resumes": "2026-05-01"}); strings.Contains(said, "ends") {
		t.Errorf("it says %s", said)
	}
	apply[BulkSaved](t, a, "ann", bulkPauseName, args{"ids": ids})
	for _, on := range []string{"2026-07-01", "2199-12-31"} {
		refused(t, a, resumeTool, args{"id": ends, "on": on}, tools.Invalid, "on: ", "Ends", "30 June 2026")
		refused(t, a, bulkResumeName, args{"ids": ids, "on": on}, tools.Invalid, "on: ", "Ends", "30 June 2026")
	}
	says(t, a, resumeTool, args{"id": ends, "on": "2026-05-01"}, "Resume Ends on 1 May 2026: 15.99 EUR a month", "Next charge on 15 May 2026", "Last day 30 June 2026")
	says(t, a, resumeTool, args{"id": ends, "on": "2026-06-20"}, "Resume Ends on 20 June 2026: 15.99 EUR a month", "It is not charged after that", "Last day 30 June 2026")
}

// What is saved is told by the next charge; what it would have become is told too.
func TestCancelBeforeAnIntroductoryPriceEnds(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	id := add(t, a, "ann", args{"name": "Paper", "amount": "39.90", "first_date": "2026-03-01", "intro_amount": "9.90", "intro_until": "2026-05-31"}).ID
	says(t, a, cancelTool, args{"id": id}, "Cancel Paper: last day 31 March 2026, saves 9.90 EUR a month", "From 1 June 2026 on it would cost 39.90 EUR a month")
	if said := card(t, a, "ann", cancelTool, args{"id": id, "last_day": "2026-05-31"}); !strings.Contains(said, "saves 39.90 EUR a month") || strings.Contains(said, "would cost") {
		t.Errorf("it says %s", said)
	}
}

// What is deleted is paid no more, if it was still to be paid.
func TestDeleteSaysWhatRuns(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	const deleteTool, bulkTool = "household_subscription_delete", "household_subscriptions_bulk_delete"
	plain := add(t, a, "ann", args{"name": "Plain"}).ID
	yen := add(t, a, "ann", args{"name": "Yen", "amount": "900", "currency": "JPY", "cycle": "P1Y"}).ID
	over := add(t, a, "ann", args{"name": "Over", "ends_on": "2026-02-20"}).ID
	last := add(t, a, "ann", args{"name": "Last", "ends_on": "2026-03-10"}).ID
	rests := add(t, a, "ann", args{"name": "Rests"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": rests})
	apply[any](t, a, "ann", "household_price_set", args{"subscription": plain, "amount": "17.99", "from": "2026-03-10"})
	for id, want := range map[string][]string{
		plain: {"Delete Plain", "It still runs: 17.99 EUR a month will no longer be expected", "2 dated prices go with it"},
		yen:   {"Delete Yen", "It still runs: 900 JPY a year will no longer be expected"},
	} {
		says(t, a, deleteTool, args{"id": id}, want...)
	}
	for _, id := range []string{over, last, rests} {
		if said := card(t, a, "ann", deleteTool, args{"id": id}); strings.Contains(said, "expected") {
			t.Errorf("it says %s", said)
		}
	}
	says(t, a, bulkTool, args{"ids": []string{plain, yen, over, last, rests}}, "Delete 5 subscriptions: Plain, Yen, Over, Last, Rests", "2 still run: 17.99 EUR a month and 75 JPY a month will no longer be expected")
	says(t, a, bulkTool, args{"ids": []string{plain, over}}, "Delete 2 subscriptions: Plain, Over", "1 still runs: 17.99 EUR a month will no longer be expected")
	if said := card(t, a, "ann", bulkTool, args{"ids": []string{over, rests}}); strings.Contains(said, "expected") {
		t.Errorf("it says %s", said)
	}
	// What nothing can be reckoned with can be deleted still.
	if _, err := a.NonconcurrentDB().NewQuery("UPDATE household_subscriptions SET cycle = 'x' WHERE id = {:id}").Bind(dbx.Params{"id": yen}).Execute(); err != nil {
		t.Fatal(err)
	}
	says(t, a, deleteTool, args{"id": yen}, "Delete Yen")
	says(t, a, bulkTool, args{"ids": []string{plain, yen}}, "Delete 2 subscriptions: Plain, Yen", "1 still runs: 17.99 EUR a month will no longer be expected")
}
