package i18n

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// maxDepth is how deep texts are nested at most; deeper ones end in "…".
const maxDepth = 16

// Say writes t in a language. A key that the catalogue lacks is written
// itself, with its arguments, so that the key "" is only those; a place without
// an argument stays.
func (c *Catalogue) Say(lang string, t tools.Text) string { return c.say(c.known(lang), t, 0) }

// English is Say for logs, models and programs.
func (c *Catalogue) English(t tools.Text) string { return c.Say(Languages()[0], t) }

func (c *Catalogue) say(lang string, t tools.Text, depth int) string {
	if depth > maxDepth {
		return "…"
	}
	e, ok := c.entries[lang][t.Key]
	if !ok {
		var words []string
		if t.Key != "" {
			words = append(words, t.Key)
		}
		for _, arg := range t.Args {
			words = append(words, c.sayArg(lang, arg, depth))
		}
		return strings.Join(words, " ")
	}
	form := e.other
	if e.plural && countsOne(t.Args) {
		form = e.one
	}
	return place.ReplaceAllStringFunc(form, func(p string) string {
		if i, err := strconv.Atoi(strings.Trim(p, "{}")); err == nil && i < len(t.Args) {
			return c.sayArg(lang, t.Args[i], depth)
		}
		return p
	})
}

func (c *Catalogue) sayArg(lang string, arg any, depth int) string {
	switch v := arg.(type) {
	case string:
		return v
	case tools.Text:
		return c.say(lang, v, depth+1)
	case tools.Words:
		return c.say(lang, tools.Text(v), depth+1)
	case []tools.Text:
		said := make([]string, len(v))
		for i, t := range v {
			said[i] = c.say(lang, t, depth+1)
		}
		return strings.Join(said, ", ")
	case tools.Date:
		return c.sayDate(lang, v)
	case tools.Money:
		return sayMoney(lang, v)
	case tools.Decimal:
		return sayDecimal(lang, string(v))
	}
	return fmt.Sprint(arg)
}

// sayDate makes a date a sentence of the catalogue, so that the web can too.
func (c *Catalogue) sayDate(lang string, d tools.Date) string {
	_, ok := c.entries[lang]["date"]
	if !ok || d.IsZero() || d.Month < time.January || d.Month > time.December {
		return d.String()
	}
	month := tools.T("month." + strconv.Itoa(int(d.Month)))
	return c.say(lang, tools.T("date", d.Day, month, d.Year), 0)
}

// sayMoney writes an amount with its currency.
func sayMoney(lang string, m tools.Money) string {
	return sayDecimal(lang, m.Decimal()) + " " + m.Currency
}

// sayDecimal writes a number with the separators that Unicode's CLDR has for
// the language: Spanish groups from five digits on.
func sayDecimal(lang, number string) string {
	group, point, groupFrom := ",", ".", 4
	switch lang {
	case "de":
		group, point = ".", ","
	case "es":
		group, point, groupFrom = ".", ",", 5
	}
	digits, negative := strings.CutPrefix(number, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	if len(whole) >= groupFrom {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + group + whole[i:]
		}
	}
	if hasFraction {
		whole += point + fraction
	}
	if negative {
		whole = "-" + whole
	}
	return whole
}

// countsOne says whether the first whole number among the arguments is 1.
func countsOne(args []any) bool {
	for _, arg := range args {
		switch v := reflect.ValueOf(arg); {
		case v.CanInt():
			return v.Int() == 1
		case v.CanUint():
			return v.Uint() == 1
		}
	}
	return false
}
