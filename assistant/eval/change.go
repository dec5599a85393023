package eval

import (
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// Change is what a card changes, as programs read it.
type Change struct {
	Op         tools.Op `json:"op"`
	Collection string   `json:"collection"`
	ID         string   `json:"id"`
	Label      words    `json:"label"`
	Fields     []Field  `json:"fields"`
}

// Field is one field of a Change.
type Field struct {
	Name  string `json:"name"`
	After any    `json:"raw_after"`
}

// words are a text that is an object or a string, whatever made it.
type words string

// UnmarshalJSON reads either.
func (w *words) UnmarshalJSON(b []byte) error {
	var text struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(b, &text) == nil {
		*w = words(text.Text)
		return nil
	}
	return json.Unmarshal(b, (*string)(w))
}

// record is all that happens to one record.
type record struct {
	op     tools.Op
	in, id string
	label  string
	after  map[string]any
}

// net puts together what several calls change of one record.
func net(all []Change) (out []*record) {
	for _, c := range all {
		i := slices.IndexFunc(out, func(r *record) bool { return r.in == c.Collection && r.id == c.ID })
		if i < 0 {
			out = append(out, &record{c.Op, c.Collection, c.ID, string(c.Label), map[string]any{}})
			i = len(out) - 1
		}
		r := out[i]
		if c.Op == tools.OpDelete {
			r.op = c.Op
		}
		for _, f := range c.Fields {
			r.after[f.Name] = f.After
		}
	}
	return out
}

// differs says how what a card changes differs from what it should; "" where it
// does not. What a model says beyond the question of a new record is its own
// affair.
func differs(want, got []Change) string {
	w, g := net(want), net(got)
	made := map[string]bool{} // ids of new records, which nobody knows before
	for _, r := range slices.Concat(w, g) {
		if r.op == tools.OpCreate {
			made[r.id] = true
		}
	}
	var faults []string
	for _, one := range w {
		fits, why := one.find(g, made)
		switch {
		case fits < 0:
			faults = append(faults, one.String()+" is missing")
		default:
			if why != "" {
				faults = append(faults, why)
			}
			g = slices.Delete(g, fits, fits+1)
		}
	}
	for _, r := range g {
		faults = append(faults, r.String()+" is too much")
	}
	return strings.Join(faults, ", ")
}

// find gives the place of the record that is changed likewise, or, with what is not
// as it should be, of one that may be meant for it; below 0 there is none.
func (r *record) find(all []*record, made map[string]bool) (at int, why string) {
	at = -1
	for i, o := range all {
		if o.op != r.op || o.in != r.in || r.op != tools.OpCreate && o.id != r.id {
			continue
		}
		w := r.differs(o, made)
		if w == "" {
			return i, ""
		}
		if at < 0 {
			at, why = i, w
		}
	}
	return at, why
}

// differs says what is not as it should be of one record.
func (r *record) differs(got *record, made map[string]bool) string {
	if r.op == tools.OpDelete {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(r.after)) {
		want, is := r.after[name], got.after[name]
		if !same(want, is) && !bothIn(made, want, is) {
			return fmt.Sprintf("%s has %s %v, not %v", r.label, name, is, want)
		}
	}
	if r.op == tools.OpCreate {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(got.after)) {
		if _, wanted := r.after[name]; !wanted {
			return fmt.Sprintf("%s gets %s %v too", r.label, name, got.after[name])
		}
	}
	return ""
}

// String names what happens to which record.
func (r *record) String() string { return fmt.Sprintf("%s of %s", r.op, r.label) }

// bothIn says that two values are ids of new records.
func bothIn(made map[string]bool, a, b any) bool {
	x, isText := a.(string)
	y, too := b.(string)
	return isText && too && made[x] && made[y]
}

// same compares values; texts without regard to case.
func same(a, b any) bool {
	x, isText := a.(string)
	y, too := b.(string)
	if isText && too {
		return strings.EqualFold(strings.TrimSpace(x), strings.TrimSpace(y))
	}
	return empty(a) && empty(b) || fmt.Sprint(a) == fmt.Sprint(b)
}

func empty(v any) bool {
	list, isList := v.([]any)
	return v == nil || v == "" || isList && len(list) == 0
}
