package budget

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// watchSQL notes with each hold, in its own transaction, what is spent and held
// with it. Nothing else makes these sums grow, so that no moment goes unseen.
const watchSQL = `CREATE TABLE seen (id TEXT, person TEXT, day TEXT, assistant TEXT, day_cost INT, month_cost INT, day_tokens INT, month_tokens INT, all_cost INT);
CREATE VIEW both AS SELECT person, day, cost, input_uncached + cache_read + cache_write + output AS tokens FROM nodkeep_usage
 UNION ALL SELECT person, day, cost, uncached + output FROM nodkeep_holds;
CREATE TRIGGER watch AFTER INSERT ON nodkeep_holds BEGIN INSERT INTO seen SELECT NEW.id, NEW.person, NEW.day, NEW.assistant,
 (SELECT sum(cost) FROM both WHERE person = NEW.person AND day = NEW.day),
 (SELECT sum(cost) FROM both WHERE person = NEW.person AND substr(day, 1, 7) = substr(NEW.day, 1, 7)),
 (SELECT sum(tokens) FROM both WHERE person = NEW.person AND day = NEW.day),
 (SELECT sum(tokens) FROM both WHERE person = NEW.person AND substr(day, 1, 7) = substr(NEW.day, 1, 7)),
 (SELECT sum(cost) FROM both WHERE day = NEW.day); END`

type seenRow struct {
	ID          string `db:"id"`
	Person      string `db:"person"`
	Day         string `db:"day"`
	Assistant   string `db:"assistant"`
	DayCost     int64  `db:"day_cost"`
	MonthCost   int64  `db:"month_cost"`
	DayTokens   int64  `db:"day_tokens"`
	MonthTokens int64  `db:"month_tokens"`
	AllCost     int64  `db:"all_cost"`
}

// chance is one schedule: what came of each hold that was taken.
type chance struct {
	*home
	t    *testing.T
	mu   sync.Mutex
	came map[string]Used // what the books must say, by hold
	no   map[string]int  // refusals, by limit
}

// TestNoLimitIsEverPassed runs random schedules of calls side by side, which fail,
// are tried again, say nothing or nonsense of what they used, go on past midnight,
// or are left open when the server dies. No limit is passed at any moment, and
// nothing is charged twice or lost.
func TestNoLimitIsEverPassed(t *testing.T) {
	most := schedules
	if testing.Short() {
		most = 100
	}
	h := newHome(t)
	h.sql(watchSQL)
	carl := h.Member("carl").Id
	for _, a := range []Assistant{cloud, local} {
		h.allow(carl, a)
	}
	held, no := 0, map[string]int{}
	for seed := range most {
		c := &chance{home: h, t: t, came: map[string]Used{}, no: no}
		c.run(rand.New(rand.NewPCG(6, uint64(seed))), []string{h.ann, h.bob, carl})
		if held += len(c.came); t.Failed() {
			t.Fatalf("in schedule %d", seed)
		}
	}
	t.Logf("%d schedules, %d holds, refusals: %v", most, held, no)
	for _, w := range []Which{DayCost, MonthCost, DayTokens, MonthTokens, AllCost} {
		if no[string(w)] == 0 {
			t.Errorf("nothing was refused for %s", w)
		}
	}
	if held < most {
		t.Errorf("only %d holds", held)
	}
}

func (c *chance) run(r *rand.Rand, persons []string) {
	for _, table := range []string{"nodkeep_usage", "nodkeep_holds", "nodkeep_budgets", "nodkeep_limits", "seen"} {
		c.sql("DELETE FROM " + table)
	}
	now := time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
	if r.IntN(2) == 0 {
		now = noon
	}
	c.at(now)
	limits := map[string]map[Which]int64{}
	for i, person := range persons {
		limits[person] = map[Which]int64{}
		for _, table := range []string{"nodkeep_budgets", "nodkeep_limits"} {
			if table == "nodkeep_budgets" && i == 0 {
				continue // everybody's
			}
			c.limit(r, table, person, limits[person])
		}
	}
	c.limit(r, "nodkeep_budgets", "", limits[persons[0]])
	if c.cap = -1; r.IntN(2) == 0 {
		c.cap = r.Int64N(120_000)
	}
	for range 1 + r.IntN(3) { // starts of the server
		c.open(Config{})
		var calls sync.WaitGroup
		var left sync.Map
		for range 2 + r.IntN(6) {
			person, seed := persons[r.IntN(len(persons))], r.Uint64()
			calls.Go(func() {
				if m := c.call(rand.New(rand.NewPCG(seed, 0)), person); m != nil {
					left.Store(m, true)
				}
			})
		}
		if r.IntN(2) == 0 {
			c.at(now.Add(time.Duration(r.IntN(3)) * time.Second)) // past midnight, for some
		}
		calls.Wait()
		if r.IntN(2) == 0 {
			c.open(Config{})
			left.Range(func(m, _ any) bool { // it is too late for them
				m.(gateway.Meter).Settle(gateway.Spent{Usage: usage(1, 0, 0, 1)})
				return true
			})
		}
	}
	c.open(Config{})
	c.check(limits)
}

