package hooks

import (
	"context"
	"fmt"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// timed is an answer with what a stranger can see of it.
type timed struct {
	status int
	body   string // ids of codes are made anew each time
	header map[string][]string
	took   time.Duration
}

func (w *ways) timed(network int, path, body string) timed {
	r := httptest.NewRequest("POST", "/api/collections/users/"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = fmt.Sprintf("198.51.%d.1:1", network)
	rec := httptest.NewRecorder()
	start := time.Now()
	w.handler.ServeHTTP(rec, r)
	took := time.Since(start)
	return timed{rec.Code, regexp.MustCompile(`"otpId":"[a-z0-9]{15}"`).ReplaceAllString(rec.Body.String(), `"otpId":"…"`), rec.Header(), took}
}

// TestAnswersAlike: whether an address or a handle has an account, and which
// standing that has, is in no answer to somebody who has no credentials, and
// not in how long it takes. The issue promises the times; of each the
// shortest counts, over more turns where the machine is busy with other things.
func TestAnswersAlike(t *testing.T) {
	w := newWays(t, false)
	w.evenly = evenly
	col, err := w.pb.FindCollectionByNameOrId(users)
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"waiting", "suspended", "refused"} {
		w.member(status)
		w.stand(status, status)
	}
	// With the cost that PocketBase has: a cheap hash shows nothing.
	col.Fields.GetByName(core.FieldNamePassword).(*core.PasswordField).Cost = 0
	if err := w.pb.Save(col); err != nil {
		t.Fatal(err)
	}
	for _, handle := range []string{"ann", "bob", "waiting", "suspended", "refused"} {
		rec := w.user(handle)
		rec.SetPassword("a long password")
		if err := w.pb.Save(rec); err != nil {
			t.Fatal(err)
		}
	}
	addresses := []string{"nobody@example.com", "ann@example.com", "waiting@example.com", "suspended@example.com", "refused@example.com"}
	rows := []struct {
		path, body string
		who        []string
		atOnce     bool
		most       float64 // how many times the shortest the longest may be
	}{
		{"request-otp", `{"email":"%s"}`, addresses, true, 1.3},
		{"request-password-reset", `{"email":"%s"}`, addresses, true, 1.3},
		{"request-verification", `{"email":"%s"}`, addresses, true, 1.3},
		{"auth-with-password", `{"identity":"%s","password":"another password"}`, []string{"nobody@example.com", "ann@example.com", "nobody", "ann", "waiting", "suspended", "refused"}, false, 3},
	}
	for _, row := range rows {
		t.Run(row.path, func(t *testing.T) {
			least := make([]time.Duration, len(row.who))
			var first timed
			far := func() bool {
				return float64(slices.Max(least)) > row.most*float64(slices.Min(least))
			}
			for turn := 0; turn < 2 || (turn < 15 && far()); turn++ {
				answers := make([]timed, len(row.who))
				var all sync.WaitGroup
				for n, who := range row.who {
					all.Go(func() { answers[n] = w.timed(n, row.path, fmt.Sprintf(row.body, who)) })
					if !row.atOnce {
						all.Wait()
					}
				}
				all.Wait()
				if first.status == 0 {
					first = answers[0]
				}
				for n, a := range answers {
					if least[n] == 0 || a.took < least[n] {
						least[n] = a.took
					}
					if a.status != first.status || a.body != first.body {
						t.Errorf("%s: %d %s, %s: %d %s", row.who[n], a.status, a.body, row.who[0], first.status, first.body)
					}
					if diff := cmp.Diff(first.header, a.header); diff != "" {
						t.Errorf("%s: headers %s", row.who[n], diff)
					}
				}
			}
			if row.atOnce && slices.Min(least) < evenly {
				t.Errorf("not held: %v", least)
			}
			if far() {
				t.Errorf("%v of %v", least, row.who)
			}
		})
	}
	// Those who may not sign in got no code, whatever they were told.
	for handle, made := range map[string]bool{"ann": true, "waiting": false, "suspended": false, "refused": false} {
		n, err := w.pb.CountRecords(core.CollectionNameOTPs, dbx.HashExp{"recordRef": w.user(handle).Id})
		if err != nil || (n > 0) != made {
			t.Errorf("%d codes of %s, %v", n, handle, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for address := range w.mails {
		if address != "ann@example.com" {
			t.Errorf("a code was sent to %s", address)
		}
	}
}

// TestHeldAnswersEnd: nobody waits for somebody who went away, and answers do
// not pile up.
func TestHeldAnswersEnd(t *testing.T) {
	i := newInstance(t)
	ask := func(ctx context.Context, address, body string) (int, time.Duration) {
		r := httptest.NewRequestWithContext(ctx, "POST", "/api/collections/users/request-password-reset", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = address + ":1"
		w := httptest.NewRecorder()
		start := time.Now()
		i.handler.ServeHTTP(w, r)
		return w.Code, time.Since(start)
	}
	const body = `{"email":"nobody@example.com"}`
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	i.evenly = patient
	if _, took := ask(gone, "192.0.2.1", body); took >= patient/2 {
		t.Errorf("an answer to nobody was held for %s", took)
	}
	i.evenly = evenly
	if status, _ := ask(t.Context(), "192.0.2.1", `{"email":"`+strings.Repeat("x", maxAlike)+`"}`); status != 413 {
		t.Errorf("a body of %d bytes: %d", maxAlike, status)
	}
	if status, took := ask(t.Context(), "192.0.2.1", `{`); status != 400 || took < evenly {
		t.Errorf("no JSON: %d after %s", status, took)
	}
	got := make(chan int)
	i.evenly = 5 * evenly // in which all of them come
	for n := range mostHeldOf + 2 {
		go func() {
			status, _ := ask(t.Context(), fmt.Sprintf("192.0.2.%d", n), body)
			got <- status
		}()
	}
	var statuses []int
	for range mostHeldOf + 2 {
		statuses = append(statuses, <-got)
	}
	i.evenly = evenly
	slices.Sort(statuses)
	if want := append(slices.Repeat([]int{204}, mostHeldOf), 429, 429); !slices.Equal(statuses, want) {
		t.Errorf("at once from one network: %v, want %v", statuses, want)
	}
	if status, _ := ask(t.Context(), "192.0.2.1", body); status != 204 || i.held.all != 0 || len(i.held.of) != 0 {
		t.Errorf("afterwards: %d, %d held for %d networks", status, i.held.all, len(i.held.of))
	}
	i.held.all = mostHeld
	if status, _ := ask(t.Context(), "198.51.100.1", body); status != 429 {
		t.Errorf("of all networks: %d", status)
	}
}
