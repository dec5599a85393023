package tools

import "slices"

// entryInScope says whether all that an entry touched is in the scope of the
// run: as it is now, or was when it went, and as it was before the entry and
// after it. Its arguments may speak of any of it. What changed nothing is in no
// scope: nobody can tell what it speaks of. Nor is what touched more than is
// read.
func (r *Runner) entryInScope(rd *Reader, row auditRow) (bool, error) {
	if rd.scope == nil {
		return true, nil
	}
	steps, err := loadSteps(rd.ctx, r.app.ConcurrentDB(), []auditRow{row}, maxRead+1)
	if err != nil || len(steps) == 0 || len(steps) > maxRead {
		return false, err
	}
	for _, s := range steps {
		if _, err := r.app.FindCachedCollectionByNameOrId(s.Collection); err != nil {
			return false, nil
		}
	}
	nets, err := r.netStored(steps)
	if err != nil {
		return false, err
	}
	known := map[string]bool{}
	for _, s := range nets {
		known[s.key()] = true
	}
	for _, s := range steps { // what is as it was before was touched as well
		if !known[s.key()] {
			known[s.key()] = true
			nets = append(nets, step{Collection: s.Collection, ID: s.ID})
		}
	}
	whole, gone, err := r.wholeRecords(rd, nets)
	if err != nil {
		return false, err
	}
	now, err := rd.holdsAmong(rd.scopable, nets, nil, gone.keys(), gone, nil)
	if err != nil || slices.Contains(now, false) {
		return false, err
	}
	then, err := r.heldThen(rd, rd.scopable, row.Seq, nets, whole, gone)
	return err == nil && !slices.Contains(then, false), err
}
