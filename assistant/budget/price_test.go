package budget

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTable: each row can be used, says where it is from, and has prices that
// fit together.
func TestTable(t *testing.T) {
	rows, err := readTable()
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]bool{}
	seen := map[string]bool{}
	for _, r := range rows {
		name := r.Host + " " + r.Model
		models[name] = true
		if key := name + r.From; seen[key] {
			t.Errorf("%s from %s is there twice", name, r.From)
		} else {
			seen[key] = true
		}
		for _, day := range []string{r.From, r.Checked} {
			if _, err := time.Parse(time.DateOnly, day); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if u, err := url.Parse(r.Source); err != nil || u.Scheme != "https" {
			t.Errorf("%s is from %q", name, r.Source)
		}
		last := Tier{Rates: r.Rates}
		for i, at := range append([]Tier{last}, r.Tiers...) {
			if at.Input <= 0 || at.Output <= at.Input || at.CacheRead <= 0 || at.CacheRead > at.Input || at.CacheWrite < at.Input || at.CacheWriteHour < at.CacheWrite {
				t.Errorf("%s: %+v", name, at)
			}
			if i > 0 && (at.Above <= last.Above || at.Input < last.Input || at.Output < last.Output) {
				t.Errorf("%s has tiers out of order", name)
			}
			if r.Host == "api.anthropic.com" && (at.CacheWrite*4 != at.Input*5 || at.CacheWriteHour != at.Input*2) {
				t.Errorf("%s: writing to a cache costs 5/4 of the input, or twice as much for an hour: %+v", name, at)
			}
			last = at
		}
		if p := rows.find(r.Host, r.Model, r.From); p == nil || p.Rates != r.Rates {
			t.Errorf("%s is not found on its first day", name)
		}
	}
	if len(models) < 25 {
		t.Errorf("%d models", len(models))
	}
}

// TestTableAsChecked writes the table a second time, as it was checked: dollars
// for a million tokens in, out, read from a cache and written to one, of the day
// of the check.
func TestTableAsChecked(t *testing.T) {
	all, err := readTable()
	if err != nil {
		t.Fatal(err)
	}
	const claude, gpt, gemini, grok, mistral = "api.anthropic.com", "api.openai.com", "generativelanguage.googleapis.com", "api.x.ai", "api.mistral.ai"
	rows := []struct {
		host, model, base, above string // what is above the limit, where there is one
	}{
		{claude, "claude-fable-5-1", "10 50 0.25 12.5", ""},
		{claude, "claude-opus-5-5", "4 20 0.2 5", ""},
		{claude, "claude-opus-5", "5 25 0.5 6.25", ""},
		{claude, "claude-opus-4-8", "5 25 0.5 6.25", ""},
		{claude, "claude-opus-4-7", "5 25 0.5 6.25", ""},
		{claude, "claude-opus-4-6", "5 25 0.5 6.25", ""},
		{claude, "claude-opus-4-5", "5 25 0.5 6.25", ""},
		{claude, "claude-sonnet-5-5", "2 10 0.1 2.5", ""},
		{claude, "claude-sonnet-5", "2 10 0.2 2.5", ""},
		{claude, "claude-sonnet-4-6", "3 15 0.3 3.75", ""},
		{claude, "claude-haiku-5-5", "0.1 0.5 0.01 0.125", "100000: 0.5 2.5 0.05 0.625"},
		{claude, "claude-haiku-4-5", "1 5 0.1 1.25", ""},
		{gpt, "gpt-6.2-astra", "8 40 0.4 10", "272000: 16 60 0.8 20"},
		{gpt, "gpt-6.2-sol", "2 10 0.1 2.5", "272000: 4 15 0.2 5"},
		{gpt, "gpt-6.1-sol", "2 10 0.1 2.5", "272000: 4 15 0.2 5"},
		{gpt, "gpt-6-astra", "10 50 1 12.5", "272000: 20 75 2 25"},
		{gpt, "gpt-6-sol", "2 10 0.2 2.5", "272000: 4 15 0.4 5"},
		{gpt, "gpt-6-luna", "0.1 0.5 0.01 0.125", "272000: 0.2 0.75 0.02 0.25"},
		{gpt, "gpt-5.6-terra", "2 12 0.2 2.5", "272000: 4 18 0.4 5"},
		{gpt, "gpt-5.6-luna", "0.2 1.2 0.02 0.25", "272000: 0.4 1.8 0.04 0.5"},
		{gpt, "gpt-5.5", "5 30 0.5 5", "272000: 10 45 1 10"},
		{gpt, "gpt-5.4", "2.5 15 0.25 2.5", "272000: 5 22.5 0.5 5"},
		{gpt, "gpt-5.4-mini", "0.75 4.5 0.075 0.75", ""},
		{gemini, "gemini-4-argon", "2 10 0.1 2", ""},
		{gemini, "gemini-3.8-flash", "0.75 3.75 0.075 0.75", ""},
		{grok, "grok-4.7", "2 6 0.5 2", "199999: 4 12 1 4"},
		{grok, "grok-4.6", "2 6 0.5 2", "199999: 4 12 1 4"},
		{mistral, "mistral-large-2512", "0.5 1.5 0.05 0.5", ""},
		{mistral, "devstral-2512", "0.4 2 0.04 0.4", ""},
	}
	dollars := func(r Rates) string {
		var out []string
		for _, n := range []int64{r.Input, r.Output, r.CacheRead, r.CacheWrite} {
			out = append(out, strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64))
		}
		return strings.Join(out, " ")
	}
	models := map[string]bool{}
	for _, r := range all {
		models[r.Model] = true
	}
	if len(models) != len(rows) {
		t.Errorf("%d models are in the table, %d here", len(models), len(rows))
	}
	for _, row := range rows {
		p := all.find(row.host, row.model, "2026-11-29")
		if p == nil {
			t.Errorf("%s is not in the table", row.model)
			continue
		}
		above := ""
		for _, tier := range p.Tiers {
			above += fmt.Sprintf("%d: %s", tier.Above, dollars(tier.Rates))
		}
		if got := dollars(p.Rates); got != row.base || above != row.above {
			t.Errorf("%s costs %s, above %q; want %s and %q", row.model, got, above, row.base, row.above)
		}
	}
}

