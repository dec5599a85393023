package household

import (
	"fmt"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// bigHome has many subscriptions and fifty charges of each, half of them named
// by hand.
func bigHome(tb testing.TB, subs int) *toolstest.App {
	tb.Helper()
	noon := date("2026-05-18").Time().Add(12 * time.Hour)
	a := toolstest.NewWith(tb, tools.Config{Now: func() time.Time { return noon }}, Plugin{})
	ann := a.Member("ann").Id
	must := func(_ any, err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	month := tools.Cycle{N: 1, Unit: tools.Months}
	must(nil, a.RunInTransaction(func(tx core.App) error {
		for i := range subs {
			first := date("2022-04-01").AddDays(i % 30)
			id := fmt.Sprintf("sub%012d", i)
			must(tx.DB().Insert(subscriptions, dbx.Params{
				"id": id, "name": fmt.Sprint("Sub ", i), "amount": 1599, "currency": "EUR", "cycle": "P1M", "first_date": first.String(), "status": active, "owner": ann, "tags": "[]",
			}).Execute())
			for k := range 50 {
				due, values := month.Nth(first, 0, k), dbx.Params{}
				if (i+k)%2 == 0 {
					values = dbx.Params{"due": due.String(), "state": confirmed}
				}
				values["id"], values["subscription"], values["date"] = fmt.Sprintf("c%06d%08d", k, i), id, due.AddDays(k%5-2).String()
				values["amount"], values["currency"] = 1599+k/48, "EUR"
				must(tx.DB().Insert(charges, values).Execute())
			}
		}
		return nil
	}))
	return a
}

// BenchmarkCharges holds what reads 50,000 charges to grow no faster than they
// do.
func BenchmarkCharges(b *testing.B) {
	small, big := bigHome(b, 250), bigHome(b, 1000)
	for _, c := range []struct {
		name, tool string
		in         any
	}{
		{"booked", chargesTool, nil},
		{"all", chargesTool, args{"state": "all"}},
		{"changed", chargesTool, args{"state": "changed"}},
		{"changed since January", chargesTool, args{"state": "changed", "from": "2026-01-01"}},
		{"calendar", calendarName, nil},
	} {
		took := func(a *toolstest.App) time.Duration {
			start := time.Now()
			if _, err := a.Read(a.As("ann"), c.tool, c.in); err != nil {
				b.Fatal(err)
			}
			return time.Since(start)
		}
		b.Run(c.name, func(b *testing.B) {
			least, most := time.Hour, time.Hour
			for b.Loop() {
				least, most = min(least, took(small)), min(most, took(big))
			}
			b.ReportMetric(float64(most.Milliseconds()), "ms/1000")
			b.ReportMetric(float64(most)/float64(least), "x/4")
			if most > 8*least+20*time.Millisecond {
				b.Errorf("%s of 1,000 subscriptions, %s of 250", most, least)
			}
		})
	}
}
