package household

import (
	"encoding/csv"
	"encoding/json/v2"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// parts reads an export to its end.
func parts(tb testing.TB, a *toolstest.App, who string, in args) []Exported {
	tb.Helper()
	var all []Exported
	for cursor := ""; len(all) < 1000; {
		in := maps.Clone(in)
		if in == nil {
			in = args{}
		}
		in["cursor"] = cursor
		out := read[Exported](tb, a, who, "household_export", in)
		all = append(all, out)
		if cursor = out.Next; cursor == "" {
			return all
		}
	}
	tb.Fatal("an export has no end")
	return nil
}

// exportOf is a whole export as JSON: lists in parts are put together.
func exportOf(tb testing.TB, a *toolstest.App, who string) string {
	tb.Helper()
	whole := map[string]any{}
	for _, p := range parts(tb, a, who, nil) {
		for key, v := range p.Household {
			list, is := v.([]map[string]any)
			if before, more := whole[key].([]map[string]any); is && more {
				v = append(before, list...)
			}
			whole[key] = v
		}
	}
	b, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// kept is why a collection of the household does not leave.
func kept() map[string]string {
	return map[string]string{reminders: "what was said to whom is each person's own, and would be said again in the new place as it was in the old"}
}

// TestExportHasEveryField fills every field of every collection, so that none
// is forgotten when there are more.
func TestExportHasEveryField(t *testing.T) {
	a := newHome(t)
	cols, err := a.FindAllCollections(core.CollectionTypeBase)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for i, col := range cols {
		if !strings.HasPrefix(col.Name, "household_") || kept()[col.Name] != "" {
			continue
		}
		rec := core.NewRecord(col)
		rec.Set("id", fmt.Sprintf("record%09d", i))
		for _, f := range col.Fields {
			var v any
			switch f := f.(type) {
			case *core.TextField, *core.URLField:
				v = "x"
			case *core.SelectField:
				v = f.Values[0]
			case *core.NumberField:
				v = 1
			case *core.BoolField:
				v = true
			case *core.JSONField:
				v = []string{"x"}
			case *core.FileField:
				if v, err = filesystem.NewFileFromBytes([]byte(png), "x.png"); err != nil {
					t.Fatal(err)
				}
			case *core.RelationField:
				if v = "record" + fmt.Sprintf("%09d", slices.IndexFunc(cols, func(c *core.Collection) bool { return c.Id == f.CollectionId })); f.CollectionId == accounts {
					v = a.Member("ann").Id
				}
			case *core.AutodateField:
				continue // tells of the instance
			default:
				t.Errorf("%s.%s is a %s: say what becomes of it", col.Name, f.GetName(), f.Type())
				continue
			}
			if f.GetName() != "id" && f.GetName() != "merged_into" { // a merge is done: see exported
				rec.Set(f.GetName(), v)
				want[col.Name] = append(want[col.Name], f.GetName())
			}
		}
		if err := a.SaveNoValidate(rec); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string][]string{}
	lost := parts(t, a, "ann", nil)[0]
	for _, table := range exportTables() {
		rec, _ := lost.Household[table.key].(map[string]any)
		if list, is := lost.Household[table.key].([]map[string]any); is {
			rec = list[0]
		}
		for name := range rec {
			if name != "id" {
				got[table.collection] = append(got[table.collection], name)
			}
		}
	}
	sorted := cmp.Transformer("sorted", func(in []string) []string { return slices.Sorted(slices.Values(in)) })
	if diff := cmp.Diff(want, got, sorted); diff != "" {
		t.Errorf("not everything leaves: put it into exportTables, or say in kept why not: %s", diff)
	}
}

// TestCellsRunNothing: what is written can be read back, and no spreadsheet
// takes it for a formula, wherever it cuts.
func TestCellsRunNothing(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"Netflix":            "Netflix",
		"=1+1":               "'=1+1",
		"+49 30 1234":        "'+49 30 1234",
		"-5":                 "-5",
		"-5.25":              "-5.25",
		"-5+1":               "'-5+1",
		"-5\n":               "'-5\n",
		"-":                  "'-",
		"@SUM(A1)":           "'@SUM(A1)",
		"\t=1":               "'\t'=1",
		"\r=1":               "'\r'=1",
		"\n=1":               "'\n'=1",
		"  =1":               "'  =1",
		"\u00a0\u200b=1":     "'\u00a0\u200b=1",
		`"=1"`:               `'"=1"`,
		`“=1`:                `'“=1`,
		"＝1":                 "'＝1",
		"＋1":                 "'＋1",
		"－1":                 "'－1",
		"＠A1":                "'＠A1",
		"﹢1":                 "'﹢1",
		"﹣1":                 "'﹣1",
		"﹦1":                 "'﹦1",
		"﹫A1":                "'﹫A1",
		"−1":                 "'−1",
		"'=1":                "''=1",
		"'quoted'":           "''quoted'",
		"' =1":               "'' =1",
		"two\nlines":         "two\nlines",
		"two\n\nparagraphs":  "two\n\nparagraphs",
		"a\n=1":              "a\n'=1",
		"a\r\n-1":            "a\r\n'-1",
		"a;=1":               "a;'=1",
		"a; =1":              "a;' =1",
		"a;'b":               "a;''b",
		"a\t@b":              "a\t'@b",
		"a = b; c - d":       "a = b; c - d",
		"a,=1":               "a,=1",
		"E-Mail a@b.example": "E-Mail a@b.example",
		"2026-01-31":         "2026-01-31",
		"\x00=1":             "'\x00=1",
		"\ufeff=1":           "'\ufeff=1",
	} {
		got := text(in)
		if got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if back := written(got); back != in {
			t.Errorf("%q came back as %q", in, back)
		}
	}
}

// written takes away the signs that text has put.
func written(s string) string {
	var b strings.Builder
	begins := true
	for _, r := range s {
		if !begins || r != '\'' {
			b.WriteRune(r)
		}
		begins = strings.ContainsRune("\n\r\t;", r)
	}
	return b.String()
}

func FuzzCells(f *testing.F) {
	f.Add("'=1;\t'@\n")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		if back := written(text(s)); back != s {
			t.Errorf("%q came back as %q", s, back)
		}
		if belowZero.MatchString(s) {
			return
		}
		for _, cut := range strings.FieldsFunc(text(s), func(r rune) bool { return strings.ContainsRune("\n\r\t;", r) }) {
			if strings.ContainsAny(strings.TrimSpace(cut)[:min(1, len(strings.TrimSpace(cut)))], "=+-@") {
				t.Errorf("%q is run", cut)
			}
		}
	})
}

