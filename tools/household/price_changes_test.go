package household

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// changesOf lists price changes, each in a line.
func changesOf(t *testing.T, a *toolstest.App, who string, in args) []string {
	t.Helper()
	var list []string
	for _, c := range read[priceChangesOut](t, a, who, "household_price_changes", in).Items {
		line := fmt.Sprintf("%s %s %s %s>%s %s %s%% %s/y", c.From, c.Name, c.Kind, c.Before, c.After, c.Currency, c.Percent, c.PerYear)
		if c.Upcoming {
			line += " upcoming"
		}
		if c.Introductory {
			line += " introductory"
		}
		if c.Unrecorded > 0 {
			line += fmt.Sprint(" unrecorded x", c.Unrecorded)
		}
		list = append(list, line)
	}
	return list
}

// priced adds a subscription with prices since some days.
func priced(t *testing.T, a *toolstest.App, in args, since ...string) string {
	t.Helper()
	id := add(t, a, "ann", in).ID
	for _, p := range since {
		from, amount, _ := strings.Cut(p, " ")
		apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": id, "amount": amount, "from": from})
	}
	return id
}

func TestPriceChanges(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	priced(t, a, args{"name": "Dear", "amount": "12.99", "first_date": "2024-01-05"}, "2025-05-05 13.99", "2025-09-05 14.99", "2026-06-05 12.00")
	priced(t, a, args{"name": "Weekly", "cycle": "P1W", "amount": "1.00", "first_date": "2026-01-05"}, "2026-03-02 1.50")
	priced(t, a, args{"name": "Yearly", "cycle": "P1Y", "amount": "0.00", "first_date": "2025-08-01", "currency": "JPY"}, "2026-05-14 1000")
	add(t, a, "ann", args{"name": "Intro", "amount": "25.00", "first_date": "2026-01-01", "intro_amount": "4.00", "intro_until": "2026-03-31"})
	priced(t, a, args{"name": "Over", "amount": "5.00", "first_date": "2025-01-01", "ends_on": "2026-05-31"}, "2026-06-01 9.00")
	want := []string{
		"2026-06-05 Dear fall 14.99>12.00 EUR -19.9% -35.88/y upcoming",
		"2026-05-14 Yearly rise 0>1000 JPY % 1000/y",
		"2026-04-01 Intro rise 4.00>25.00 EUR 525.0% 252.00/y introductory",
		"2026-03-02 Weekly rise 1.00>1.50 EUR 50.0% 26.09/y",
		"2025-09-05 Dear rise 13.99>14.99 EUR 7.1% 12.00/y",
	}
	if diff := cmp.Diff(want, changesOf(t, a, "bob", nil)); diff != "" {
		t.Error(diff)
	}
	if got := changesOf(t, a, "bob", args{"since": "2025-05-05"}); len(got) != 6 || got[5] != "2025-05-05 Dear rise 12.99>13.99 EUR 7.7% 12.00/y" {
		t.Error(got)
	}
	page := read[priceChangesOut](t, a, "bob", "household_price_changes", args{"limit": 2})
	next := read[priceChangesOut](t, a, "bob", "household_price_changes", args{"limit": 2, "cursor": page.Next})
	if len(page.Items) != 2 || len(next.Items) != 2 || next.Items[0].Name != "Intro" || next.Next == "" {
		t.Errorf("%+v %+v", page, next)
	}
}

