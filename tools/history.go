package tools

import (
	"encoding/json/v2"
	"fmt"
	"maps"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// history reads what an entry changed, which of it the person may see, and the
// whole records behind it: as they are now or, if they are gone since, as they
// were when they went.
func (r *Runner) history(rd *Reader, row auditRow) (nets []step, visible []bool, whole map[string]map[string]any, err error) {
	steps, err := loadSteps(rd.ctx, r.app.ConcurrentDB(), []auditRow{row}, maxRead)
	if err != nil {
		return nil, nil, nil, err
	}
	if nets, err = r.netStored(steps); err != nil {
		return nil, nil, nil, err
	}
	whole, gone, err := r.wholeRecords(rd, nets)
	if err != nil {
		return nil, nil, nil, err
	}
	if visible, err = rd.visibleAmong(nets, nil, gone); err != nil || row.Person == rd.Actor.Person {
		return nets, visible, whole, err
	}
	// What another did while it was none of this person's business stays so,
	// even if they may see the record now.
	was, err := r.asItWas(rd, row, nets, visible, whole, gone)
	if err != nil || was == nil {
		return nets, visible, whole, err
	}
	then, err := rd.visibleAmong(nets, nil, was)
	for i := range visible {
		visible[i] = visible[i] && then[i]
	}
	return nets, visible, whole, err
}

// asItWas gives the records as the entry left them, by taking back what has
// been journaled since; nil where nothing has.
func (r *Runner) asItWas(rd *Reader, row auditRow, nets []step, visible []bool, whole map[string]map[string]any, gone ghosts) (ghosts, error) {
	ids := map[string][]string{}
	for i, s := range nets {
		if visible[i] {
			ids[s.Collection] = append(ids[s.Collection], s.ID)
		}
	}
	states := map[string]map[string]any{}
	for name, list := range ids {
		raw, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		var later []stepRow
		err = r.app.ConcurrentDB().Select("s.op", "s.collection", "s.record", "s.before").From(stepsTable+" s").
			InnerJoin(auditTable+" a", dbx.NewExp("a.id = s.entry")).
			Where(dbx.HashExp{"s.collection": name}).
			AndWhere(dbx.NewExp("s.record IN (SELECT value FROM json_each({:ids})) AND a.seq > {:seq}", dbx.Params{"ids": string(raw), "seq": row.Seq})).
			OrderBy("a.seq DESC", "s.n DESC").WithContext(rd.ctx).All(&later)
		if err != nil {
			return nil, err
		}
		for i := range later {
			s, err := later[i].step()
			if err != nil {
				return nil, err
			}
			if states[s.key()] == nil {
				states[s.key()] = maps.Clone(whole[s.key()])
			}
			if states[s.key()] != nil {
				maps.Copy(states[s.key()], s.Before)
			}
		}
	}
	if len(states) == 0 {
		return nil, nil
	}
	was := ghosts{}
	for name, records := range gone {
		for _, rec := range records {
			if states[fmt.Sprint(name, "/", rec[core.FieldNameId])] == nil {
				was[name] = append(was[name], rec)
			}
		}
	}
	for _, s := range nets {
		if state := states[s.key()]; state != nil {
			was[s.Collection] = append(was[s.Collection], state)
		}
	}
	return was, nil
}

// netStored is netChanges over steps as they are stored, where an update has
// only the fields that it changed. Collections that are gone are left out.
func (r *Runner) netStored(steps []step) ([]step, error) {
	merged := map[string]step{}
	var whole []step
	for _, s := range steps {
		if _, err := r.app.FindCachedCollectionByNameOrId(s.Collection); err != nil {
			continue
		}
		prev, ok := merged[s.key()]
		if ok && s.Op == OpUpdate {
			for k := range prev.After {
				if _, ok := s.After[k]; !ok {
					s.After[k] = prev.After[k]
				}
			}
			for k, v := range s.Before {
				if _, ok := prev.After[k]; !ok && prev.Before != nil {
					prev.Before[k] = v
				}
			}
		}
		if ok && s.Op == OpDelete && prev.Op == OpUpdate {
			before := maps.Clone(s.Before)
			maps.Copy(before, prev.Before)
			prev.Before = before
		}
		if ok {
			s.Before = prev.Before
			if s.Op == OpUpdate {
				s.Op = prev.Op
			}
		}
		merged[s.key()] = s
		whole = append(whole, s)
	}
	last := map[string]int{}
	for i, s := range whole {
		last[s.key()] = i
	}
	final := make([]step, 0, len(last))
	for i, s := range whole {
		if last[s.key()] == i {
			final = append(final, s)
		}
	}
	return netChanges(r.app, final)
}

// wholeRecords finds the records behind net changes. Of those that are gone it
// gives the ghosts, together with all that went in the same entry: a rule may
// ask for what they were linked to.
func (r *Runner) wholeRecords(rd *Reader, nets []step) (map[string]map[string]any, ghosts, error) {
	whole, gone := map[string]map[string]any{}, ghosts{}
	ids := map[string][]string{}
	for _, s := range nets {
		ids[s.Collection] = append(ids[s.Collection], s.ID)
	}
	var missing []step
	for name, list := range ids {
		raw, err := json.Marshal(list)
		if err != nil {
			return nil, nil, err
		}
		var recs []*core.Record
		err = r.app.RecordQuery(name).AndWhere(dbx.NewExp("[["+name+".id]] IN (SELECT value FROM json_each({:ids}))", dbx.Params{"ids": string(raw)})).
			WithContext(rd.ctx).All(&recs)
		if err != nil {
			return nil, nil, err
		}
		for _, rec := range recs {
			if whole[name+"/"+rec.Id], err = export(rec); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, s := range nets {
		if whole[s.key()] == nil {
			missing = append(missing, s)
		}
	}
	read := map[string]bool{}
	for _, s := range missing {
		if whole[s.key()] != nil {
			continue
		}
		var entry []string
		err := r.app.ConcurrentDB().Select("entry").From(stepsTable).Where(dbx.HashExp{"collection": s.Collection, "record": s.ID, "op": string(OpDelete)}).
			OrderBy("rowid DESC").Limit(1).WithContext(rd.ctx).Column(&entry)
		if err != nil {
			return nil, nil, err
		}
		if len(entry) == 0 || read[entry[0]] {
			continue
		}
		read[entry[0]] = true
		steps, err := loadSteps(rd.ctx, r.app.ConcurrentDB(), []auditRow{{ID: entry[0]}})
		if err != nil {
			return nil, nil, err
		}
		for _, g := range steps {
			if g.Op == OpDelete && whole[g.key()] == nil {
				if _, err := r.app.FindCachedCollectionByNameOrId(g.Collection); err == nil {
					whole[g.key()] = g.Before
					gone[g.Collection] = append(gone[g.Collection], g.Before)
				}
			}
		}
	}
	return whole, gone, nil
}
