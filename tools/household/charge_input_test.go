package household

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// What cannot be confirmed, skipped, added or corrected is refused, naming the
// field and the subscription, and leaves everything as it was.
func TestBadCharges(t *testing.T) {
	a := homeOn(t, "2026-05-18")
	id := add(t, a, "ann", args{"first_date": "2026-01-31", "ends_on": "2026-08-15"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": id, "from": "2026-03-20", "resumes": "2026-04-10"})
	trying := add(t, a, "ann", args{"name": "Trying", "first_date": "2026-05-01"}).ID
	put(t, a, trying, "trial_ends_on", "2026-06-10")
	never := add(t, a, "ann", args{"name": "Never", "first_date": "2026-05-01", "ends_on": "2026-05-31"}).ID
	put(t, a, never, "trial_ends_on", "2026-05-31")
	hidden := add(t, a, "bob", args{"name": "Hidden", "private": true}).ID
	theirs := charge(t, a, hidden, "2026-05-01", 100, nil)
	paid := charge(t, a, id, "2026-02-28", 1599, nil)
	skip, _ := apply[ChargeSkipped](t, a, "ann", skipTool, args{"subscription": id, "due": "2026-05-31"})
	long := strings.Repeat("x", 501)
	calls := []struct {
		tool  string
		in    args
		kind  tools.Kind
		words string
	}{
		{confirmTool, args{}, tools.Invalid, "subscription"},
		{confirmTool, args{"subscription": "nobody"}, tools.NotFound, "nobody"},
		{confirmTool, args{"subscription": hidden}, tools.NotFound, hidden},
		{confirmTool, args{"subscription": id, "due": "2026-02-31"}, tools.Invalid, "due|YYYY-MM-DD"},
		{confirmTool, args{"subscription": id, "due": "31.1.2026"}, tools.Invalid, "due|YYYY-MM-DD"},
		{confirmTool, args{"subscription": id, "due": "2026-02-01"}, tools.Invalid, "due|1 February 2026|Netflix|31 January 2026|28 February 2026"},
		{confirmTool, args{"subscription": id, "due": "2026-01-30"}, tools.Invalid, "due|Netflix|The first is 31 January 2026"},
		{confirmTool, args{"subscription": id, "due": "2026-08-31"}, tools.Invalid, "due|Netflix|The last is 31 July 2026"},
		{confirmTool, args{"subscription": id, "due": "2026-03-31"}, tools.Invalid, "due|Netflix|28 February 2026|30 April 2026"},
		{confirmTool, args{"subscription": trying, "due": "2026-06-01"}, tools.Invalid, "due|Trying|The first is 1 July 2026"},
		{confirmTool, args{"subscription": trying}, tools.Conflict, "Trying|1 July 2026"},
		{confirmTool, args{"subscription": never, "due": "2026-05-01"}, tools.Invalid, "due|Never|none at all"},
		{confirmTool, args{"subscription": never}, tools.Conflict, "Never|household_charge_add"},
		{confirmTool, args{"subscription": id, "due": "2026-02-28"}, tools.Conflict, "due|Netflix|28 February 2026|" + paid},
		{confirmTool, args{"subscription": id, "date": "2026-02-30"}, tools.Invalid, "date|YYYY-MM-DD"},
		{confirmTool, args{"subscription": id, "date": "2026-02-10"}, tools.Invalid, "date|10 February 2026|Netflix|household_charge_add"},
		{confirmTool, args{"subscription": id, "due": "2026-04-30", "date": "2026-06-19"}, tools.Invalid, "date|in the future"},
		{confirmTool, args{"subscription": id, "amount": "-1"}, tools.Invalid, "amount|below zero"},
		{confirmTool, args{"subscription": id, "amount": "1.999"}, tools.Invalid, "amount|decimal places"},
		{confirmTool, args{"subscription": id, "amount": "1e9"}, tools.Invalid, "amount"},
		{confirmTool, args{"subscription": id, "amount": 15.99}, tools.Invalid, "amount|string"},
		{confirmTool, args{"subscription": id, "text": long}, tools.Invalid, "text|500"},
		{confirmTool, args{"subscription": id, "text": "a\x00b"}, tools.Invalid, "text"},
		{confirmTool, args{"subscription": id, "currency": "USD"}, tools.Invalid, "currency"},
		{skipTool, args{"subscription": id}, tools.Invalid, "due"},
		{skipTool, args{"subscription": hidden, "due": "2026-05-15"}, tools.NotFound, hidden},
		{skipTool, args{"subscription": id, "due": "tomorrow"}, tools.Invalid, "due|YYYY-MM-DD"},
		{skipTool, args{"subscription": id, "due": "2026-02-28"}, tools.Conflict, "due|Netflix|15.99 EUR|" + paid},
		{skipTool, args{"subscription": id, "due": "2026-05-31"}, tools.Conflict, "due|Netflix|31 May 2026|skipped|" + skip.ID},
		{skipTool, args{"subscription": id, "due": "2026-06-01"}, tools.Invalid, "due|Netflix|31 May 2026|30 June 2026"},
		{skipTool, args{"subscription": id, "due": "2026-06-30", "text": long}, tools.Invalid, "text|500"},
		{chargeAddName, args{"subscription": id, "amount": "1"}, tools.Invalid, "date"},
		{chargeAddName, args{"subscription": hidden, "date": "2026-05-01", "amount": "1"}, tools.NotFound, hidden},
		{chargeAddName, args{"subscription": id, "date": "2026-06-31", "amount": "1"}, tools.Invalid, "date|YYYY-MM-DD"},
		{chargeAddName, args{"subscription": id, "date": "2026-06-19", "amount": "1"}, tools.Invalid, "date|in the future|18 June 2026"},
		{chargeAddName, args{"subscription": id, "date": "2026-05-01", "amount": "-1"}, tools.Invalid, "amount|below zero"},
		{chargeAddName, args{"subscription": id, "date": "2026-05-01", "amount": "1.5", "currency": "JPY"}, tools.Invalid, "amount|JPY"},
		{chargeAddName, args{"subscription": id, "date": "2026-05-01", "amount": "1", "currency": "usd"}, tools.Invalid, "currency|USD"},
		{chargeAddName, args{"subscription": id, "date": "2026-05-01", "amount": "1", "currency": "XYZ"}, tools.Invalid, "currency|XYZ"},
		{updateTool, args{"id": "nobody", "amount": "1"}, tools.NotFound, "nobody"},
		{updateTool, args{"id": theirs, "amount": "1"}, tools.NotFound, theirs},
		{updateTool, args{"id": paid}, tools.Invalid, "nothing to change"},
		{updateTool, args{"id": paid, "date": ""}, tools.Invalid, "date"},
		{updateTool, args{"id": paid, "amount": "x"}, tools.Invalid, "amount"},
		{updateTool, args{"id": paid, "due": "2026-03-01"}, tools.Invalid, "due|Netflix|28 February 2026"},
		{updateTool, args{"id": paid, "due": "2026-05-31"}, tools.Conflict, "due|Netflix|skipped"},
		{updateTool, args{"id": paid, "due": "2026-02-28", "clear": []string{"due"}}, tools.Invalid, "due|cleared"},
		{updateTool, args{"id": paid, "clear": []string{"amount"}}, tools.Invalid, "clear"},
		{updateTool, args{"id": skip.ID, "date": "2026-05-30"}, tools.Invalid, "date|Netflix|skipped"},
		{deleteTool, args{"id": "nobody"}, tools.NotFound, "nobody"},
		{deleteTool, args{"id": theirs}, tools.NotFound, theirs},
		{allTool, args{"ids": []string{}}, tools.Invalid, "ids|empty"},
		{allTool, args{"ids": []string{id, id}}, tools.Invalid, "ids|twice"},
		{allTool, args{"ids": []string{id, hidden}}, tools.NotFound, hidden},
		{allTool, args{"to": "2026-05-19"}, tools.Invalid, "to (|19 May 2026|18 May 2026"},
		{allTool, args{"from": "2026-05-19"}, tools.Invalid, "to (|from"},
		{allTool, args{"from": "2026-13-01"}, tools.Invalid, "from"},
		{chargesTool, args{"subscription": hidden}, tools.NotFound, hidden},
		{chargesTool, args{"state": "open"}, tools.Invalid, "state|expected"},
		{chargesTool, args{"state": "all", "to": "2027-06-23"}, tools.Invalid, "to|23 June 2027|22 June 2027"},
		{chargesTool, args{"cursor": "x"}, tools.Invalid, "cursor"},
		{calendarName, args{"subscription": hidden}, tools.NotFound, hidden},
		{calendarName, args{"month": "May"}, tools.Invalid, "month|YYYY-MM"},
		{calendarName, args{"month": "2026-13"}, tools.Invalid, "month|YYYY-MM"},
		{calendarName, args{"month": "2026-05", "from": "2026-05-01"}, tools.Invalid, "month|from"},
		{calendarName, args{"to": "2026-05-01"}, tools.Invalid, "from"},
		{calendarName, args{"from": "2026-05-02", "to": "2026-05-01"}, tools.Invalid, "from|to"},
		{calendarName, args{"from": "2026-05-01", "to": "2027-06-06"}, tools.Invalid, "to|6 June 2027|5 June 2027"},
		{calendarName, args{"limit": 201}, tools.Invalid, "limit|200"},
	}
	before := dump(t, a)
	for _, c := range calls {
		refused(t, a, c.tool, c.in, c.kind, strings.Split(c.words, "|")...)
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Fatalf("%s %v stored something: %s", c.tool, c.in, diff)
		}
	}
}
