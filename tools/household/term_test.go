package household

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

func agreed(tb testing.TB, from, minimum, extension, notice string) terms {
	tb.Helper()
	t := terms{from: date(from)}
	for i, into := range []*period{&t.minimum, &t.extension, &t.notice} {
		p, err := parsePeriod("", []string{minimum, extension, notice}[i])
		if err != nil {
			tb.Fatal(err)
		}
		*into = p
	}
	return t
}

// resting is a schedule with a pause.
func resting(s schedule, from, until string, shift bool) schedule {
	s.pauses = append(s.pauses, pause{from: date(from), until: date(until), shift: shift})
	return s
}

func TestEnding(t *testing.T) {
	month := sched("P1M", "2024-04-01", 0, "")
	german := agreed(t, "", "P24M", "P12M", "P3M")
	rows := []struct {
		name         string
		s            schedule
		t            terms
		day, by, end string // by and end are "" where there is no end
	}{
		{"German contract, first day", month, german, "2024-04-01", "2025-12-31", "2026-03-31"},
		{"on the last day for it", month, german, "2025-12-31", "2025-12-31", "2026-03-31"},
		{"a day late", month, german, "2026-01-01", "2026-12-31", "2027-03-31"},
		{"much later", month, german, "2030-06-15", "2030-12-31", "2031-03-31"},
		{"long before it began", month, german, "2020-01-01", "2025-12-31", "2026-03-31"},
		{"began before the first charge", month, agreed(t, "2024-02-15", "P24M", "P12M", "P3M"), "2025-11-01", "2025-11-14", "2026-02-14"},
		{"began after it", month, agreed(t, "2024-05-01", "P24M", "P1M", "P1M"), "2024-05-01", "2026-03-31", "2026-04-30"},
		{"the same in years", month, agreed(t, "", "P2Y", "P1Y", "P3M"), "2026-01-01", "2026-12-31", "2027-03-31"},
		{"a month's notice after the term", month, agreed(t, "", "P24M", "P1M", "P1M"), "2026-04-15", "2026-04-30", "2026-05-31"},
		{"open-ended, two weeks", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "", "", "P14D"), "2026-03-31", "2026-03-31", "2026-04-14"},
		{"two weeks, a day late", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "", "", "P14D"), "2026-04-01", "2026-04-30", "2026-05-14"},
		{"two weeks in weeks", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "", "", "P2W"), "2026-04-01", "2026-04-30", "2026-05-14"},
		{"open-ended, of its first period", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "", "", "P14D"), "2026-01-20", "2026-01-31", "2026-02-14"},
		{"no notice, a minimum", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "P6M", "", ""), "2026-02-01", "2026-07-14", "2026-07-14"},
		{"no notice, its last day", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "P6M", "", ""), "2026-07-14", "2026-07-14", "2026-07-14"},
		{"no notice, by month after", sched("P1M", "2026-01-15", 0, ""), agreed(t, "", "P6M", "", ""), "2026-07-15", "2026-08-14", "2026-08-14"},
		{"any day after the term", month, agreed(t, "", "P24M", "P1D", "P1M"), "2027-05-05", "2027-05-05", "2027-06-05"},
		{"any day, a month that is short", month, agreed(t, "", "P24M", "P1D", "P1M"), "2027-01-31", "2027-01-31", "2027-02-28"},
		{"notice longer than the extension", month, agreed(t, "", "P12M", "P1M", "P3M"), "2025-02-15", "2025-02-28", "2025-05-31"},
		{"notice longer than the first term", month, agreed(t, "", "P1M", "P1M", "P6M"), "2024-04-01", "2024-04-30", "2024-10-31"},
		{"month's end", sched("P1M", "2026-01-31", 0, ""), agreed(t, "", "", "", "P1M"), "2026-02-01", "2026-02-27", "2026-03-30"},
		{"month's end, short month", sched("P1M", "2026-01-31", 0, ""), agreed(t, "", "", "", "P1M"), "2026-01-31", "2026-02-27", "2026-03-30"},
		{"month's end that is meant", sched("P1M", "2026-02-28", 31, ""), agreed(t, "", "", "", "P14D"), "2026-03-01", "2026-03-16", "2026-03-30"},
		{"a term to the month's end that is meant", sched("P1M", "2026-02-28", 31, ""), agreed(t, "", "P6M", "P6M", "P1M"), "2026-03-01", "2026-07-30", "2026-08-30"},
		{"but its own day where it has one", sched("P1M", "2026-02-28", 31, ""), agreed(t, "2026-02-28", "P6M", "P6M", "P1M"), "2026-03-01", "2026-07-27", "2026-08-27"},
		{"29 February", sched("P1Y", "2024-02-29", 0, ""), agreed(t, "", "P12M", "P12M", "P3M"), "2024-03-01", "2024-11-27", "2025-02-27"},
		{"29 February in a leap year", sched("P1Y", "2024-02-29", 0, ""), agreed(t, "", "P12M", "P12M", "P3M"), "2027-03-01", "2027-11-28", "2028-02-28"},
		{"notice into a short month", sched("P1Y", "2025-06-01", 0, ""), agreed(t, "", "P1Y", "", "P3M"), "2025-07-01", "2026-02-28", "2026-05-31"},
		{"four weeks", sched("P4W", "2026-01-01", 0, ""), agreed(t, "", "P12W", "", "P1W"), "2026-03-18", "2026-03-18", "2026-03-25"},
		{"four weeks, late", sched("P4W", "2026-01-01", 0, ""), agreed(t, "", "P12W", "", "P1W"), "2026-03-19", "2026-04-15", "2026-04-22"},
		{"weekly since 1900", sched("P1W", "1900-01-01", 0, ""), agreed(t, "1900-01-01", "", "P1W", "P1D"), "2026-03-10", "2026-03-14", "2026-03-15"},
		{"daily since 1900", sched("P1W", "1900-01-01", 0, ""), agreed(t, "1900-01-01", "P1D", "P1D", "P1D"), "2026-03-10", "2026-03-10", "2026-03-11"},
		{"a century", sched("P1M", "1900-01-01", 0, ""), agreed(t, "", "P100Y", "P100Y", "P100Y"), "1999-12-31", "1999-12-31", "2099-12-31"},
		{"a century, none left", sched("P1M", "1900-01-01", 0, ""), agreed(t, "", "P100Y", "P100Y", "P100Y"), "2100-01-01", "", ""},
		{"the end of time", sched("P1M", "2190-01-01", 0, ""), agreed(t, "", "P10Y", "P1Y", ""), "2190-01-01", "2199-12-31", "2199-12-31"},
		{"after the end of time", sched("P1M", "2190-01-01", 0, ""), agreed(t, "", "P10Y", "P1Y", "P1D"), "2199-12-31", "", ""},
		{"a year that nobody lives in", sched("P1M", "2026-01-01", 0, ""), agreed(t, "9999-12-31", "P24M", "", ""), "2026-01-01", "", ""},
		{"a pause that moves it", resting(month, "2025-06-01", "2025-08-01", true), german, "2026-01-01", "2026-02-28", "2026-05-31"},
		{"a pause that does not", resting(month, "2025-06-01", "2025-08-01", false), german, "2025-12-01", "2025-12-31", "2026-03-31"},
		{"a pause without an end", resting(month, "2025-06-01", "", true), german, "2025-12-01", "2025-12-31", "2026-03-31"},
		{"a pause before the contract", resting(month, "2024-06-01", "2024-08-01", true), agreed(t, "2025-01-01", "P1Y", "", ""), "2025-02-01", "2025-12-31", "2025-12-31"},
		{"two pauses", resting(resting(month, "2024-05-01", "2024-05-11", true), "2026-04-05", "2026-04-15", true), german, "2025-06-01", "2026-01-20", "2026-04-20"},
		{"terms that say nothing", month, agreed(t, "2026-01-01", "", "P12M", ""), "2026-01-01", "", ""},
	}
	for _, row := range rows {
		by, end, ok := row.t.ending(row.s, date(row.day))
		if by.String() != row.by || end.String() != row.end || ok != (row.end != "") {
			t.Errorf("%s: by %s for %s, %v; want by %s for %s", row.name, by, end, ok, row.by, row.end)
		}
	}
}

