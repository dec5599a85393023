package screen

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// totals are what an answer says at its top of all its rows: sums by currency,
// else its numbers. It is one row, or one for each currency.
func (d drawing) totals(out node, names []string) (grid, error) {
	top := node{kind: '{'}
	var sums *member
	for i, m := range out.members {
		switch {
		case m.name == "sums" || m.name == "totals":
			if m.node.objects() && m.node.items[0].get("currency").kind == '"' {
				sums = &out.members[i]
			}
		case m.name == "currency" || m.node.plain():
			top.members = append(top.members, m)
		}
	}
	var g grid
	if sums != nil {
		g = list{items: []node{{kind: '{', members: []member{*sums}}}, currency: top.currency("")}.grid()
		g.columns = figuresOf(g)
	}
	numbers := list{items: []node{top}}.grid()
	numbers.columns = figuresOf(numbers)
	if len(names) == 0 && len(g.columns) > 0 {
		slices.SortStableFunc(g.columns, func(a, b column) int { return rank(a) - rank(b) })
		g.columns = g.columns[:min(usualTotals, len(g.columns))]
		return g, nil
	}
	if len(g.rows) == 0 {
		g.rows, g.total = numbers.rows, numbers.total
	} else { // said once, in the first row
		for _, c := range numbers.columns {
			if _, taken := g.rows[0][c.path]; !taken {
				g.rows[0][c.path] = numbers.rows[0][c.path]
			}
		}
	}
	for _, c := range numbers.columns {
		if !slices.ContainsFunc(g.columns, func(o column) bool { return o.path == c.path }) {
			g.columns = append(g.columns, c)
		}
	}
	if len(g.columns) == 0 {
		return grid{}, tools.Fail(tools.Invalid, "screen.no_total", d.Tool.Name)
	}
	if len(names) == 0 {
		g.columns = g.columns[:min(usualColumns, len(g.columns))]
		return g, nil
	}
	chosen, ok := choose(g, names)
	if !ok {
		return grid{}, tools.Fail(tools.Invalid, "screen.no_column", d.Tool.Name, d.named(g.columns))
	}
	g.columns = chosen
	return g, nil
}

// figuresOf are the columns of a grid that are numbers or money.
func figuresOf(g grid) []column {
	return slices.DeleteFunc(g.columns, func(c column) bool { return c.id || c.kind != Number && c.kind != Money })
}
