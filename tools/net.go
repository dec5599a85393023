package tools

import (
	"maps"
	"slices"

	"github.com/pocketbase/pocketbase/core"
)

// netChanges is what the steps come to, one per record, in the order in which
// the records were first touched. A record that ends as it began has none;
// times that set themselves do not count.
func netChanges(app core.App, steps []step) ([]step, error) {
	byKey := make(map[string]int, len(steps))
	var nets []step
	for _, s := range steps {
		i, ok := byKey[s.key()]
		if !ok {
			byKey[s.key()] = len(nets)
			nets = append(nets, s)
			continue
		}
		nets[i].After = s.After
		for name, hash := range s.Files {
			files := make(map[string]string, len(nets[i].Files)+1)
			for n, h := range nets[i].Files {
				files[n] = h
			}
			files[name] = hash
			nets[i].Files = files
		}
	}
	var err error
	nets = slices.DeleteFunc(nets, func(s step) bool {
		if s.Before != nil && s.After != nil {
			var fields []string
			if fields, err = changedFields(app, s, nil); err != nil {
				return false
			}
			return len(fields) == 0
		}
		return s.Before == nil && s.After == nil
	})
	for i, s := range nets {
		switch {
		case s.Before == nil:
			nets[i].Op = OpCreate
		case s.After == nil:
			nets[i].Op = OpDelete
		default:
			nets[i].Op = OpUpdate
		}
	}
	return nets, err
}

// changedFields are the fields in which before and after differ, in the
// collection's order; a record that is not there on one side differs in all.
// Autodates and the fields in skip are left out.
func changedFields(app core.App, s step, skip []string) ([]string, error) {
	col, err := app.FindCachedCollectionByNameOrId(s.Collection)
	if err != nil {
		return nil, err
	}
	fields := make([]string, 0, 4)
	for _, f := range col.Fields {
		name := f.GetName()
		if f.Type() == core.FieldTypeAutodate || secretField(col, f) || slices.Contains(skip, name) {
			continue
		}
		if s.Before == nil || s.After == nil || s.Before[name] != s.After[name] {
			fields = append(fields, name)
		}
	}
	return fields, nil
}

// change makes the public form of a net change.
func (s step) change(app core.App) (Change, error) {
	fields, err := changedFields(app, s, nil)
	if err != nil {
		return Change{}, err
	}
	// Copies: hidden fields are taken out of a Change, never out of the journal.
	c := Change{Op: s.Op, Collection: s.Collection, ID: s.ID, Before: maps.Clone(s.Before), After: maps.Clone(s.After)}
	if c.Now = maps.Clone(s.After); s.After == nil {
		c.Now = maps.Clone(s.Before)
	}
	if s.Op == OpUpdate {
		c.Before, c.After = pick(s.Before, fields), pick(s.After, fields)
	}
	return c, nil
}

func pick(m map[string]any, keys []string) map[string]any {
	out := make(map[string]any, len(keys))
	for _, k := range keys {
		out[k] = m[k]
	}
	return out
}
