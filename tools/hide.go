package tools

import (
	"cmp"

	"github.com/pocketbase/pocketbase/core"
)

// hide takes out hidden fields and counts them.
func (c *Change) hide(col *core.Collection) {
	for _, f := range col.Fields {
		if f.GetHidden() {
			c.withhold(f.GetName())
		}
	}
}

// withhold takes out a field and counts it.
func (c *Change) withhold(name string) {
	if _, was := c.Before[name]; was || c.After[name] != nil {
		if c.Op == OpUpdate || !zero(cmp.Or(c.Before[name], c.After[name])) {
			c.Hidden++
		}
	}
	delete(c.Before, name)
	delete(c.After, name)
	delete(c.Now, name)
}

// seesAddress says whether the person may read the address in an account, as
// PocketBase has it: it is the account's own, unless that shows it. View rules
// do not tell, as operators may view every account.
func (r *Reader) seesAddress(c *Change, col *core.Collection) bool {
	shown, _ := c.Now[core.FieldNameEmailVisibility].(bool)
	own := c.Collection == Members && c.ID == r.Actor.Person
	return !col.IsAuth() || own || shown || r.Actor.Door == DoorCLI && r.Actor.Person == ""
}

// nameGone notes what deleted records were called: what was linked to them is
// shown by that name, and they are not there to be asked.
func (r *Reader) nameGone(app core.App, steps []step, visible []bool) error {
	for i, s := range steps {
		if s.Op != OpDelete || !visible[i] {
			continue
		}
		ch, err := s.change(app)
		if err != nil {
			return err
		}
		col, err := r.app.FindCachedCollectionByNameOrId(ch.Collection)
		if err != nil {
			return err
		}
		ch.hide(col)
		r.run.refs[s.key()] = r.label(r.run.reg.ownerOf(ch.Collection), col, ch.Now)
	}
	return nil
}
