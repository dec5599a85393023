package tools

import (
	"math"
	"strings"
	"testing"
)

func TestParseMoney(t *testing.T) {
	rows := []struct {
		amount, currency string
		minor            int64
	}{
		{"15.99", "EUR", 1599},
		{"15.9", "EUR", 1590},
		{"15", "EUR", 1500},
		{"0", "EUR", 0},
		{"0.01", "EUR", 1},
		{"-3.000", "EUR", -300},
		{"007.50", "EUR", 750},
		{"15.990", "EUR", 1599},
		{"500", "JPY", 500},
		{"500.00", "JPY", 500},
		{"1.234", "KWD", 1234},
		{"1.5", "TND", 1500},
		{"1.2345", "CLF", 12345},
		{"90071992547409.91", "EUR", MaxMinor},
		{"9007199254740991", "JPY", MaxMinor},
		{"-90071992547409.91", "EUR", -MaxMinor},
		{"-0", "EUR", 0},
	}
	for _, row := range rows {
		m, err := ParseMoney(row.amount, row.currency)
		if err != nil || m != (Money{row.minor, row.currency}) {
			t.Errorf("%s %s is read as %v, %v; want %d", row.amount, row.currency, m, err, row.minor)
		}
	}
	bad := [][2]string{
		{"", "EUR"},
		{"-", "EUR"},
		{".5", "EUR"},
		{"1.", "EUR"},
		{"1,50", "EUR"},
		{"1,000.00", "EUR"},
		{"1 000", "EUR"},
		{"+1", "EUR"},
		{"--1", "EUR"},
		{"1.2.3", "EUR"},
		{"1e3", "EUR"},
		{"0x10", "EUR"},
		{"NaN", "EUR"},
		{"Inf", "EUR"},
		{"١", "EUR"},
		{" 1", "EUR"},
		{"1 EUR", "EUR"},
		{"€1", "EUR"},
		{"1.999", "EUR"},
		{"0.001", "EUR"},
		{"1.5", "JPY"},
		{"1.2345", "KWD"},
		{"90071992547409.92", "EUR"},
		{"1000000000000000000", "EUR"},
		{"9007199254740992", "JPY"},
		{strings.Repeat("9", 400), "EUR"},
		{"1", "eur"},
		{"1", "ABC"},
		{"1", ""},
		{"1", "EU"},
		{"1", "EURO"},
		{"1", "UR "},
		{"1", "F C"},
	}
	for _, row := range bad {
		if m, err := ParseMoney(row[0], row[1]); err == nil || m != (Money{}) {
			t.Errorf("%q %q is read as %v", row[0], row[1], m)
		} else if len(err.Error()) > 200 {
			t.Errorf("the error has %d characters", len(err.Error()))
		}
	}
}

func TestDecimal(t *testing.T) {
	rows := []struct {
		money Money
		want  string
	}{
		{Money{1599, "EUR"}, "15.99"},
		{Money{5, "EUR"}, "0.05"},
		{Money{0, "EUR"}, "0.00"},
		{Money{-5, "EUR"}, "-0.05"},
		{Money{500, "JPY"}, "500"},
		{Money{-1, "JPY"}, "-1"},
		{Money{1, "KWD"}, "0.001"},
		{Money{12345, "CLF"}, "1.2345"},
		{Money{MaxMinor, "EUR"}, "90071992547409.91"},
		{Money{math.MinInt64, "JPY"}, "-9223372036854775808"},
	}
	for _, row := range rows {
		if got := row.money.Decimal(); got != row.want {
			t.Errorf("%d %s is written %s, want %s", row.money.Minor, row.money.Currency, got, row.want)
		}
	}
	if got := (Money{1599, "EUR"}).String(); got != "15.99 EUR" {
		t.Error(got)
	}
}

// Every code of the list is three capital letters, once, and found with its
// own digits.
func TestCurrencies(t *testing.T) {
	seen := map[string]bool{}
	for digits, codes := range currencies {
		for code := range strings.FieldsSeq(codes) {
			if len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || seen[code] {
				t.Errorf("%q is there twice or no code", code)
			}
			seen[code] = true
			if got, ok := CurrencyDigits(code); !ok || got != digits {
				t.Errorf("%s has %d digits, %v; want %d", code, got, ok, digits)
			}
		}
	}
	for _, code := range []string{"EUR", "USD", "GBP", "CHF", "JPY", "KWD", "BRL", "MXN", "SEK", "PLN"} {
		if !seen[code] {
			t.Errorf("%s is missing", code)
		}
	}
	// No run of letters across two codes is one.
	all := strings.Join(currencies[:], " ")
	for i := range len(all) - 2 {
		if code := all[i : i+3]; !seen[code] {
			if _, ok := CurrencyDigits(code); ok {
				t.Errorf("%q is taken for a currency", code)
			}
		}
	}
}

func FuzzParseMoney(f *testing.F) {
	for _, s := range []string{"15.99", "-1", "1e18", "90071992547409.92", "0.000000", "1."} {
		f.Add(s, "EUR")
		f.Add(s, "JPY")
	}
	f.Fuzz(func(t *testing.T, s, currency string) {
		m, err := ParseMoney(s, currency)
		if err != nil {
			return
		}
		if m.Minor > MaxMinor || m.Minor < -MaxMinor {
			t.Errorf("%q is read as %d", s, m.Minor)
		}
		if again, err := ParseMoney(m.Decimal(), currency); err != nil || again != m {
			t.Errorf("%q is written %q and read as %v, %v", s, m.Decimal(), again, err)
		}
	})
}
