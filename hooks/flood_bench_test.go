package hooks

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a flood of sign-ups from one network may cost members: their 95th
// percentile against the quiet one, in one run.
const (
	floodPerMinute = 10_000
	maxFlood       = 2.0
)

// BenchmarkFlood reads as a member, over real HTTP, while nobody else does
// anything and while sign-ups come from one network. It fails above the limit.
func BenchmarkFlood(b *testing.B) {
	i := newInstance(b)
	i.add(i.token("ann"), "Netflix", "")
	s := httptest.NewServer(i.handler)
	defer s.Close()
	token := i.token("ann")
	read := func() time.Duration {
		start := time.Now()
		r, _ := http.NewRequest("POST", s.URL+prefix+"/tools/household_subscription_list", strings.NewReader("{}"))
		r.Header.Set("Authorization", token)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			b.Fatal(resp.Status)
		}
		return time.Since(start)
	}
	p95 := func() time.Duration {
		times := make([]time.Duration, 400)
		for n := range times {
			times[n] = read()
			time.Sleep(5 * time.Millisecond)
		}
		slices.Sort(times)
		return times[len(times)*95/100]
	}
	var ratios []time.Duration
	var sent int
	for b.Loop() {
		i.onceMore()
		quiet := p95()
		stop, done := make(chan struct{}), make(chan int)
		go func() { done <- flood(s.URL, stop) }()
		loud := p95()
		close(stop)
		sent += <-done
		ratios = append(ratios, time.Duration(float64(loud)/float64(quiet)*1000))
		b.ReportMetric(float64(quiet.Microseconds()), "us-quiet")
		b.ReportMetric(float64(loud.Microseconds()), "us-flood")
	}
	ratio := float64(median(ratios)) / 1000
	b.ReportMetric(ratio, "ratio")
	b.ReportMetric(maxFlood, "limit")
	b.ReportMetric(float64(sent), "sign-ups")
	if n, err := countWaiting(i.pb); err != nil || n > int64(i.settings.Waiting) {
		b.Errorf("%d wait, %v", n, err)
	}
	if ratio > maxFlood {
		b.Errorf("members wait %.2f times as long in a flood, at most %.1f", ratio, maxFlood)
	}
}

// flood signs up as fast as promised until it is stopped, and counts.
func flood(base string, stop chan struct{}) (sent int) {
	tick := time.NewTicker(time.Minute / floodPerMinute)
	defer tick.Stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		select {
		case <-stop:
			return sent
		case <-tick.C:
			sent++
			n := sent
			wg.Go(func() {
				path, kind, body := floodBy(n)
				resp, err := http.Post(base+path, kind, strings.NewReader(body))
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			})
		}
	}
}

// floodBy is one sign-up, by each way that has a password in turn.
func floodBy(n int) (path, kind, body string) {
	const form = "application/x-www-form-urlencoded"
	switch n % 4 {
	case 0:
		return prefix + "/signup", "application/json", fmt.Sprintf(`{"handle":"flood%d","password":"a long password"}`, n)
	case 1:
		return signUpPath, form, fmt.Sprintf("handle=flood%d&password=a+long+password", n)
	case 2:
		return "/api/collections/users/records", form, fmt.Sprintf("handle=flood%d&password=a+long+password&passwordConfirm=a+long+password", n)
	}
	return "/api/collections/users/records", "application/json", fmt.Sprintf(`{"handle":"flood%d","password":"a long password","passwordConfirm":"a long password"}`, n)
}
