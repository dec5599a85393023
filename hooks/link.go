package hooks

import (
	"slices"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// errLink is a link that was used, revoked or has expired. It does not say
// which: that is nobody's business who was not given it.
func errLink() error { return tools.Fail(tools.Expired, "link.over") }

// findLink finds a one-time link, of one of these kinds if any is named, that is
// still good: one of an operator who is none any more is not.
func findLink(app core.App, secret string, kinds ...string) (*core.Record, error) {
	rec, err := ifThere(app.FindFirstRecordByData(accounts.Links, "hash", tools.Hash(secret)))
	if err != nil {
		return nil, err
	}
	if rec == nil || expired(rec) || len(kinds) > 0 && !slices.Contains(kinds, rec.GetString("kind")) {
		return nil, errLink()
	}
	if by := rec.GetString("by"); by != "" {
		maker, err := ifThere(app.FindRecordById(users, by))
		if err != nil {
			return nil, err
		}
		if maker == nil || !operates(maker) {
			return nil, errLink()
		}
	}
	account, err := ifThere(app.FindRecordById(users, rec.GetString("account")))
	if err != nil {
		return nil, err
	}
	switch rec.GetString("kind") {
	case accounts.First:
		n, err := countOperators(app)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			return nil, errLink()
		}
	case accounts.Reset:
		if account == nil || !approved(account) {
			return nil, errLink()
		}
	case accounts.Pass:
		if account == nil || !pending(account) {
			return nil, errLink()
		}
	}
	return rec, nil
}

// spendLink makes a link good for nothing more, in the transaction of what it
// was good for. Of two who use it at once, one finds it.
func spendLink(tx core.App, secret string, kinds ...string) (*core.Record, error) {
	rec, err := findLink(tx, secret, kinds...)
	if err != nil {
		return nil, err
	}
	return rec, drop(tx, rec)
}

// join makes the account that a link invites to, approved at once; the first
// of all is an operator.
func (a *App) join(e *core.RequestEvent, secret string, in newcomer) (enrolled, error) {
	link, err := findLink(a.pb, secret, accounts.First, accounts.Invite)
	if err != nil {
		return enrolled{}, err
	}
	rec, err := a.newAccount(in)
	if err == nil {
		err = a.hash(e.Request.Context(), rec, in.Password)
	}
	if err != nil {
		return enrolled{}, err
	}
	kind := link.GetString("kind")
	rec.Set("operator", kind == accounts.First)
	return a.enroll(rec, true, func(tx core.App) error {
		_, err := spendLink(tx, secret, kind)
		return err
	})
}

// resetBy sets a new password by a link, which ends every session and every
// other such link of the account.
func (a *App) resetBy(e *core.RequestEvent, secret, password string) error {
	if _, err := findLink(a.pb, secret, accounts.Reset); err != nil {
		return err
	}
	col, err := a.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return err
	}
	// Hashed before the transaction: it is slow by design.
	hashed := core.NewRecord(col)
	if err := a.hash(e.Request.Context(), hashed, password); err != nil {
		return err
	}
	return a.pb.RunInTransaction(func(tx core.App) error {
		link, err := spendLink(tx, secret, accounts.Reset)
		if err != nil {
			return err
		}
		account, err := tx.FindRecordById(users, link.GetString("account"))
		if err != nil {
			return err
		}
		account.SetRaw(core.FieldNamePassword, hashed.GetRaw(core.FieldNamePassword))
		account.RefreshTokenKey()
		tools.Writer(account, tools.Actor{Door: tools.DoorWeb})
		return accounts.Problem(tx.Save(account))
	})
}

// passBy gives a new waiting pass by a link.
func (a *App) passBy(secret string) (p *pass, err error) {
	err = a.pb.RunInTransaction(func(tx core.App) error {
		link, err := spendLink(tx, secret, accounts.Pass)
		if err != nil {
			return err
		}
		account, err := tx.FindRecordById(users, link.GetString("account"))
		if err != nil {
			return err
		}
		p, err = a.issue(tx, account)
		return err
	})
	return p, err
}

// firstLink makes the link by which the first operator makes their account, in
// place of the one of the start before.
func (a *App) firstLink() (path string, err error) {
	secret := tools.NewSecret()
	err = a.pb.RunInTransaction(func(tx core.App) error {
		old, err := tx.FindAllRecords(accounts.Links, dbx.HashExp{"kind": accounts.First})
		if err != nil {
			return err
		}
		for _, l := range old {
			if err := tx.Delete(l); err != nil {
				return err
			}
		}
		col, err := tx.FindCachedCollectionByNameOrId(accounts.Links)
		if err != nil {
			return err
		}
		rec := core.NewRecord(col)
		accounts.FillLink(rec, accounts.First, secret, time.Now())
		return tx.Save(rec)
	})
	return accounts.LinkPath + secret, err
}
