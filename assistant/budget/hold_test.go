package budget

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestWhoMay: a person that is approved, a grant, and the person's agreement to
// exactly this host and protocol.
func TestWhoMay(t *testing.T) {
	h := newHome(t)
	other := Assistant{ID: "other", Host: "api.example.org", Protocol: gateway.OpenAI, Model: "m"}
	hold := func(person string, a Assistant) error {
		m := h.l.Meter(person, a, ask(3000, 10))
		err := m.Hold(t.Context())
		m.Settle(gateway.Spent{Unbilled: true})
		return err
	}
	wants := func(key string, err error) {
		t.Helper()
		e, ok := errors.AsType[*tools.Error](err)
		if key == "" && err != nil || key != "" && (!ok || e.Kind != tools.Forbidden || e.Text.Key != key) {
			t.Errorf("it gives %v, not %q", err, key)
		}
	}
	wants("", hold(h.ann, cloud))
	wants("budget.error.grant", hold(h.ann, other))
	everybody := h.put("grants", map[string]any{"everybody": true, "assistant": "other"})
	wants("budget.error.consent", hold(h.ann, other))
	consent := h.put("consents", map[string]any{"person": h.ann, "assistant": "other", "host": "api.example.org", "protocol": "openai"})
	wants("", hold(h.ann, other))
	wants("budget.error.consent", hold(h.bob, other)) // what ann agreed to
	moved := other
	moved.Host = "api.example.net"
	wants("budget.error.consent", hold(h.ann, moved))
	moved = other
	moved.Protocol = gateway.Responses
	wants("budget.error.consent", hold(h.ann, moved))
	everybody.Set("everybody", false) // nobody's
	if err := h.Save(everybody); err != nil {
		t.Fatal(err)
	}
	wants("budget.error.grant", hold(h.ann, other))
	h.put("grants", map[string]any{"person": h.bob, "assistant": "other"})
	wants("budget.error.grant", hold(h.ann, other))
	wants("budget.error.consent", hold(h.bob, other))
	if err := h.Delete(consent); err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"waiting", "refused", "suspended", ""} {
		h.sql("UPDATE users SET status = '" + status + "' WHERE id = '" + h.ann + "'")
		wants("budget.error.person", hold(h.ann, cloud))
	}
	wants("budget.error.person", hold("", cloud))
	wants("budget.error.person", hold("nobody", cloud))
	if h.held() != 0 {
		t.Errorf("%d are held", h.held())
	}
}

// TestHoldIsOneQueryAndOneWrite counts the statements of a hold, and looks
// whether each table is searched by an index.
func TestHoldIsOneQueryAndOneWrite(t *testing.T) {
	h := newHome(t)
	h.put("budgets", map[string]any{"everybody": true, "day_cost": "1000000", "month_tokens": "1000000"})
	h.put("limits", map[string]any{"person": h.ann, "day_cost": "900000"})
	h.hold(h.ann, cloud, ask(3000, 10)).Settle(gateway.Spent{})
	h.cap = 1_000_000_000
	var queries, writes []string
	for _, db := range []*dbx.DB{h.NonconcurrentDB().(*dbx.DB), h.ConcurrentDB().(*dbx.DB)} {
		db.QueryLogFunc = func(_ context.Context, _ time.Duration, q string, _ *sql.Rows, _ error) { queries = append(queries, q) }
		db.ExecLogFunc = func(_ context.Context, _ time.Duration, q string, _ sql.Result, _ error) { writes = append(writes, q) }
	}
	h.hold(h.ann, cloud, ask(3000, 10))
	for _, db := range []*dbx.DB{h.NonconcurrentDB().(*dbx.DB), h.ConcurrentDB().(*dbx.DB)} {
		db.QueryLogFunc, db.ExecLogFunc = nil, nil
	}
	if len(queries) != 1 || len(writes) != 1 || !strings.HasPrefix(writes[0], "INSERT INTO `nodkeep_holds`") {
		t.Fatalf("%d queries, %d writes: %q", len(queries), len(writes), writes)
	}
	var plan []struct {
		Detail string `db:"detail"`
	}
	if err := h.DB().NewQuery("EXPLAIN QUERY PLAN " + queries[0]).All(&plan); err != nil {
		t.Fatal(err)
	}
	searched := 0
	for _, step := range plan {
		if strings.HasPrefix(step.Detail, "SEARCH") {
			searched++
			if !strings.Contains(step.Detail, "INDEX") {
				t.Error(step.Detail)
			}
		}
		// What the subqueries give, a row each, may be scanned.
		if strings.HasPrefix(step.Detail, "SCAN") && step.Detail != "SCAN spent" && step.Detail != "SCAN held" {
			t.Error(step.Detail)
		}
	}
	if searched != 11 {
		t.Errorf("%d searches: %v", searched, plan)
	}
}

