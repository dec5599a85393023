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
		SignUp, Waiting string
	}{First: n == 0, Demo: a.demoText()}
	switch a.inEffect().SignUp {
	case signUpOpen:
		view.SignUp = signUpPath
	case signUpApproval:
		// While nobody is there who approves, those who run the machine would
		// come to wait for themselves.
		if !view.First {
			view.SignUp, view.Waiting = signUpPath, waitingPath
		}
	}
	return a.show(e, plain{name: "start", title: tools.T("page.title"), view: view})
}
