package household

import (
	"encoding/json/v2"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// How many records one part has at most, and how many bytes of JSON: on a
// machine four times slower than most, it still comes back in one call.
const maxExported, maxExportedBytes = 1000, 800_000

// Export says how a household leaves, and comes back.
func (Plugin) Export() tools.Export {
	x := tools.Export{Give: "household_export", Take: "household_restore", Records: maxExported, Bytes: maxExportedBytes}
	for _, t := range exportTables() {
		if !t.one() {
			x.Lists = append(x.Lists, t.key)
		}
	}
	return x
}

// leaving is a record on its way out.
type leaving struct {
	table  exportTable
	rec    *core.Record
	fields map[string]any // with the id, but of what there is only one of
}

// part gathers the records after a mark, in order, and gives the mark of the
// next part; nil on the last. One record is always in it, however large.
func (x *exportView) part(from mark, most int) (list []leaving, next *mark, err error) {
	size, last := 0, from
	for _, t := range exportTables() {
		if from.table != "" && from.table != t.key {
			continue
		}
		found, err := t.after(x.r, from, most-len(list)+1)
		if err != nil {
			return nil, nil, err
		}
		from = mark{}
		for _, p := range found {
			fields, err := x.fields(p.rec)
			if err != nil {
				return nil, nil, err
			}
			if !t.one() {
				fields["id"] = p.rec.Id
			}
			b, err := json.Marshal(fields)
			if err != nil {
				return nil, nil, err
			}
			if size += len(b) + 1; len(list) == most || (len(list) > 0 && size > maxExportedBytes) {
				return list, &last, nil
			}
			list, last = append(list, leaving{t, p.rec, fields}), p.mark
		}
	}
	return list, nil, nil
}

// household is a part as JSON has it.
func household(list []leaving) map[string]any {
	out := map[string]any{tools.ExportVersion: exportVersion}
	for _, l := range list {
		if l.table.one() {
			out[l.table.key] = l.fields
			continue
		}
		all, _ := out[l.table.key].([]map[string]any)
		out[l.table.key] = append(all, l.fields)
	}
	return out
}

// exportVersion is that of the form. It grows when what was written before can
// no longer be read.
const exportVersion = 1
