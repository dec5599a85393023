// Package screen draws what a read tool answered as a table or chart. Only
// values of the answer and texts of the catalogue get onto it: a model names
// the tool, the form and columns that there are, and writes none of it.
package screen

import (
	"embed"
	"encoding/json/jsontext"
	"io/fs"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// Forms are the ways in which a Screen is drawn.
const (
	Table = "table"
	Bars  = "bars"  // a number of each row, by its label or date
	Line  = "line"  // the same as it goes on
	Total = "total" // what the answer says at its top, of all its rows
)

// Forms lists them.
func Forms() []string { return []string{Table, Bars, Line, Total} }

// What a Screen holds at most.
const (
	maxRows    = 200
	maxColumns = 12
	maxCell    = 200 // characters
)

// What is chosen where no columns are named.
const (
	usualColumns = 6
	usualTotals  = 4
)

// Source is what a tool answered, and who reads it.
type Source struct {
	Tool      tools.Tool
	Output    any
	Catalogue *i18n.Catalogue
	Language  string
}

// Screen is a table or chart in the language of the person.
type Screen struct {
	Title   tools.Text `json:"title"` // the tool's
	Form    string     `json:"form"`
	Columns []Column   `json:"columns"`
	Rows    [][]Cell   `json:"rows"`
	More    int        `json:"more,omitzero"`    // rows that are left out
	Partial bool       `json:"partial,omitzero"` // the tool has more pages than this one
}

// Column says what stands in it.
type Column struct {
	Name  string `json:"name"` // as the tool's answer has it
	Label string `json:"label"`
	Type  Type   `json:"type"`
}

// Type is the sort of a column's values.
type Type string

// The types. What is no text has a raw value in each cell.
const (
	Text   Type = "text"
	Number Type = "number"
	Money  Type = "money"
	Date   Type = "date"
)

// Cell is a value as people read it. Value is the same for charts: a number, a
// decimal string of money in Currency, or a day (YYYY-MM-DD), month (YYYY-MM)
// or time (RFC 3339).
type Cell struct {
	Text     string         `json:"text"`
	Value    jsontext.Value `json:"value,omitzero"`
	Currency string         `json:"currency,omitzero"`
}

//go:embed locales
var locales embed.FS

// Locales gives the texts of this package.
func Locales() fs.FS { return tools.LocalesIn(locales) }

// Draw draws an answer in a form. Columns are chosen by their names in the
// answer; without any it is the usual few. What cannot be drawn is an error of
// kind invalid that says what could be.
func Draw(s Source, form string, columns []string) (Screen, error) {
	if s.Tool.Effect != tools.EffectRead {
		return Screen{}, tools.Fail(tools.Invalid, "screen.not_read", s.Tool.Name)
	}
	if len(columns) > maxColumns {
		return Screen{}, tools.Fail(tools.Invalid, "screen.columns", maxColumns)
	}
	out, err := parse(s)
	if err != nil {
		return Screen{}, err
	}
	d := drawing{Source: s, plugin: pluginOf(s.Tool.Name), fields: s.Catalogue.Fields(s.Language, s.Tool.Name)}
	var g grid
	switch form {
	case Table, Bars, Line:
		g, err = d.rows(out, columns)
	case Total:
		g, err = d.totals(out, columns)
	default:
		return Screen{}, tools.Fail(tools.Invalid, "screen.form", d.list(Forms()))
	}
	if err != nil {
		return Screen{}, err
	}
	switch form {
	case Table:
		g.pickUsual(columns, usualColumns)
	case Bars, Line:
		if err := g.pickChart(form, columns); err != nil {
			return Screen{}, err
		}
		g.splitByCurrency()
	}
	sc := d.draw(g, form)
	sc.Partial = form != Total && out.get("next").text != ""
	return sc, nil
}

// drawing is the making of a Screen.
type drawing struct {
	Source
	plugin string
	fields i18n.Fields
}

// draw says the values of a grid.
func (d drawing) draw(g grid, form string) Screen {
	sc := Screen{
		Title: tools.T(d.Tool.Title), Form: form, More: max(0, g.total-len(g.rows)),
		Columns: make([]Column, len(g.columns)), Rows: make([][]Cell, len(g.rows)),
	}
	for i, c := range g.columns {
		sc.Columns[i] = Column{Name: c.name(), Label: d.label(c), Type: c.kind}
	}
	for i, r := range g.rows {
		sc.Rows[i] = make([]Cell, len(g.columns))
		for j, c := range g.columns {
			sc.Rows[i][j] = d.cell(c, r[c.key()])
		}
	}
	return sc
}
