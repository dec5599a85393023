package budget

import (
	_ "embed" // the table
	"encoding/json/v2"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rates are what a million tokens cost, in millionths of the currency.
type Rates struct {
	Input          int64 `json:"input"` // neither read from a cache nor written to one
	Output         int64 `json:"output"`
	CacheRead      int64 `json:"cache_read"`
	CacheWrite     int64 `json:"cache_write"`      // for five minutes, or what the host has
	CacheWriteHour int64 `json:"cache_write_hour"` // nothing is kept for an hour so far
}

// Tier is what a request costs whose whole prompt has more than Above tokens:
// all of it, not just what is above.
type Tier struct {
	Above int64 `json:"above"`
	Rates
}

// Prices are those of one model. Tiers are in order.
type Prices struct {
	Rates
	Tiers []Tier `json:"tiers,omitempty"`
}

// at are the rates for a prompt of that many tokens.
func (p *Prices) at(prompt int64) Rates {
	r := p.Rates
	for _, t := range p.Tiers {
		if prompt > t.Above {
			r = t.Rates
		}
	}
	return r
}

// worst is what a prompt of at most that many tokens and the longest answer may
// cost, in whatever tier and however much of it goes through a cache.
func (p *Prices) worst(prompt, output int64) int64 {
	in, out := p.dearest()
	for _, t := range p.Tiers {
		if prompt > t.Above {
			i, o := t.dearest()
			in, out = max(in, i), max(out, o)
		}
	}
	var sum product
	sum.add(prompt, in)
	sum.add(output, out)
	return sum.micros(true)
}

func (r Rates) dearest() (in, out int64) { return max(r.Input, r.CacheRead, r.CacheWrite), r.Output }

// ReadPrices reads what an operator gives: amounts of the currency for a million
// tokens, such as "0.25". What goes through a cache costs as much as what does
// not unless they say otherwise. None at all are no prices; "0" is one.
func ReadPrices(input, output, cacheRead, cacheWrite string) (*Prices, error) {
	if input+output+cacheRead+cacheWrite == "" {
		return nil, nil
	}
	if input == "" || output == "" {
		return nil, fmt.Errorf("a price for input needs one for output beside it, and the other way round")
	}
	var p Prices
	for _, one := range []struct {
		to    *int64
		given string
	}{{&p.Input, input}, {&p.Output, output}, {&p.CacheRead, or(cacheRead, input)}, {&p.CacheWrite, or(cacheWrite, input)}} {
		n, err := readPrice(one.given)
		if err != nil {
			return nil, err
		}
		*one.to = n
	}
	p.CacheWriteHour = p.CacheWrite
	return &p, nil
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// readPrice reads a decimal as millionths. Nothing is rounded.
func readPrice(s string) (int64, error) {
	whole, fraction, point := strings.Cut(s, ".")
	fraction = strings.TrimRight(fraction, "0")
	bad := whole == "" || point && strings.HasSuffix(s, ".") || len(fraction) > 6 || len(whole) > 9 || strings.Trim(whole+fraction, "0123456789") != ""
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", max(0, 6-len(fraction))), 10, 64)
	if bad || err != nil || n > mostPrice {
		return 0, fmt.Errorf("a price is an amount for a million tokens, such as 3 or 0.25")
	}
	return n, nil
}

// Row is what the table says of a model from a day on.
type Row struct {
	Host    string `json:"host"`
	Model   string `json:"model"` // as it is, or with a date behind it
	From    string `json:"valid_from"`
	Source  string `json:"source"`
	Checked string `json:"checked"` // the day
	Prices
}

//go:embed prices.json
var embedded []byte

type table []Row

// readTable reads the embedded table, which is in dollars.
func readTable() (t table, err error) {
	return t, json.Unmarshal(embedded, &t, json.RejectUnknownMembers(true))
}

// find gives the row of a model on a day, nil if it is not in the table.
func (t table) find(host, model, day string) (found *Row) {
	host, model = strings.TrimSuffix(strings.ToLower(host), ":443"), strings.TrimPrefix(model, "models/")
	for i := range t {
		r := &t[i]
		if rest, ok := strings.CutPrefix(model, r.Model); ok && r.Host == host && dated(rest) && r.From <= day && (found == nil || found.From < r.From) {
			found = r
		}
	}
	return found
}

// dated says that what follows a model's name only tells of which day it is.
func dated(rest string) bool {
	if rest == "" {
		return true
	}
	for _, layout := range []string{"-20060102", "-" + time.DateOnly} {
		if _, err := time.Parse(layout, rest); err == nil {
			return true
		}
	}
	return false
}

// stale says that nobody has checked a row for 90 days.
func (r Row) stale(now time.Time) bool { return r.Checked < dayOf(now.AddDate(0, 0, -90)) }
