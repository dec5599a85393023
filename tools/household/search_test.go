package household

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// found lists what a search gives as "kind name field snippet".
func found(tb testing.TB, a *toolstest.App, who string, in args) []string {
	tb.Helper()
	list := []string{}
	for _, h := range read[searchOut](tb, a, who, "household_search", in).Items {
		s := h.Kind + " " + h.Name + " " + h.Field
		if h.Snippet != "" {
			s += ": " + h.Snippet
		}
		if !h.Date.IsZero() {
			s += ", " + h.Date.String()
		}
		list = append(list, s)
	}
	return list
}

func TestSearch(t *testing.T) {
	a := newHome(t)
	apply[Category](t, a, "ann", "household_category_add", args{"name": "Café & Bar"})
	visa, _ := apply[Method](t, a, "ann", "household_payment_method_add", args{"name": "Visa Müller"})
	roast := add(t, a, "ann", args{"name": "Röstkaffee-Abo", "amount": "24.50", "category": "café & bar", "notes": "First the beans.\nThen, of all that can be ground in a day, the CAFE\u0301 crème for the morning, and so on and on until evening."}).ID
	put(t, a, roast, "payment_method", visa.ID)
	add(t, a, "ann", args{"name": "Cafe del Mar", "merchant": "MAR GMBH", "tags": []string{"Música", "fun"}})
	net := add(t, a, "ann", args{"name": "The Cafeteria", "ends_on": "2025-06-01"}).ID
	set(t, a, net, args{"url": "https://cafeteria.example", "account": "ann@example.com"})
	add(t, a, "ann", args{"name": "Straßenbahn", "amount": "24.50", "currency": "USD"})
	for i, text := range []string{"CAFÉ Kasse 100%", "CAFE DEL MAR SAGT DANKE", "Telefónica", "STRAẞENBAHN 100", "", "MÆRZ"} {
		store(t, a, charges, args{"subscription": net, "date": fmt.Sprint("2026-01-0", i+1), "amount": 1599 + i, "currency": "EUR", "text": text})
	}
	rows := []struct {
		in   args
		want []string
	}{
		{args{"query": "cafe"}, []string{
			"subscription Cafe del Mar name",
			"category Café & Bar name",
			"subscription The Cafeteria name",
			"subscription Röstkaffee-Abo category: Café & Bar",
			"charge The Cafeteria text: CAFE DEL MAR SAGT DANKE, 2026-01-02",
			"charge The Cafeteria text: CAFÉ Kasse 100%, 2026-01-01",
		}},
		{args{"query": "CAFÉ", "in": []string{"category"}}, []string{"category Café & Bar name"}},
		{args{"query": "cafe kasse"}, []string{"charge The Cafeteria text: CAFÉ Kasse 100%, 2026-01-01"}},
		{args{"query": "créme"}, []string{"subscription Röstkaffee-Abo notes: …be ground in a day, the CAFÉ crème for the morning, and so on and on until evening."}},
		{args{"query": "visa muller"}, []string{"payment_method Visa Müller name", "subscription Röstkaffee-Abo payment_method: Visa Müller"}},
		{args{"query": "abo bar visa"}, []string{"subscription Röstkaffee-Abo category: Café & Bar"}},
		{args{"query": "musica"}, []string{"subscription Cafe del Mar tags: Música, fun"}},
		{args{"query": "mar gmbh"}, []string{"subscription Cafe del Mar merchant: MAR GMBH"}},
		{args{"query": "example.COM"}, []string{"subscription The Cafeteria account: ann@example.com"}},
		{args{"query": "example cafeteria", "in": []string{"subscription"}}, []string{"subscription The Cafeteria account: ann@example.com"}},
		{args{"query": "strassen"}, []string{"subscription Straßenbahn name", "charge The Cafeteria text: STRAẞENBAHN 100, 2026-01-04"}},
		{args{"query": "telefonica"}, []string{"charge The Cafeteria text: Telefónica, 2026-01-03"}},
		{args{"query": "maerz"}, []string{"charge The Cafeteria text: MÆRZ, 2026-01-06"}},
		{args{"query": "100%"}, []string{"charge The Cafeteria text: CAFÉ Kasse 100%, 2026-01-01"}},
		{args{"query": "c_f"}, []string{}},
		{args{"query": `\`}, []string{}},
		{args{"query": "' || 1=1 --"}, []string{}},
		{args{"query": "16.03"}, []string{"charge The Cafeteria amount: 16.03 EUR, 2026-01-05"}},
		{args{"query": "16,03 cafeteria"}, []string{"charge The Cafeteria amount: 16.03 EUR, 2026-01-05"}},
		{args{"query": "1603"}, []string{}}, // minor units are nobody's amounts
		{args{"query": "24.5"}, []string{"subscription Röstkaffee-Abo amount: 24.50 EUR", "subscription Straßenbahn amount: 24.50 USD"}},
		{args{"query": "bahn"}, []string{"subscription Straßenbahn name", "charge The Cafeteria text: STRAẞENBAHN 100, 2026-01-04"}},
		{args{"query": "nobody"}, []string{}},
	}
	for _, row := range rows {
		if diff := cmp.Diff(row.want, found(t, a, "bob", row.in)); diff != "" {
			t.Errorf("%v: %s", row.in, diff)
		}
		// The same, one by one.
		var paged []string
		in := args{"limit": 1}
		for k, v := range row.in {
			in[k] = v
		}
		for range 20 {
			paged = append(paged, found(t, a, "bob", in)...)
			next := read[searchOut](t, a, "bob", "household_search", in).Next
			if next == "" {
				break
			}
			in["cursor"] = next
		}
		if strings.Join(paged, "\n") != strings.Join(row.want, "\n") {
			t.Errorf("%v one by one: %q", row.in, paged)
		}
	}
}

// What only ann sees is found by ann alone, whatever is looked for.
func TestSearchFindsNoSecrets(t *testing.T) {
	a := newHome(t)
	secrets(t, a)
	for _, query := range []string{"secret", "secretag", "777.20", "club", "note", "secret 777.20", "text", "s"} {
		for _, hit := range found(t, a, "bob", args{"query": query}) {
			if strings.Contains(strings.ToLower(hit), "secret") || strings.Contains(hit, "777") {
				t.Errorf("%q finds %s", query, hit)
			}
		}
		if len(found(t, a, "ann", args{"query": query})) == 0 {
			t.Errorf("%q finds nothing for ann", query)
		}
	}
}

func TestSearchBadInput(t *testing.T) {
	a := newHome(t)
	const tool = "household_search"
	for query, word := range map[string]string{
		"": "empty", " \u200b\u202e": "empty", "\u0301": "empty", strings.Repeat("q", 10_000): "120", "a\x00b": "control", "a b c d e f g h i": "8",
	} {
		refused(t, a, tool, args{"query": query}, tools.Invalid, "query", word)
	}
	refused(t, a, tool, args{}, tools.Invalid, "query", "missing")
	refused(t, a, tool, args{"query": "a", "in": []string{"notes"}}, tools.Invalid, "in", "subscription")
	refused(t, a, tool, args{"query": "a", "limit": 201}, tools.Invalid, "limit", "200")
	refused(t, a, tool, args{"query": "a", "cursor": "x"}, tools.Invalid, "cursor")
}

// The database's pattern finds whatever the comparison in Go does: else a
// charge would be missed.
func FuzzLoose(f *testing.F) {
	f.Add("CAFÉ Straße", "strasse")
	f.Add("100%_\\", "0%_\\")
	f.Add("Œuvre Ærø", "oeuvre")
	a := newHome(f)
	f.Fuzz(func(t *testing.T, text, query string) {
		text = tidied(text, 500)
		words, err := parseWords("query", query)
		if err != nil || len(words) == 0 || strings.ContainsFunc(text+query, exotic) {
			return
		}
		for _, word := range words {
			var like bool
			if err := a.DB().NewQuery(`SELECT {:text} LIKE {:like} ESCAPE '\'`).Bind(map[string]any{"text": text, "like": loose(word)}).Row(&like); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(bare(text), word) && !like {
				t.Errorf("%q has %q, but not %q", text, word, loose(word))
			}
		}
	})
}

