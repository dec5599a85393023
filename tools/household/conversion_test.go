package household

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// friday is a home on 27 November 2026, where subscriptions in three currencies
// are due within 30 days.
func friday(t *testing.T) *toolstest.App {
	a := toolstest.NewWith(t, tools.Config{Now: func() time.Time { return time.Date(2026, time.November, 27, 12, 0, 0, 0, time.UTC) }}, Plugin{})
	for currency, amount := range map[string]string{"EUR": "5.00", "USD": "15.99", "JPY": "1000"} {
		add(t, a, "ann", args{"name": "In " + currency, "currency": currency, "amount": amount, "first_date": "2026-12-01"})
	}
	return a
}

// rated stores rates of a day.
func rated(t *testing.T, a *toolstest.App, on string, table map[string]string) {
	t.Helper()
	if err := a.Save(record(t, a.App, rates, map[string]any{"date": on, "rates": table, "source": "ECB"})); err != nil {
		t.Fatal(err)
	}
}

func TestSumsAreConvertedWithShownRates(t *testing.T) {
	a := friday(t)
	rated(t, a, "2026-11-20", map[string]string{"USD": "1.0812", "JPY": "161.64"})
	rated(t, a, "2026-11-28", map[string]string{"USD": "9", "JPY": "9"})
	overview := read[Overview](t, a, "ann", "household_overview", nil)
	// 5.00 EUR, 15.99 USD and 1000 JPY are 25.9757… EUR.
	got := overview.Converted
	if got == nil || got.PerMonth != "25.98" || got.Next30Days != "25.98" || got.Currency != "EUR" || got.On.String() != "2026-11-20" || got.Source != "ECB" || len(got.Missing) != 0 {
		t.Fatalf("%+v", got)
	}
	var said []string
	for _, r := range got.Rates {
		said = append(said, a.Catalogue.Say("de", tools.Text(r.Text)))
	}
	if diff := cmp.Diff([]string{"1 EUR = 161,64 JPY, 20. November 2026, EZB", "1 EUR = 1,0812 USD, 20. November 2026, EZB"}, said); diff != "" {
		t.Error(diff)
	}
	// They stand beside the sums by currency, which they change nothing of.
	if len(overview.Sums) != 3 || overview.Sums[1].PerMonth != "1000" {
		t.Errorf("%+v", overview.Sums)
	}
	yen := read[upcomingOut](t, a, "ann", "household_upcoming", args{"in": "JPY"})
	// 5.00 EUR and 15.99 USD are 3198.7…, and 1000 more.
	if yen.Converted == nil || yen.Converted.Amount != "4199" || yen.Converted.Currency != "JPY" {
		t.Errorf("%+v", yen.Converted)
	}
}

func TestOneCurrencyIsNotConverted(t *testing.T) {
	a := newHome(t)
	add(t, a, "ann", args{"currency": "USD"})
	rated(t, a, day(0), map[string]string{"USD": "1.0812"})
	for in, want := range map[string]string{"": "", "USD": "", "EUR": "14.79"} {
		got := ""
		if out := read[Overview](t, a, "ann", "household_overview", args{"in": in}); out.Converted != nil {
			got = out.Converted.PerMonth
		}
		if got != want {
			t.Errorf("in %q: %q", in, got)
		}
	}
	for _, tool := range []string{"household_overview", "household_upcoming"} {
		if _, err := a.Read(a.As("ann"), tool, args{"in": "usd"}); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", tool, err)
		}
	}
}

func TestOldOrMissingRatesGiveNoFigure(t *testing.T) {
	rows := []struct {
		name, on, latest string
		table            map[string]string
		want             map[string]string // reason by currency
		text             string
	}{
		{"none", "", "", nil, map[string]string{"JPY": rateNone, "USD": rateNone}, "There is no exchange rate of JPY for 27 November 2026: none has been imported for that time."},
		{"of tomorrow only", "2026-11-28", "", map[string]string{"USD": "1.0812", "JPY": "161.64"}, map[string]string{"JPY": rateNone, "USD": rateNone}, ""},
		{"eight days old", "2026-11-19", "2026-11-19", map[string]string{"USD": "1.0812", "JPY": "161.64"}, map[string]string{"JPY": rateOld, "USD": rateOld}, "JPY is not converted for 27 November 2026: the latest exchange rates before it are of 19 November 2026, which is too old."},
		{"one missing", "2026-11-27", "", map[string]string{"USD": "1.0812"}, map[string]string{"JPY": rateUnquoted}, "ECB gives no exchange rate of JPY for 27 November 2026."},
	}
	for _, row := range rows {
		a := friday(t)
		if row.on != "" {
			rated(t, a, row.on, row.table)
		}
		out := read[Overview](t, a, "ann", "household_overview", nil).Converted
		up := read[upcomingOut](t, a, "ann", "household_upcoming", nil).Converted
		if out == nil || up == nil || out.PerMonth != "" || out.Next30Days != "" || up.Amount != "" {
			t.Fatalf("%s: %+v, %+v", row.name, out, up)
		}
		for _, missing := range [][]NoRate{out.Missing, up.Missing} {
			got := map[string]string{}
			for _, m := range missing {
				got[m.Currency] = m.Reason
				if m.Latest.String() != row.latest {
					t.Errorf("%s: the latest are of %s", row.name, m.Latest)
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("%s: %s", row.name, diff)
			}
			if said := a.Catalogue.English(tools.Text(missing[0].Text)); row.text != "" && said != row.text {
				t.Errorf("%s: %s", row.name, said)
			}
		}
	}
}
