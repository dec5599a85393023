package hooks

import (
	"encoding/json/v2"
	"net/http"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// PocketBase's own routes, which check what somebody signs in with.
const (
	withPassword = "/api/collections/" + users + "/auth-with-password"
	withCode     = "/api/collections/" + users + "/auth-with-otp"
	requestCode  = "/api/collections/" + users + "/request-otp"
)

// What the forms to sign in send as do.
const (
	doPassword = "password"
	doMail     = "mail" // asks for a code
	doCode     = "code"
)

// signing is where somebody stands who signs in: it goes from form to form.
type signing struct {
	Identity string
	MFA      string // shown for the first of two factors
	OTP      string // the code that was sent
	Front    string // where somebody may be signed in already
}

func signingIn(values map[string]string) signing {
	return signing{Identity: values["identity"], MFA: values["mfa"], OTP: values["otp"]}
}

// signIn takes one step: it ends with the account that signed in, or with the
// page of the next step. PocketBase's routes decide, and nothing here.
func (a *App) signIn(e *core.RequestEvent, values map[string]string) (*core.Record, plain, error) {
	s := signingIn(values)
	switch values["do"] {
	case doMail:
		s, err := a.mailCode(e, s)
		return nil, a.codePage(s, err), nil
	case doCode:
		answer, err := a.checked(e, withCode, map[string]string{"otpId": s.OTP, "password": strings.TrimSpace(values["code"]), "mfaId": s.MFA}, "error.code")
		switch {
		case err != nil:
			return nil, a.codePage(s, err), nil
		case answer.MFA != "": // a password is still to come
			s.MFA = answer.MFA
			return nil, a.signInPage(s, nil), nil
		}
		rec, err := a.pb.FindAuthRecordByToken(answer.Token, core.TokenTypeAuth)
		return rec, plain{}, err
	}
	answer, err := a.checked(e, withPassword, map[string]string{"identity": s.Identity, "password": values["password"], "mfaId": s.MFA}, "nod.signin.wrong")
	switch {
	case err != nil:
		return nil, a.signInPage(s, err), nil
	case answer.MFA != "":
		s.MFA = answer.MFA
		s, err := a.mailCode(e, s)
		return nil, a.codePage(s, err), nil
	}
	rec, err := a.pb.FindAuthRecordByToken(answer.Token, core.TokenTypeAuth)
	return rec, plain{}, err
}

// authAnswer is what PocketBase's routes answer who signs in.
type authAnswer struct {
	Token   string `json:"token"`
	MFA     string `json:"mfaId"`
	OTP     string `json:"otpId"`
	Message string `json:"message"`
	Data    struct {
		Kind tools.Kind `json:"kind"`
	} `json:"data"`
}

// checked asks a route. wrong is how it is said that what was given is wrong.
func (a *App) checked(e *core.RequestEvent, path string, body map[string]string, wrong string) (authAnswer, error) {
	status, b, err := a.relay(e, path, body)
	if err != nil {
		return authAnswer{}, err
	}
	var answer authAnswer
	if err := json.Unmarshal(b, &answer); err != nil && status < http.StatusInternalServerError {
		return authAnswer{}, err
	}
	switch {
	case status == http.StatusOK, status == http.StatusUnauthorized && answer.MFA != "":
		return answer, nil
	case answer.Data.Kind != "": // ours, in the language of whoever asks
		return authAnswer{}, tools.Fail(answer.Data.Kind, "", answer.Message)
	case status == http.StatusBadRequest:
		return authAnswer{}, tools.Fail(tools.Invalid, wrong)
	case status == http.StatusForbidden:
		return authAnswer{}, tools.Fail(tools.Forbidden, "nod.signin.off")
	case status == http.StatusTooManyRequests:
		return authAnswer{}, tools.Fail(tools.Limit, "limit.busy")
	}
	return authAnswer{}, tools.Fail(tools.Internal, "error.internal")
}

// signInView is the form to sign in with.
type signInView struct {
	signing
	Password, Mail bool // what can be signed in with
	Providers      string
}

// signInPage is the form to sign in. Who has shown one of two factors gives the
// other.
func (a *App) signInPage(s signing, wrong error) plain {
	v := signInView{signing: s}
	if col, err := a.pb.FindCachedCollectionByNameOrId(users); err == nil {
		v.Password = col.PasswordAuth.Enabled
		v.Mail = col.OTP.Enabled && a.mails() && s.MFA == ""
		if col.OAuth2.Enabled && s.MFA == "" {
			v.Providers = providers(col)
		}
	}
	return plain{name: "signin", title: tools.T("nod.signin.title"), wrong: wrong, form: true, view: v}
}

// providers are the services that people sign in with elsewhere, as they are
// called.
func providers(col *core.Collection) string {
	var names []string
	for _, p := range col.OAuth2.Providers {
		name := p.DisplayName
		if of, err := p.InitProvider(); name == "" && err == nil {
			name = of.DisplayName()
		}
		if name == "" {
			name = p.Name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// welcomeBack gives who signed in a session, and leads them to where they were.
func (a *App) welcomeBack(e *core.RequestEvent, rec *core.Record) error {
	value, lasts, err := a.newSession(rec)
	if err != nil {
		return err
	}
	a.keepSession(e, value, max(lasts, time.Second))
	return e.Redirect(http.StatusSeeOther, nodHere(e))
}
