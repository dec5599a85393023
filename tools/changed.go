package tools

import (
	"context"

	"github.com/pocketbase/dbx"
)

// Changed lists what entries changed, as far as the person may see it: for
// whoever watches it. It does not say who did it.
func (r *Runner) Changed(ctx context.Context, a Actor, entries ...string) ([]Change, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return nil, r.told(err)
	}
	changes := []Change{}
	if len(entries) == 0 {
		return changes, nil
	}
	var rows []auditRow
	err = r.app.ConcurrentDB().Select("*").From(auditTable).Where(dbx.In("id", anys(entries)...)).OrderBy("seq").WithContext(ctx).All(&rows)
	if err != nil {
		return nil, r.told(err)
	}
	rd := r.reader(ctx, r.app, a, person)
	for _, row := range rows {
		nets, visible, whole, err := r.history(rd, row, nil)
		if err != nil {
			return nil, r.told(err)
		}
		for i, s := range nets {
			if !visible[i] {
				continue
			}
			ch, err := s.change(r.app)
			if err != nil {
				return nil, r.told(err)
			}
			if s.Op == OpUpdate {
				ch.Now = whole[s.key()]
			}
			changes = append(changes, ch)
		}
	}
	return changes, nil
}
