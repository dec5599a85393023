package household

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// probe is a plugin whose tool runs what a test gives, with what a Call reads.
type probe struct{ run func(*tools.Call) error }

func (*probe) Name() string { return "probe" }
func (p *probe) Tools() []tools.Tool {
	return []tools.Tool{tools.New(tools.Def{Name: "probe_run", Title: "household.title.subscription_list", Help: "Runs the code of a test.", Effect: tools.EffectWrite},
		func(c *tools.Call, _ struct{}) (string, error) { return "", errors.Join(p.run(c), errProbed) })}
}

var errProbed = errors.New("nothing is to be written")

// within runs code in a Call of a person.
func (p *probe) within(tb testing.TB, a *toolstest.App, who string, run func(*tools.Call) error) {
	tb.Helper()
	var failed error
	p.run = func(c *tools.Call) error {
		failed = run(c)
		return failed
	}
	if _, err := a.Runner.Apply(tb.Context(), a.As(who), "", tools.Invocation{Tool: "probe_run", Args: []byte("{}")}); err == nil || failed != nil {
		tb.Fatal(failed, err)
	}
}

// fillCharges makes subscriptions of ann, some of them private, with charges near
// and far from their days; it gives the ids.
func fillCharges(tb testing.TB, a *toolstest.App, rnd *rand.Rand, subs, each int) []string {
	tb.Helper()
	ids := make([]string, subs)
	for i := range subs {
		ids[i] = fmt.Sprintf("sub%012d", i)
	}
	exec := func(query string, params dbx.Params) {
		if _, err := a.DB().NewQuery(query).Bind(params).Execute(); err != nil {
			tb.Fatal(err)
		}
	}
	first := add(tb, a, "ann", args{}).ID
	var columns []string
	if err := a.DB().NewQuery("SELECT '[[' || name || ']]' FROM pragma_table_info('" + subscriptions + "') WHERE name NOT IN ('id','private')").Column(&columns); err != nil {
		tb.Fatal(err)
	}
	all := strings.Join(columns, ",")
	for i, id := range ids {
		exec("INSERT INTO "+subscriptions+" (id,private,"+all+") SELECT {:id},{:private},"+all+" FROM "+subscriptions+" WHERE id={:first}",
			dbx.Params{"id": id, "private": i%3 == 0, "first": first})
		for n := range each {
			day := tools.Date{Year: 2025, Month: time.January, Day: 1}.AddDays(rnd.IntN(900))
			due := ""
			switch rnd.IntN(4) {
			case 0:
				due = day.AddDays(rnd.IntN(9) - 4).String()
			case 1:
				due = day.AddDays(rnd.IntN(900) - 450).String()
			}
			exec("INSERT OR IGNORE INTO "+charges+" (id,subscription,date,due,amount,currency) VALUES ({:id},{:sub},{:date},{:due},1,'EUR')",
				dbx.Params{"id": fmt.Sprintf("c%07d%07d", i, n), "sub": id, "date": day.String(), "due": due})
		}
	}
	return ids
}

