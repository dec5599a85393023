package hooks

import (
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// limiter allows a number of attempts per network and window. The windows are
// the same for all networks, so that a new one forgets them all at once; within
// one none is forgotten, and where there is no room for more, strangers are
// refused. Nothing of it outlives the process.
type limiter struct {
	most     int           // attempts per network and window
	window   time.Duration // from the limiter's start on
	networks int           // that are remembered in a window
	now      func() time.Time
	start    time.Time

	mu     sync.Mutex
	number int64 // of the window that made is of
	made   map[netip.Prefix]int
}

func newLimiter(most int, window time.Duration, networks int, now func() time.Time) *limiter {
	return &limiter{most: most, window: window, networks: networks, now: now, start: now(), made: map[netip.Prefix]int{}}
}

// try counts an attempt from an address and says whether it is allowed; if not,
// after how long the next may be. It costs no more when it refuses.
func (l *limiter) try(address string) (wait time.Duration, ok bool) {
	key := networkOf(address)
	l.mu.Lock()
	defer l.mu.Unlock()
	// With the monotonic clock: one that is set back begins no window.
	passed := l.now().Sub(l.start)
	if number := int64(passed / l.window); number != l.number {
		l.number = number
		l.made = map[netip.Prefix]int{} // a cleared map would keep its size
	}
	wait = l.window - passed%l.window
	n, known := l.made[key]
	if n >= l.most || (!known && len(l.made) >= l.networks) {
		return wait, false
	}
	l.made[key] = n + 1
	return 0, true
}

// networkOf is what one person has: of IPv6 at least a /48, of IPv4 an address,
// counted by its /24 since neighbours are often rented together. What is no
// address is one network, so that a missing one opens nothing.
func networkOf(address string) netip.Prefix {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := ip.Unmap().WithZone(""), 48
	if ip.Is4() {
		bits = 24
	}
	network, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return network
}

// tooOften refuses an attempt that a limiter did not allow.
func tooOften(wait time.Duration) error {
	return tools.Fail(tools.Limit, "limit.attempts", minutes(wait))
}

// minutes rounds up, so that who waits as long as that is not refused again.
func minutes(wait time.Duration) int { return int(math.Ceil(wait.Minutes())) }