func TestExportCSV(t *testing.T) {
	a := newHome(t)
	rich(t, a)
	tables := map[string][]map[string]string{}
	for _, p := range parts(t, a, "ann", args{"format": "csv"}) {
		for _, f := range p.Files {
			if !strings.HasPrefix(f.Content, "\ufeff") || !strings.HasSuffix(f.Content, "\r\n") {
				t.Errorf("%s: %q", f.Name, f.Content)
			}
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(f.Content, "\ufeff"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows[1:] {
				rec := map[string]string{}
				for i, name := range rows[0] {
					rec[name] = row[i]
				}
				tables[f.Name] = append(tables[f.Name], rec)
			}
		}
	}
	pick := func(table, field, value string, fields ...string) (got []string) {
		for _, rec := range tables[table] {
			if rec[field] == value {
				for _, f := range fields {
					got = append(got, rec[f])
				}
			}
		}
		return got
	}
	for _, row := range []struct {
		got  []string
		want string
	}{
		{pick("subscriptions.csv", "name", "'=cmd|' /C calc'!A0", "amount", "currency", "category_name", "tags", "private", "owner", "anchor_day", "remind_days"), "1500|JPY|'+Music|'@home, fun|false|ann||-1"},
		{pick("subscriptions.csv", "name", "Spotify", "replaces_name", "payment_method_name", "notes", "logo"), "Deezer|Visa|a\n'=b\n\nc;'-d|spotify_logo.png"},
		{pick("prices.csv", "subscription_name", "Spotify", "from", "amount", "currency"), "2025-01-31|9.99|EUR|2025-06-30|10.99|EUR"},
		{pick("shares.csv", "subscription_name", "Spotify", "member", "person", "weight", "fixed"), "ann||2|0.00|bob||1|0.00||Oma||1.50"},
		{pick("charges.csv", "subscription_name", "Gym", "date", "amount", "currency", "state", "text"), "2025-01-31|4.500|KWD||'-GYM|2025-02-28|0.000|KWD|skipped|"},
		{pick("settings.csv", "currency", "EUR", "time_zone", "remind_hour"), "Europe/Berlin|8"},
		{pick("rates.csv", "date", "2025-01-31", "rates"), "CHF 0.9321, USD 1.085"},
	} {
		if got := strings.Join(row.got, "|"); got != row.want {
			t.Errorf("%s, want %s", got, row.want)
		}
	}
	if out := fmt.Sprint(tables); strings.Contains(out, "Secret of bob") || !strings.Contains(out, "Secret of ann") {
		t.Error("what is private is not where it belongs")
	}
}

// TestExportWithoutALogo: a picture that went missing keeps nothing else back,
// and is told.
func TestExportWithoutALogo(t *testing.T) {
	a := newHome(t)
	ids := rich(t, a)
	rec, err := a.FindRecordById(subscriptions, ids["spotify"])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(a.DataDir(), "storage", rec.BaseFilesPath(), rec.GetString("logo"))); err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"ann", "bob"} {
		out := parts(t, a, who, nil)[0]
		if diff := cmp.Diff([]string{"Spotify"}, out.Lost); diff != "" || strings.Contains(exportOf(t, a, who), "logo") {
			t.Error(diff)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	a := newHome(t)
	rich(t, a)
	before := dump(t, a)
	for _, in := range []args{
		{"format": "xml"}, {"limit": -1}, {"limit": maxExported + 1}, {"cursor": "x"}, {"cursor": "W10"}, {"cursor": mark{"reminders", "", ""}.cursor()}, {"format": ""},
	} {
		if _, err := a.Read(a.As("ann"), "household_export", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%v: %v", in, err)
		}
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