// TestChargesNear: of some subscriptions or of all, the charges near some days are
// those booked near them or naming one, each once, and only what may be seen.
func TestChargesNear(t *testing.T) {
	p := &probe{}
	a := toolstest.New(t, Plugin{}, p)
	rnd := rand.New(rand.NewPCG(8, 8))
	ids := fillCharges(t, a, rnd, 12, 20)
	for range 60 {
		from, to := tools.Date{Year: 2025, Month: time.March, Day: 3}.AddDays(rnd.IntN(600)), tools.Date{}
		switch rnd.IntN(4) {
		case 0:
			from = tools.Date{}
		case 1:
			to = from.AddDays(rnd.IntN(90))
		case 2:
			from, to = tools.Date{}, from
		}
		some := slices.Repeat(ids[rnd.IntN(6):6+rnd.IntN(7)], 1+rnd.IntN(2))
		for _, who := range []string{"ann", "bob"} {
			for _, handed := range []bool{false, true} {
				p.within(t, a, who, func(c *tools.Call) error {
					if handed {
						if _, err := c.List(subscriptions, tools.Query{}); err != nil {
							return err
						}
					}
					of, err := chargesNear(&c.Reader, from, to, some)
					if err != nil {
						return err
					}
					all, err := chargesNear(&c.Reader, from, to, nil)
					if err != nil {
						return err
					}
					list, err := chargesOf(&c.Reader, tools.Query{})
					if err != nil {
						return err
					}
					want := map[string][]charged{}
					near := func(d tools.Date) bool {
						return !d.IsZero() && (from.IsZero() || !d.Before(from.AddDays(-reach))) && (to.IsZero() || !d.After(to.AddDays(reach)))
					}
					for _, c := range list {
						if near(c.date) || near(c.due) {
							want[c.sub] = append(want[c.sub], c)
						}
					}
					sorted := func(by map[string][]charged) map[string][]charged {
						for sub, list := range by {
							slices.SortFunc(list, func(a, b charged) int { return strings.Compare(a.id, b.id) })
							by[sub] = list
						}
						return by
					}
					for _, list := range of {
						if !slices.IsSortedFunc(list, func(a, b charged) int { return a.date.Compare(b.date) }) {
							t.Errorf("not by day: %v", list)
						}
					}
					if d := cmp.Diff(sorted(want), sorted(all), cmp.AllowUnexported(charged{})); d != "" {
						t.Errorf("%s: all from %v to %v: %s", who, from, to, d)
					}
					for sub := range want {
						if !slices.Contains(some, sub) {
							delete(want, sub)
						}
					}
					if d := cmp.Diff(want, sorted(of), cmp.AllowUnexported(charged{})); d != "" {
						t.Errorf("%s: %v from %v to %v: %s", who, some, from, to, d)
					}
					return nil
				})
			}
		}
	}
}

// TestChargesNearByIndex: of one subscription or of many, no charge but theirs is
// looked at, whether or not the run has handed them out and so asks no rule.
func TestChargesNearByIndex(t *testing.T) {
	p := &probe{}
	a := toolstest.New(t, Plugin{}, p)
	ids := fillCharges(t, a, rand.New(rand.NewPCG(8, 9)), 500, 20)
	if _, err := a.DB().NewQuery("ANALYZE").Execute(); err != nil {
		t.Fatal(err)
	}
	db, ok := a.NonconcurrentDB().(*dbx.DB)
	if !ok {
		t.Fatal("the transactions are on another kind of database")
	}
	from := tools.Date{Year: 2026, Month: time.March, Day: 3}
	for _, n := range []int{1, 2, 500} {
		for _, handed := range []bool{false, true} {
			var query string
			p.within(t, a, "ann", func(c *tools.Call) error {
				if handed {
					if _, err := c.List(subscriptions, tools.Query{}); err != nil {
						return err
					}
				}
				db.QueryLogFunc = func(_ context.Context, _ time.Duration, text string, _ *sql.Rows, _ error) { query = text }
				defer func() { db.QueryLogFunc = nil }()
				_, err := chargesNear(&c.Reader, from, from.AddDays(30), ids[:n])
				return err
			})
			var plan []struct{ Detail string }
			if err := a.ConcurrentDB().NewQuery("EXPLAIN QUERY PLAN " + query).All(&plan); err != nil {
				t.Fatal(err)
			}
			// Of one with few charges SQLite may take all that it has.
			below := 0
			for _, row := range plan {
				if _, index, ok := strings.Cut(row.Detail, " "+charges+" USING INDEX "); ok && strings.Contains(index, " (subscription=?") {
					below++
				} else if strings.Contains(row.Detail+" ", " "+charges+" ") {
					t.Errorf("of %d, handed out is %v: %s", n, handed, row.Detail)
				}
			}
			if below == 0 || (n > 1 && below != 2) {
				t.Errorf("of %d, handed out is %v: %v", n, handed, plan)
			}
		}
	}
}