// TestPrices: which prices a model has on a day.
func TestPrices(t *testing.T) {
	const claude, google, openai = "api.anthropic.com", "generativelanguage.googleapis.com", "api.openai.com"
	rows := []struct {
		host, model, day string
		input, read      int64 // -1: none
	}{
		{claude, "claude-opus-5-5", "2026-11-30", 4_000_000, 200_000},
		{"API.anthropic.com:443", "claude-opus-5-5-20260922", "2026-11-30", 4_000_000, 200_000},
		{claude, "claude-opus-5", "2026-11-30", 5_000_000, 500_000},
		{claude, "claude-opus-5-2026-07-24", "2026-11-30", 5_000_000, 500_000},
		{claude, "claude-opus-5-6", "2026-11-30", -1, 0},
		{claude, "claude-opus-5-fast", "2026-11-30", -1, 0},
		{claude, "claude-opus-5-20261399", "2026-11-30", -1, 0},
		{claude, "claude-sonnet-5-5", "2026-10-06", 2_000_000, 200_000},
		{claude, "claude-sonnet-5-5", "2026-10-07", 2_000_000, 100_000},
		{claude, "claude-haiku-5-5", "2026-10-06", -1, 0},
		{google, "models/gemini-4-argon", "2026-11-30", 2_000_000, 100_000},
		{google, "gemini-4-argon", "2026-12-01", 4_000_000, 200_000},
		{openai, "gpt-5.4", "2026-11-30", 2_500_000, 250_000},
		{openai, "gpt-5.4-mini", "2026-11-30", 750_000, 75_000},
		{openai, "gpt-5.4-nano", "2026-11-30", -1, 0},
		{openai, "", "2026-11-30", -1, 0},
		{"", "gpt-5.4", "2026-11-30", -1, 0},
		{"127.0.0.1:11434", "gpt-5.4", "2026-11-30", -1, 0},
		{"api.anthropic.com.example.org", "claude-opus-5", "2026-11-30", -1, 0},
	}
	all, err := readTable()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		p := all.find(row.host, row.model, row.day)
		if (p == nil) != (row.input < 0) || p != nil && (p.Input != row.input || p.CacheRead != row.read) {
			t.Errorf("%s %s on %s costs %+v", row.host, row.model, row.day, p)
		}
	}
}

// TestTiers: above a limit the whole request costs more, and what is held knows
// which tiers it may reach.
func TestTiers(t *testing.T) {
	all, _ := readTable()
	p := all.find("api.anthropic.com", "claude-haiku-5-5", "2026-11-30")
	for prompt, want := range map[int64]int64{0: 100_000, 100_000: 100_000, 100_001: 500_000, math.MaxInt64: 500_000} {
		if got := p.at(prompt).Input; got != want {
			t.Errorf("at %d a million costs %d", prompt, got)
		}
	}
	// Dearest is writing to a cache.
	if got := p.worst(100_000, 1000); got != 12_500+500 {
		t.Errorf("%d", got)
	}
	if got := p.worst(100_001, 1000); got != 62_501+2500 {
		t.Errorf("%d", got)
	}
	// What is left over is held, too.
	if got := (&Prices{Rates: Rates{Input: 1, Output: 1}}).worst(1, 0); got != 1 {
		t.Errorf("a token costs %d", got)
	}
}

