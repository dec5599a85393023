package tools

import (
	"encoding/json/v2"
	"maps"
	"slices"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// history reads what an entry changed, which of it the person may see, and the
// whole records behind it: as they are now or, if they are gone since, as they
// were when they went. Of long entries the steps of records that are asked for
// are read, too.
func (r *Runner) history(rd *Reader, row auditRow, about []string) (nets []step, visible []bool, whole map[string]map[string]any, err error) {
	steps, err := loadSteps(rd.ctx, r.app.ConcurrentDB(), []auditRow{row}, maxRead)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(about) > 0 && len(steps) == maxRead {
		late, err := loadLate(rd.ctx, r.app.ConcurrentDB(), row, about)
		if err != nil {
			return nil, nil, nil, err
		}
		steps = append(steps, late...)
	}
	if nets, err = r.netStored(steps); err != nil {
		return nil, nil, nil, err
	}
	whole, gone, err := r.wholeRecords(rd, nets)
	if err != nil {
		return nil, nil, nil, err
	}
	if visible, err = rd.visibleAmong(nets, nil, gone.keys(), gone, nil); err != nil || row.Person == rd.Actor.Person || !slices.Contains(visible, true) {
		return nets, visible, whole, err
	}
	// What another did while it was none of this person's business stays so,
	// even if they may see the record now.
	saw, err := r.heldThen(rd, rd.viewable, row.Seq, nets, whole, gone)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range visible {
		visible[i] = visible[i] && saw[i]
	}
	return nets, visible, whole, nil
}

// heldThen says of which records something held right after an entry and right
// before it.
func (r *Runner) heldThen(rd *Reader, is holds, seq int64, nets []step, whole map[string]map[string]any, gone ghosts) ([]bool, error) {
	then, prior, err := r.asItWas(rd, seq, nets, whole, gone)
	if err != nil {
		return nil, err
	}
	after, err := rd.holdsAmong(is, nets, nil, gone.keys(), then, then.without(nets))
	if err != nil {
		return nil, err
	}
	before, err := rd.holdsAmong(is, nets, nil, gone.keys(), prior, prior)
	for i := range before {
		before[i] = before[i] && after[i]
	}
	return before, err
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
