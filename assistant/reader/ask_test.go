package reader

import (
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// TestDecimalQuestion asks where each amount has one mark before three digits,
// unless something else tells what it is.
func TestDecimalQuestion(t *testing.T) {
	for _, c := range []struct {
		name, head, rows string // a row is what stands behind date and name
		household        string
		out              string // "" where it is asked
	}{
		{"dots alone", "Amount (EUR)", "-9.999|-9.999|-9.999", "", ""},
		{"commas alone", "Amount (EUR)", "-9,999|-1,500", "", ""},
		{"both marks", "Amount (EUR)", "-9,999|-1.500", "", ""},
		{"long numbers without mark", "Amount (EUR)", "-9.999|-1500", "", ""},
		{"short numbers without mark", "Amount (EUR)", "-9.999|-150", "", "10149.00"},
		{"a number that begins with zero", "Amount (EUR)", "-9.990|-0.500", "", "10.49"},
		{"four digits before the mark", "Amount (EUR)", "-9.990|-1500.000", "", "1509.99"},
		{"thousands elsewhere", "Amount (EUR)", "-9.999|-1.234.567", "", "1244566.00"},
		{"a currency of three places", "Amount (KWD)", "-9.999|-1.500", "", "11.499"},
		{"a household of three places", "Amount", "-9.999|-1.500", "TND", "11.499"},
		{"a currency of none", "Amount (JPY)", "-9.999|-1.500", "", "11499"},
		{"balances with two places", "Amount (EUR);Balance", "-9.999;10,50|-1.500;1,00", "", "11499.00"},
		{"balances that add up to thousands", "Amount (EUR);Balance", "-9.999;20.000|-1.500;18500", "", "11499.00"},
		{"balances that add up to a fraction", "Amount (EUR);Balance", "-9.999;20000|-1.500;19998.500", "", "11.50"},
		{"balances that add up either way", "Amount (EUR);Balance", "-9.999;20.000|-1.500;18.500", "", ""},
	} {
		text := "Date;Name;" + c.head + "\n"
		for i, r := range strings.Split(c.rows, "|") {
			text += fmt.Sprintf("2026-03-%02d;A;%s\n", 10+i, r)
		}
		file := File{Data: []byte(text), Currency: c.household}
		review, err := Read(t.Context(), file, nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if c.out != "" {
			if len(review.Questions) > 0 || review.Parsed.SumOut != c.out {
				t.Errorf("%s: asks %v, out %s; want %s", c.name, review.Questions, review.Parsed.SumOut, c.out)
			}
			continue
		}
		if len(review.Questions) != 1 || review.Questions[0].ID != "decimal" || !cmp.Equal(review.Questions[0].Choices, []string{".", ","}) {
			t.Errorf("%s: asks %v", c.name, review.Questions)
		}
		if review.Parsed.SumOut != "" || strings.Contains(review.Format, "234") || len(review.Subscriptions) > 0 {
			t.Errorf("%s: claims %q, %s, %v", c.name, review.Parsed.SumOut, review.Format, review.Subscriptions)
		}
	}
	const file = "Date;Name;Amount (EUR)\n2026-03-01;A;-9.999\n2026-03-02;A;-1.500\n"
	question := read(t, file, nil).Questions[0].Text
	if diff := cmp.Diff([]any{"-9.999", "10", "9999"}, question.Args); diff != "" {
		t.Error(diff)
	}
	for choice, out := range map[string]string{".": "11.50", ",": "11499.00"} {
		if r := read(t, file, map[string]string{"decimal": choice}); len(r.Questions) > 0 || r.Parsed.SumOut != out {
			t.Errorf("%s: %s, want %s; asks %v", choice, r.Parsed.SumOut, out, r.Questions)
		}
	}
	if e := failure(t, []byte(strings.ReplaceAll(file, "1.500", "1.50")), map[string]string{"decimal": ","}); e.Text.Key != "reader.answer.against" {
		t.Errorf("against the file: %v", e)
	}
	if e := failure(t, []byte(file), map[string]string{"decimal": "'"}); e.Text.Key != "reader.answer.choice" {
		t.Errorf("no choice: %v", e)
	}
}

// TestDateQuestion asks about a date of the file, offers what fits each row, and
// claims no order before it is known.
func TestDateQuestion(t *testing.T) {
	asks := func(dates ...string) (tools.Review, string) {
		text := "Date,Name,Amount (EUR)\n"
		for _, d := range dates {
			text += d + ",A,-1.00\n"
		}
		return read(t, text, nil), text
	}
	review, text := asks("03/03/2026", "05/04/2026", "04/06/2026", "01/01/2026")
	if len(review.Questions) != 1 {
		t.Fatalf("asks %v", review.Questions)
	}
	want := tools.T("reader.question.date_order", "05/04/2026",
		tools.T("reader.date_as", tools.Date{Year: 2026, Month: 4, Day: 5}, "DMY"), tools.T("reader.date_as", tools.Date{Year: 2026, Month: 5, Day: 4}, "MDY"))
	if diff := cmp.Diff(want, review.Questions[0].Text); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(review.Format, "DMY") {
		t.Errorf("format %s", review.Format)
	}
	for answer, key := range map[string]string{"YMD": "reader.answer.against", "XYZ": "reader.answer.choice"} {
		e := failure(t, []byte(text), map[string]string{"date_order": answer})
		if e.Text.Key != key || strings.Contains(fmt.Sprint(e.Text.Args[2]), "YMD") {
			t.Errorf("%s: %v %v", answer, e.Text.Key, e.Text.Args)
		}
	}
	if review, _ := asks("05/04/06", "07/08/09", "04/02/10", "03/01/02"); len(review.Questions) != 1 || review.Questions[0].Text.Key != "reader.question.date_order_of_three" || len(review.Questions[0].Choices) != 3 {
		t.Errorf("two-digit years: asks %v", review.Questions)
	}
	if review, _ := asks("05/05/2026", "03/03/2026", "06/06/2026"); len(review.Questions) > 0 || review.Parsed.FirstDate.String() != "2026-03-03" {
		t.Errorf("dates that are one in each order: asks %v", review.Questions)
	}
}

// TestHeaderWords shows the words of the file.
func TestHeaderWords(t *testing.T) {
	e := failure(t, []byte("Datum;Empfänger;Betrag (€)\n"), nil)
	if got := fmt.Sprint(e.Text.Args); got != "[Datum, Empfänger, Betrag (€)]" {
		t.Errorf("header only: %s", got)
	}
	e = failure(t, []byte("Datum;Empfänger;Größe\n01.02.2026;A;B\n02.02.2026;C;D\n"), nil)
	if got := fmt.Sprint(e.Text.Args); !strings.Contains(got, "Empfänger, Größe") {
		t.Errorf("no amounts: %s", got)
	}
}

// TestCurrencies says that sums leave out the rows of other currencies.
func TestCurrencies(t *testing.T) {
	r := read(t, "Date,Name,Amount,Currency\n2026-01-02,A,-1.00,EUR\n2026-01-03,B,-5.00,EUR\n2026-01-04,C,-7.00,USD\n", nil)
	found := false
	for _, s := range r.Skipped {
		found = found || s.Reason.Key == "reader.skipped.currencies" && fmt.Sprint(s.Reason.Args) == "[1 EUR]"
	}
	if r.Parsed.SumOut != "6.00" || r.Parsed.Transactions != 3 || !found {
		t.Errorf("%+v, %v", r.Parsed, r.Skipped)
	}
}

// TestNoNull writes reviews as JSON: a list of none is a list.
func TestNoNull(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.csv")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		review, err := Read(t.Context(), File{Data: data}, nil)
		if err != nil {
			continue
		}
		b, err := json.Marshal(review)
		if err != nil || strings.Contains(string(b), "null") {
			t.Errorf("%s: %v %s", name, err, b)
		}
		for _, s := range review.Subscriptions {
			if s.Prices == nil || s.Evidence == nil {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if review.Subscriptions == nil || review.Skipped == nil || review.Duplicates == nil || review.Questions == nil {
			t.Errorf("%s: a list is nil", name)
		}
	}
}

// TestUnknownCurrency: a row that names a currency nobody knows is left out
// with a reason; it is not the household's.
func TestUnknownCurrency(t *testing.T) {
	file := "Date;Text;Amount;Currency\n"
	for m := range 6 {
		file += fmt.Sprintf("2025-%02d-05;OLDSTREAM;-59.00;HRK\n2025-%02d-07;NETFLIX;-15.99;EUR\n", m+1, m+1)
	}
	review, err := Read(t.Context(), File{Name: "f.csv", Data: []byte(file), Currency: "EUR", Today: tools.Date{Year: 2025, Month: 7, Day: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if review.Parsed.Transactions != 6 || review.Parsed.SumOut != "95.94" || len(review.Subscriptions) != 1 {
		t.Errorf("%+v", review.Parsed)
	}
	left := 0
	for _, s := range review.Skipped {
		if s.Reason.Key == "reader.skipped.currency" {
			left++
		}
	}
	if left != 6 {
		t.Errorf("%d rows are said to be left out", left)
	}
}
