package budget

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

func ptr(n int64) *int64 { return &n }

// TestSettle: what a host says that a call used, and what the books then say.
// The hold is of 10,000 tokens of prompt at 1.25 and 1,000 of answer at 2.
func TestSettle(t *testing.T) {
	whole := Used{Requests: 1, Uncached: 10_000, Output: 1000, Cost: 14_500}
	rows := []struct {
		name   string
		spent  gateway.Spent
		want   Used
		logged bool
	}{
		{"as it is", gateway.Spent{Usage: usage(1000, 2000, 400, 500)}, Used{Requests: 1, Uncached: 1000, CacheRead: 2000, CacheWrite: 400, Output: 500, Cost: 1000 + 200 + 500 + 1000}, false},
		{"half is rounded up", gateway.Spent{Usage: usage(0, 5, 0, 0)}, Used{Requests: 1, CacheRead: 5, Cost: 1}, false},
		{"less is rounded down", gateway.Spent{Usage: usage(0, 4, 0, 0)}, Used{Requests: 1, CacheRead: 4}, false},
		{"missing", gateway.Spent{}, whole, false},
		{"broken off", gateway.Spent{Cut: true, Usage: usage(1000, 0, 0, 1), Cost: ptr(3)}, Used{Requests: 1, Uncached: 1000, Output: 1000, Cost: 3000}, false},
		{"broken off without a word", gateway.Spent{Cut: true}, whole, false},
		{
			"broken off at the second model",
			gateway.Spent{Cut: true, Billed: []gateway.Billed{{Model: "big", Usage: *usage(100, 0, 0, 10)}, {Model: "big", Usage: *usage(200, 0, 0, 1)}}},
			Used{Requests: 1, Uncached: 300, Output: 1000, Cost: 2300},
			false,
		},
		{"refused by the host", gateway.Spent{Unbilled: true}, Used{}, false},
		{"refused by the host that says something", gateway.Spent{Unbilled: true, Usage: usage(1, 0, 0, 0), Cost: ptr(5)}, Used{}, false},
		{"nothing at all cannot be", gateway.Spent{Usage: usage(0, 0, 0, 0)}, whole, true},
		{"no prompt", gateway.Spent{Usage: usage(0, 0, 0, 500)}, Used{Requests: 1, Uncached: 10_000, Output: 500, Cost: 11_000}, false},
		{"no prompt, and its own figure", gateway.Spent{Usage: usage(0, 0, 0, 500), Cost: ptr(7)}, Used{Requests: 1, Uncached: 10_000, Output: 500, Cost: 7}, false},
		{"no prompt so far, and broken off", gateway.Spent{Cut: true, Usage: usage(0, 0, 0, 1)}, Used{Requests: 1, Uncached: 10_000, Output: 1000, Cost: 12_000}, false},
		{"no prompt of two", gateway.Spent{Billed: []gateway.Billed{{Model: "big", Usage: *usage(0, 0, 0, 1)}, {Model: "other", Usage: *usage(0, 0, 0, 1)}}}, whole, false},
		{"negative", gateway.Spent{Usage: usage(-1, 0, 0, 10)}, whole, true},
		{"negative elsewhere", gateway.Spent{Usage: usage(10, 0, 0, math.MinInt64)}, whole, true},
		{"more than was held", gateway.Spent{Usage: usage(10_000, 0, 0, 1001)}, whole, true},
		{"absurd", gateway.Spent{Usage: usage(math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64)}, whole, true},
		{"as many, but dearer", gateway.Spent{Usage: usage(0, 0, 1000, 9000)}, Used{Requests: 1, CacheWrite: 1000, Output: 9000, Cost: 14_500}, true},
		{"all that was held", gateway.Spent{Usage: usage(0, 0, 10_000, 1000)}, Used{Requests: 1, CacheWrite: 10_000, Output: 1000, Cost: 14_500}, false},
		{"the host's own figure", gateway.Spent{Usage: usage(1000, 0, 0, 500), Cost: ptr(1234)}, Used{Requests: 1, Uncached: 1000, Output: 500, Cost: 1234}, false},
		{"the host's own figure alone", gateway.Spent{Cost: ptr(1234)}, Used{Requests: 1, Uncached: 10_000, Output: 1000, Cost: 1234}, false},
		{"the host's own figure of nothing", gateway.Spent{Usage: usage(1000, 0, 0, 500), Cost: ptr(0)}, Used{Requests: 1, Uncached: 1000, Output: 500}, false},
		{"an absurd figure", gateway.Spent{Usage: usage(1000, 0, 0, 500), Cost: ptr(14_501)}, Used{Requests: 1, Uncached: 1000, Output: 500, Cost: 14_500}, true},
		{"a negative figure", gateway.Spent{Usage: usage(1000, 0, 0, 500), Cost: ptr(-1)}, Used{Requests: 1, Uncached: 1000, Output: 500, Cost: 14_500}, true},
		{
			"two models, one unknown",
			gateway.Spent{Usage: usage(1, 0, 0, 1), Billed: []gateway.Billed{{Model: "big", Usage: *usage(100, 0, 0, 10)}, {Model: "other", Usage: *usage(200, 0, 0, 20)}}},
			Used{Requests: 1, Uncached: 300, Output: 30, Cost: 14_500},
			true,
		},
		{
			"one model twice",
			gateway.Spent{Billed: []gateway.Billed{{Model: "big", Usage: *usage(100, 0, 0, 10)}, {Model: "big", Usage: *usage(200, 0, 0, 20)}}},
			Used{Requests: 1, Uncached: 300, Output: 30, Cost: 360},
			false,
		},
		{
			"two absurd ones that would make one that is not",
			gateway.Spent{Billed: []gateway.Billed{{Model: "big", Usage: *usage(math.MaxInt64, 0, 0, 1)}, {Model: "big", Usage: *usage(math.MaxInt64, 0, 0, 1)}}},
			whole, true,
		},
	}
	h := newHome(t)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			h.sql("DELETE FROM nodkeep_usage")
			h.log.Reset()
			m := h.hold(h.ann, cloud, ask(10_000, 1000))
			if n := h.held(); n != 1 {
				t.Fatalf("%d are held", n)
			}
			m.Settle(row.spent)
			m.Settle(row.spent) // once too often
			if n := h.held(); n != 0 {
				t.Errorf("%d are held still", n)
			}
			if d := cmp.Diff(row.want, h.used(h.ann)); d != "" {
				t.Error(d)
			}
			if got := strings.Contains(h.log.String(), "all that was held"); got != row.logged {
				t.Errorf("logged %v: %s", got, h.log.String())
			}
		})
	}
}

