package tools

import (
	"errors"
	"slices"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
)

// conflict notes what stands in the way. A record that the person may not see
// is only counted.
func (u *undoing) conflict(c *Call, s step, fields []string, reason Text) {
	if !u.sees(c, s) {
		u.unseen++
		return
	}
	u.name(c, s, fields, reason)
}

// name notes a conflict on a record that the person may see.
func (u *undoing) name(c *Call, s step, fields []string, reason Text) {
	w := UndoConflict{Collection: s.Collection, ID: s.ID, By: u.lastWriter(c, s), Audit: u.entryOf(c, s), Reason: reason}
	col, err := c.app.FindCachedCollectionByNameOrId(s.Collection)
	if err == nil {
		fields = slices.DeleteFunc(fields, func(name string) bool {
			f := col.Fields.GetByName(name)
			return f != nil && f.GetHidden()
		})
		owner := u.runner.reg.ownerOf(col.Name)
		for _, name := range fields {
			w.Labels = append(w.Labels, fieldLabel(owner, col, name))
		}
		if whole, _, err := u.runner.wholeRecords(&c.Reader, []step{s}); err == nil && whole[s.key()] != nil {
			w.Label = c.label(owner, col, whole[s.key()])
		}
	}
	w.Fields = fields
	u.conflicts = append(u.conflicts, w)
}

// entryOf is the entry, of several, that made this step: the last of them that
// wrote the record.
func (u *undoing) entryOf(c *Call, s step) (entry string) {
	if len(u.targets) < 2 {
		return ""
	}
	ids := make([]any, len(u.targets))
	for i, w := range u.targets {
		ids[i] = w.ID
	}
	err := c.app.DB().Select("s.entry").From(stepsTable+" s").InnerJoin(auditTable+" a", dbx.NewExp("a.id = s.entry")).
		Where(dbx.HashExp{"s.collection": s.Collection, "s.record": s.ID}).AndWhere(dbx.In("s.entry", ids...)).
		OrderBy("a.seq DESC").Limit(1).Row(&entry)
	if err != nil {
		return "" // the conflict says enough without it
	}
	return entry
}

// sees says whether the person may view the record, as it is or as it was.
func (u *undoing) sees(c *Call, s step) bool {
	col, err := c.app.FindCachedCollectionByNameOrId(s.Collection)
	if err != nil {
		return true // the collection is gone: nothing of it is told
	}
	_, gone, err := u.runner.wholeRecords(&c.Reader, []step{s})
	if err != nil {
		return false
	}
	if s.Op == OpDelete && len(gone) == 0 {
		gone[s.Collection] = append(gone[s.Collection], s.Before)
	}
	found, err := c.viewable(col, []string{s.ID}, gone)
	return err == nil && found[s.ID]
}

// lastWriter is the handle of the member who last wrote the record, if it was
// somebody after these entries.
func (u *undoing) lastWriter(c *Call, s step) string {
	var person string
	err := c.app.DB().Select("a.person").From(stepsTable+" s").InnerJoin(auditTable+" a", dbx.NewExp("a.id = s.entry")).
		Where(dbx.HashExp{"s.collection": s.Collection, "s.record": s.ID}).
		AndWhere(dbx.NewExp("a.seq > {:seq}", dbx.Params{"seq": u.targets[len(u.targets)-1].Seq})).
		OrderBy("a.seq DESC").Limit(1).Row(&person)
	if err != nil || person == "" {
		return ""
	}
	rec, err := c.app.FindRecordById(Members, person)
	if err != nil {
		return ""
	}
	return rec.GetString("handle")
}

// invalidFields are the fields that a validation error names.
func invalidFields(err error) []string {
	fields, ok := errors.AsType[validation.Errors](err)
	if !ok {
		return nil
	}
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
