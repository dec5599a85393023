package reader

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// FuzzRead must not panic, must end, and must not make up money: what is found
// has amounts that can be stored and lines that are in the file.
func FuzzRead(f *testing.F) {
	names, err := filepath.Glob("testdata/*.csv")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 4000)])
	}
	entries := household()
	for _, b := range banks() {
		f.Add(b.write(entries[:12]))
	}
	for _, s := range []string{"sep=;\n", "\"", ",\"\n\"\"\"", "Date,Name,Amount\n1/1/1,\"\n", "\xff\xfeD\x00", "=\"\"", "Datum;Name;Betrag\n01.01.26;;-\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for _, answers := range []map[string]string{nil, {"date_order": "DMY", "currency": "EUR", "sign": "positive", "decimal": "."}} {
			review, err := Read(ctx, File{Name: "fuzz", Data: data, Today: tools.Date{Year: 2026, Month: 11, Day: 1}}, answers)
			if err != nil {
				if tools.KindOf(err) == tools.Internal {
					t.Fatal(err)
				}
				continue
			}
			for _, s := range review.Subscriptions {
				if m, err := tools.ParseMoney(s.Amount, s.Currency); err != nil || m.Minor < 0 {
					t.Errorf("amount %q %s: %v", s.Amount, s.Currency, err)
				}
				if n := utf8.RuneCountInString(s.Merchant); n == 0 || n > maxTitle || strings.TrimSpace(s.Merchant) != s.Merchant || strings.ContainsFunc(s.Merchant, unicode.IsControl) {
					t.Errorf("merchant %q", s.Merchant)
				}
				if s.Confidence < 0 || s.Confidence > 1 || s.LastDate.Before(s.FirstDate) || s.Active && !s.NextDate.After(s.LastDate) {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}