// exotic is what the pattern need not know: a character that stands for
// several, and accents that no letter has taken in.
func exotic(r rune) bool {
	return r > 0x17f && r != 'ẞ' || strings.ContainsRune("\u00bc\u00bd\u00be\u0132\u0133\u0149", r)
}

func TestBare(t *testing.T) {
	for text, want := range map[string]string{
		"Café": "cafe", "CAFE\u0301": "cafe", "Straße STRAẞE": "strasse strasse", "Ærø Œuvre": "aero oeuvre", "ΟΔΟΣ": "οδοσ", "넷플릭스": "넷플릭스", "ﬁt": "fit", "Ａbc": "abc", "\u0301": "",
	} {
		if got := bare(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for _, row := range []struct{ text, word, want string }{
		{"short", "ort", "short"},
		{"a\n b\tc", "c", "a b c"},
		{long + "Ende", "ende", "…word word word word word word Ende"},
		{"Straße " + long, "asse", "Straße " + strings.Repeat("word ", 16) + "wor…"},
		{strings.Repeat("ä", 200), "aaa", strings.Repeat("ä", 90) + "…"},
		{strings.Repeat("x", 100) + "y" + strings.Repeat("z", 100), "y", "…y" + strings.Repeat("z", 89) + "…"},
	} {
		if got := snippet(row.text, row.word); got != row.want {
			t.Errorf("%q in %q: %q, want %q", row.word, row.text, got, row.want)
		}
	}
}

// BenchmarkSearch is what a search costs in a household of 1,000 subscriptions
// and 50,000 charges.
func BenchmarkSearch(b *testing.B) {
	a := newHome(b)
	owner := a.Member("ann").Id
	for _, sql := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<999)
		INSERT INTO household_subscriptions (id, name, amount, currency, cycle, first_date, status, merchant, notes, tags, owner)
		SELECT printf('sub%012d',i), 'Service '||i, 1000+i, 'EUR', 'P1M', '2022-01-15', 'active', 'MERCHANT '||i, 'What somebody wrote down about number '||i, '["fun"]', {:owner} FROM n`,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<49999)
		INSERT INTO household_charges (id, subscription, date, amount, currency, text)
		SELECT printf('chg%012d',i), printf('sub%012d',i%1000), date('2022-01-15','+'||(i/1000)||' months'), 1000+i%1000, 'EUR', 'SERVICE '||(i%1000)||' REF '||i||' DANKE FUER IHRE ZAHLUNG' FROM n`,
	} {
		if _, err := a.NonconcurrentDB().NewQuery(sql).Bind(map[string]any{"owner": owner}).Execute(); err != nil {
			b.Fatal(err)
		}
	}
	for name, query := range map[string]string{"common": "zahlung", "few": "service 77", "none": "nothingatall", "amount": "15.99", "loose": "cafe"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				read[searchOut](b, a, "bob", "household_search", args{"query": query})
			}
		})
	}
}