// What charges show and no price says: the last was of another amount than was
// due, or two were.
func TestPriceChangesThatNobodyRecorded(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	for _, row := range []struct {
		name    string
		amounts string // of January to May, - for none; due are 10.00
		want    string
	}{
		{"As due", "1000 1000 1000 1000 1000", ""},
		{"Once", "1000 1100 1000 1000 1000", ""},
		{"Last", "1000 1000 1000 1000 1250", "2026-05-03 Last rise 10.00>12.50 EUR 25.0% 30.00/y unrecorded x1"},
		{"Twice", "1000 900 - 900 1000", ""},
		{"Fall", "1000 900 - 900 900", "2026-02-03 Fall fall 10.00>9.00 EUR -10.0% -12.00/y unrecorded x3"},
		{"Rising", "1100 1100 1200 1200 -", "2026-03-03 Rising rise 10.00>12.00 EUR 20.0% 24.00/y unrecorded x4"},
		{"Again", "1200 1000 1200 1200 1200", "2026-03-03 Again rise 10.00>12.00 EUR 20.0% 24.00/y unrecorded x4"},
		{"None", "- - - - -", ""},
	} {
		id := add(t, a, "ann", args{"name": row.name, "amount": "10.00", "first_date": "2026-01-03"}).ID
		for i, amount := range strings.Fields(row.amounts) {
			if amount == "-" {
				continue
			}
			n, err := strconv.Atoi(amount)
			if err != nil {
				t.Fatal(err)
			}
			charge(t, a, id, fmt.Sprintf("2026-%02d-04", i+1), n, nil)
		}
		if got := strings.Join(changesOf(t, a, "bob", args{"subscription": id}), "; "); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
	if got := changesOf(t, a, "bob", nil); len(got) != 4 {
		t.Error(got)
	}
	id := add(t, a, "ann", args{"name": "Besides", "amount": "10.00", "first_date": "2026-01-03"}).ID
	charge(t, a, id, "2026-02-04", 0, map[string]any{"due": "2026-02-03", "state": skipped})
	charge(t, a, id, "2026-03-04", 900, map[string]any{"currency": "USD"})
	charge(t, a, id, "2026-04-20", 500, nil) // nothing asked for it
	if got := changesOf(t, a, "bob", args{"subscription": id}); len(got) != 0 {
		t.Error(got)
	}
	over := add(t, a, "ann", args{"name": "Over", "amount": "10.00", "first_date": "2026-01-03", "ends_on": "2026-04-30"}).ID
	charge(t, a, over, "2026-04-03", 1200, nil)
	if got := changesOf(t, a, "bob", args{"subscription": over}); len(got) != 0 {
		t.Error(got)
	}
	found := read[priceChangesOut](t, a, "bob", "household_price_changes", nil).Items[0]
	apply[Repriced](t, a, "ann", "household_price_set", args{"subscription": found.Subscription, "amount": found.After, "from": found.From.String()})
	if got := changesOf(t, a, "bob", nil); got[0] != "2026-05-03 Last rise 10.00>12.50 EUR 25.0% 30.00/y" {
		t.Error("recorded now: ", got)
	}
}

func TestPriceChangesRefuseBadInput(t *testing.T) {
	a := homeOn(t, "2026-05-14")
	private := add(t, a, "ann", args{"private": true}).ID
	for _, row := range []struct {
		in    args
		kind  tools.Kind
		words string
	}{
		{args{"since": "2026-02-30"}, tools.Invalid, "since"},
		{args{"subscription": private}, tools.NotFound, "subscription: there is no"},
		{args{"limit": -1}, tools.Invalid, "limit"},
		{args{"cursor": "x"}, tools.Invalid, "cursor"},
	} {
		_, err := a.Read(a.As("bob"), "household_price_changes", row.in)
		if tools.KindOf(err) != row.kind || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%v: %v", row.in, err)
		}
	}
}

// A year has 365.2425 days; half a tenth of a percent is rounded away from zero.
func TestPerYearAndPercent(t *testing.T) {
	for _, row := range []struct {
		cycle string
		want  int64
	}{{"P1M", 12_000}, {"P5M", 2400}, {"P7M", 1714}, {"P1Y", 1000}, {"P3Y", 333}, {"P1W", 52_178}, {"P4W", 13_044}} {
		if got := perYear(1000, cycle(row.cycle)); got != row.want || perYear(-1000, cycle(row.cycle)) != -row.want {
			t.Errorf("%s: %d, want %d", row.cycle, got, row.want)
		}
	}
	if got := perYear(tools.MaxMinor, cycle("P1W")); got != 469973139114248058 {
		t.Error(got)
	}
	for _, row := range []struct {
		before, after int64
		want          string
	}{{1000, 1000, "0.0"}, {1000, 1001, "0.1"}, {1000, 995, "-0.5"}, {2000, 2001, "0.1"}, {2000, 1999, "-0.1"}, {3, 1, "-66.7"}, {1, tools.MaxMinor, "900719925474099000.0"}, {500, 0, "-100.0"}} {
		n, ok := percent(row.before, row.after)
		if got := tenths(n); !ok || got != row.want {
			t.Errorf("%d to %d: %s, want %s", row.before, row.after, got, row.want)
		}
	}
	if _, ok := percent(0, 5); ok {
		t.Error("a percentage of nothing")
	}
}
