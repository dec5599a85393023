package household

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// The years that a date may lie in.
const firstYear, lastYear = 1900, 2199

// invalid is an error about one argument; its sentence names the field.
func invalid(key string, args ...any) error { return tools.Fail(tools.Invalid, key, args...) }

// about says which record an error is about, where its sentence does not: its
// name, or those of several. What is not there is said as little as can be.
func about(err error, name any) error {
	own, is := errors.AsType[*tools.Error](err)
	if !is || (own.Kind != tools.Invalid && own.Kind != tools.Conflict) || own.Text.Key == "household.error.about" {
		return err
	}
	if s, is := name.(string); is {
		if s == "" || slices.Contains(own.Text.Args, name) {
			return err
		}
		name = short(s)
	}
	return tools.Fail(own.Kind, "household.error.about", name, own.Text).Because(err)
}

// naming is about, deferred.
func naming(err *error, name any) { *err = about(*err, name) }

// short is a value as a message repeats it.
func short(s string) string { return tools.Quoted(s, 40) }

func parseDate(field, s string) (tools.Date, error) {
	d, err := tools.ParseDate(s)
	if err != nil || d.Year < firstYear || d.Year > lastYear {
		return tools.Date{}, invalid("household.error.date", field, short(s), firstYear, lastYear)
	}
	return d, nil
}

// parseSpan reads a first and a last day, of which each may be left out.
func parseSpan(field, first, until, last string) (a, b tools.Date, err error) {
	if first != "" {
		if a, err = parseDate(field, first); err != nil {
			return a, b, err
		}
	}
	if last != "" {
		if b, err = parseDate(until, last); err != nil {
			return a, b, err
		}
	}
	if !b.IsZero() && b.Before(a) {
		return a, b, invalid("household.error.order", until, b, field, a)
	}
	return a, b, nil
}

// window finds the days of a span in a field: filters, and the values for
// their places.
func window(field string, from, to tools.Date) (filters []string, params map[string]any) {
	params = map[string]any{}
	if !from.IsZero() {
		filters = append(filters, field+" >= {:from}")
		params["from"] = from.String()
	}
	if !to.IsZero() {
		filters = append(filters, field+" <= {:to}")
		params["to"] = to.String()
	}
	return filters, params
}

func parseCycle(field, s string) (tools.Cycle, error) {
	c, err := tools.ParseCycle(s)
	if err != nil {
		return tools.Cycle{}, invalid("household.error.cycle", field, short(s))
	}
	return c, nil
}

func parseCurrency(field, s string) (string, error) {
	if _, ok := tools.CurrencyDigits(s); ok {
		return s, nil
	}
	if up := strings.ToUpper(strings.TrimSpace(s)); up != s {
		if _, ok := tools.CurrencyDigits(up); ok {
			return "", invalid("household.error.currency_case", field, short(s), up)
		}
	}
	return "", invalid("household.error.currency", field, short(s))
}

// parseAmount reads an amount that is paid: never below zero, never rounded.
func parseAmount(field, s, currency string) (int64, error) {
	if rest, negative := strings.CutPrefix(s, "-"); negative && rest != "" && strings.Trim(rest, "0123456789.") == "" {
		return 0, invalid("household.error.negative", field, short(s))
	}
	m, err := tools.ParseMoney(s, currency)
	if err == nil {
		return m.Minor, nil
	}
	whole, frac, _ := strings.Cut(s, ".")
	digits, known := tools.CurrencyDigits(currency)
	switch {
	case !known:
		return 0, invalid("household.error.currency", field, short(currency))
	case whole == "" || strings.HasSuffix(s, ".") || strings.Trim(whole+frac, "0123456789") != "":
		return 0, invalid("household.error.amount", field, short(s), example(currency))
	case len(strings.TrimRight(frac, "0")) > digits:
		return 0, invalid("household.error.decimals", field, short(s), currency, digits)
	}
	return 0, invalid("household.error.too_large", field, short(s), tools.Money{Minor: tools.MaxMinor, Currency: currency})
}

// example is an amount as it should be written.
func example(currency string) string {
	return tools.Money{Minor: 1599, Currency: currency}.Decimal()
}

// parseLine reads a text of one line, without what nobody sees in it.
func parseLine(field, s string, most int) (string, error) {
	s = strings.Join(strings.Fields(unhidden(s)), " ")
	return checkText(field, s, most, false)
}

// parseText reads a text that may have several lines.
func parseText(field, s string, most int) (string, error) {
	return checkText(field, strings.TrimSpace(unhidden(s)), most, true)
}

func checkText(field, s string, most int, lines bool) (string, error) {
	if utf8.RuneCountInString(s) > most {
		return "", invalid("household.error.long", field, most)
	}
	if strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && (!lines || !strings.ContainsRune("\n\r\t", r))
	}) {
		return "", invalid("household.error.control", field)
	}
	return s, nil
}

func parseName(field, s string, most int) (string, error) {
	s, err := parseLine(field, s, most)
	if err == nil && blank(s) {
		err = invalid("household.error.empty", field)
	}
	return s, err
}

// parseIDs checks the list of a bulk tool.
func parseIDs(ids []string) error {
	if len(ids) == 0 {
		return invalid("household.error.no_ids")
	}
	seen := make(map[string]bool, len(ids))
	for i, id := range ids {
		if id == "" {
			return invalid("household.error.empty", item("ids", i))
		}
		if seen[id] {
			return invalid("household.error.same_id", item("ids", i), short(id))
		}
		seen[id] = true
	}
	return nil
}

// parseClear checks the names of the fields to clear against those that can be
// empty, unless the schema says them, and those that are set in the same call.
func parseClear(clear []string, set map[string]bool, clearable ...string) error {
	for i, f := range clear {
		if len(clearable) > 0 && !slices.Contains(clearable, f) {
			return invalid("household.error.clear", short(f), strings.Join(clearable, ", "))
		}
		if set[f] {
			return invalid("household.error.set_and_clear", f)
		}
		if slices.Contains(clear[:i], f) {
			return invalid("household.error.clear_twice", f)
		}
	}
	return nil
}

// item names one of a list in a message, and element a field of it.
func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

func element(list string, i int, field string) string { return item(list, i) + "." + field }
