package household

import (
	"encoding/base64"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// arriving is a record on its way in.
type arriving struct {
	table  exportTable
	rank   int // of the table
	at     int // in its list
	col    *core.Collection
	id     string
	label  string
	fields map[string]any // as an export has them
	here   *core.Record   // to be completed; nil for a new one
}

// recordID is what PocketBase makes.
var recordID = regexp.MustCompile(`^[a-z0-9]{15}$`)

// parse reads the lists of a part. What has not the form of an export is
// refused; whether the values are good is for the rules that hold for any writer.
func (re *restoring) parse(in map[string]any) error {
	if in[tools.ExportVersion] != float64(exportVersion) {
		return invalid("household.error.restore_version", exportVersion)
	}
	left := maps.Clone(in)
	delete(left, tools.ExportVersion)
	known := []string{tools.ExportVersion}
	for rank, t := range exportTables() {
		known = append(known, t.key)
		if v, there := left[t.key]; there {
			if err := re.parseList(t, rank, v); err != nil {
				return err
			}
			delete(left, t.key)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		return tools.Fail(tools.Invalid, "error.arguments", unknownField("household."+short(name), known))
	}
	return nil
}

func (re *restoring) parseList(t exportTable, rank int, v any) error {
	list, is := v.([]any)
	if t.one() {
		list, is = []any{v}, true
	}
	if !is {
		return tools.Fail(tools.Invalid, "error.arguments", wrongType("household."+t.key, "type.array", v))
	}
	if len(re.list)+len(list) > maxExported {
		return tools.Fail(tools.TooLarge, "household.error.restore_many", maxExported)
	}
	col := re.collection(t.collection)
	re.keys[col.Id] = t.key
	for i, v := range list {
		a := &arriving{table: t, rank: rank, at: i, col: col}
		if err := a.parse(v); err != nil {
			return err
		}
		if _, twice := re.labels[a.key()]; twice {
			return a.problem(tools.T("household.restore.twice", a.id))
		}
		re.labels[a.key()] = a.label
		re.list = append(re.list, a)
	}
	return nil
}

// parse reads one record.
func (a *arriving) parse(v any) error {
	in, is := v.(map[string]any)
	if !is {
		return a.problem(wrongType(a.table.key, "type.object", v))
	}
	for _, f := range []string{"name", "date", "from", "person", "member"} {
		if a.label, _ = in[f].(string); a.label != "" {
			break
		}
	}
	a.fields = make(map[string]any, len(in))
	fields := map[string]core.Field{}
	for _, f := range exported(a.col) {
		fields[f.GetName()] = f
	}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if name == core.FieldNameId && !a.table.one() {
			continue
		}
		f := fields[name]
		if f == nil {
			return a.problem(unknownField(short(name), slices.Sorted(maps.Keys(fields))))
		}
		v, wanted := arrived(f, in[name])
		if wanted != "" {
			return a.problem(wrongType(name, wanted, in[name]))
		}
		if v != nil {
			a.fields[name] = v
		}
	}
	if a.table.one() {
		return nil
	}
	if a.id, _ = in[core.FieldNameId].(string); !recordID.MatchString(a.id) {
		return a.problem(tools.T("household.restore.id", short(a.id)))
	}
	return nil
}

// arrived is the value of a field as an export has it, nil where it is empty;
// or the type that it must be of.
func arrived(f core.Field, v any) (value any, wanted string) {
	switch f.(type) {
	case *core.NumberField:
		n, is := v.(float64)
		switch {
		case !is || n != math.Trunc(n) || math.Abs(n) > tools.MaxMinor:
			return nil, "type.integer"
		case n == 0:
			return nil, ""
		}
		return int64(n), ""
	case *core.BoolField:
		yes, is := v.(bool)
		switch {
		case !is:
			return nil, "type.boolean"
		case !yes:
			return nil, ""
		}
		return true, ""
	case *core.JSONField:
		switch list := v.(type) {
		case []any:
			if len(list) == 0 {
				return nil, ""
			}
			return v, ""
		case map[string]any:
			return v, ""
		}
		return nil, "type.array"
	case *core.FileField:
		return arrivedFile(v)
	}
	s, is := v.(string)
	if !is {
		return nil, "type.string"
	}
	return filled(s), ""
}

// arrivedFile is a file by its name and what is in it.
func arrivedFile(v any) (value any, wanted string) {
	in, _ := v.(map[string]any)
	name, named := in["name"].(string)
	encoded, has := in["data"].(string)
	data, err := base64.StdEncoding.DecodeString(encoded)
	if !named || !has || len(in) != 2 || err != nil {
		return nil, "household.restore.file"
	}
	return tools.Upload{Name: name, Data: data}, ""
}
