package gateway

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// How often, and how long after, a host is asked again: as the official
// libraries do.
const (
	maxRepeats  = 2
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
	longestHint = 60 * time.Second // a host that says more is not waited for
)

// waitOf is how long a host says to wait.
func waitOf(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 && !math.IsInf(ms, 0) {
		return bounded(ms / 1000), true
	}
	hint := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(hint, 64); err == nil && s >= 0 && !math.IsInf(s, 0) {
		return bounded(s), true
	}
	if at, err := http.ParseTime(hint); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// bounded is a number of seconds that fits a duration.
func bounded(seconds float64) time.Duration {
	return time.Duration(min(seconds, 365*24*3600) * float64(time.Second))
}

// pause is how long to wait before asking for the nth time again, from 0; false
// where the host asks for more patience than there is.
func pause(e *Error, n int) (time.Duration, bool) {
	if e.RetryAfter > 0 {
		return e.RetryAfter, e.RetryAfter <= longestHint
	}
	wait := min(firstWait<<n, longestWait)
	return wait - time.Duration(rand.Float64()*0.25*float64(wait)), true // less up to a quarter, so that not all come at once
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
