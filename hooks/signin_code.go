package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// mailCode has a code sent: to the account that has shown the first of two
// factors, else to whoever is named. For a handle or an address of nobody all is
// as for one of somebody.
func (a *App) mailCode(e *core.RequestEvent, s signing) (signing, error) {
	address := strings.TrimSpace(s.Identity)
	switch {
	case s.MFA == "" && address == "":
		return s, tools.Fail(tools.Invalid, "nod.signin.who")
	case s.MFA != "":
		mfa, err := ifThere(a.pb.FindMFAById(s.MFA))
		if err != nil {
			return s, err
		}
		if mfa == nil {
			return s, tools.Fail(tools.Expired, "nod.signin.again")
		}
		rec, err := ifThere(a.pb.FindRecordById(users, mfa.RecordRef()))
		if err != nil {
			return s, err
		}
		if rec == nil || rec.Email() == "" {
			return s, tools.Fail(tools.Invalid, "nod.signin.no_address")
		}
		address = rec.Email()
	case !strings.Contains(address, "@"):
		rec, err := ifThere(a.pb.FindFirstRecordByData(users, "handle", strings.ToLower(address)))
		if err != nil {
			return s, err
		}
		if address = strings.ToLower(address) + "@nodkeep.invalid"; rec != nil && rec.Email() != "" {
			address = rec.Email()
		}
	}
	answer, err := a.checked(e, requestCode, map[string]string{"email": address}, "nod.signin.wrong")
	s.OTP = answer.OTP
	return s, err
}

// codePage asks for the code that was sent.
func (a *App) codePage(s signing, wrong error) plain {
	if wrong != nil && s.OTP == "" {
		return a.signInPage(signing{Identity: s.Identity}, wrong)
	}
	minutesLeft := 0
	if col, err := a.pb.FindCachedCollectionByNameOrId(users); err == nil {
		minutesLeft = minutes(col.OTP.DurationTime())
	}
	return plain{name: "code", title: tools.T("nod.code.title"), wrong: wrong, form: true, view: struct {
		signing
		Minutes int
	}{s, minutesLeft}}
}
