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

// TestDeadline runs out of time at many moments of reading. Each is noticed, and
// never is much done between two looks at the time.
func TestDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files")
	}
	var one strings.Builder
	one.WriteString("Date,Name,Amount (EUR)\n")
	for i := range 200_000 {
		fmt.Fprintf(&one, "%s,SHOP,-%d.00\n", tools.Date{Year: 1990, Month: 1, Day: 1}.AddDays(i*7919%13000), 1+i%5000)
	}
	big := bigStatement(200_000)
	for name, data := range map[string][]byte{
		"many merchants": big, "one merchant, unsorted": []byte(one.String()),
		"windows-1252": latin1(strings.ReplaceAll(string(big), "MUENCHEN", "MÜNCHEN")),
	} {
		asked, longest := 0, time.Hour
		for range 3 { // other programs run as well: the best counts
			w := &watch{Context: t.Context(), at: time.Now()}
			if _, err := Read(w, File{Data: data}, nil); err != nil {
				t.Fatal(err)
			}
			_ = w.Err() // what is done after the last look counts too
			asked, longest = w.asked-1, min(longest, w.longest)
		}
		if longest > 100*time.Millisecond {
			t.Errorf("%s: did not look at the time for %v", name, longest)
		}
		for i := range 3 {
			w := &watch{Context: t.Context(), at: time.Now(), last: 1 + i*(asked-1)/2}
			if _, err := Read(w, File{Data: data}, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: time was up at look %d of %d: %v", name, w.last, asked, err)
			}
		}
		t.Logf("%s: looks at the time %d times, %v apart at most", name, asked, longest)
	}
}
