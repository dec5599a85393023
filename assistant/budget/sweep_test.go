package budget

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestAccountGoes: what a person spent goes with their account, but for today's,
// which counts as nobody's; so does what is under way, whenever it ends.
func TestAccountGoes(t *testing.T) {
	for _, way := range []string{"told", "found"} {
		t.Run(way, func(t *testing.T) {
			h := newHome(t)
			call := ask(4000, 1000)
			h.at(noon.AddDate(0, 0, -1))
			h.hold(h.ann, cloud, call).Settle(gateway.Spent{})
			h.at(noon)
			h.hold(h.ann, cloud, call).Settle(gateway.Spent{})
			h.hold(h.bob, cloud, call).Settle(gateway.Spent{})
			open := h.hold(h.ann, cloud, call)
			h.hold(h.ann, cloud, call)
			goes := func(person string) {
				t.Helper()
				rec, err := h.FindRecordById("users", person)
				if err == nil {
					err = h.Delete(rec)
				}
				if err == nil && way == "told" {
					_, err = h.Runner.DropBooks(t.Context(), person)
				} else if err == nil {
					_, err = h.Runner.DropGoneBooks(t.Context())
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			goes(h.ann)
			open.Settle(gateway.Spent{Usage: usage(1000, 0, 0, 0)})
			if got := h.used(h.ann); got != (Used{}) {
				t.Errorf("hers: %+v", got)
			}
			if d := cmp.Diff(Used{Requests: 1, Uncached: 4000, Output: 1000, Cost: 7000}, h.used(h.bob)); d != "" {
				t.Error(d)
			}
			want := Used{Requests: 3, Uncached: 9000, Output: 2000, Cost: 15_000}
			if d := cmp.Diff(want, h.used("")); d != "" { // of all: bob's, and two that are nobody's
				t.Error(d)
			}
			// All of it counts: 15,000 spent and 7,000 held.
			h.cap = 22_000 + 7000
			h.hold(h.bob, cloud, call)
			_ = h.refused(h.bob, cloud, call)
			goes(h.bob)
			if d := cmp.Diff(want, h.used("")); d != "" {
				t.Error(d)
			}
			h.open(Config{})
			if d := cmp.Diff(Used{Requests: 5, Uncached: 17_000, Output: 4000, Cost: 29_000}, h.used("")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestBooks: nothing else writes what was spent.
func TestBooks(t *testing.T) {
	h := newHome(t)
	h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{})
	for _, book := range []string{tools.HoldsTable, tools.UsageTable} {
		col, err := h.FindCollectionByNameOrId(book)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Save(core.NewRecord(col)); tools.KindOf(err) != tools.Forbidden {
			t.Errorf("%s gives %v", book, err)
		}
	}
}

// TestSweep keeps three months.
func TestSweep(t *testing.T) {
	h := newHome(t)
	for _, day := range []string{"2026-08-28", "2026-08-29", "2026-11-29"} {
		at, _ := time.Parse(time.DateOnly, day)
		h.at(at)
		h.hold(h.ann, cloud, ask(4000, 1000)).Settle(gateway.Spent{})
	}
	if err := h.l.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	page, err := h.l.Usage(t.Context(), UsageQuery{})
	if err != nil || len(page.Items) != 2 || page.Items[0].Day != "2026-08-29" {
		t.Errorf("%+v, %v", page, err)
	}
	for now, want := range map[string]string{"2027-05-31": "2027-02-28", "2027-05-28": "2027-02-28", "2027-01-15": "2026-10-15", "2028-05-30": "2028-02-29"} {
		at, _ := time.Parse(time.DateOnly, now)
		if got := before(at); got != want {
			t.Errorf("on %s what is before %s goes, want %s", now, got, want)
		}
	}
}
