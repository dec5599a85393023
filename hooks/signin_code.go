package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// sentCode is the code that was sent, by its id.
type sentCode struct {
	ID      string `json:"otp_id"`
	Minutes int    `json:"minutes"` // as long as it is good
}

// sendCode has a code sent to whoever signs in at the front end: they may have
// typed their handle, or the right password, and the server alone knows the
// address.
func (a *App) sendCode(e *core.RequestEvent) (any, error) {
	body, err := jsonUpTo(e, maxAlike)
	if err != nil {
		return nil, err
	}
	var in struct {
		Identity string `json:"identity"`
		MFA      string `json:"mfa"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	s, err := a.mailCode(e, signing{Identity: in.Identity, MFA: in.MFA})
	if err != nil {
		return nil, err
	}
	return sentCode{s.OTP, a.codeMinutes()}, nil
}

// codeMinutes is how long a code is good.
func (a *App) codeMinutes() int {
	col, err := a.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return 0
	}
	return minutes(col.OTP.DurationTime())
}

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
	return plain{name: "code", title: tools.T("nod.code.title"), wrong: wrong, form: true, view: struct {
		signing
		Minutes int
	}{s, a.codeMinutes()}}
}
