package hooks

import (
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// weakRules are changes in the dashboard that open what the migrations closed.
// Behind the auth rule there is the server's own lock; behind the others nothing.
func (a *App) weakRules() (found []check, err error) {
	cols, err := a.pb.FindAllCollections()
	if err != nil {
		return nil, err
	}
	var changed, seen, shown []string
	for _, col := range cols {
		if !a.ours(col.Name) {
			continue
		}
		if opensChanges(col) {
			changed = append(changed, col.Name)
		}
		if forEverybody(col.ListRule) || forEverybody(col.ViewRule) {
			seen = append(seen, col.Name)
		}
		if col.Name == users {
			shown = shownOf(col)
			if col.AuthRule == nil || !strings.Contains(*col.AuthRule, "status") {
				found = append(found, weakRule("the auth rule of "+users+" does not ask for an approved account (status = '"+tools.Approved+"'): only this server does, and no other PocketBase on this folder would"))
			}
		}
	}
	if len(changed) > 0 {
		found = append(found, weakRule("by a create, update, delete or manage rule records are changed past the tools, without preview, undo or a password: "+strings.Join(changed, ", ")+"; only superusers should"))
	}
	if len(seen) > 0 {
		found = append(found, weakRule("by a list or view rule strangers read what is in "+strings.Join(seen, ", ")))
	}
	if len(shown) > 0 {
		found = append(found, weakRule("these fields of "+users+" are not hidden: "+strings.Join(shown, ", ")+"; whoever may change a record could let themselves in or make an operator of themselves"))
	}
	return found, nil
}

func weakRule(says string) check {
	return weak("rules", says, "Change it in the dashboard, in the options of the collection.")
}

// opensChanges says that records of a collection can be changed past the tools.
// Who may make an account is for the hooks to say.
func opensChanges(col *core.Collection) bool {
	return col.UpdateRule != nil || col.DeleteRule != nil || col.ManageRule != nil || (col.CreateRule != nil && col.Name != users)
}

func forEverybody(rule *string) bool { return rule != nil && strings.TrimSpace(*rule) == "" }

// shownOf are fields of the accounts that nobody should see or change.
func shownOf(col *core.Collection) []string {
	return slices.DeleteFunc([]string{"status", "operator", "approved", "words"}, func(name string) bool {
		f := col.Fields.GetByName(name)
		return f == nil || f.GetHidden()
	})
}
