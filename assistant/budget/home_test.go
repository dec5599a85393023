package budget

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// home is an app with a ledger, its own clock, and ann, who may ask everything.
type home struct {
	*toolstest.App
	tb      testing.TB
	ann     string
	bob     string
	now     time.Time
	cap     int64 // -1: none
	told    []Notice
	log     strings.Builder
	l       *Ledger
	mu      sync.Mutex
	catalog *i18n.Catalogue
}

// noon is a day in the middle of nothing, but the last of its month but one.
var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// cloud has prices of round numbers: 1 and 2 of the currency for a million
// tokens, so that a token costs one or two millionths.
var (
	round = &Prices{Rates: Rates{Input: million, Output: 2 * million, CacheRead: million / 10, CacheWrite: million * 5 / 4, CacheWriteHour: 2 * million}}
	cloud = Assistant{ID: "cloud", Host: "api.example.com", Protocol: gateway.Anthropic, Model: "big", Prices: round}
	local = Assistant{ID: "local", Host: "127.0.0.1:11434", Protocol: gateway.OpenAI, Model: "small"}
)

func newHome(tb testing.TB) *home {
	h := &home{tb: tb, now: noon, cap: -1}
	h.App = toolstest.NewWith(tb, tools.Config{Now: h.clock})
	h.ann, h.bob = h.Member("ann").Id, h.Member("bob").Id
	for _, a := range []Assistant{cloud, local} {
		h.allow(h.ann, a)
		h.allow(h.bob, a)
	}
	var err error
	h.catalog, err = i18n.Load(i18n.Core(), Locales())
	if err != nil {
		tb.Fatal(err)
	}
	h.open(Config{})
	return h
}

// open makes a ledger, as a start of the server does.
func (h *home) open(c Config) {
	h.tb.Helper()
	c.App, c.Now = h.App, h.clock
	c.Log = slog.New(slog.NewTextHandler(&h.log, nil))
	c.Cap = func() (int64, bool) { return h.cap, h.cap >= 0 }
	c.Told = func(_ string, n Notice) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.told = append(h.told, n)
	}
	var err error
	if h.l, err = New(c); err == nil {
		err = h.l.Recover(h.tb.Context())
	}
	if err != nil {
		h.tb.Fatal(err)
	}
}

func (h *home) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *home) at(t time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = t
}

// put makes a record of the core's.
func (h *home) put(collection string, fields map[string]any) *core.Record {
	h.tb.Helper()
	col, err := h.FindCollectionByNameOrId("nodkeep_" + collection)
	if err != nil {
		h.tb.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Load(fields)
	if err := h.Save(rec); err != nil {
		h.tb.Fatal(err)
	}
	return rec
}

// allow grants an assistant and lets the person agree to it.
func (h *home) allow(person string, a Assistant) {
	h.tb.Helper()
	h.put("grants", map[string]any{"person": person, "assistant": a.ID})
	h.put("consents", map[string]any{"person": person, "assistant": a.ID, "host": a.Host, "protocol": string(a.Protocol)})
}

// sql changes the database past everything.
func (h *home) sql(q string) {
	h.tb.Helper()
	if _, err := h.NonconcurrentDB().NewQuery(q).Execute(); err != nil {
		h.tb.Fatal(err)
	}
}

// ask is a request whose worst case is exactly that many tokens of prompt and
// of answer.
func ask(prompt, output int) gateway.Request {
	n := prompt - forRequest - forMessage
	if n < 0 {
		panic("too small")
	}
	return gateway.Request{System: []gateway.Block{{Text: strings.Repeat("a", n)}}, MaxOutput: output}
}

// hold holds, and ends the test where that is refused.
func (h *home) hold(person string, a Assistant, r gateway.Request) gateway.Meter {
	h.tb.Helper()
	m := h.l.Meter(person, a, r)
	if err := m.Hold(h.tb.Context()); err != nil {
		h.tb.Fatal(err)
	}
	return m
}

// refused holds, and ends the test unless a limit is reached.
func (h *home) refused(person string, a Assistant, r gateway.Request) *Reached {
	h.tb.Helper()
	err := h.l.Meter(person, a, r).Hold(h.tb.Context())
	reached, ok := errors.AsType[*Reached](err)
	if !ok {
		h.tb.Fatalf("it gives %v", err)
	}
	if tools.KindOf(err) != tools.Limit {
		h.tb.Errorf("it is of the kind %s", tools.KindOf(err))
	}
	return reached
}

// used is what the books say, all in all.
func (h *home) used(person string) Used {
	h.tb.Helper()
	page, err := h.l.Usage(h.tb.Context(), UsageQuery{Person: person, Limit: 200})
	if err != nil {
		h.tb.Fatal(err)
	}
	var sum Used
	for _, u := range page.Items {
		sum.Requests, sum.Unpriced, sum.Cost = sum.Requests+u.Requests, sum.Unpriced+u.Unpriced, sum.Cost+u.Cost
		sum.Uncached, sum.CacheRead, sum.CacheWrite, sum.Output = sum.Uncached+u.Uncached, sum.CacheRead+u.CacheRead, sum.CacheWrite+u.CacheWrite, sum.Output+u.Output
	}
	return sum
}

// held is how many calls are under way.
func (h *home) held() (n int) {
	h.tb.Helper()
	if err := h.DB().Select("count(*)").From(tools.HoldsTable).Row(&n); err != nil {
		h.tb.Fatal(err)
	}
	return n
}

func usage(uncached, read, write, output int64) *gateway.Usage {
	return &gateway.Usage{Uncached: uncached, CacheRead: read, CacheWrite: write, Output: output}
}
