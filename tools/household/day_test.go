package household

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// What has happened lies in the past, and not before there was anything to
// happen to; what is planned may lie ahead. A day that cannot be is refused with
// its field, its record and the days that can.
func TestDaysThatCanBe(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	id := add(t, a, "ann", nil).ID // since 15 January 2025
	five := add(t, a, "ann", args{"name": "Domain", "cycle": "P5Y", "first_date": "2025-01-15"}).ID
	soon := add(t, a, "ann", args{"name": "Soon", "first_date": "2028-06-01"}).ID
	old := add(t, a, "ann", args{"name": "Old"}).ID
	apply[any](t, a, "ann", termsTool, args{"id": old, "from": "2015-01-15", "min_term": "P24M"})
	ends := add(t, a, "ann", args{"name": "Ends", "ends_on": "2026-06-30"}).ID
	paid, _ := apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": id, "due": "2025-12-15"})
	far, _ := apply[ChargeDone](t, a, "ann", confirmTool, args{"subscription": five, "due": "2030-01-15"}) // the next one
	const since, ahead = "2023-01-15", "2027-04-14"
	rows := []struct {
		tool     string
		in       args
		field    string
		name     string
		from, to string // what can be
		good     []string
		bad      []string
	}{
		{cancelTool, args{"id": id, "last_day": "2026-12-31"}, "cancelled_on", "Netflix", since, "2026-03-10", []string{since, "2026-01-01", "2026-03-10"}, []string{"1950-01-01", "2023-01-14", "2026-03-11", "2099-01-01"}},
		{cancelTool, args{"id": soon, "last_day": "2029-01-01"}, "cancelled_on", "Soon", "2026-03-10", "2026-03-10", []string{"2026-03-10"}, []string{"2026-03-11", "2026-03-09"}},
		{noticeTool, args{"id": id, "last_day": "2026-12-31"}, "on", "Netflix", since, "2026-03-10", []string{since, "2025-01-01", "2026-03-10"}, []string{"1950-01-01", "2023-01-14", "2026-03-11", "2099-01-01"}},
		{noticeTool, args{"id": old, "last_day": "2026-12-31"}, "on", "Old", "2013-01-14", "2026-03-10", []string{"2014-01-01"}, []string{"1950-01-01", "2099-01-01"}},
		{noticeTool, args{"id": soon, "last_day": "2030-12-31"}, "on", "Soon", "2026-03-10", "2026-03-10", []string{"2026-03-10"}, []string{"2026-03-11", "1950-01-01"}},
		{confirmTool, args{"subscription": id, "amount": "1"}, "due", "Netflix", "2025-01-15", ahead, []string{"2025-01-15", "2026-03-15", "2027-03-15"}, []string{"2027-04-15", "2198-01-15", "2198-01-16"}},
		{confirmTool, args{"subscription": five}, "due", "Domain", "2025-01-15", "2035-01-15", []string{"2025-01-15", "2035-01-15"}, []string{"2040-01-15", "2195-01-15"}},
		{confirmTool, args{"subscription": soon}, "due", "Soon", "2028-06-01", "2028-06-01", []string{"2028-06-01"}, []string{"2028-07-01"}},
		{confirmTool, args{"subscription": ends}, "due", "Ends", "", "2026-06-15", []string{"2026-06-15"}, []string{"2198-01-15"}},
		{skipTool, args{"subscription": id}, "due", "Netflix", "2025-01-15", ahead, []string{"2025-01-15", "2027-03-15"}, []string{"2027-04-15", "2198-01-15"}},
		{updateTool, args{"id": paid.ID}, "due", "Netflix", "2025-01-15", ahead, []string{"2026-01-15", "2027-03-15"}, []string{"2198-01-15"}},
		{updateTool, args{"id": far.ID, "text": "x"}, "due", "Domain", "2025-01-15", "2035-01-15", []string{"2030-01-15"}, []string{"2195-01-15"}},
		{chargeAddName, args{"subscription": id, "amount": "1"}, "date", "Netflix", "", "2026-04-10", []string{"2020-01-01", "2026-03-10", "2026-04-10"}, []string{"2026-04-11", "2198-01-15"}},
		{confirmTool, args{"subscription": id, "due": "2026-02-15"}, "date", "Netflix", "", "2026-04-10", []string{"2026-02-01", "2026-04-10"}, []string{"2026-04-11", "2198-01-15"}},
		{updateTool, args{"id": paid.ID}, "date", "Netflix", "", "2026-04-10", []string{"2025-12-10", "2026-04-10"}, []string{"2026-04-11", "2198-01-15"}},
		{pauseTool, args{"id": id, "resumes": "2026-05-01"}, "from", "Netflix", since, "2199-12-31", []string{since, "2025-01-01", "2026-04-01"}, []string{"1950-01-01", "2023-01-14"}},
		{bulkPauseName, args{"ids": []string{old, id}, "resumes": "2026-05-01"}, "from", "Old", since, "2199-12-31", []string{since}, []string{"1950-01-01"}},
		{termsTool, args{"id": id, "notice": "P1M"}, "from", "Netflix", "1900-01-01", ahead, []string{"1995-01-01", "2026-06-01", ahead}, []string{"2027-04-15", "2198-01-01"}},
		{termsTool, args{"id": soon, "notice": "P1M"}, "from", "Soon", "1900-01-01", "2029-07-06", []string{"2028-06-01"}, []string{"2198-01-01"}},
		{cancelTool, args{"id": id}, "last_day", "Netflix", "2025-01-15", "", []string{"2025-01-15", "2026-12-31", "2030-12-31"}, []string{"2025-01-14", "1950-01-01"}},
	}
	before := dump(t, a)
	for _, r := range rows {
		in := args{}
		for k, v := range r.in {
			in[k] = v
		}
		for _, day := range r.good {
			in[r.field] = day
			if _, err := a.Preview(a.As("ann"), r.tool, in); err != nil {
				t.Errorf("%s %v: %v", r.tool, in, err)
			}
		}
		for _, day := range r.bad {
			in[r.field] = day
			_, err := a.Preview(a.As("ann"), r.tool, in)
			own, is := errors.AsType[*tools.Error](err)
			if !is || own.Kind != tools.Invalid {
				t.Errorf("%s %v: %v", r.tool, in, err)
				continue
			}
			for _, lang := range []string{"en", "de", "es"} {
				words := []string{r.field, r.name}
				for _, day := range []string{day, r.from, r.to} {
					if day != "" {
						words = append(words, a.Catalogue.Say(lang, tools.T("", date(day))))
					}
				}
				said := a.Catalogue.Say(lang, own.Text)
				for _, w := range words {
					if !strings.Contains(said, w) {
						t.Errorf("%s %v: %q does not say %q", r.tool, in, said, w)
					}
				}
			}
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