// The search finds what going through all terms finds, and each end follows
// from the one before.
func TestEndingAsByHand(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	start := date("2000-01-01")
	for range 3000 {
		s := sched(pick("P1W", "P4W", "P1M", "P3M", "P1Y"), start.AddDays(random.IntN(9000)).String(), 0, "")
		if s.cycle.Unit != tools.Weeks {
			s.anchor = []int{0, 0, 31, 30, 1}[random.IntN(5)]
		}
		if random.IntN(3) == 0 {
			from := s.first.AddDays(random.IntN(900))
			s = resting(s, from.String(), from.AddDays(1+random.IntN(200)).String(), random.IntN(2) == 0)
		}
		terms := agreed(t, "", pick("", "P24M", "P1Y", "P90D", "P6M"), pick("", "P12M", "P1M", "P1D", "P2W"), pick("P14D", "P3M", "P1M", "P6W", "P1D"))
		if random.IntN(3) == 0 {
			terms.from = s.first.AddDays(random.IntN(400) - 200)
		}
		day := s.first.AddDays(random.IntN(2500) - 300)
		by, end, ok := terms.ending(s, day)
		if !ok {
			t.Fatalf("%+v %+v has no end", s, terms)
		}
		want, k := terms.end(s, 0), 0
		for ; terms.noticeBy(want).Before(day); k++ {
			next := terms.end(s, k+1)
			if !next.After(want) {
				t.Fatalf("%+v %+v: term %d ends on %s, the one before on %s", s, terms, k+1, next, want)
			}
			want = next
		}
		if end != want || by != terms.noticeBy(want) || by.Before(day) || by.After(end) {
			t.Fatalf("%+v %+v on %s: by %s for %s, want %s", s, terms, day, by, end, want)
		}
		if _, nearest, ok := terms.nearest(s, day); !ok || nearest.Before(day) || nearest.After(end) {
			t.Fatalf("%+v %+v on %s: the nearest is %s, the one in time %s", s, terms, day, nearest, end)
		}
	}
}

