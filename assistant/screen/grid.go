package screen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// grid is what is drawn: the columns that are chosen, or all that there are.
type grid struct {
	list    string
	columns []column
	rows    []map[string]value
	total   int // rows, of which some may be left out
}

// rows are those of the list in an answer that has the columns that are named,
// else of the one that is most likely meant.
func (d drawing) rows(out node, names []string) (grid, error) {
	all := lists(out, d.Tool.Output)
	if len(names) == 0 {
		g := all[0].grid()
		if len(g.columns) == 0 {
			return grid{}, tools.Fail(tools.Invalid, "screen.nothing", d.Tool.Name)
		}
		return g, nil
	}
	for _, l := range all {
		g := l.grid()
		if chosen, ok := choose(g, names); ok {
			g.columns = chosen
			return g, nil
		}
	}
	return grid{}, tools.Fail(tools.Invalid, "screen.no_column", d.Tool.Name, d.named(all[0].grid().columns))
}

// choose finds columns by their names, whole or the last part where it is one
// column's alone.
func choose(g grid, names []string) (chosen []column, ok bool) {
	for _, name := range names {
		i := slices.IndexFunc(g.columns, func(c column) bool { return c.path == name || g.list+"."+c.path == name })
		if i < 0 {
			i = only(g.columns, func(c column) bool { return c.last() == name })
		}
		of := within(g, name)
		if i >= 0 {
			of = g.columns[i : i+1]
		}
		if len(of) == 0 {
			return nil, false
		}
		for _, c := range of {
			if !slices.ContainsFunc(chosen, func(o column) bool { return o.path == c.path }) {
				chosen = append(chosen, c)
			}
		}
	}
	return chosen[:min(maxColumns, len(chosen))], true
}

// within are the columns that came from an object of a name, without its id.
func within(g grid, name string) (of []column) {
	for _, c := range g.columns {
		in := strings.HasPrefix(c.path, name+".") || g.list != "" && strings.HasPrefix(g.list+"."+c.path, name+".") && name != g.list
		if in && !c.id {
			of = append(of, c)
		}
	}
	return of
}

// only is the place of the one that is so; -1 for none or several.
func only(columns []column, is func(column) bool) int {
	at := slices.IndexFunc(columns, is)
	if at >= 0 && slices.ContainsFunc(columns[at+1:], is) {
		return -1
	}
	return at
}

// pickUsual leaves the usual few where none were named: what rows are called
// by, then the others in their order, without ids and what is empty.
func (g *grid) pickUsual(named []string, most int) {
	if len(named) > 0 {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(g.columns), func(c column) bool {
		return c.id || (len(g.rows) > 0 && !c.full)
	})
	slices.SortStableFunc(kept, func(a, b column) int { return cmp.Compare(rank(a), rank(b)) })
	g.columns = kept[:min(most, len(kept))]
}

// rank orders the columns of a table.
func rank(c column) int {
	switch {
	case c.labels() < slices.Index(labelNames(), "category"):
		return 0
	case strings.Contains(c.path, "."):
		return 3
	case c.kind == Money || c.kind == Date:
		return 1
	}
	return 2
}

// pickChart leaves what a chart is made of: what stands below it, then numbers.
func (g *grid) pickChart(form string, named []string) error {
	isFigure := func(c column) bool { return (c.kind == Number || c.kind == Money) && !c.id }
	var below, figures []column
	for _, c := range g.columns {
		switch {
		case isFigure(c):
			figures = append(figures, c)
		case c.full && (len(named) > 0 || !c.id && (c.kind == Date || c.labels() < len(labelNames()))):
			below = append(below, c)
		}
	}
	// What goes on does so by days; bars stand over what rows are called by.
	slices.SortStableFunc(below, func(a, b column) int { return cmp.Compare(under(a, form), under(b, form)) })
	if len(named) == 0 {
		slices.SortStableFunc(figures, func(a, b column) int { return cmp.Compare(a.figures(), b.figures()) })
		figures = figures[:min(1, len(figures))]
	}
	if len(below) == 0 || len(figures) == 0 || len(g.rows) == 0 {
		return tools.Fail(tools.Invalid, "screen.no_chart")
	}
	g.columns = append(below[:1:1], figures...)
	if x := below[0]; form == Line && x.kind == Date {
		slices.SortStableFunc(g.rows, func(a, b map[string]value) int { return strings.Compare(a[x.path].text, b[x.path].text) })
	}
	return nil
}

func under(c column, form string) int {
	switch {
	case c.kind == Date && (form == Line || c.path == "month") && slices.Contains([]string{"date", "month", "on"}, c.path):
		return -2
	case c.kind == Date && form == Line:
		return -1
	case c.kind == Date:
		return len(labelNames())
	}
	return c.labels()
}

// splitByCurrency gives each currency its own column: one scale for several
// would say what is not so.
func (g *grid) splitByCurrency() {
	var split []column
	for _, c := range g.columns {
		var all []string
		if c.kind == Money {
			for _, row := range g.rows {
				if v, ok := row[c.path]; ok && v.text != "" && !slices.Contains(all, v.currency) {
					all = append(all, v.currency)
				}
			}
		}
		if len(all) < 2 {
			split = append(split, c)
			continue
		}
		for _, currency := range all {
			c.only = currency
			split = append(split, c)
		}
	}
	g.columns = split[:min(maxColumns, len(split))]
}