// limit sets limits at random, and notes the lower ones.
func (c *chance) limit(r *rand.Rand, table, person string, limits map[Which]int64) {
	columns, values := []string{"person"}, []string{"'" + person + "'"}
	if person == "" {
		columns, values = append(columns, "everybody"), append(values, "TRUE")
	}
	for _, w := range []Which{DayCost, MonthCost, DayTokens, MonthTokens} {
		if r.IntN(4) > 0 {
			continue
		}
		n := r.Int64N(40_000)
		if r.IntN(10) == 0 {
			n = 0
		}
		columns, values = append(columns, string(w)), append(values, fmt.Sprintf("'%d'", n))
		if old, ok := limits[w]; !ok || n < old {
			limits[w] = n
		}
	}
	c.sql("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")")
}

// call makes up to three attempts at one request. It gives back a meter whose
// last attempt was left open.
func (c *chance) call(r *rand.Rand, person string) gateway.Meter {
	a := cloud
	if r.IntN(5) == 0 {
		a = local
	}
	prompt, output := 2100+r.Int64N(4000), 1+r.Int64N(3000)
	m := c.l.Meter(person, a, ask(int(prompt), int(output))).(*meter)
	whole := Used{Requests: 1, Uncached: prompt, Output: output, Cost: (prompt*5 + 3 + output*8) / 4}
	if a.Prices == nil {
		whole.Cost, whole.Unpriced = 0, 1
	}
	for range 1 + r.IntN(3) {
		ctx, cancel := context.WithCancel(c.t.Context())
		if r.IntN(20) == 0 {
			cancel()
		}
		err := m.Hold(ctx)
		cancel()
		if err != nil {
			if reached, ok := errors.AsType[*Reached](err); ok {
				c.mu.Lock()
				c.no[string(reached.Which)]++
				c.mu.Unlock()
			}
			return nil
		}
		came, spent, open := whole, gateway.Spent{}, false
		switch u := usage(r.Int64N(prompt/3), r.Int64N(prompt/3), r.Int64N(prompt/3), 1+r.Int64N(output)); r.IntN(8) {
		case 0: // it says nothing
		case 1:
			spent.Usage = []*gateway.Usage{usage(-1, 0, 0, 1), usage(prompt, output, 1, 0), usage(0, 0, 0, 0), usage(1<<62, 1<<62, 1<<62, 1<<62)}[r.IntN(4)]
		case 2:
			spent.Unbilled, came = true, Used{}
		case 3:
			open = true
		case 4:
			if spent.Usage = u; a.Prices != nil {
				spent.Cost = ptr(r.Int64N(2 * whole.Cost))
				came.Cost = min(*spent.Cost, whole.Cost)
			}
			came.Uncached, came.CacheRead, came.CacheWrite, came.Output = u.Uncached, u.CacheRead, u.CacheWrite, u.Output
		default:
			spent.Usage = u
			came.Uncached, came.CacheRead, came.CacheWrite, came.Output = u.Uncached, u.CacheRead, u.CacheWrite, u.Output
			if a.Prices != nil {
				came.Cost = (u.Uncached*20 + u.CacheRead*2 + u.CacheWrite*25 + u.Output*40 + 10) / 20
			}
		}
		c.mu.Lock()
		c.came[m.open[0]] = came
		c.mu.Unlock()
		if open {
			return m
		}
		m.Settle(spent)
	}
	return nil
}

// check holds what was seen and what the books say against what must be.
func (c *chance) check(limits map[string]map[Which]int64) {
	c.t.Helper()
	var seen []seenRow
	if err := c.DB().Select("*").From("seen").All(&seen); err != nil {
		c.t.Fatal(err)
	}
	if len(seen) != len(c.came) || c.held() != 0 {
		c.t.Errorf("%d holds were seen, %d taken, %d are left", len(seen), len(c.came), c.held())
	}
	want := map[string]Used{}
	for _, s := range seen {
		for w, sum := range map[Which]int64{DayCost: s.DayCost, MonthCost: s.MonthCost, DayTokens: s.DayTokens, MonthTokens: s.MonthTokens} {
			if most, ok := limits[s.Person][w]; ok && (sum > most || most == 0) {
				c.t.Errorf("%s is %d of %d", w, sum, most)
			}
		}
		if c.cap >= 0 && s.AllCost > c.cap {
			c.t.Errorf("all spend %d of %d", s.AllCost, c.cap)
		}
		u, came := want[s.Person+s.Day+s.Assistant], c.came[s.ID]
		u.Requests, u.Unpriced, u.Cost = u.Requests+came.Requests, u.Unpriced+came.Unpriced, u.Cost+came.Cost
		u.Uncached, u.CacheRead, u.CacheWrite, u.Output = u.Uncached+came.Uncached, u.CacheRead+came.CacheRead, u.CacheWrite+came.CacheWrite, u.Output+came.Output
		if u != (Used{}) {
			want[s.Person+s.Day+s.Assistant] = u
		}
	}
	page, err := c.l.Usage(c.t.Context(), UsageQuery{Limit: 200})
	if err != nil {
		c.t.Fatal(err)
	}
	got := map[string]Used{}
	for _, u := range page.Items {
		key := u.Person + u.Day + u.Assistant
		u.Person, u.Day, u.Period, u.Assistant, u.Currency = "", "", "", "", ""
		got[key] = u
	}
	if d := cmp.Diff(want, got); d != "" {
		c.t.Errorf("the books: %s", d)
	}
}