func BenchmarkEnding(b *testing.B) {
	s, terms := sched("P1W", "1900-01-01", 0, ""), agreed(b, "0001-01-01", "P1D", "P1D", "P1D")
	for b.Loop() {
		terms.ending(s, date("2026-03-10"))
	}
}

func TestParsePeriod(t *testing.T) {
	for in, want := range map[string]string{"": "", "P14D": "P14D", "P2W": "P2W", "P24M": "P24M", "P1Y": "P1Y", "P36525D": "P36525D", "P100Y": "P100Y"} {
		if p, err := parsePeriod("notice", in); err != nil || p.String() != want {
			t.Errorf("%q: %s, %v", in, p, err)
		}
	}
	for _, in := range []string{"P", "P0M", "P1", "1M", "P-1M", "P1.5M", "PT1H", "P1Y6M", "P01M", "P1H", "p1m", "3 months", "P101Y", "P1201M", "P36526D", "P5218W", "P99999999999999999999D", " P1M"} {
		if p, err := parsePeriod("notice", in); err == nil {
			t.Errorf("%q is taken as %s", in, p)
		}
	}
}

// texts are values of which all are texts.
type texts map[string]string

func (v texts) GetString(field string) string { return v[field] }
func (texts) GetFloat(string) float64         { return 0 }
func (texts) GetInt(string) int               { return 0 }
func (texts) GetBool(string) bool             { return false }

// Of several fields that are wrong it is always the same that is named.
func TestTheFirstWrongFieldIsNamed(t *testing.T) {
	v := texts{"cycle": "P1M", "min_term": "x", "extension": "x", "notice": "x"}
	for _, field := range []string{"first_date", "ends_on", "trial_from", "trial_ends_on", "decide_by"} {
		v[field] = "x"
	}
	for range 20 {
		if _, err := scheduleOf(v, below{}); err == nil || !strings.Contains(err.Error(), "first_date") {
			t.Fatal(err)
		}
		if _, err := termsOf(v); err == nil || !strings.Contains(err.Error(), "min_term") {
			t.Fatal(err)
		}
	}
}
