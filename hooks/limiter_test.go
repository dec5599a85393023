package hooks

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// hand is a clock that a test turns.
type hand struct {
	at    time.Time
	moved atomic.Int64
}

func (h *hand) now() time.Time       { return h.at.Add(time.Duration(h.moved.Load())) }
func (h *hand) turn(d time.Duration) { h.moved.Add(int64(d)) }

func newHand() *hand { return &hand{at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func TestLimiterCountsByNetwork(t *testing.T) {
	rows := []struct {
		name, first, second string
		same                bool
	}{
		{"one address", "203.0.113.7", "203.0.113.7", true},
		{"neighbours", "203.0.113.7", "203.0.113.250", true},
		{"another /24", "203.0.113.7", "203.0.114.7", false},
		{"IPv4 in IPv6", "203.0.113.7", "::ffff:203.0.113.9", true},
		{"one /48", "2001:db8:1:2::1", "2001:db8:1:ffff:9::", true},
		{"another /48", "2001:db8:1::1", "2001:db8:2::1", false},
		{"zones", "fe80::1%eth0", "fe80::1%eth1", true},
		{"no address", "", "unknown", true},
		{"an address with a port is none", "203.0.113.7:80", "nonsense", true},
		{"none and one", "", "203.0.113.7", false},
		{"none and the first", "", "0.0.0.1", false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			l := newLimiter(1, time.Hour, 100, newHand().now)
			if _, ok := l.try(row.first); !ok {
				t.Fatal("the first attempt is refused")
			}
			if _, ok := l.try(row.second); ok == row.same {
				t.Errorf("the same network: %v, want %v", !ok, row.same)
			}
		})
	}
}

func TestLimiterWindows(t *testing.T) {
	clock := newHand()
	l := newLimiter(3, 10*time.Minute, 100, clock.now)
	try := func(want bool) time.Duration {
		t.Helper()
		wait, ok := l.try("203.0.113.7")
		if ok != want {
			t.Errorf("allowed: %v, want %v", ok, want)
		}
		return wait
	}
	try(true)
	clock.turn(4 * time.Minute)
	try(true)
	try(true)
	if wait := try(false); wait != 6*time.Minute {
		t.Errorf("to wait are %v, want 6m", wait)
	}
	// An attempt that was refused makes nobody wait longer.
	clock.turn(6*time.Minute - 1)
	if wait := try(false); wait != 1 {
		t.Errorf("to wait are %v, want 1ns", wait)
	}
	clock.turn(1)
	for range 3 {
		try(true)
	}
	try(false)
	clock.turn(24 * time.Hour)
	try(true)
}

func TestLimiterRemembersNoMore(t *testing.T) {
	clock := newHand()
	l := newLimiter(2, time.Hour, 1000, clock.now)
	address := func(n int) string { return fmt.Sprintf("10.%d.%d.1", n/256, n%256) }
	for n := range 20_000 {
		if _, ok := l.try(address(n)); ok != (n < 1000) {
			t.Fatalf("network %d is allowed: %v", n+1, ok)
		}
	}
	if len(l.made) != 1000 {
		t.Errorf("%d networks are remembered", len(l.made))
	}
	if _, ok := l.try(address(999)); !ok {
		t.Error("a network that was there is refused for strangers")
	}
	if _, ok := l.try(address(999)); ok {
		t.Error("a network that was there was forgotten for strangers")
	}
	clock.turn(time.Hour)
	if _, ok := l.try(address(5000)); !ok || len(l.made) != 1 {
		t.Errorf("a new window: allowed %v, remembers %d", ok, len(l.made))
	}
}

func TestLimiterUnderLoad(t *testing.T) {
	const at, each = 100, 100 // 10,000 attempts
	l := newLimiter(10, time.Minute, 1000, newHand().now)
	var allowed, others atomic.Int64
	var all sync.WaitGroup
	for i := range at {
		all.Go(func() {
			for n := range each {
				if _, ok := l.try(fmt.Sprintf("203.0.113.%d", n)); ok {
					allowed.Add(1)
				}
				if _, ok := l.try(fmt.Sprintf("198.51.%d.1", i)); ok {
					others.Add(1)
				}
			}
		})
	}
	all.Wait()
	if allowed.Load() != 10 || others.Load() != at*10 {
		t.Errorf("of one network %d of 10 are allowed, of others %d of %d", allowed.Load(), others.Load(), at*10)
	}
}

func TestTooOften(t *testing.T) {
	for wait, want := range map[time.Duration]int{1: 1, time.Minute: 1, time.Minute + 1: 2, time.Hour: 60} {
		own, ok := errors.AsType[*tools.Error](tooOften(wait))
		if !ok || own.Kind != tools.Limit || own.Text.Args[0] != want {
			t.Errorf("%v: %v, want %d minutes", wait, own, want)
		}
	}
}

func FuzzNetworkOf(f *testing.F) {
	for _, s := range []string{"203.0.113.7", "::1", "fe80::1%eth0", "", "1.2.3.4:5", "::ffff:1.2.3.4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := networkOf(s)
		if p != p.Masked() || (p != netip.Prefix{} && p.Bits() != 24 && p.Bits() != 48) {
			t.Errorf("%q is %v", s, p)
		}
	})
}
