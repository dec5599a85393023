package eval

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTold: a figure is found as people and models of three languages write it,
// and is not found in another one.
func TestTold(t *testing.T) {
	for value, is := range map[string][2][]string{
		"15.99":      {{"15.99", "15,99 €", "€15.99.", "it is 15.99, a month", "(15,99)"}, {"115.99", "15.990", "15.9", "1,599", "5.99"}},
		"84.00":      {{"84", "84,00 €", "84.00", "84,- €", "84.", "EUR 84, thus"}, {"84.50", "184", "840", "84,5"}},
		"2082.36":    {{"2082.36", "2.082,36", "2,082.36", "2 082,36", "2\u202f082,36"}, {"20823.6", "2082", "12082.36"}},
		"3":          {{"3 days", "(3)"}, {"13", "3.5", "30", "2.3"}},
		"2026-12-04": {{"2026-12-04", "4.12.2026", "04.12.", "4. Dezember", "December 4", "4th of December", "4 December", "4 de diciembre", "4/12/2026", "12/4"}, {"14 December", "4 November", "14.12.2026", "2026-12-14", "4. Oktober"}},
		"2027-01-29": {{"29. Januar 2027", "29 de enero", "January 29th", "Jan 29", "29. Jänner"}, {"9 January", "29 June"}},
		"Disney+":    {{"disney+ and others"}, {"Disney"}},
	} {
		for _, text := range is[0] {
			if !told(value).MatchString(text) {
				t.Errorf("%s is not seen in %q", value, text)
			}
		}
		for _, text := range is[1] {
			if told(value).MatchString(text) {
				t.Errorf("%s is seen in %q", value, text)
			}
		}
	}
}

func TestFollow(t *testing.T) {
	answer := []byte(`{"sums":[{"currency":"USD","amount":"1.00"},{"currency":"EUR","amount":"2.50","n":7}],"items":[{"name":"a"},{"name":"b"}]}`)
	for path, want := range map[string]string{
		"sums/currency=EUR/amount": "2.50", "sums/0/amount": "1.00", "items/*/name": "a b", "sums/1/n": "7",
		"sums/currency=CHF/amount": "nothing is at sums/currency=CHF/amount", "items/2/name": "nothing is at items/2/name", "items/0": "what is at items/0 is no figure",
	} {
		got, err := values(answer, path)
		if err != nil {
			got = []string{err.Error()}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", path, got, want)
		}
	}
}

// TestDiffers: a card is right by what it changes, whatever calls did it.
func TestDiffers(t *testing.T) {
	change := func(op tools.Op, in, id string, pairs ...any) Change {
		c := Change{Op: op, Collection: in, ID: id, Label: words(id)}
		for i := 0; i < len(pairs); i += 2 {
			c.Fields = append(c.Fields, Field{pairs[i].(string), pairs[i+1]})
		}
		return c
	}
	all := func(c ...Change) []Change { return c }
	update, create, gone := tools.Op("update"), tools.OpCreate, tools.OpDelete
	for name, row := range map[string]struct {
		want, got []Change
		says      string
	}{
		"the same":             {all(change(update, "s", "a", "name", "X")), all(change(update, "s", "a", "name", "x ")), ""},
		"in two calls":         {all(change(update, "s", "a", "name", "X", "n", 1.0)), all(change(update, "s", "a", "name", "X"), change(update, "s", "a", "n", 1.0)), ""},
		"in another order":     {all(change(update, "s", "a", "n", 1.0), change(gone, "s", "b")), all(change(gone, "s", "b"), change(update, "s", "a", "n", 1.0)), ""},
		"another value":        {all(change(update, "s", "a", "n", 1.0)), all(change(update, "s", "a", "n", 2.0)), "a has n 2, not 1"},
		"another record":       {all(change(update, "s", "a", "n", 1.0)), all(change(update, "s", "b", "n", 1.0)), "update of a is missing, update of b is too much"},
		"too much of it":       {all(change(update, "s", "a", "n", 1.0)), all(change(update, "s", "a", "n", 1.0, "m", 2.0)), "a gets m 2 too"},
		"one more":             {all(change(gone, "s", "a")), all(change(gone, "s", "a"), change(gone, "s", "b")), "delete of b is too much"},
		"not deleted":          {all(change(gone, "s", "a")), all(change(update, "s", "a", "n", 1.0)), "delete of a is missing, update of a is too much"},
		"made":                 {all(change(create, "s", "new", "name", "X")), all(change(create, "s", "other", "name", "X", "notes", "more")), ""},
		"made otherwise":       {all(change(create, "s", "new", "name", "X")), all(change(create, "s", "other", "name", "Y")), "new has name Y, not X"},
		"two, the other first": {all(change(create, "s", "n1", "name", "X"), change(create, "s", "n2", "name", "Y")), all(change(create, "s", "m2", "name", "Y"), change(create, "s", "m1", "name", "X")), ""},
		"a list":               {all(change(update, "s", "a", "tags", []any{"x"})), all(change(update, "s", "a", "tags", []any{"x", "y"})), "a has tags [x y], not [x]"},
		"an empty list":        {all(change(update, "s", "a", "tags", []any{})), all(change(update, "s", "a", "tags", nil)), ""},
		"made twice":           {all(change(create, "s", "n", "name", "X")), all(change(create, "s", "m", "name", "X"), change(create, "s", "o", "name", "X")), "create of o is too much"},
		"of what is new":       {all(change(create, "c", "n"), change(update, "s", "a", "category", "n")), all(change(create, "c", "m"), change(update, "s", "a", "category", "m")), ""},
		"of what is old":       {all(change(create, "c", "n"), change(update, "s", "a", "category", "n")), all(change(create, "c", "m"), change(update, "s", "a", "category", "old")), "a has category old, not n"},
	} {
		if diff := cmp.Diff(row.says, differs(row.want, row.got)); diff != "" {
			t.Error(name, diff)
		}
	}
}