// TestLimits: each limit refuses what would pass it, tells what and until when,
// and lets through what just fits.
func TestLimits(t *testing.T) {
	midnight, first := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	// A call may use 4,000 + 1,000 tokens and 5,000 + 2,000 millionths.
	rows := []struct {
		field string
		limit int
		until time.Time
	}{{"day_cost", 14_000, midnight}, {"month_cost", 14_000, first}, {"day_tokens", 10_000, midnight}, {"month_tokens", 10_000, first}, {"all_cost", 14_000, midnight}}
	for _, row := range rows {
		for _, own := range []bool{false, true} {
			if own && row.field == "all_cost" {
				continue
			}
			t.Run(row.field, func(t *testing.T) {
				h := newHome(t)
				set := func(n int) {
					t.Helper()
					h.sql("DELETE FROM nodkeep_budgets")
					h.sql("DELETE FROM nodkeep_limits")
					switch {
					case row.field == "all_cost":
						h.cap = int64(n)
					case own:
						h.put("budgets", map[string]any{"person": h.ann, row.field: "999999999999999999"})
						h.put("limits", map[string]any{"person": h.ann, row.field: n})
					default:
						h.put("budgets", map[string]any{"person": h.ann, row.field: n})
						h.put("budgets", map[string]any{"everybody": true, row.field: "1"}) // not hers
					}
				}
				call := ask(4000, 1000)
				set(row.limit)
				h.hold(h.ann, cloud, call)
				m := h.hold(h.ann, cloud, call)
				r := h.refused(h.ann, cloud, call)
				if string(r.Which) != row.field || r.Own != own || r.Never || !r.Until.Equal(row.until) || r.Held != int64(row.limit) || r.Used != 0 {
					t.Errorf("%+v", r)
				}
				m.Settle(gateway.Spent{})
				if r := h.refused(h.ann, cloud, call); r.Used != int64(row.limit/2) || r.Held != int64(row.limit/2) {
					t.Errorf("%+v", r)
				}
				set(row.limit/2 - 1)
				if r := h.refused(h.ann, cloud, call); !r.Never || strings.Contains(h.say(r), "budget.") {
					t.Errorf("%+v", r)
				}
				set(0)
				free := cloud
				free.Prices = &Prices{}
				if r := h.refused(h.ann, free, call); !r.Never || strings.Contains(h.say(r), "budget.") {
					t.Errorf("%+v", r)
				}
				// The day after, or the month.
				set(row.limit)
				h.at(row.until.Add(-time.Second))
				_ = h.refused(h.ann, cloud, call)
				h.at(row.until)
				h.hold(h.ann, cloud, call)
			})
		}
	}
}

// say is a refusal in all languages.
func (h *home) say(r *Reached) string {
	var all []string
	for _, lang := range []string{"en", "de", "es"} {
		all = append(all, h.catalog.Say(lang, r.Text))
	}
	return strings.Join(all, "\n")
}

// TestLimitOfAll: the instance's cap counts what everybody spends, and tells
// nobody how much that is.
func TestLimitOfAll(t *testing.T) {
	h := newHome(t)
	h.cap = 20_000
	h.hold(h.bob, cloud, ask(4000, 1000)).Settle(gateway.Spent{})
	h.hold(h.bob, cloud, ask(4000, 1000))
	r := h.refused(h.ann, cloud, ask(4000, 1000))
	if r.Which != AllCost || strings.ContainsAny(strings.ReplaceAll(h.catalog.English(r.Text), "00:00", ""), "14") {
		t.Errorf("%+v", r)
	}
}

// TestLongest: of two limits that are passed the one is told that lasts longer.
func TestLongest(t *testing.T) {
	h := newHome(t)
	h.put("budgets", map[string]any{"everybody": true, "day_cost": "7000", "month_tokens": "5000"})
	h.hold(h.ann, cloud, ask(4000, 1000))
	if r := h.refused(h.ann, cloud, ask(4000, 1000)); r.Which != MonthTokens {
		t.Errorf("%+v", r)
	}
}

