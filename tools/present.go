package tools

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// maxShown bounds a value on a card, in bytes.
const maxShown = 200

// present fills in what people read of a change. Hidden fields are counted
// only; ids of linked records become their names where the person may see them.
func (r *Reader) present(c *Change) error {
	col, err := r.app.FindCachedCollectionByNameOrId(c.Collection)
	if err != nil {
		return err
	}
	p := r.run.reg.ownerOf(c.Collection)
	c.hide(col)
	if !r.seesAddress(c, col) {
		c.withhold(core.FieldNameEmail)
	}
	c.Label = r.label(p, col, c.Now)
	c.Fields = []Field{}
	for _, f := range col.Fields {
		name := f.GetName()
		before, was := c.Before[name]
		after, is := c.After[name]
		if name == core.FieldNameId || f.Type() == core.FieldTypeAutodate || (!was && !is) || secretField(col, f) {
			continue
		}
		if c.Op != OpUpdate && zero(cmp.Or(before, after)) {
			continue
		}
		field := Field{Name: name, Label: fieldLabel(p, col, name), RawBefore: before, RawAfter: after}
		if was {
			field.Before = r.show(p, col, f, c.whole(c.Before))
		}
		if is {
			field.After = r.show(p, col, f, c.whole(c.After))
		}
		long, isLong := before.(string)
		other, too := after.(string)
		if isLong && too && max(len(long), len(other)) > maxShown {
			field.Before, field.After = apart(long, other)
		}
		c.Fields = append(c.Fields, field)
	}
	return nil
}

// apart shows two long texts from where they begin to differ: cut at the same
// place they could look alike.
func apart(a, b string) (Words, Words) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := max(0, same-40)
	for from > 0 && a[from]&0xC0 == 0x80 {
		from--
	}
	cut := func(s string) Words {
		if from > 0 {
			return W("…" + clip(s[from:], maxShown))
		}
		return W(clip(s, maxShown))
	}
	return cut(a), cut(b)
}

// whole completes the changed fields of an update with those that stayed.
func (c *Change) whole(part map[string]any) map[string]any {
	if c.Op != OpUpdate {
		return part
	}
	all := make(map[string]any, len(c.Now))
	for k, v := range c.Now {
		all[k] = v
	}
	for k, v := range part {
		all[k] = v
	}
	return all
}

// ownerOf is the plugin whose collection it is, or nil.
func (r *Registry) ownerOf(collection string) Plugin {
	for _, p := range r.plugins {
		if strings.HasPrefix(collection, p.Name()+"_") {
			return p
		}
	}
	return nil
}

// fieldLabel is a key of the plugin's texts, or the field's own name.
func fieldLabel(p Plugin, col *core.Collection, name string) Words {
	if _, ok := p.(Translator); ok {
		return Words{Key: col.Name + "." + name}
	}
	return W(name)
}

// label names a record: as its plugin does, else by its first presentable or
// usual field, else by its id.
func (r *Reader) label(p Plugin, col *core.Collection, values map[string]any) Words {
	if pr, ok := p.(Presenter); ok {
		if v := shown(pr.Label(col.Name, values)); v != nil {
			return *v
		}
	}
	for _, want := range []string{"name", "title", "handle", "label"} {
		if f := col.Fields.GetByName(want); f != nil && !f.GetHidden() {
			if s, ok := values[want].(string); ok && s != "" {
				return W(clip(s, maxShown))
			}
		}
	}
	return W(fmt.Sprint(values[core.FieldNameId]))
}

// shown makes Words of what a Presenter gives.
func shown(v any) *Words {
	var w Words
	switch v := v.(type) {
	case nil:
		return nil
	case Text:
		w = Words(v)
	case string:
		w = W(clip(v, maxShown))
	default:
		w = W(v)
	}
	return &w
}

// show is one value for people.
func (r *Reader) show(p Plugin, col *core.Collection, f core.Field, values map[string]any) Words {
	name := f.GetName()
	if pr, ok := p.(Presenter); ok {
		if v := shown(pr.Show(col.Name, name, values)); v != nil {
			return *v
		}
	}
	switch v := values[name].(type) {
	case nil:
		return W("")
	case bool:
		if v {
			return Words(T("value.yes"))
		}
		return Words(T("value.no"))
	case float64:
		return W(strconv.FormatFloat(v, 'f', -1, 64))
	case string:
		if rel, ok := f.(*core.RelationField); ok && v != "" {
			return r.linked(rel, v)
		}
		return W(clip(v, maxShown))
	}
	return W(clip(fmt.Sprint(values[name]), maxShown))
}

// linked names the records that a relation points to.
func (r *Reader) linked(f *core.RelationField, value string) Words {
	ids := []string{value}
	if strings.HasPrefix(value, "[") {
		ids = parseStrings(value)
	}
	col, err := r.app.FindCachedCollectionByNameOrId(f.CollectionId)
	if err != nil {
		return W(value)
	}
	var names []Text
	for i, id := range ids {
		if i == 5 {
			names = append(names, Text(W("…")))
			break
		}
		name, ok := r.run.refs[col.Name+"/"+id]
		if !ok {
			name = r.nameOf(col, id)
			r.run.refs[col.Name+"/"+id] = name
		}
		names = append(names, Text(name))
	}
	return W(names)
}

// nameOf is a linked record's label, or its id where the person may not see
// it. Members know each other's handles.
func (r *Reader) nameOf(col *core.Collection, id string) Words {
	if col.Name == Members {
		if rec, err := r.app.FindRecordById(col, id); err == nil && rec.GetString("handle") != "" {
			return W(rec.GetString("handle"))
		}
		return W(id)
	}
	rec, err := r.Find(col.Name, id)
	if err != nil {
		return W(id)
	}
	values, err := export(rec)
	if err != nil {
		return W(id)
	}
	return r.label(r.run.reg.ownerOf(col.Name), col, values)
}

func zero(v any) bool {
	switch v {
	case nil, "", false, 0.0, "[]", "null":
		return true
	}
	return false
}
