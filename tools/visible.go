package tools

import (
	"encoding/json/v2"
	"fmt"
	"math"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// ghosts are records by collection as they were: gone since, or changed.
type ghosts map[string][]map[string]any

// viewable says which of the ids of a collection the person may view. Records
// that are gone are judged by what they were: a table with ghosts is shadowed
// by itself and its ghosts, who stand in for who lives, so that PocketBase's own reading of the rule sees
// them, and those they were linked to.
func (r *Reader) viewable(col *core.Collection, ids []string, gone ghosts) (map[string]bool, error) {
	return r.judged(nil, col, ids, gone, col.ViewRule)
}

// scopable says which of them are in the scope of the run, in the same way.
func (r *Reader) scopable(col *core.Collection, ids []string, gone ghosts) (map[string]bool, error) {
	return r.judged(r.scope, col, ids, gone)
}

func (r *Reader) judged(s *Scope, col *core.Collection, ids []string, gone ghosts, rules ...*string) (map[string]bool, error) {
	found := make(map[string]bool, len(ids))
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	with, params, err := gone.shadow(r.app)
	if err != nil {
		return nil, err
	}
	q := r.app.ConcurrentDB().Select(col.Name + ".id").PreFragment(with).From(col.Name).
		AndWhere(dbx.NewExp("[["+col.Name+".id]] IN (SELECT value FROM json_each({:nodkeep_ids}))", dbx.Params{"nodkeep_ids": string(list)})).
		AndBind(params).WithContext(r.ctx)
	ok, err := r.restrictTo(q, col, s, rules...)
	if err != nil || !ok {
		return found, err
	}
	var visible []string
	if err := q.Column(&visible); err != nil {
		return nil, fmt.Errorf("rule of %s: %w", col.Name, err)
	}
	for _, id := range visible {
		found[id] = true
	}
	return found, nil
}

// shadow is the WITH clause that adds the ghosts to their tables.
func (g ghosts) shadow(app core.App) (string, dbx.Params, error) {
	params := dbx.Params{}
	tables := make([]string, 0, len(g))
	for name, records := range g {
		col, err := app.FindCachedCollectionByNameOrId(name)
		if err != nil {
			return "", nil, err
		}
		var columns, values []string
		rows := make([][]any, len(records))
		for _, f := range col.Fields {
			values = append(values, fmt.Sprintf("json_extract(value,'$[%d]')", len(columns)))
			columns = append(columns, "[["+f.GetName()+"]]")
			for i, rec := range records {
				rows[i] = append(rows[i], jsonSafe(rec[f.GetName()]))
			}
		}
		raw, err := json.Marshal(rows)
		if err != nil {
			return "", nil, err
		}
		place := "nodkeep_gone_" + name
		params[place] = string(raw)
		ids := make([]any, len(records))
		for i, rec := range records {
			ids[i] = rec[core.FieldNameId]
		}
		rawIDs, err := json.Marshal(ids)
		if err != nil {
			return "", nil, err
		}
		params[place+"_ids"] = string(rawIDs)
		tables = append(tables, fmt.Sprintf("{{%s}} AS (SELECT %s FROM main.{{%s}} WHERE id NOT IN (SELECT value FROM json_each({:%s_ids})) UNION ALL SELECT %s FROM json_each({:%s}))",
			name, strings.Join(columns, ","), name, place, strings.Join(values, ","), place))
	}
	if len(tables) == 0 {
		return "", nil, nil
	}
	return "WITH " + strings.Join(tables, ", "), params, nil
}

// jsonSafe keeps a value that JSON cannot hold from failing a rule's query.
func jsonSafe(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
	}
	return v
}

// visibleSteps says for each step whether the person may see it: they could
// view the record before it changed, or may now; a deleted one by what it was.
func (r *Reader) visibleSteps(nets []step, vouched map[string]bool) ([]bool, error) {
	gone := ghosts{}
	for _, s := range nets {
		if s.After == nil && s.Before != nil {
			gone[s.Collection] = append(gone[s.Collection], s.Before)
		}
	}
	return r.visibleAmong(nets, vouched, gone.keys(), gone, nil)
}

// keys are those of the records, as steps have them.
func (g ghosts) keys() map[string]bool {
	keys := map[string]bool{}
	for name, records := range g {
		for _, rec := range records {
			keys[fmt.Sprint(name, "/", rec[core.FieldNameId])] = true
		}
	}
	return keys
}

// add takes in the records of another, each once.
func (g ghosts) add(other ghosts) {
	there := g.keys()
	for name, records := range other {
		for _, rec := range records {
			if !there[fmt.Sprint(name, "/", rec[core.FieldNameId])] {
				g[name] = append(g[name], rec)
			}
		}
	}
}

// visibleAmong judges the records that are gone in one world and those that
// live in another, where nil is the world as it is: what went with a record
// may not lend it what it had.
func (r *Reader) visibleAmong(nets []step, vouched, gone map[string]bool, forGone, forLive ghosts) ([]bool, error) {
	return r.holdsAmong(r.viewable, nets, vouched, gone, forGone, forLive)
}

// holds says of which records of a collection something holds, in a world with
// these ghosts.
type holds func(col *core.Collection, ids []string, gone ghosts) (map[string]bool, error)

func (r *Reader) holdsAmong(is holds, nets []step, vouched, gone map[string]bool, forGone, forLive ghosts) ([]bool, error) {
	visible := make([]bool, len(nets))
	type asked struct {
		name string
		gone bool
	}
	open := map[asked][]string{} // ids to ask for
	for i, s := range nets {
		if visible[i] = vouched[s.key()]; visible[i] {
			continue
		}
		k := asked{s.Collection, gone[s.key()]}
		open[k] = append(open[k], s.ID)
	}
	for k, ids := range open {
		with := forLive
		if k.gone {
			with = forGone
		}
		col, err := r.app.FindCachedCollectionByNameOrId(k.name)
		if err != nil {
			return nil, err
		}
		found, err := is(col, ids, with)
		if err != nil {
			return nil, err
		}
		for i, s := range nets {
			if s.Collection == k.name && found[s.ID] {
				visible[i] = true
			}
		}
	}
	return visible, nil
}
