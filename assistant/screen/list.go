package screen

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// list is something in an answer that rows can be made of.
type list struct {
	name     string // "" is the answer itself, as one row
	items    []node
	schema   *jsonschema.Schema
	currency string
}

// lists are those of an answer, the one that is most likely meant first: its
// items; the record that it is; else the longest.
func lists(out node, schema *jsonschema.Schema) []list {
	var all []list
	currency := out.currency("")
	add := func(name string, n node, s *jsonschema.Schema, currency string) {
		if n.objects() || (n.kind == '[' && len(n.items) == 0 && ofObjects(s)) {
			all = append(all, list{name, n.items, itemsOf(s), currency})
		}
	}
	for _, m := range out.members {
		s := property(schema, m.name)
		add(m.name, m.node, s, currency)
		for _, inner := range m.node.members {
			add(m.name+"."+inner.name, inner.node, property(s, inner.name), m.node.currency(currency))
		}
	}
	slices.SortStableFunc(all, func(a, b list) int { return len(b.items) - len(a.items) })
	for _, m := range out.members { // a list of sentences is one too
		if m.node.kind == '[' && len(m.node.items) > 0 && m.node.items[0].plain() {
			l := list{name: m.name}
			for _, item := range m.node.items {
				l.items = append(l.items, node{kind: '{', members: []member{{m.name, item}}})
			}
			all = append(all, l)
		}
	}
	self := list{items: []node{out}, schema: schema, currency: currency}
	at := len(all)
	if out.get("id").text != "" {
		at = 0
	}
	all = slices.Insert(all, at, self)
	if i := slices.IndexFunc(all, func(l list) bool { return l.name == "items" }); i > 0 {
		items := all[i]
		all = slices.Insert(slices.Delete(all, i, i+1), 0, items)
	}
	return all
}

// grid makes rows of it, no more than are shown.
func (l list) grid() grid {
	g := grid{list: l.name}
	seen := map[string]bool{}
	for _, c := range schemaColumns(l.schema) {
		if !seen[c.path] {
			seen[c.path] = true
			g.columns = append(g.columns, c)
		}
	}
	for _, item := range l.items {
		if len(g.rows) >= maxRows {
			g.total += rowsIn(item)
			continue
		}
		for _, fields := range flatten(item, l.currency) {
			g.total++
			if len(g.rows) >= maxRows {
				continue
			}
			row := make(map[string]value, len(fields))
			for _, f := range fields {
				row[f.path] = f.value
				if !seen[f.path] {
					seen[f.path] = true
					g.columns = append(g.columns, column{path: f.path})
				}
			}
			g.rows = append(g.rows, row)
		}
	}
	for i := range g.columns {
		g.columns[i].learn(g.rows)
	}
	return g
}

// rowsIn is how many rows flatten makes of an object.
func rowsIn(n node) int {
	for _, m := range n.members {
		if n.splits(m.node) {
			return len(m.node.items)
		}
	}
	return 1
}

// schemaColumns are those that a schema promises, in the names of flatten: an
// answer leaves out what is empty.
func schemaColumns(s *jsonschema.Schema) (columns []column) {
	if s == nil {
		return nil
	}
	taken := map[string]bool{}
	var by string
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		if by == "" && splits(s, itemsOf(p)) {
			by = name
			continue
		}
		for _, c := range flatSchema(name, p) {
			taken[c.path] = true
			columns = append(columns, c)
		}
	}
	if by == "" {
		return columns
	}
	inner := itemsOf(s.Properties[by])
	for _, name := range inner.PropertyOrder {
		if name == "currency" {
			continue
		}
		as := name
		if taken[name] {
			as = by + "." + name
		}
		columns = append(columns, flatSchema(as, inner.Properties[name])...)
	}
	return columns
}

// splits is that of a node, as a schema promises it.
func splits(s, items *jsonschema.Schema) bool {
	if property(items, "currency") == nil {
		return false
	}
	sums := true
	for _, name := range []string{"id", "name", "date", "from"} {
		sums = sums && property(items, name) == nil
	}
	return sums || property(s, "name") == nil && property(s, "id") == nil
}

func flatSchema(name string, s *jsonschema.Schema) (columns []column) {
	switch {
	case s == nil || name == "currency":
	case s.Type == "array":
		if items := itemsOf(s); items != nil && (items.Type != "object" || property(items, "name") != nil) {
			return []column{{path: name}}
		}
	case s.Type == "object" || len(s.Properties) > 0:
		for _, inner := range s.PropertyOrder {
			p := s.Properties[inner]
			switch {
			case inner == "currency" || p.Type == "object" || p.Type == "array":
			case inner == "name":
				columns = append(columns, column{path: name})
			default:
				columns = append(columns, column{path: name + "." + inner, day: isDay(p)})
			}
		}
	default:
		return []column{{path: name, day: isDay(s)}}
	}
	return columns
}

func isDay(s *jsonschema.Schema) bool {
	return s.Format == "date" || s.Pattern == dayPattern
}

// dayPattern is that of a tools.Date in the schemas of tools.
const dayPattern = `^(\d{4}-\d{2}-\d{2})?$`

func property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	return s.Properties[name]
}

func itemsOf(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	return s.Items
}

func ofObjects(s *jsonschema.Schema) bool {
	items := itemsOf(s)
	return s != nil && s.Type == "array" && items != nil && items.Type == "object"
}
