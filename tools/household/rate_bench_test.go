package household

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// ecbColumns are those of the ECB's file of all days.
const ecbColumns = "USD,JPY,BGN,CYP,CZK,DKK,EEK,GBP,HUF,LTL,LVL,MTL,PLN,ROL,RON,SEK,SIT,SKK,CHF,ISK,NOK,HRK,RUB,TRL,TRY,AUD,BRL,CAD,CNY,HKD,IDR,ILS,INR,KRW,MXN,MYR,NZD,PHP,SGD,THB,ZAR"

// manyDays is a file in the form of the ECB's of all days, newest first, with
// invented rates.
func manyDays(newest tools.Date, days int) string {
	columns := strings.Split(ecbColumns, ",")
	var b strings.Builder
	fmt.Fprintf(&b, "Date,%s,\n", ecbColumns)
	for i := range days {
		b.WriteString(newest.AddDays(-i).String())
		for j := range columns {
			fmt.Fprintf(&b, ",%d.%04d", 1+j, (i*37+j*11)%10_000)
		}
		b.WriteString(",\n")
	}
	return b.String()
}

// operator makes a member one.
func operator(tb testing.TB, a *toolstest.App, who string) {
	tb.Helper()
	rec := a.Member(who)
	rec.Set("operator", true)
	if err := a.Save(rec); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkRateImport holds the most that one call stores to half of the time
// that it has.
func BenchmarkRateImport(b *testing.B) {
	const limit = 2500 * time.Millisecond
	a := toolstest.NewWith(b, tools.Config{Limit: time.Minute}, Plugin{})
	operator(b, a, "ann")
	in := args{"file": manyDays(tools.DateOf(time.Now().UTC()), 7000)}
	for b.Loop() {
		start := time.Now()
		receipt, err := a.Apply(a.As("ann"), "household_rate_import", in)
		if err != nil {
			b.Fatal(err)
		}
		if took := time.Since(start); took > limit {
			b.Errorf("it takes %s, and has %s", took, limit)
		}
		b.StopTimer()
		if _, err := a.Undo(a.As("ann"), receipt.Audit...); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
