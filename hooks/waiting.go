package hooks

import (
	"database/sql"
	"errors"
	"net/http"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// wait is what a waiting pass tells.
type wait struct {
	Status string   `json:"status"` // waiting, approved or refused
	Handle string   `json:"handle,omitzero"`
	Words  []string `json:"words,omitempty"`
}

func (a *App) getWaiting(e *core.RequestEvent) (any, error) { return a.look(bearer(e), heard(e)) }

func (a *App) deleteWaiting(e *core.RequestEvent) (any, error) {
	return struct{}{}, a.leave(bearer(e))
}

func (a *App) deletePass(e *core.RequestEvent) (any, error) {
	return struct{}{}, a.forget(bearer(e))
}

// findPass finds a pass that is still good.
func findPass(app core.App, secret string) (*core.Record, error) {
	rec, err := ifThere(app.FindFirstRecordByData(accounts.Passes, "hash", tools.Hash(secret)))
	switch {
	case err != nil:
		return nil, err
	case rec == nil || secret == "":
		return nil, tools.Fail(tools.Unauthorized, "waiting.unknown")
	case expired(rec):
		return nil, tools.Fail(tools.Expired, "waiting.expired")
	}
	return rec, nil
}

// holderOf is the account of a pass: nil where there is none any more.
func holderOf(app core.App, pass *core.Record) (*core.Record, error) {
	return ifThere(app.FindRecordById(users, pass.GetString("account")))
}

// ifThere is a record, nil where there is none. That it could not be read does
// not mean that it is gone: a pass would be dropped for a database that is busy.
func ifThere[R any](rec *R, err error) (*R, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return rec, err
}

// heard says that whoever asks reads the answer: to HEAD nothing is said.
func heard(e *core.RequestEvent) bool { return e.Request.Method != http.MethodHead }

// look says where the holder of a pass stands. Approval is said once: the pass
// has done what it is for, and goes if that was heard. It is worth no session.
func (a *App) look(secret string, heard bool) (wait, error) {
	p, err := findPass(a.pb, secret)
	if err != nil {
		return wait{}, err
	}
	account, err := holderOf(a.pb, p)
	switch {
	case err != nil:
		return wait{}, err
	case p.GetString("outcome") == accounts.Refused, account != nil && pending(account) && account.GetString("status") == accounts.Refused:
		return wait{Status: accounts.Refused}, nil // the latter by a superuser, past the tools
	case account == nil:
		return wait{}, tools.Fail(tools.Unauthorized, "waiting.unknown")
	case pending(account):
		return wait{Status: accounts.Waiting, Handle: account.GetString("handle"), Words: a.words(account)}, nil
	}
	if heard { // of two who look at once, one is told
		err = a.forget(secret)
	}
	return wait{Status: tools.Approved, Handle: account.GetString("handle")}, err
}

// leave deletes the account of a pass, if it was never approved.
func (a *App) leave(secret string) error {
	return a.pb.RunInTransaction(func(tx core.App) error {
		p, err := findPass(tx, secret)
		if err != nil {
			return err
		}
		account, err := holderOf(tx, p)
		if err != nil {
			return err
		}
		if account == nil {
			return drop(tx, p)
		}
		if !pending(account) {
			return tools.Fail(tools.Conflict, "waiting.approved")
		}
		return drop(tx, account) // and its passes with it
	})
}

// forget makes a pass good for nothing.
func (a *App) forget(secret string) error {
	return a.pb.RunInTransaction(func(tx core.App) error {
		p, err := findPass(tx, secret)
		if err != nil {
			return err
		}
		return drop(tx, p)
	})
}
