package household

import (
	"encoding/json/v2"
	"fmt"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// maxBriefing is what a briefing may cost, in tokens of 3.5 bytes.
const maxBriefing = 1500

// spoken is the briefing in a language, and its tokens.
func spoken(tb testing.TB, a *toolstest.App, who, lang string) (string, int) {
	tb.Helper()
	var lines []string
	for _, l := range read[Briefing](tb, a, who, "household_briefing", nil).Lines {
		lines = append(lines, a.Catalogue.Say(lang, tools.Text(l)))
	}
	text, err := json.Marshal(map[string][]string{"lines": lines})
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Join(lines, "\n"), int(float64(len(text))/3.5 + 0.999)
}

// The briefing of forty subscriptions, with long names, much to attend to and
// a large family, stays small in every language, and says what it leaves out.
func TestBriefingIsSmall(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	for i := range 20 {
		a.Member(fmt.Sprintf("member-%02d-of-the-house", i))
	}
	long := strings.Repeat("Größe ", 19)
	for i := range 40 {
		id := add(t, a, "ann", args{
			"name": fmt.Sprintf("%02d %s", i, long), "amount": "12345678.90", "cycle": "P1W", "first_date": "2026-03-11",
			"currency": []string{"EUR", "USD", "CHF", "GBP"}[i%4],
		}).ID
		set(t, a, id, args{"min_term": "P24M", "extension": "P12M", "notice": "P3M", "term_from": "2024-06-15"})
	}
	for _, lang := range []string{"en", "de", "es"} {
		text, n := spoken(t, a, "ann", lang)
		t.Logf("%s: %d tokens", lang, n)
		if n > maxBriefing {
			t.Errorf("%s: %d tokens, at most %d are allowed\n%s", lang, n, maxBriefing, text)
		}
		if strings.Contains(text, "household.") || strings.ContainsAny(text, "{}") {
			t.Errorf("%s: %s", lang, text)
		}
		if got := strings.Count(text, "P1W, 2026-03-11"); got != 40 {
			t.Errorf("%s lists %d of forty", lang, got)
		}
	}
	text, _ := spoken(t, a, "ann", "en")
	for _, want := range []string{
		"Today is 2026-03-10.", "time zone Europe/Berlin", "You speak for ann.", "and 14 more.", "40 subscriptions run", "35 more: household_reminder_list",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	add(t, a, "ann", args{"name": "One more"})
	if text, n := spoken(t, a, "ann", "de"); !strings.Contains(text, "1 weiteres steht nicht hier") || n > maxBriefing {
		t.Errorf("%d tokens\n%s", n, text)
	}
}

// Whoever asks hears of what they may see.
func TestBriefingIsPersonal(t *testing.T) {
	a, _ := homeAt(t, "2026-03-10T12:00:00Z")
	empty, _ := spoken(t, a, "bob", "en")
	if !strings.Contains(empty, "No subscription runs.") || !strings.Contains(empty, "You speak for bob. Members: ann, bob.") {
		t.Error(empty)
	}
	id := add(t, a, "ann", args{"name": "Secret", "private": true, "first_date": "2025-03-12"}).ID
	set(t, a, id, args{"trial_ends_on": "2026-03-11"})
	if got, _ := spoken(t, a, "bob", "en"); got != empty {
		t.Errorf("bob hears of it: %s", got)
	}
	if got, _ := spoken(t, a, "ann", "en"); !strings.Contains(got, "Secret, 15.99 EUR, P1M, 2026-03-12, "+id) || !strings.Contains(got, "Secret: decide about the trial by 11 March 2026") {
		t.Error(got)
	}
	apply[Reminder](t, a, "ann", "household_reminder_done", args{"kind": "trial", "subscription": id, "on": "2026-03-11"})
	if got, _ := spoken(t, a, "ann", "en"); !strings.Contains(got, "Nothing needs attention") {
		t.Errorf("what was put aside is told again: %s", got)
	}
	texts, err := a.Runner.Brief(t.Context(), a.As("ann"))
	if err != nil || len(texts) < 8 {
		t.Errorf("%v: %v", err, texts)
	}
}
