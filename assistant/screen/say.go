package screen

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// pluginOf is whose tool it is.
func pluginOf(tool string) string {
	plugin, _, _ := strings.Cut(tool, "_")
	return plugin
}

// written is a text of the catalogue; ok is false where there is none.
func (d drawing) written(key string, args []any) (text string, ok bool) {
	if d.Catalogue.Say(d.Language, tools.Text{Key: key}) == key {
		return "", false
	}
	return d.Catalogue.Say(d.Language, tools.Text{Key: key, Args: args}), true
}

// label is what people call a column.
func (d drawing) label(c column) string {
	label := d.nameOf(c.path)
	if c.only != "" {
		label += " (" + c.only + ")"
	}
	return label
}

// nameOf is as the texts have it, else what it is in and it, else the name.
func (d drawing) nameOf(path string) string {
	if text, ok := d.fields.Label(path); ok {
		return text
	}
	if outer, inner, nested := strings.Cut(path, "."); nested {
		return d.nameOf(outer) + ": " + d.nameOf(inner)
	}
	return line(strings.ReplaceAll(upper(path), "_", " "))
}

func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// cell is a value as people read it.
func (d drawing) cell(c column, v value) Cell {
	if v.text == "" || c.only != "" && v.currency != c.only {
		return Cell{}
	}
	switch c.kind {
	case Money:
		return Cell{d.say(money(v.text, v.currency)), quoted(v.text), v.currency}
	case Number:
		return Cell{Text: d.say(tools.Decimal(v.text)), Value: jsontext.Value(v.text)}
	case Date:
		return Cell{Text: d.day(v.text), Value: quoted(v.text)}
	}
	return Cell{Text: line(d.word(c, v))}
}

// word is a value that is text: what a plugin writes for people where it is one
// of a set, or a cycle.
func (d drawing) word(c column, v value) string {
	switch v.kind {
	case 't':
		return d.say(tools.T("value.yes"))
	case 'f':
		return d.say(tools.T("value.no"))
	}
	if cycle, err := tools.ParseCycle(v.text); err == nil && c.last() == "cycle" {
		units := map[tools.Unit]string{tools.Weeks: "weeks", tools.Months: "months", tools.Years: "years"}
		if text, ok := d.written(d.plugin+".every."+units[cycle.Unit], []any{cycle.N}); ok {
			return text
		}
	}
	text, ok := d.fields.Value(c.last(), v.text)
	if !ok && c.last() == "field" {
		text, ok = d.fields.Label(v.text)
	}
	if ok {
		return text
	}
	return v.text
}

// day says a day, a month or a time.
func (d drawing) day(s string) string {
	if month.MatchString(s) {
		n, _ := strconv.Atoi(s[5:])
		return d.say(tools.T("screen.month", tools.T("month."+strconv.Itoa(n)), s[:4]))
	}
	if day, err := tools.ParseDate(s); err == nil {
		return d.say(day)
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return d.say(tools.T("screen.time", tools.DateOf(at.UTC()), at.UTC().Format("15:04")))
}

func (d drawing) say(v any) string {
	return d.Catalogue.Say(d.Language, tools.Text(tools.W(v)))
}

// money is an amount as it was written; a sum may be beyond what is taken for
// one amount.
func money(amount, currency string) any {
	minor, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	if err != nil {
		return tools.T("", tools.Decimal(amount), currency)
	}
	return tools.Money{Minor: minor, Currency: currency}
}

func quoted(s string) jsontext.Value {
	raw, _ := json.Marshal(s)
	return raw
}

// line is a text as one line, of what can be seen, and not too much of it.
func line(s string) string {
	n := 0
	var b strings.Builder
	for _, r := range s {
		if unicode.IsSpace(r) {
			r = ' '
		}
		if tools.Unseen(r) {
			continue
		}
		if n++; n > maxCell {
			return b.String() + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}

// list names things one after the other.
func (d drawing) list(names []string) string { return strings.Join(names, ", ") }

// named lists columns for a model: it may name one of these.
func (d drawing) named(columns []column) string {
	names := make([]string, 0, len(columns))
	for _, c := range columns {
		names = append(names, line(c.path))
		if len(names) == 40 {
			break
		}
	}
	return d.list(names)
}
