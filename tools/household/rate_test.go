package household

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// The four forms of the ECB's files, with invented rates.
const (
	daily    = "Date, USD, JPY, IDR, \n27 November 2026, 1.0812, 161.640, 17420.91, \n"
	history  = "Date,USD,JPY,BGN,CYP,CZK,\n2026-11-27,1.0812,161.64,N/A,N/A,24.4,\n2026-11-26,1.08,161,N/A,N/A,24.31,\n2007-12-31,1.4721,164.93,1.9558,0.585274,26.628,\n"
	dailyXML = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-11-27'>
			<Cube currency='USD' rate='1.0812'/>
			<Cube currency='JPY' rate='161.64'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`
	manyXML = `<?xml version="1.0" encoding="ISO-8859-1"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><Cube><Cube time="2026-11-27"><Cube currency="USD" rate="1.0812"/><Cube currency="CYP" rate="0.5"/></Cube><Cube time="2026-11-26"><Cube currency="USD" rate="1.0800"/></Cube></Cube></gesmes:Envelope>`
)

func TestReadRates(t *testing.T) {
	today, _ := tools.ParseDate("2026-11-27")
	type days map[string]map[string]string
	rows := []struct {
		name, text string
		want       days
		unknown    []string
	}{
		{"daily CSV", daily, days{"2026-11-27": {"USD": "1.0812", "JPY": "161.64", "IDR": "17420.91"}}, nil},
		{"with a BOM and CRLF", "\ufeff" + strings.ReplaceAll(daily, "\n", "\r\n"), days{"2026-11-27": {"USD": "1.0812", "JPY": "161.64", "IDR": "17420.91"}}, nil},
		{"history CSV", history, days{
			"2026-11-27": {"USD": "1.0812", "JPY": "161.64", "CZK": "24.4"}, "2026-11-26": {"USD": "1.08", "JPY": "161", "CZK": "24.31"},
			"2007-12-31": {"USD": "1.4721", "JPY": "164.93", "BGN": "1.9558", "CZK": "26.628"},
		}, []string{"CYP"}},
		{"without the last comma", "Date,USD\n2026-11-27,1.0812", days{"2026-11-27": {"USD": "1.0812"}}, nil},
		{"a day of gaps", "Date,USD,\n2026-11-27,N/A,\n2026-11-26,1.08,\n", days{"2026-11-26": {"USD": "1.08"}}, nil},
		{"daily XML", dailyXML, days{"2026-11-27": {"USD": "1.0812", "JPY": "161.64"}}, nil},
		{"XML of many days", manyXML, days{"2026-11-27": {"USD": "1.0812"}, "2026-11-26": {"USD": "1.08"}}, []string{"CYP"}},
	}
	for _, row := range rows {
		f, err := readRates(row.text, today)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		got := days{}
		for _, d := range f.days {
			got[d.date.String()] = d.rates
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
		if diff := cmp.Diff(row.unknown, slices.Sorted(maps.Keys(f.unknown))); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
		if !slices.IsSortedFunc(f.days, func(a, b rateDay) int { return b.date.Compare(a.date) }) {
			t.Errorf("%s: not newest first", row.name)
		}
	}
}

func TestPlainRate(t *testing.T) {
	for s, want := range map[string]string{
		"1.0812": "1.0812", "161.640": "161.64", "01.0": "1", "100000000": "", "99999999.9": "99999999.9", "0.000001": "0.000001", "0.0000001": "",
		"00.50": "0.5", "0": "", "0.0": "", "-1": "", "+1": "", "1e3": "", "1.": "", ".5": "", "": "", "1,08": "", "NaN": "", "1/2": "", "1 ": "", "0x1": "", "1.1.1": "",
		strings.Repeat("9", 25): "", "1." + strings.Repeat("1", 23): "",
	} {
		got, err := plainRate(s)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", s, got, err)
		}
	}
}

// operatorAt is a home on 27 November 2026 with ann as its operator.
func operatorAt(t *testing.T) *toolstest.App {
	t.Helper()
	a := toolstest.NewWith(t, tools.Config{Now: func() time.Time { return time.Date(2026, time.November, 27, 12, 0, 0, 0, time.UTC) }}, Plugin{})
	operator(t, a, "ann")
	return a
}

func TestRateImport(t *testing.T) {
	a := operatorAt(t)
	if got := title(t, a, "ann", "household_rate_import", args{"file": history}); got != "Import the ECB's exchange rates of 3 days, 31 December 2007 to 27 November 2026" {
		t.Error(got)
	}
	out, receipt := apply[ImportedRates](t, a, "ann", "household_rate_import", args{"file": history})
	date := func(s string) tools.Date { d, _ := tools.ParseDate(s); return d }
	want := ImportedRates{First: date("2007-12-31"), Last: date("2026-11-27"), Added: 3, Currencies: []string{"CZK", "JPY", "USD"}, Skipped: []string{"CYP"}}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	stored := dump(t, a)
	if len(stored) != 3 {
		t.Fatalf("%d are stored", len(stored))
	}
	// The same again, in the other forms too, changes nothing.
	for _, in := range []args{{"file": history}, {"file": dailyXML}, {"file": "Date, USD, \n27 November 2026, 1.08120, \n"}} {
		out, _ := apply[ImportedRates](t, a, "ann", "household_rate_import", in)
		if out.Added+out.Changed != 0 || out.Unchanged == 0 {
			t.Errorf("%+v", out)
		}
	}
	if diff := cmp.Diff(stored, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	// A correction holds; what the file does not name stays.
	corrected := args{"file": "Date, USD, \n27 November 2026, 1.0813, \n"}
	p, err := a.Preview(a.As("ann"), "household_rate_import", corrected)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Catalogue.English(p.Items[0].Card.Lines[0]); got != "One day stands with other rates, which the file corrects." {
		t.Error(got)
	}
	out, fix := apply[ImportedRates](t, a, "ann", "household_rate_import", corrected)
	if out.Changed != 1 || out.Added != 0 || out.First != out.Last {
		t.Errorf("%+v", out)
	}
	list := read[rateListOut](t, a, "bob", "household_rate_list", args{"limit": 1})
	if diff := cmp.Diff([]Rates{{date("2026-11-27"), "ECB", map[string]string{"USD": "1.0813", "JPY": "161.64", "CZK": "24.4"}}}, list.Items); diff != "" || list.Next == "" {
		t.Error(diff, list.Next)
	}
	if _, err := a.Undo(a.As("ann"), fix.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
		t.Fatal(err)
	}
	if left := dump(t, a); len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}

func TestRateImportTakesTheNewest(t *testing.T) {
	a := operatorAt(t)
	today, _ := tools.ParseDate("2026-11-27")
	long := args{"file": manyDays(today, maxRateDays+5)}
	out, _ := apply[ImportedRates](t, a, "ann", "household_rate_import", long)
	if out.Added != maxRateDays || out.LeftOut != 5 || out.Last != today || out.First != today.AddDays(1-maxRateDays) {
		t.Errorf("%+v", out)
	}
	if out, _ = apply[ImportedRates](t, a, "ann", "household_rate_import", long); out.Added != 5 || out.Unchanged != maxRateDays || out.LeftOut != 0 {
		t.Errorf("%+v", out)
	}
	b := operatorAt(t)
	long["from"] = "2026-11-25"
	if out, _ = apply[ImportedRates](t, b, "ann", "household_rate_import", long); out.Added != 3 || out.LeftOut != 0 || out.First.String() != "2026-11-25" {
		t.Errorf("%+v", out)
	}
}

func TestOnlyAnOperatorImportsRates(t *testing.T) {
	a := operatorAt(t)
	if _, err := a.Apply(a.As("bob"), "household_rate_import", args{"file": daily}); tools.KindOf(err) != tools.Forbidden {
		t.Errorf("%v", err)
	}
	if left := dump(t, a); len(left) != 0 {
		t.Errorf("%d are stored", len(left))
	}
}

func TestRateList(t *testing.T) {
	a := operatorAt(t)
	apply[ImportedRates](t, a, "ann", "household_rate_import", args{"file": history})
	rows := []struct {
		in   args
		want []string
	}{
		{args{}, []string{"2026-11-27", "2026-11-26", "2007-12-31"}},
		{args{"currency": "BGN"}, []string{"2007-12-31"}},
		{args{"currency": "KWD"}, nil},
		{args{"currency": "USD", "from": "2007-12-31", "to": "2026-11-26"}, []string{"2026-11-26", "2007-12-31"}},
		{args{"from": "2026-11-27"}, []string{"2026-11-27"}},
	}
	for _, row := range rows {
		var got []string
		for _, item := range read[rateListOut](t, a, "bob", "household_rate_list", row.in).Items {
			got = append(got, item.Date.String())
			if row.in["currency"] != nil && len(item.Rates) != 1 {
				t.Errorf("%v: %v", row.in, item.Rates)
			}
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%v: %s", row.in, diff)
		}
	}
	for _, in := range []args{{"currency": "usd"}, {"from": "x"}, {"from": "2026-11-27", "to": "2026-11-26"}, {"limit": 201}, {"cursor": "x"}} {
		if _, err := a.Read(a.As("bob"), "household_rate_list", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%v: %v", in, err)
		}
	}
}