// TestUnpriced: a limit in money refuses what has no price, unless one in tokens
// of the same hand stands beside it.
func TestUnpriced(t *testing.T) {
	rows := []struct {
		budget, own string
		cap         int64
		refused     bool
	}{
		{"", "", -1, false},
		{"day_cost", "", -1, true},
		{"month_cost", "", -1, true},
		{"", "day_cost", -1, true},
		{"", "", 5, true},
		{"day_cost day_tokens", "", -1, false},
		{"month_tokens", "month_cost", -1, false},
		{"", "day_cost month_tokens", -1, false},
		{"day_cost", "day_tokens", -1, true},
		{"", "day_tokens", 5, true},
		{"day_tokens", "", 5, false},
	}
	h := newHome(t)
	for _, row := range rows {
		h.sql("DELETE FROM nodkeep_budgets")
		h.sql("DELETE FROM nodkeep_limits")
		h.cap = row.cap
		for collection, fields := range map[string]string{"budgets": row.budget, "limits": row.own} {
			with := map[string]any{"person": h.ann}
			for f := range strings.FieldsSeq(fields) {
				with[f] = "1000000"
			}
			if len(with) > 1 {
				h.put(collection, with)
			}
		}
		m := h.l.Meter(h.ann, local, ask(3000, 10))
		err := m.Hold(t.Context())
		if e, ok := errors.AsType[*tools.Error](err); row.refused && (!ok || e.Text.Key != "budget.error.unpriced") || !row.refused && err != nil {
			t.Errorf("%+v gives %v", row, err)
		}
		m.Settle(gateway.Spent{Unbilled: true})
	}
	// A price of nothing is one.
	h.cap = 5
	free := local
	free.Prices = &Prices{}
	h.hold(h.ann, free, ask(3000, 10)).Settle(gateway.Spent{Usage: usage(100, 0, 0, 1)})
	if d := h.used(h.ann); d.Unpriced != 0 || d.Cost != 0 || d.Uncached != 100 {
		t.Errorf("%+v", d)
	}
}

// TestAbsurd: no number is so large that a sum begins anew from below.
func TestAbsurd(t *testing.T) {
	h := newHome(t)
	dear := cloud
	dear.Prices = &Prices{Rates: Rates{Input: math.MaxInt64, Output: math.MaxInt64, CacheRead: math.MaxInt64, CacheWrite: math.MaxInt64}}
	huge := ask(3000, 10)
	huge.MaxOutput = math.MaxInt
	huge.Messages = []gateway.Message{{Parts: []gateway.Part{{Media: gateway.PDF, Pages: math.MaxInt}}}}
	for range 3 {
		h.hold(h.ann, dear, huge).Settle(gateway.Spent{})
		h.hold(h.ann, dear, huge)
	}
	h.open(Config{})
	if u := h.used(h.ann); u.Cost != mostCost || u.Requests != 6 || u.Output != 6*mostTokens {
		t.Errorf("%+v", u)
	}
	h.put("budgets", map[string]any{"person": h.ann, "day_cost": "999999999999999", "day_tokens": "999999999999999999"})
	if r := h.refused(h.ann, cloud, ask(3000, 10)); r.Which != DayCost || r.Used != mostCost {
		t.Errorf("%+v", r)
	}
	h.sql("UPDATE nodkeep_budgets SET day_cost = 'abc'")
	if r := h.refused(h.ann, cloud, ask(3000, 10)); r.Limit.Limit != 0 {
		t.Errorf("%+v", r)
	}
}

// TestHoldWaits: who writes to the database beside us is waited for, and a call
// that was given up meanwhile holds nothing.
func TestHoldWaits(t *testing.T) {
	h := newHome(t)
	h.hold(h.ann, cloud, ask(3000, 10)).Settle(gateway.Spent{}) // all that is made at the first time
	other, err := core.DefaultDBConnect(filepath.Join(h.DataDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	for _, given := range []bool{false, true} {
		tx, err := other.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.NewQuery("UPDATE nodkeep_usage SET requests = requests + 1").Execute(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		held := make(chan error)
		m := h.l.Meter(h.ann, cloud, ask(3000, 10))
		go func() { held <- m.Hold(ctx) }()
		time.Sleep(100 * time.Millisecond) // so that it waits, most times
		if given {
			cancel()
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-held; given != errors.Is(err, context.Canceled) || !given && err != nil {
			t.Errorf("given up %v: %v", given, err)
		}
		cancel()
		m.Settle(gateway.Spent{})
		if n := h.held(); n != 0 {
			t.Errorf("%d are held", n)
		}
	}
	if got := h.used(h.ann).Requests; got != 4 { // two of them the other's
		t.Errorf("%d requests", got)
	}
}
