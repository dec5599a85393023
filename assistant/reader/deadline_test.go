package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// watch is a context that notes how long nobody asked whether time is up, and
// is over once it was asked for the last time.
type watch struct {
	context.Context
	asked   int
	last    int // 0: never over
	at      time.Time
	longest time.Duration
}

func (w *watch) Err() error {
	now := time.Now()
	w.longest, w.at = max(w.longest, now.Sub(w.at)), now
	if w.asked++; w.last > 0 && w.asked >= w.last {
		return context.DeadlineExceeded
	}
	return nil
}

// largeFiles are those that take long to read, by what makes them so.
func largeFiles() map[string][]byte {
	var one strings.Builder
	one.WriteString("Date,Name,Amount (EUR)\n")
	for i := range 200_000 {
		fmt.Fprintf(&one, "%s,SHOP,-%d.00\n", tools.Date{Year: 1990, Month: 1, Day: 1}.AddDays(i*7919%13000), 1+i%5000)
	}
	big := bigStatement(200_000)
	return map[string][]byte{
		"many merchants": big, "one merchant, unsorted": []byte(one.String()),
		"windows-1252": latin1(strings.ReplaceAll(string(big), "MUENCHEN", "MÜNCHEN")),
	}
}

// TestDeadline runs out of time at several moments of reading. Each is noticed.
func TestDeadline(t *testing.T) {
	for name, data := range largeFiles() {
		w := &watch{Context: t.Context()}
		if _, err := Read(w, File{Data: data}, nil); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			late := &watch{Context: t.Context(), last: 1 + i*(w.asked-1)/2}
			if _, err := Read(late, File{Data: data}, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: time was up at look %d of %d: %v", name, late.last, w.asked, err)
			}
		}
	}
}

// BenchmarkDeadline fails where much is done between two looks at the time.
func BenchmarkDeadline(b *testing.B) {
	for name, data := range largeFiles() {
		b.Run(name, func(b *testing.B) {
			longest := time.Hour
			for range max(b.N, 3) { // other programs run as well: the best counts
				w := &watch{Context: b.Context(), at: time.Now()}
				if _, err := Read(w, File{Data: data}, nil); err != nil {
					b.Fatal(err)
				}
				_ = w.Err() // what is done after the last look counts too
				longest = min(longest, w.longest)
			}
			b.ReportMetric(float64(longest.Milliseconds()), "ms-unwatched")
			if longest > 100*time.Millisecond {
				b.Errorf("did not look at the time for %v", longest)
			}
		})
	}
}
