package hooks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/tools/types"
)

// How many times as long as PocketBase's own our calls may take.
const (
	maxPreview = 1.2 // its PATCH
	maxApply   = 1.8 // its PATCH
	maxList    = 1.3 // its list
)

// fewTurns are too few for a median that one hiccup does not move.
const fewTurns = 30

// BenchmarkRatio holds our calls against PocketBase's own, of the same record
// by the same person through the same router, and fails above the limit. The
// two take turns, so that the ratio of their medians holds while the machine's
// speed drifts.
func BenchmarkRatio(b *testing.B) {
	for _, charges := range []int{100, 100_000} {
		i := newInstance(b)
		id := i.household(b, charges)
		token := i.token("ann")
		send := func(method, path, body string, headers ...string) {
			r := httptest.NewRequest(method, path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", token)
			for n := 0; n+1 < len(headers); n += 2 {
				r.Header.Set(headers[n], headers[n+1])
			}
			w := httptest.NewRecorder()
			i.handler.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				b.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
		n := 0
		patch := func() {
			n++
			send("PATCH", "/api/collections/household_subscriptions/records/"+id, fmt.Sprintf(`{"notes":"%d"}`, n))
		}
		update := func(query string) func() {
			return func() {
				n++
				send("POST", prefix+"/tools/household_subscription_update"+query, fmt.Sprintf(`{"id":"%s","notes":"%d"}`, id, n))
			}
		}
		list := func() {
			send("GET", "/api/collections/household_subscriptions/records?perPage=50&sort=name", "")
		}
		// What our journal adds to PocketBase's own PATCH: a second instance
		// without it, beside.
		bare := newInstance(b)
		bareID := bare.household(b, charges)
		bare.pb.OnRecordUpdateExecute().Unbind("nodkeepRecord")
		bareToken := bare.token("ann")
		plain := func() {
			n++
			if status, body := bare.web("PATCH", "/api/collections/household_subscriptions/records/"+bareID, bareToken, fmt.Sprintf(`{"notes":"%d"}`, n)); status != http.StatusOK {
				b.Fatal(body)
			}
		}
		for _, row := range []struct {
			name         string
			ours, theirs func()
			limit        float64 // 0 for one that only informs
		}{
			{"preview", update("?preview=1"), patch, maxPreview},
			{"apply", update(""), patch, maxApply},
			{"journaled-patch", patch, plain, 0},
			{"list50", func() { send("POST", prefix+"/tools/household_subscription_list", `{"limit":50}`) }, list, maxList},
		} {
			b.Run(fmt.Sprintf("%s/charges=%d", row.name, charges), func(b *testing.B) { ratio(b, row.ours, row.theirs, row.limit) })
		}
	}
}

// ratio reports how many times as long ours takes as theirs, and fails above
// limit.
func ratio(b *testing.B, ours, theirs func(), limit float64) {
	for range fewTurns { // until caches and pools are filled
		theirs()
		ours()
	}
	var a, t []time.Duration
	for b.Loop() {
		start := time.Now()
		theirs()
		half := time.Now()
		ours()
		t, a = append(t, half.Sub(start)), append(a, time.Since(half))
	}
	slices.Sort(a)
	slices.Sort(t)
	got := float64(a[len(a)/2]) / float64(t[len(t)/2])
	b.ReportMetric(got, "ratio")
	if limit > 0 {
		b.ReportMetric(limit, "limit")
	}
	if limit > 0 && got > limit && len(a) >= fewTurns {
		b.Errorf("takes %.2f times as long as PocketBase's own, at most %.1f are allowed", got, limit)
	}
	b.ReportMetric(float64(a[len(a)/2].Microseconds()), "ours-µs")
	b.ReportMetric(float64(t[len(t)/2].Microseconds()), "pocketbase-µs")
}

// household fills in fifty subscriptions and the charges of one of them, opens
// PocketBase's own PATCH by the plugin's change rule, and gives that one's id.
func (i *instance) household(b *testing.B, charges int) string {
	b.Helper()
	token := i.token("ann")
	var id string
	for n := range 50 {
		id, _ = i.add(token, fmt.Sprintf("Subscription %02d", n), `,"tags":["home","fun"],"notes":"a note of some length, as people write them"`)
	}
	_, err := i.pb.DB().NewQuery(`INSERT INTO household_charges (id,subscription,date,amount,currency)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<{:n}) SELECT printf('c%014d',i),{:s},date('2000-01-01','+'||(i%9000)||' days'),i,'EUR' FROM n`).
		Bind(dbx.Params{"n": charges, "s": id}).Execute()
	if err != nil {
		b.Fatal(err)
	}
	col, err := i.pb.FindCollectionByNameOrId("household_subscriptions")
	if err != nil {
		b.Fatal(err)
	}
	col.UpdateRule = types.Pointer("private = false || owner = @request.auth.id")
	if err := i.pb.Save(col); err != nil {
		b.Fatal(err)
	}
	return id
}
