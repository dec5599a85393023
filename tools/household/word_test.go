package household

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// Lists, sums and what is dearer are said as each language says them.
func TestWords(t *testing.T) {
	a := toolstest.New(t, Plugin{})
	euro := tools.Money{Minor: 600, Currency: "EUR"}
	month := tools.Cycle{N: 1, Unit: tools.Months}
	many := names([]string{"A", "B", "C", "D", "E", "F", "G"})
	both := sums{{euro, 1}, {tools.Money{Minor: 900, Currency: "JPY"}, 1}}.monthly()
	for lang, want := range map[string][4]string{
		"en": {"A, B, C, D, E and 2 more", "6.00 EUR a month and 900 JPY a month", "6.00 EUR more a month", "6.00 EUR less a month"},
		"de": {"A, B, C, D, E und 2 weitere", "6,00 EUR im Monat und 900 JPY im Monat", "6,00 EUR mehr im Monat", "6,00 EUR weniger im Monat"},
		"es": {"A, B, C, D, E y 2 más", "6,00 EUR al mes y 900 JPY al mes", "6,00 EUR más al mes", "6,00 EUR menos al mes"},
	} {
		for i, text := range []tools.Text{many, both, more(euro, month), less(euro, month)} {
			if got := a.Catalogue.Say(lang, text); got != want[i] {
				t.Errorf("%s: %q, not %q", lang, got, want[i])
			}
		}
	}
	one := names([]string{"A", "B", "C", "D", "E", "F"}) // the sixth takes no more room than "and 1 more"
	if got := a.Catalogue.English(one); got != "A, B, C, D, E, F" {
		t.Error(got)
	}
}
