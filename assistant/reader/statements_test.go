package reader

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// expectation is what FILE.expect.json says of FILE.
type expectation struct {
	AsOf  string `json:"as_of"`
	Parse struct {
		Transactions int    `json:"transactions"`
		FirstDate    string `json:"first_date"`
		LastDate     string `json:"last_date"`
		Currency     string `json:"currency"`
		SumOut       string `json:"sum_out"`
		SumIn        string `json:"sum_in"`
	} `json:"parse"`
	Expected []struct {
		Merchant string `json:"merchant_contains"`
		Cycle    string `json:"cycle"`
		Amount   string `json:"amount"`
		LastDate string `json:"last_date"`
		Count    int    `json:"occurrences"`
		Active   bool   `json:"active"`
	} `json:"expected"`
	Not    []string `json:"not"`
	Either []string `json:"either"`
}

func readExpectation(t *testing.T, file string) (e expectation) {
	t.Helper()
	data, err := os.ReadFile(file + ".expect.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func readFile(t *testing.T, name string) File {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return File{Name: filepath.Base(name), Data: data}
}

// TestStatements scores the reader on the shared set: no series that must not
// be found, precision and recall of the series, their cycles, and the sums of
// what was parsed.
func TestStatements(t *testing.T) {
	names, err := filepath.Glob("testdata/*.csv")
	if err != nil || len(names) == 0 {
		t.Fatal("no statements", err)
	}
	var right, wrong, missed, cycles int
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "bad_") {
			continue
		}
		e := readExpectation(t, name)
		review, err := Read(t.Context(), readFile(t, name), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, want := review.Parsed, e.Parse
		got := []any{p.Transactions, p.FirstDate.String(), p.LastDate.String(), p.Currency, p.SumOut, p.SumIn}
		if g, w := fmtLine(got), fmtLine([]any{want.Transactions, want.FirstDate, want.LastDate, want.Currency, want.SumOut, want.SumIn}); g != w {
			t.Errorf("%s: parsed\n got %s\nwant %s", name, g, w)
		}
		if len(review.Questions) > 0 {
			t.Errorf("%s: asks %v", name, review.Questions)
		}
		used := make([]bool, len(review.Subscriptions))
		for _, x := range e.Expected {
			i := match(review.Subscriptions, used, x.Merchant, x.Amount, x.LastDate)
			if i < 0 {
				missed++
				t.Logf("%s: missed %s %s", name, x.Merchant, x.Amount)
				continue
			}
			used[i] = true
			right++
			s := review.Subscriptions[i]
			if s.Cycle.String() == x.Cycle {
				cycles++
			} else {
				t.Logf("%s: %s is %s, not %s", name, x.Merchant, x.Cycle, s.Cycle)
			}
			if s.Occurrences != x.Count || s.Active != x.Active {
				t.Errorf("%s: %s occurs %d times, active %v; want %d, %v", name, x.Merchant, s.Occurrences, s.Active, x.Count, x.Active)
			}
			if !strings.Contains(strings.ToLower(s.Merchant), x.Merchant) {
				t.Errorf("%s: merchant %q should hold %q", name, s.Merchant, x.Merchant)
			}
		}
		for i, s := range review.Subscriptions {
			text := strings.ToLower(s.Merchant + " " + s.Evidence[len(s.Evidence)-1].Text)
			if n := containsOne(text, e.Not); n != "" {
				t.Errorf("%s: %s must not be found: %+v", name, n, s)
			}
			if !used[i] && containsOne(text, e.Either) == "" {
				wrong++
				t.Logf("%s: false %s %s %s", name, s.Merchant, s.Amount, s.Cycle)
			}
		}
	}
	precision := float64(right) / float64(right+wrong)
	recall := float64(right) / float64(right+missed)
	cycle := float64(cycles) / float64(right)
	t.Logf("precision %.3f, recall %.3f, cycles %.3f of %d series", precision, recall, cycle, right+missed)
	if precision < 0.98 || recall < 0.95 || cycle < 0.98 {
		t.Error("below precision 0.98, recall 0.95 or cycles 0.98")
	}
}

func fmtLine(values []any) string {
	b, _ := json.Marshal(values)
	return string(b)
}

func match(list []tools.Recurring, used []bool, merchant, amount, last string) int {
	want, _ := tools.ParseDate(last)
	for i, s := range list {
		text := strings.ToLower(s.Evidence[len(s.Evidence)-1].Text)
		if d := s.LastDate.DaysSince(want); !used[i] && strings.Contains(text, merchant) && s.Amount == amount && d >= -1 && d <= 1 {
			return i
		}
	}
	return -1
}

func containsOne(text string, list []string) string {
	for _, s := range list {
		if strings.Contains(text, strings.ToLower(s)) {
			return s
		}
	}
	return ""
}
