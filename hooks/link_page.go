package hooks

import (
	"net/http"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// openLink shows what a one-time link is for. It is spent only by what the page
// sends: programs that look at links in messages do not use them up.
func (a *App) openLink(e *core.RequestEvent) error {
	link, err := findLink(a.pb, e.Request.PathValue("secret"))
	if err != nil {
		return a.linkError(e, err)
	}
	return a.show(e, a.linkPage(link, newcomer{}, nil))
}

// useLink does what the page of a link sends.
func (a *App) useLink(e *core.RequestEvent) error {
	secret := e.Request.PathValue("secret")
	link, err := findLink(a.pb, secret)
	if err != nil {
		return a.linkError(e, err)
	}
	in, err := a.newcomerIn(e)
	if err != nil {
		return a.show(e, a.linkPage(link, in, err))
	}
	switch kind := link.GetString("kind"); kind {
	case accounts.Reset:
		if err = a.resetBy(e, secret, in.Password); err == nil {
			handle := a.handleOf(link.GetString("account"))
			return a.show(e, passwordSetPage(handle, a.signInAt(handle)))
		}
	case accounts.Pass:
		var p *pass
		if p, err = a.passBy(secret); err == nil {
			a.keepPass(e, p.Pass)
			return e.Redirect(http.StatusSeeOther, waitingPath)
		}
	default:
		var out enrolled
		if out, err = a.join(e, secret, in); err == nil {
			return a.show(e, joinedPage(out.Handle, kind == accounts.First, a.signInAt(out.Handle)))
		}
	}
	if tools.KindOf(err) == tools.Expired {
		return a.linkError(e, err)
	}
	return a.show(e, a.linkPage(link, in, err))
}

func (a *App) linkPage(link *core.Record, in newcomer, wrong error) plain {
	switch kind := link.GetString("kind"); kind {
	case accounts.Reset:
		return passwordPage(a.handleOf(link.GetString("account")), wrong)
	case accounts.Pass:
		return newPassPage(a.handleOf(link.GetString("account")), wrong)
	default:
		return joinPage(kind == accounts.First, in.Handle, in.Email, wrong)
	}
}

func (a *App) linkError(e *core.RequestEvent, err error) error {
	if tools.KindOf(err) != tools.Expired {
		return a.show(e, refusedFormPage(err))
	}
	return a.show(e, linkGonePage())
}

// handleOf is how an account is called; its id where it has no handle.
func (a *App) handleOf(id string) string {
	rec, err := a.pb.FindRecordById(users, id)
	if err != nil || rec.GetString("handle") == "" {
		return id
	}
	return rec.GetString("handle")
}
