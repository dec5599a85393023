package screen

import (
	"strings"
)

// value is what stands in one place of a row.
type value struct {
	node
	currency string
}

// field is a value with its name in the answer.
type field struct {
	path string
	value
}

// flatten makes rows of an object: what it holds one step down comes up, and
// where it has sums by currency it is a row for each.
func flatten(n node, outer string) [][]field {
	currency := n.currency(outer)
	var base []field
	var by *member
	for i, m := range n.members {
		switch {
		case m.name == "currency":
		case n.splits(m.node):
			if by == nil {
				by = &n.members[i]
			}
		default:
			base = append(base, flat(m.name, m.node, currency)...)
		}
	}
	if by == nil {
		return [][]field{base}
	}
	taken := map[string]bool{}
	for _, f := range base {
		taken[f.path] = true
	}
	var rows [][]field
	for _, item := range by.node.items {
		row := base[:len(base):len(base)]
		for _, m := range item.members {
			if m.name == "currency" {
				continue
			}
			name := m.name
			if taken[name] {
				name = by.name + "." + name
			}
			row = append(row, flat(name, m.node, item.currency(currency))...)
		}
		rows = append(rows, row)
	}
	return rows
}

// splits says that an object is a row for each of what a member lists: its sums
// by currency, or what belongs to a day. The history of a record is neither.
func (n node) splits(list node) bool {
	if !list.objects() {
		return false
	}
	first := list.items[0]
	return first.sums() || first.get("currency").kind == '"' && n.get("name").kind == 0 && n.get("id").kind == 0
}

// sums says that it is what one currency comes to: nothing that has a name or day.
func (n node) sums() bool {
	if n.get("currency").kind != '"' {
		return false
	}
	for _, name := range []string{"id", "name", "date", "from"} {
		if n.get(name).kind != 0 {
			return false
		}
	}
	return true
}

// flat is a member of a row, in one or several fields.
func flat(name string, n node, currency string) (fields []field) {
	switch {
	case n.plain():
		return []field{{name, value{n, currency}}}
	case n.kind == '{':
		inner := n.currency(currency)
		for _, m := range n.members {
			switch {
			case m.name == "currency" || !m.node.plain():
			case m.name == "name":
				fields = append(fields, field{name, value{m.node, inner}})
			default:
				fields = append(fields, field{name + "." + m.name, value{m.node, inner}})
			}
		}
	case n.kind == '[':
		var names []string
		for _, item := range n.items {
			if item.kind == '{' {
				item = item.get("name")
			}
			if item.plain() {
				names = append(names, item.text)
			}
			if len(names) > maxCell { // more is not shown
				break
			}
		}
		if len(names) > 0 {
			return []field{{name, value{node: node{kind: '"', text: strings.Join(names, ", ")}}}}
		}
	}
	return fields
}
