package household

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nodkeep/nodkeep/tools"
)

// quotedAt makes a converter by hand.
func quotedAt(to, on string, quoted map[string]string) converter {
	c := converter{to: to, source: "ECB", quoted: quoted, rates: map[string]*big.Rat{}}
	c.on, _ = tools.ParseDate(on)
	c.day = c.on
	for currency, rate := range quoted {
		c.rates[currency], _ = parseRate(rate)
	}
	return c
}

func dayRates() map[string]string {
	return map[string]string{"USD": "1.0812", "JPY": "161.64", "KWD": "0.3321", "CLF": "0.0278", "GBP": "2", "CHF": "4", "SEK": "4", "NOK": "4"}
}

// Worked out by hand, with a calculator of more places than a float has.
func TestConvertExactly(t *testing.T) {
	money := func(amount, currency string) tools.Money {
		m, err := tools.ParseMoney(amount, currency)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	rows := []struct {
		to, want string
		amounts  []tools.Money
	}{
		{"EUR", "14.79", []tools.Money{money("15.99", "USD")}},                                              // 14.7891…
		{"EUR", "6.19", []tools.Money{money("1000", "JPY")}},                                                // 6.1865…
		{"JPY", "1616", []tools.Money{money("10.00", "EUR")}},                                               // 1616.4
		{"JPY", "1495", []tools.Money{money("10.00", "USD")}},                                               // 1495.005…
		{"USD", "6.69", []tools.Money{money("1000", "JPY")}},                                                // 6.6889…
		{"EUR", "3.72", []tools.Money{money("1.234", "KWD")}},                                               // 3.7157…
		{"KWD", "3.321", []tools.Money{money("10.00", "EUR")}},                                              // exactly
		{"KWD", "0.002", []tools.Money{money("1", "JPY")}},                                                  // 0.00205…
		{"EUR", "35.97", []tools.Money{money("1.0000", "CLF")}},                                             // 35.9712…
		{"CLF", "0.0278", []tools.Money{money("1.00", "EUR")}},                                              // exactly
		{"CLF", "0.0002", []tools.Money{money("1", "JPY")}},                                                 // 0.00017…
		{"EUR", "0.01", []tools.Money{money("0.01", "GBP")}},                                                // 0.005
		{"EUR", "-0.01", []tools.Money{money("-0.01", "GBP")}},                                              // -0.005
		{"EUR", "0.00", []tools.Money{money("0.01", "CHF")}},                                                // 0.0025
		{"EUR", "0.01", []tools.Money{money("0.01", "CHF"), money("0.01", "SEK"), money("0.01", "NOK")}},    // 0.0075: rounded once
		{"EUR", "35.97", []tools.Money{money("15.99", "USD"), money("1000", "JPY"), money("14.99", "EUR")}}, // 35.9656…
		{"EUR", "0.00", nil}, //
		{"EUR", "83302825.23", []tools.Money{money("90067014.63", "USD"), money("1", "JPY"), money("0", "CLF")}}, // 83302825.228…
	}
	for _, row := range rows {
		got, ok := quotedAt(row.to, "2026-11-27", dayRates()).sum(row.amounts...)
		if !ok || got.Decimal() != row.want || got.Currency != row.to {
			t.Errorf("%v: got %v, %v, want %s %s", row.amounts, got, ok, row.want, row.to)
		}
	}
}

func TestConvertStaysAtTheLargest(t *testing.T) {
	most := tools.Money{Minor: math.MaxInt64, Currency: "USD"}
	if got, ok := quotedAt("JPY", "2026-11-27", map[string]string{"USD": "0.001", "JPY": "161.64"}).sum(most, most); !ok || got.Minor != math.MaxInt64 {
		t.Errorf("%v, %v", got, ok)
	}
	most.Minor = -math.MaxInt64
	if got, ok := quotedAt("EUR", "2026-11-27", map[string]string{"USD": "0.001"}).sum(most); !ok || got.Minor != -math.MaxInt64 {
		t.Errorf("%v, %v", got, ok)
	}
}

// There and back, no more is lost than half a minor unit each way.
func TestConvertThereAndBack(t *testing.T) {
	random := rand.New(rand.NewPCG(4217, 1999))
	all := []string{"EUR", "USD", "JPY", "KWD", "CLF", "GBP"}
	for range 5000 {
		quoted := map[string]string{}
		for _, currency := range all[1:] {
			quoted[currency] = new(big.Rat).SetFrac64(1+random.Int64N(2_000_000), 10_000).FloatString(4)
		}
		a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
		start := tools.Money{Minor: random.Int64N(1 << random.IntN(36)), Currency: a}
		there, ok := quotedAt(b, "2026-11-27", quoted).sum(start)
		if !ok {
			t.Fatal("no figure")
		}
		c := quotedAt(a, "2026-11-27", quoted)
		back, ok := c.sum(there)
		if !ok {
			t.Fatal("no figure")
		}
		// Half a unit of b, in units of a, and half a unit of a.
		most := new(big.Rat).Quo(minorUnits(a), minorUnits(b))
		most.Quo(most.Mul(most, c.rate(a)), c.rate(b))
		most.Mul(most.Add(most, big.NewRat(1, 1)), big.NewRat(1, 2))
		lost := new(big.Rat).SetInt64(back.Minor - start.Minor)
		if lost.Abs(lost).Cmp(most) > 0 {
			t.Errorf("%v is %v is %v with %v", start, there, back, quoted)
		}
	}
}

func TestNoRateNoFigure(t *testing.T) {
	today, _ := tools.ParseDate("2026-11-27")
	usd, kwd, eur := tools.Money{Minor: 1000, Currency: "USD"}, tools.Money{Minor: 1000, Currency: "KWD"}, tools.Money{Minor: 500, Currency: "EUR"}
	rates := func() map[string]string { return map[string]string{"USD": "1.0812"} }
	rows := []struct {
		name    string
		c       converter
		amounts []tools.Money
		want    map[string]string // reason by currency
	}{
		{"none stands", converter{to: "EUR", day: today}, []tools.Money{usd, eur}, map[string]string{"USD": rateNone}},
		{"too old", converter{to: "EUR", day: today, on: today.AddDays(-8)}, []tools.Money{usd, eur}, map[string]string{"USD": rateOld}},
		{"not quoted", quotedAt("EUR", "2026-11-27", rates()), []tools.Money{usd, kwd, eur}, map[string]string{"KWD": rateUnquoted}},
		{"nothing of it", quotedAt("EUR", "2026-11-27", rates()), []tools.Money{usd, {Currency: "KWD"}}, map[string]string{"KWD": rateUnquoted}},
		{"the target is not quoted", quotedAt("KWD", "2026-11-27", rates()), []tools.Money{eur, kwd}, map[string]string{"KWD": rateUnquoted}},
	}
	for _, row := range rows {
		got := row.c.convert(row.amounts...)
		reasons := map[string]string{}
		for _, m := range got.Missing {
			reasons[m.Currency] = m.Reason
		}
		if diff := cmp.Diff(row.want, reasons); diff != "" || got.Amount != "" {
			t.Errorf("%s: %q, %s", row.name, got.Amount, diff)
		}
	}
	same := converter{to: "KWD", day: today}.convert(kwd, kwd)
	want := Converted{Amount: "2.000", Conversion: Conversion{Currency: "KWD", Rates: []UsedRate{}, Missing: []NoRate{}}}
	if diff := cmp.Diff(want, same, cmpopts.IgnoreTypes(tools.Words{})); diff != "" {
		t.Errorf("what is in the currency needs no rate: %s", diff)
	}
}
