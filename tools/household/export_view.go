package household

import (
	"encoding/json/v2"
	"fmt"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// view of records for an export: as they are stored, but that accounts are
// named by their handles, and that what the person may not see is not named.
type exportView struct {
	r       *tools.Reader
	handles map[string]string            // of members, by id
	seen    map[string]map[string]string // names of what the person sees, by collection and id
	lost    []string                     // files that are named and not there
}

func exportViewOf(r *tools.Reader) (*exportView, error) {
	all, err := r.Members()
	x := &exportView{r: r, handles: make(map[string]string, len(all)), seen: map[string]map[string]string{}}
	for _, m := range all {
		x.handles[m.ID] = m.Handle
	}
	return x, err
}

// gone is the name of somebody who bears a share and has left.
const gone = "?"

// fields are those of a record that are not empty: texts, whole numbers, true,
// what JSON fields hold, and files.
func (x *exportView) fields(rec *core.Record) (map[string]any, error) {
	out := map[string]any{}
	for _, f := range exported(rec.Collection()) {
		v, err := x.value(rec, f)
		if err != nil {
			return nil, err
		}
		if v != nil {
			out[f.GetName()] = v
		}
	}
	if rec.Collection().Name == shares && out["member"] == nil && out["person"] == nil {
		out["person"] = gone
	}
	return out, nil
}

// value is a field of a record, nil where it is empty.
func (x *exportView) value(rec *core.Record, f core.Field) (any, error) {
	name := f.GetName()
	switch f := f.(type) {
	case *core.TextField, *core.SelectField, *core.URLField:
		return filled(strings.ToValidUTF8(rec.GetString(name), "\uFFFD")), nil
	case *core.NumberField:
		if n := int64(rec.GetFloat(name)); n != 0 {
			return n, nil
		}
		return nil, nil
	case *core.BoolField:
		if rec.GetBool(name) {
			return true, nil
		}
		return nil, nil
	case *core.JSONField:
		var v any
		if raw := rec.GetString(name); raw != "" {
			if err := json.Unmarshal([]byte(raw), &v); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", name, rec.Id, err)
			}
		}
		if list, is := v.([]any); is && len(list) == 0 {
			return nil, nil
		}
		return v, nil
	case *core.RelationField:
		id := rec.GetString(name)
		if f.CollectionId == accounts {
			return filled(x.handles[id]), nil
		}
		if _, sees, err := x.nameOf(f.CollectionId, id); err != nil || !sees {
			return nil, err
		}
		return filled(id), nil
	case *core.FileField:
		return x.file(rec, name)
	}
	return nil, fmt.Errorf("%s is a %s: it has no place in an export", name, f.Type())
}

func filled(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// nameOf is the name of a record that the person sees.
func (x *exportView) nameOf(collection, id string) (name string, sees bool, err error) {
	if id == "" {
		return "", false, nil
	}
	names := x.seen[collection]
	if names == nil {
		rows, err := x.r.Rows(collection, tools.Query{}, "name")
		if err != nil {
			return "", false, err
		}
		names = make(map[string]string, len(rows))
		for _, row := range rows {
			names[row.GetString("id")] = row.GetString("name")
		}
		x.seen[collection] = names
	}
	name, sees = names[id]
	return name, sees, nil
}

// file is what a field holds, nil where it is not there.
func (x *exportView) file(rec *core.Record, field string) (any, error) {
	if rec.GetString(field) == "" {
		return nil, nil
	}
	up, err := x.r.File(rec, field)
	switch tools.KindOf(err) {
	case tools.NotFound, tools.TooLarge:
		x.lost = append(x.lost, rec.GetString("name"))
		return nil, nil
	}
	return up, err
}