func TestOnly(t *testing.T) {
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	for names, want := range map[string]string{
		"2,1": "month-total one-price", "note": "note", "Screen": "chart-months table-all table-due", "prime video": "add", "chat,chat": "capital thanks", "": "!", "nothing of the kind": "!", "0": "!", "48": "!",
	} {
		got := "!"
		if some, err := Only(all, strings.Split(names, ",")...); err == nil {
			got = ""
			for _, q := range some {
				got = strings.TrimSpace(got + " " + q.ID)
			}
		}
		if got != want {
			t.Errorf("%q: %s", names, got)
		}
	}
}

// TestSet: the set is whole: nothing is expected that nobody could see.
func TestSet(t *testing.T) {
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	ids, kinds := map[string]bool{}, map[Kind]int{}
	langs := map[string]int{}
	for _, q := range all {
		if ids[q.ID] || !slices.Contains(Kinds(), q.Kind) || !slices.Contains([]string{"en", "de", "es"}, q.Language) || len(q.Turns) == 0 {
			t.Errorf("%+v", q)
		}
		ids[q.ID] = true
		kinds[q.Kind]++
		langs[q.Language]++
		for n, turn := range q.Turns {
			last := n == len(q.Turns)-1
			for _, re := range slices.Concat(turn.Says, turn.Never) {
				if _, err := regexp.Compile(re); err != nil {
					t.Errorf("%s: %v", q.ID, err)
				}
			}
			for _, f := range turn.Figures {
				if f.Read >= len(turn.Reads) {
					t.Errorf("%s: a figure of no read", q.ID)
				}
			}
			if (turn.Ask == "") == (turn.Answer == nil) || turn.Answer != nil && (n == 0 || !q.Turns[n-1].Form) || (turn.Then != "") != (!last && turn.changes() && q.Kind == Write) {
				t.Errorf("%s, turn %d: %+v", q.ID, n+1, turn)
			}
			checks := len(turn.Figures)+len(turn.Card)+len(turn.Says)+len(turn.Never) > 0 || turn.Undo || turn.Form || turn.Screen != nil || turn.Looks || turn.NoTools
			if !checks && q.Kind != Refusal {
				t.Errorf("%s, turn %d: anything would do", q.ID, n+1)
			}
			if last && (q.Kind == Write) != turn.changes() && q.Kind != Form {
				t.Errorf("%s: a write asks for a change, and nothing else does", q.ID)
			}
		}
	}
	if len(all) < 40 || len(kinds) != len(Kinds()) || min(langs["en"], langs["de"], langs["es"]) < 10 {
		t.Errorf("%d questions: %v %v", len(all), kinds, langs)
	}
}

// nowhere is a household that is not there.
type nowhere struct{ Household }

// TestRunFails: what the run itself lacks is no score.
func TestRunFails(t *testing.T) {
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("no room")
	r, err := Run(t.Context(), Config{Questions: all, Fresh: func(context.Context, Spent) (Household, error) { return nowhere{}, why }})
	if !errors.Is(err, why) || r.Left != len(all) || r.Score.Of != 0 || r.Stopped == "" {
		t.Errorf("%v %+v", err, r)
	}
}