// TestSettleUnpriced: where nobody knows prices tokens are counted, and no cost
// is made up; what the host says itself is believed, but for what nothing costs.
func TestSettleUnpriced(t *testing.T) {
	h := newHome(t)
	rows := []struct {
		spent gateway.Spent
		want  Used
	}{
		{gateway.Spent{Usage: usage(1000, 0, 0, 10)}, Used{Requests: 1, Unpriced: 1, Uncached: 1000, Output: 10}},
		{gateway.Spent{}, Used{Requests: 1, Unpriced: 1, Uncached: 10_000, Output: 1000}},
		{gateway.Spent{Usage: usage(1000, 0, 0, 10), Cost: ptr(77)}, Used{Requests: 1, Uncached: 1000, Output: 10, Cost: 77}},
		{gateway.Spent{Usage: usage(1000, 0, 0, 10), Cost: ptr(math.MaxInt64)}, Used{Requests: 1, Unpriced: 1, Uncached: 1000, Output: 10}},
	}
	for _, row := range rows {
		h.sql("DELETE FROM nodkeep_usage")
		h.hold(h.ann, local, ask(10_000, 1000)).Settle(row.spent)
		if d := cmp.Diff(row.want, h.used(h.ann)); d != "" {
			t.Error(d)
		}
	}
	// Dollars that a host names are no euros.
	h.open(Config{Currency: "EUR"})
	h.sql("DELETE FROM nodkeep_usage")
	h.hold(h.ann, cloud, ask(10_000, 1000)).Settle(gateway.Spent{Usage: usage(1000, 0, 0, 10), Cost: ptr(77)})
	if got := h.used(h.ann).Cost; got != 1020 {
		t.Errorf("it cost %d", got)
	}
}

// TestRecover: what a start of the server leaves held is used in full, once.
func TestRecover(t *testing.T) {
	h := newHome(t)
	left := h.hold(h.ann, cloud, ask(10_000, 1000))
	h.hold(h.ann, cloud, ask(10_000, 1000))
	h.hold(h.bob, local, ask(5000, 1000))
	h.hold(h.ann, cloud, ask(10_000, 1000)).Settle(gateway.Spent{Usage: usage(1000, 0, 0, 0)})
	h.open(Config{})
	left.Settle(gateway.Spent{Usage: usage(1, 0, 0, 1)}) // of a start that is over
	if n := h.held(); n != 0 {
		t.Errorf("%d are held still", n)
	}
	if d := cmp.Diff(Used{Requests: 3, Uncached: 21_000, Output: 2000, Cost: 30_000}, h.used(h.ann)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Used{Requests: 1, Unpriced: 1, Uncached: 5000, Output: 1000}, h.used(h.bob)); d != "" {
		t.Error(d)
	}
	h.open(Config{})
	if got := h.used(h.ann).Requests; got != 3 {
		t.Errorf("%d requests after another start", got)
	}
}

// TestSettleLate: what the database does not take stays held and is written down
// later.
func TestSettleLate(t *testing.T) {
	h := newHome(t)
	m := h.hold(h.ann, cloud, ask(10_000, 1000))
	h.sql("CREATE TRIGGER broken BEFORE INSERT ON nodkeep_usage BEGIN SELECT RAISE(ABORT, 'disk full'); END")
	m.Settle(gateway.Spent{Usage: usage(1000, 0, 0, 10)})
	if h.held() != 1 || h.used(h.ann).Requests != 0 || !strings.Contains(h.log.String(), "stays held") {
		t.Errorf("%d are held; %s", h.held(), h.log.String())
	}
	h.sql("DROP TRIGGER broken")
	if err := h.l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Used{Requests: 1, Uncached: 1000, Output: 10, Cost: 1020}, h.used(h.ann)); d != "" || h.held() != 0 {
		t.Error(d)
	}
}
