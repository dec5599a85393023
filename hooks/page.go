package hooks

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// page says to a person with a browser what runs here and how to go on.
func (a *App) page(e *core.RequestEvent) error {
	n, err := countMembers(a.pb)
	if err != nil {
		return err
	}
	view := struct {
		First           bool
		Demo            *tools.Text // what a demonstration is, and who answers in it
		Web             string      // where the front end is, if there is one
		SignUp, Waiting string
	}{First: n == 0, Demo: a.demoText()}
	if a.front != nil {
		view.Web = a.frontPath()
	}
	view.SignUp, view.Waiting = a.newcomers(view.First)
	return a.show(e, plain{name: "start", title: tools.T("page.title"), view: view})
}
