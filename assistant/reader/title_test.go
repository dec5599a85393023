package reader

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// titled reads six months of one payment, whose cells are given, and gives the
// name that it is proposed under.
func titled(t *testing.T, head string, cells func(month int) string) string {
	t.Helper()
	text := "Date;Amount (EUR);" + head + "\n"
	for m := 4; m <= 9; m++ {
		text += fmt.Sprintf("2026-%02d-05;-9.99;%s\n", m, cells(m))
	}
	list := read(t, text, nil).Subscriptions
	if len(list) != 1 {
		t.Fatalf("%q: %+v", cells(9), list)
	}
	return list[0].Merchant
}

// TestTitle holds names to what can be stored and read: never empty, never
// longer than 120 characters, nothing in them that hides or turns.
func TestTitle(t *testing.T) {
	long := strings.Repeat("abcdefghij ", 20)
	for _, c := range []struct{ head, cells, want string }{
		{"Name", "", "? 9.99 EUR"},
		{"Name", "-", "? 9.99 EUR"},
		{"Name", "***", "? 9.99 EUR"},
		{"Name", "/", "? 9.99 EUR"},
		{"Name", "\u00a0", "? 9.99 EUR"},
		{"Name", "\u200b\u2060\ufeff", "? 9.99 EUR"},
		{"Name", "\u00ad\u00ad", "? 9.99 EUR"},
		{"Name", "\u0085\u0090\u009f", "? 9.99 EUR"},
		{"Name", "\u3164\u2800", "? 9.99 EUR"},
		{"Name;Description", "-;Gym am Park", "Gym Am Park"},
		{"Name;Description;Type", "***;/;Direct Debit", "Direct Debit"},
		{"Name;Type", "-;Sky", "Sky"},
		{"Name", "Net\u202eflix\u200b \u200dHD", "Netflix HD"},
		{"Name", "Family \U0001f468\u200d\U0001f469\u200d\U0001f467 Club", "Family \U0001f468\u200d\U0001f469\u200d\U0001f467 Club"},
		{"Name", "\U0001f3ac", "\U0001f3ac"},
		{"Name", strings.Repeat("x", 121), strings.Repeat("x", 120)},
		{"Name", strings.Repeat("\u6620", 144), strings.Repeat("\u6620", 120)},
		{"Name", long, strings.TrimSpace(long[:6*11])},
		{"Name", "OPENAI *CHATGPT SUBSSAN FRANCISCO", "Openai *Chatgpt Subs"},
		{"Name", "SPOTIFYUSAI", "Spotify"},
		{"Name", `"=HYPERLINK(""http://evil.example/"",""Netflix"")"`, "HYPERLINK(http://evil.example/,Netflix)"},
	} {
		got := titled(t, c.head, func(int) string { return c.cells })
		if !strings.EqualFold(got, c.want) {
			t.Errorf("%q: %q, want %q", c.cells, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n == 0 || n > maxTitle || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q: %d characters: %q", c.cells, n, got)
		}
	}
	// A place that most rows do not have.
	if got := titled(t, "Name", func(m int) string { return "FITNESS PULS" + []string{"", "HAMBURG"}[m%2] }); got != "Fitness Puls" {
		t.Errorf("a place glued to half of the rows: %q", got)
	}
	if got := titled(t, "Name", func(m int) string { return "MUSIKSTROM GMB" + []string{"", "H"}[m%2] }); got != "Musikstrom GmbH" {
		t.Errorf("a name that was cut: %q", got)
	}
}

// TestManySeries keeps what one import takes, the most certain first, and says
// how many it left out.
func TestManySeries(t *testing.T) {
	var b strings.Builder
	b.WriteString("Date,Name,Amount (EUR)\n")
	for m := 1; m <= 9; m++ {
		for i := range 700 {
			if i >= 300 || m > 5 { // the first 300 are seen less often
				fmt.Fprintf(&b, "2026-%02d-05,MERCHANT %c%c%cX,-9.99\n", m, 'A'+i%26, 'A'+i/26, 'A'+i%7)
			}
		}
	}
	review := read(t, b.String(), nil)
	evidence := 0
	for _, s := range review.Subscriptions {
		evidence += len(s.Evidence)
	}
	if n := len(review.Subscriptions); n != maxFound || evidence > maxEvidence || review.Subscriptions[399].Occurrences != 9 || review.Subscriptions[400].Occurrences != 4 {
		t.Errorf("%d series, %d charges", n, evidence)
	}
	want := tools.T("reader.skipped.series", 200, maxFound)
	if got := review.Skipped[len(review.Skipped)-1].Reason; got.Key != want.Key || fmt.Sprint(got.Args) != fmt.Sprint(want.Args) {
		t.Errorf("says %v, want %v", got, want)
	}
}