// TestReadPrices: what operators may give as prices.
func TestReadPrices(t *testing.T) {
	rows := []struct {
		given [4]string
		want  Rates
		ok    bool
	}{
		{[4]string{"3", "15", "0.3", "3.75"}, Rates{3_000_000, 15_000_000, 300_000, 3_750_000, 3_750_000}, true},
		{[4]string{"3", "15", "", ""}, Rates{3_000_000, 15_000_000, 3_000_000, 3_000_000, 3_000_000}, true},
		{[4]string{"3", "15", "0", ""}, Rates{3_000_000, 15_000_000, 0, 3_000_000, 3_000_000}, true},
		{[4]string{"0", "0", "", ""}, Rates{}, true},
		{[4]string{"0.000001", "0.1000000", "", ""}, Rates{1, 100_000, 1, 1, 1}, true},
		{[4]string{"3", "", "", ""}, Rates{}, false},
		{[4]string{"", "3", "", ""}, Rates{}, false},
		{[4]string{"", "", "1", ""}, Rates{}, false},
		{[4]string{"0.0000001", "1", "", ""}, Rates{}, false},
		{[4]string{"-1", "1", "", ""}, Rates{}, false},
		{[4]string{"1e3", "1", "", ""}, Rates{}, false},
		{[4]string{"1,5", "1", "", ""}, Rates{}, false},
		{[4]string{".5", "1", "", ""}, Rates{}, false},
		{[4]string{"5.", "1", "", ""}, Rates{}, false},
		{[4]string{" 5", "1", "", ""}, Rates{}, false},
		{[4]string{"1000000001", "1", "", ""}, Rates{}, false},
		{[4]string{strings.Repeat("9", 400), "1", "", ""}, Rates{}, false},
	}
	for _, row := range rows {
		p, err := ReadPrices(row.given[0], row.given[1], row.given[2], row.given[3])
		if (err == nil) != row.ok || row.ok && (p == nil || p.Rates != row.want) {
			t.Errorf("%q gives %+v, %v", row.given, p, err)
		}
	}
	if p, err := ReadPrices("", "", "", ""); p != nil || err != nil {
		t.Errorf("none give %+v, %v", p, err)
	}
}

// TestWhosePrices: the operator's win, and the table is in dollars only.
func TestWhosePrices(t *testing.T) {
	h := newHome(t)
	opus := Assistant{ID: "cloud", Host: "api.anthropic.com", Protocol: gateway.Anthropic, Model: "claude-opus-5"}
	if p := h.l.PricesOf(opus); p == nil || p.Input != 5_000_000 {
		t.Errorf("%+v", p)
	}
	mine := opus
	mine.Prices = round
	if p := h.l.PricesOf(mine); p != round {
		t.Errorf("%+v", p)
	}
	if p := h.l.PricesOf(local); p != nil {
		t.Errorf("a local one costs %+v", p)
	}
	if r, stale := h.l.Stale(opus); stale {
		t.Errorf("%+v", r)
	}
	if r, ok := h.l.RowOf(opus); !ok || r.Source == "" || r.Checked == "" || r.Input != 5_000_000 {
		t.Errorf("%+v", r)
	}
	for _, a := range []Assistant{mine, local} {
		if r, ok := h.l.RowOf(a); ok {
			t.Errorf("%+v", r)
		}
	}
	h.at(noon.AddDate(0, 4, 0))
	if r, stale := h.l.Stale(opus); !stale || r.Model != opus.Model {
		t.Errorf("%+v", r)
	}
	for _, a := range []Assistant{mine, local} {
		if r, stale := h.l.Stale(a); stale {
			t.Errorf("%+v", r)
		}
	}
	h.open(Config{Currency: "EUR"})
	if p := h.l.PricesOf(opus); p != nil {
		t.Errorf("%+v", p)
	}
	if p := h.l.PricesOf(mine); p != round {
		t.Errorf("%+v", p)
	}
	if _, err := New(Config{App: h.App, Currency: "euro"}); err == nil {
		t.Error("euro is taken for a currency")
	}
}

// TestStale: a row is that for 90 days after somebody looked.
func TestStale(t *testing.T) {
	all, _ := readTable()
	for _, r := range all {
		day, err := time.Parse(time.DateOnly, r.Checked)
		if err != nil || r.stale(day.AddDate(0, 0, 90)) || !r.stale(day.AddDate(0, 0, 91)) {
			t.Errorf("%s, checked on %s: %v", r.Model, r.Checked, err)
		}
	}
}

// TestMoney: how amounts are written.
func TestMoney(t *testing.T) {
	h := newHome(t)
	for _, row := range []struct {
		micros   int64
		currency string
		want     string
	}{
		{5 * million, "USD", "5.00 USD"},
		{10_000, "USD", "0.01 USD"},
		{1234, "USD", "0.001234 USD"},
		{1, "USD", "0.000001 USD"},
		{120_400, "USD", "0.1204 USD"},
		{0, "USD", "0.00 USD"},
		{1_994_999, "USD", "1.99 USD"},
		{1_995_000, "USD", "2.00 USD"},
		{1_500_000, "JPY", "2 JPY"},
		{400_000, "JPY", "0.4 JPY"},
		{1500, "KWD", "0.0015 KWD"},
		{math.MaxInt64, "USD", "9,223,372,036,854.78 USD"},
	} {
		if got := h.catalog.English(tools.Text{Args: []any{money(row.micros, row.currency)}}); got != row.want {
			t.Errorf("%d millionths of %s are written %s, want %s", row.micros, row.currency, got, row.want)
		}
	}
}
