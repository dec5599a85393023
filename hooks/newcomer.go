package hooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/mails"
	"github.com/pocketbase/pocketbase/tools/routine"
	"github.com/pocketbase/pocketbase/tools/security"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// maxHashing is how many passwords of strangers are hashed at a time: the rest
// of the machine is for members, also where it has two cores.
const maxHashing = 1

// newcomer is who wants an account. The password may be left out where people
// sign in with codes by mail. The fields are those that PocketBase's own create
// takes, so that one body does for both.
type newcomer struct {
	Handle          string  `json:"handle"`
	Name            string  `json:"name"`
	Password        string  `json:"password"`
	Confirm         *string `json:"passwordConfirm"` // nil: not said once more
	Email           string  `json:"email"`
	EmailVisibility bool    `json:"emailVisibility"`
	Language        string  `json:"language"`
}

// newAccount checks what a newcomer says. The record has no password yet.
func (a *App) newAccount(in newcomer) (*core.Record, error) {
	col, err := a.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return nil, err
	}
	rec := core.NewRecord(col)
	rec.Id = core.GenerateDefaultRandomId() // the words are sealed for it
	rec.Set("handle", in.Handle)
	rec.Set("name", in.Name)
	rec.SetEmail(strings.TrimSpace(in.Email))
	rec.SetEmailVisibility(in.EmailVisibility)
	if in.Confirm != nil && *in.Confirm != in.Password {
		return nil, tools.Fail(tools.Invalid, "nodkeep.error.account", tools.T("signup.confirm"))
	}
	if err := accounts.SetLanguage(rec, in.Language); err != nil {
		return nil, err
	}
	if in.Password == "" && !a.signsInByMail(rec) {
		return nil, tools.Fail(tools.Invalid, "nodkeep.error.account", tools.T("nodkeep.error.bad.password"))
	}
	return rec, a.checkHandle(a.pb, rec)
}

// mails says that the instance can send mail.
func (a *App) mails() bool { return a.pb.Settings().SMTP.Enabled }

func (a *App) signsInByMail(rec *core.Record) bool {
	return rec.Email() != "" && a.mails() && rec.Collection().OTP.Enabled
}

// checkHandle wants a handle that nobody has, or makes one of the address of
// somebody who signs up by mail and left it out.
func (a *App) checkHandle(app core.App, rec *core.Record) error {
	handle := rec.GetString("handle")
	if strings.TrimSpace(handle) == "" && rec.Email() != "" && a.mails() {
		return makeHandle(app, rec, rec.Email())
	}
	handle, err := accounts.Handle(handle)
	if err != nil {
		return err
	}
	rec.Set("handle", handle)
	return accounts.Free(app, handle, rec.Email())
}

// makeHandle makes a handle of what else is known of a person.
func makeHandle(app core.App, rec *core.Record, from string) error {
	from, _, _ = strings.Cut(strings.ToLower(from), "@")
	base := strings.Trim(strings.Map(func(r rune) rune {
		if (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, from), "-")
	if base = base[:min(len(base), 30)]; len(base) < 2 {
		base = "member"
	}
	for n := 1; n < 1000; n++ {
		handle := base
		if n > 1 {
			handle = fmt.Sprintf("%s-%d", base, n)
		}
		taken, err := tools.HasAccount(app, "handle", handle)
		if err != nil {
			return err
		}
		if !taken {
			rec.Set("handle", handle)
			return accounts.Free(app, handle, rec.Email())
		}
	}
	return tools.Fail(tools.Invalid, "nodkeep.error.handle")
}

// hash sets the password. It is slow by design, so few do it at a time.
func (a *App) hash(ctx context.Context, rec *core.Record, password string) error {
	leave, err := a.hashing.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if password == "" {
		password = security.RandomString(30) // nobody knows it: who signs in by mail may set one
	}
	if err := fits(password); err != nil { // before the work
		return err
	}
	rec.SetPassword(password)
	return nil
}

// fits refuses a password that bcrypt, which counts bytes, does not take.
func fits(password string) error {
	if n := len(password); n < 8 || n > 71 {
		return tools.Fail(tools.Invalid, "nodkeep.error.account", tools.T("nodkeep.error.bad.password"))
	}
	return nil
}

// verify sends the mail that confirms an address, where there is one and mail
// can be sent. It says nothing of the person, and lets nobody in.
func (a *App) verify(rec *core.Record) {
	if rec.Email() == "" || !a.mails() {
		return
	}
	routine.FireAndForget(func() {
		if err := mails.SendRecordVerification(a.pb, rec); err != nil {
			a.pb.Logger().Warn("a mail to confirm an address could not be sent", "reason", reasonOf(err))
		}
	})
}
