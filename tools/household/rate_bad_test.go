package household

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// A file that is not what it should be is refused whole, by line and field.
func TestBadRateFiles(t *testing.T) {
	a := operatorAt(t)
	apply[ImportedRates](t, a, "ann", "household_rate_import", args{"file": "Date, USD, \n20 November 2026, 1.0812, \n"})
	before := dump(t, a)
	row := func(cells string) string { return "Date,USD,JPY,\n2026-11-26,1.08,161,\n" + cells + "\n" }
	cube := func(inner string) string { return "<Envelope><Cube>" + inner + "</Cube></Envelope>" }
	rows := []struct{ file, key string }{
		{"", "empty"},
		{" \n", "empty"},
		{"\ufeff", "empty"},
		{"PK\x03\x04rest", "rate_zip"},
		{"<!DOCTYPE html><html>", "rate_page"},
		{"<HTML><body>Moved</body>", "rate_page"},
		{"Buchungstag;Betrag\n", "rate_file"},
		{"dates are sweet", "rate_file"},
		{"Date;USD;\n", "rate_file"},
		{"Date\n2026-11-27\n", "rate_file"},
		{"Date,USD,JPY,\n", "rate_none"},
		{"Date,CYP,\n2026-11-27,0.5,\n", "rate_none"},
		{row("2026-11-27,N/A"), "rate_cells"},
		{"<a/>", "rate_none"},
		{"Date,USD,\"JPY\n2026-11-27,1,1,", "rate_broken"},
		{row("2026-11-27,1.0\"8,161,"), "rate_broken"},
		{row("2026-11-27,1.08,161"), "rate_cells"},
		{row("2026-11-27,1.08,161,2,"), "rate_cells"},
		{row("2026-11-27"), "rate_cells"},
		{row("27.11.2026,1.08,161,"), "rate_date"},
		{row("2026-02-30,1.08,161,"), "rate_date"},
		{row(",1.08,161,"), "rate_date"},
		{row("2026-11-28,1.08,161,"), "rate_range"},
		{row("1998-12-31,1.08,161,"), "rate_range"},
		{row("9999-01-01,1.08,161,"), "rate_range"},
		{row("2026-11-26,1.08,161,"), "rate_twice"},
		{row("26 November 2026,1.08,161,"), "rate_twice"},
		{"Date,USD,usd,\n", "rate_currency"},
		{"Date,EUR,\n", "rate_currency"},
		{"Date,,USD,\n", "rate_currency"},
		{"Date,USD,JPY,USD,\n", "rate_currency_twice"},
		{row("2026-11-27,0,161,"), "rate_value"},
		{row("2026-11-27,-1.08,161,"), "rate_value"},
		{row("2026-11-27,1e9,161,"), "rate_value"},
		{row("2026-11-27,999999999,161,"), "rate_value"},
		{row("2026-11-27,0.00000001,161,"), "rate_value"},
		{row(`2026-11-27,"1,08",161,`), "rate_value"},
		{row("2026-11-27,1.08,x,"), "rate_value"},
		{cube(`<Cube currency="USD" rate="1"/>`), "rate_date"},
		{cube(`<Cube time="x"/>`), "rate_date"},
		{cube(`<Cube time="2026-11-27"><Cube currency="USD"/></Cube>`), "rate_value"},
		{cube(`<Cube time="2026-11-27"><Cube currency="US" rate="1"/></Cube>`), "rate_currency"},
		{cube(`<Cube time="2026-11-27"><Cube currency="USD" rate="1"/><Cube currency="USD" rate="2"/></Cube>`), "rate_currency_twice"},
		{cube(`<Cube time="2026-11-27"/><Cube time="2026-11-27"/>`), "rate_twice"},
		{cube(`<Cube time="2026-11-28"/>`), "rate_range"},
		{`<Envelope><Cube><Cube time="2026-11-27"><Cube currency="USD" rate="1.0`, "rate_broken"},
		{`<Envelope><Cube><Cube time="2026-11-27"><Cube currency="USD" rate="1.08"/>`, "rate_broken"},
		{`<!DOCTYPE a [<!ENTITY b "c">]>` + cube(`<Cube time="&b;"/>`), "rate_broken"},
	}
	for _, row := range rows {
		_, err := a.Apply(a.As("ann"), "household_rate_import", args{"file": row.file})
		told, is := errors.AsType[*tools.Error](err)
		if !is || told.Kind != tools.Invalid || told.Text.Key != "household.error."+row.key {
			t.Errorf("%q: %v", row.file, err)
		}
	}
	_, err := a.Apply(a.As("ann"), "household_rate_import", args{"file": row("2026-11-27,1.08,0,")})
	if err == nil || !strings.HasPrefix(err.Error(), `file, line 3, JPY: "0" is no rate.`) {
		t.Errorf("%v", err)
	}
	if _, err := a.Apply(a.As("ann"), "household_rate_import", args{"file": daily + strings.Repeat(" ", 10<<20)}); tools.KindOf(err) != tools.TooLarge {
		t.Errorf("10 MB: %v", err)
	}
	for _, in := range []args{{"file": daily, "from": "2026-11-28"}, {"file": daily, "from": "x"}, {}} {
		if _, err := a.Apply(a.As("ann"), "household_rate_import", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%v: %v", in, err)
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// Whatever is read has days that can be and rates that are rates.
func FuzzReadRates(f *testing.F) {
	for _, seed := range []string{daily, history, dailyXML, manyXML, "", "Date", "<", "PK\x03\x04", "Date,USD,\n2026-11-27,1,\n\n"} {
		f.Add(seed)
	}
	today, _ := tools.ParseDate("2026-11-27")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := readRates(text, today)
		if err != nil {
			if tools.KindOf(err) != tools.Invalid {
				t.Errorf("%v", err)
			}
			return
		}
		seen := map[tools.Date]bool{}
		for _, d := range file.days {
			if seen[d.date] || d.date.After(today) || d.date.Year < rateYear || len(d.rates) == 0 {
				t.Errorf("%v", d)
			}
			seen[d.date] = true
			for currency, rate := range d.rates {
				_, ok := tools.CurrencyDigits(currency)
				if _, err := parseRate(rate); err != nil || !ok || currency == euro {
					t.Errorf("%s %s", currency, rate)
				}
			}
		}
	})
}