// silent is a household whose assistant never answers.
type silent struct{ Household }

func (silent) Ask(_ context.Context, _ string, _ assistant.Question, told func(assistant.Event) error) error {
	return errors.Join(
		told(assistant.Event{Kind: assistant.EventError, Data: []byte(`{"kind":"unavailable","text":{"text":"The host is away.","key":"roster.say.away"}}`)}),
		told(assistant.Event{Kind: assistant.EventTurn, Data: []byte(`{"finish":"error"}`)}),
	)
}
func (silent) Spent(context.Context, string) (Spent, error) { return Spent{}, nil }
func (silent) Close() error                                 { return nil }

// TestRunSilence: where nobody answers it ends soon, and says so.
func TestRunSilence(t *testing.T) {
	all := make([]Question, 9)
	for i := range all {
		all[i] = Question{Number: i + 1, Kind: Chat, Turns: []Turn{{Ask: "Hello?"}}}
	}
	r, err := Run(t.Context(), Config{Questions: all, Fresh: func(context.Context, Spent) (Household, error) { return silent{}, nil }})
	if err == nil || r.Score.Of != inARow || r.Score.Met != 0 || r.Left != 9-inARow || !strings.Contains(r.Stopped, "The host is away.") {
		t.Errorf("%v %+v", err, r)
	}
}

var update = flag.Bool("update", false, "write the list of questions anew")

// TestDescribed: the page lists the questions as they are.
func TestDescribed(t *testing.T) {
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join("..", "..", "docs", "howto", "evaluate-a-model.md")
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- go test ./assistant/eval -update writes from here -->\n", "<!-- to here -->\n"
	before, rest, ok := strings.Cut(string(b), begin)
	was, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatal("the page has no place for the list")
	}
	now := described(all)
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+now+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(now, was); diff != "" {
		t.Error(diff)
	}
}

// described is the list of questions for people.
func described(all []Question) string {
	var b strings.Builder
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "\n### %s%s\n\n| | id | | asked | expected |\n|---|---|---|---|---|\n", strings.ToUpper(string(k[:1])), k[1:])
		for _, q := range all {
			if q.Kind != k {
				continue
			}
			var asks, wants []string
			for _, t := range q.Turns {
				ask := dayMark.ReplaceAllStringFunc(t.Ask, func(m string) string { return "*day " + strings.Trim(m, "{}day") + "*" })
				if ask == "" {
					ask = "(" + t.Answer.Pick + ")"
				}
				asks, wants = append(asks, ask), append(wants, t.described())
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", q.Number, q.ID, q.Language, strings.Join(asks, "<br>"), strings.Join(wants, "<br>"))
		}
	}
	return b.String() + "\n"
}

// described is what is expected of a turn, in a few words.
func (t Turn) described() string {
	var all []string
	for _, f := range t.Figures {
		all = append(all, "`"+f.Path+"` of `"+t.Reads[f.Read].Tool+"`")
	}
	if t.Looks {
		all = append(all, "it looks")
	}
	if len(t.Card) > 0 {
		var ways []string
		for _, c := range t.Card {
			var names []string
			for _, one := range c {
				names = append(names, "`"+one.Tool+"`")
			}
			ways = append(ways, strings.Join(names, " and "))
		}
		all = append(all, "one card, as of "+strings.Join(ways, ", or of "))
		if t.Then != "" {
			all = append(all, strings.TrimSuffix("then: "+t.Then+", “"+t.Reason+"”", ", “”"))
		}
	}
	if t.Undo {
		all = append(all, "one card that takes it back")
	}
	if t.Form {
		all = append(all, "a form")
	}
	if t.Screen != nil {
		all = append(all, strings.Join(t.Screen.Forms, " or ")+" of `"+t.Screen.Tool+"`")
	}
	for _, re := range t.Says {
		all = append(all, "`"+strings.ReplaceAll(strings.TrimPrefix(re, "(?i)"), "|", "` or `")+"`")
	}
	switch {
	case t.NoTools:
		all = append(all, "no tool")
	case !t.changes() && !t.Form && t.Screen == nil && len(t.Figures)+len(t.Says) == 0:
		all = append(all, "no card")
	}
	if len(t.Never) > 0 {
		all = append(all, "nothing told that must not be")
	}
	return strings.Join(all, "; ")
}
