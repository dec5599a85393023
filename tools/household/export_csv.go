package household

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// files are the tables of a part for spreadsheets: amounts are decimals, and
// beside the id of another record stands its name.
func (x *exportView) files(list []leaving) ([]ExportFile, error) {
	out := []ExportFile{}
	for len(list) > 0 {
		t, fields := list[0].table, exported(list[0].rec.Collection())
		n := slices.IndexFunc(list, func(l leaving) bool { return l.table.key != t.key })
		if n < 0 {
			n = len(list)
		}
		rows := make([][]string, n+1)
		rows[0] = columns(t, fields)
		for i, l := range list[:n] {
			var err error
			if rows[i+1], err = x.row(l, fields); err != nil {
				return nil, err
			}
		}
		out, list = append(out, ExportFile{t.key + ".csv", writeCSV(rows)}), list[n:]
	}
	return out, nil
}

func columns(t exportTable, fields []core.Field) []string {
	var row []string
	if !t.one() {
		row = append(row, "id")
	}
	for _, f := range fields {
		row = append(row, f.GetName())
		if link, is := f.(*core.RelationField); is && link.CollectionId != accounts {
			row = append(row, link.Name+"_name")
		}
	}
	return row
}

func (x *exportView) row(l leaving, fields []core.Field) ([]string, error) {
	var row []string
	if !l.table.one() {
		row = append(row, text(l.rec.Id))
	}
	for _, f := range fields {
		switch v := l.fields[f.GetName()]; f := f.(type) {
		case *core.NumberField:
			row = append(row, l.number(f.Name))
		case *core.BoolField:
			row = append(row, strconv.FormatBool(v != nil))
		case *core.JSONField:
			row = append(row, text(flat(v)))
		case *core.FileField:
			up, _ := v.(tools.Upload)
			row = append(row, text(up.Name))
		case *core.RelationField:
			id, _ := v.(string)
			if row = append(row, text(id)); f.CollectionId != accounts {
				name, _, err := x.nameOf(f.CollectionId, id)
				if err != nil {
					return nil, err
				}
				row = append(row, text(name))
			}
		default:
			s, _ := v.(string)
			row = append(row, text(s))
		}
	}
	return row, nil
}

// number is an amount as a decimal, or a whole number; nothing for none.
func (l leaving) number(field string) string {
	n, _ := l.fields[field].(int64)
	switch {
	case isMoney(field):
		return tools.Money{Minor: n, Currency: l.rec.GetString("currency")}.Decimal()
	case n == 0:
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// flat is what a JSON field holds in one cell: "fun, tv", "CHF 0.9321, USD 1.085".
func flat(v any) string {
	var words []string
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			words = append(words, fmt.Sprint(x))
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			words = append(words, k+" "+fmt.Sprint(v[k]))
		}
	}
	return strings.Join(words, ", ")
}
