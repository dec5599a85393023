package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
	"github.com/nodkeep/nodkeep/tools/words"
)

// enrolled is what somebody is given who has signed up: a pass while they
// wait, or that they can sign in.
type enrolled struct {
	Waiting *pass  `json:"waiting,omitempty"`
	Status  string `json:"status"`
	Handle  string `json:"handle"`
}

// pass is a waiting pass, handed out once, with the words to be known by.
type pass struct {
	Pass  string   `json:"pass"`
	Words []string `json:"words"`
}

// enroll stores a new account, with its pass where it waits. before runs first
// in the same transaction: what it refuses makes no account.
func (a *App) enroll(rec *core.Record, approved bool, before func(tx core.App) error) (out enrolled, err error) {
	by := tools.Actor{Door: tools.DoorWeb}
	err = a.pb.RunInTransaction(func(tx core.App) error {
		if before != nil {
			if err := before(tx); err != nil {
				return err
			}
		}
		if err := accounts.Free(tx, rec.GetString("handle"), rec.Email()); err != nil {
			return err
		}
		if err := a.stand(tx, rec, approved); err != nil {
			return err
		}
		tools.Writer(rec, by)
		if err := tx.Save(rec); err != nil {
			return accounts.Problem(err)
		}
		out = enrolled{Status: rec.GetString("status"), Handle: rec.GetString("handle")}
		if approved {
			return nil
		}
		out.Waiting, err = a.issue(tx, rec)
		return err
	})
	if err == nil {
		a.verify(rec)
	}
	return out, err
}

// welcome gives a pass to an account that is stored already.
func (a *App) welcome(rec *core.Record) (out enrolled, err error) {
	out = enrolled{Status: rec.GetString("status"), Handle: rec.GetString("handle")}
	err = a.pb.RunInTransaction(func(tx core.App) error {
		out.Waiting, err = a.issue(tx, rec)
		return err
	})
	return out, err
}

// stand gives a new account its standing. The number of those who wait is
// looked at again where nobody can come between.
func (a *App) stand(tx core.App, rec *core.Record, approved bool) error {
	if approved {
		rec.Set("status", tools.Approved)
		return nil
	}
	if err := a.hasRoom(tx); err != nil {
		return err
	}
	sealed, err := a.keys.Seal(wordsOf(rec), []byte(words.New().String()))
	if err != nil {
		return err
	}
	rec.Set("words", sealed)
	rec.Set("status", accounts.Waiting)
	return nil
}

// wordsOf is the field that an account's words are sealed for.
func wordsOf(rec *core.Record) tools.Owner {
	return tools.Owner{Collection: users, Record: rec.Id, Field: "words"}
}

// words are those of an account that waits; none where they cannot be read.
func (a *App) words(rec *core.Record) []string {
	sealed := rec.GetString("words")
	if sealed == "" {
		return nil
	}
	said, err := a.keys.Open(wordsOf(rec), sealed)
	if err != nil {
		a.pb.Logger().Warn("the words of an account that waits cannot be read", "account", rec.Id, "error", err)
	}
	return strings.Fields(string(said))
}
