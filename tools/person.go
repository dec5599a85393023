package tools

import (
	"database/sql"
	"errors"
	"slices"

	"github.com/pocketbase/pocketbase/core"
)

// person reads again who acts: suspended or gone means refused. Nobody but a
// member acts through a tool, except that operator tools are also for
// superusers and for whoever types a command on the machine.
func (r *Runner) person(app core.App, a Actor, called ...*Tool) (*core.Record, error) {
	operators := func(t *Tool) bool { return t != nil && t.Operator }
	if a.outside() {
		others := slices.ContainsFunc(called, func(t *Tool) bool { return !operators(t) })
		return r.outsider(app, a, len(called) > 0 && !others)
	}
	rec, err := find(app, Members, a.Person)
	if err != nil {
		return nil, err
	}
	if rec.GetString("status") != Approved {
		return nil, Fail(Forbidden, "error.not_approved")
	}
	if slices.ContainsFunc(called, operators) && (a.Agent != "" || !rec.GetBool("operator")) {
		return nil, Fail(Forbidden, "error.not_operator")
	}
	return rec, nil
}

// outside says that who acts is no member: a superuser, or the machine's own
// command line, which names nobody.
func (a Actor) outside() bool {
	return a.Door == DoorDashboard || (a.Door == DoorCLI && a.Person == "")
}

// outsider is a superuser for the rules: who can read the data folder is none,
// but could make one.
func (r *Runner) outsider(app core.App, a Actor, allowed bool) (*core.Record, error) {
	switch {
	case a.Agent != "" || (!allowed && a.Door == DoorDashboard):
		return nil, Fail(Forbidden, "error.no_superuser")
	case !allowed:
		return nil, Fail(Unauthorized, "error.no_member")
	case a.Door == DoorCLI:
		col, err := app.FindCachedCollectionByNameOrId(core.CollectionNameSuperusers)
		if err != nil {
			return nil, err
		}
		return core.NewRecord(col), nil
	}
	return find(app, core.CollectionNameSuperusers, a.Person)
}

// find reads an account. That it could not be read does not mean that it is gone.
func find(app core.App, collection, id string) (*core.Record, error) {
	if id == "" {
		return nil, Fail(Unauthorized, "error.no_member")
	}
	rec, err := app.FindRecordById(collection, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, Fail(Unauthorized, "error.no_member")
	}
	return rec, err
}

// toolsOf are the tools of calls; nil stands for an undo.
func toolsOf(calls []call) []*Tool {
	all := make([]*Tool, len(calls))
	for i, c := range calls {
		all[i] = c.tool
	}
	return all
}
