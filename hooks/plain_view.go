package hooks

import (
	"net/http"
	"time"

	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// Where the plain pages are.
const (
	signUpPath  = "/sign-up"
	privacyPath = "/privacy"
)

// formView is a form for a new account, or for a password alone. It sends
// password and, for an account, handle and email to the page's own address.
type formView struct {
	Account       bool
	Handle, Email string // as they were typed, where the form is shown again; whose password it is, for who keeps passwords
	Intro         []tools.Text
	PasswordLabel string
	Button        string
}

// signUpPage is the form to sign up. signUp is the setting; wrong, which may be
// nil, is why the last try failed.
func signUpPage(signUp, handle, email string, wrong error) plain {
	intro := []tools.Text{tools.T("plain.signup.approval")}
	if signUp == signUpOpen {
		intro = []tools.Text{tools.T("plain.signup.open")}
	}
	return plain{
		name: "form", title: tools.T("plain.signup.title"), wrong: wrong, form: true,
		view: formView{true, handle, email, intro, "plain.password", "plain.signup.title"},
	}
}

// joinPage is what a link for one new account opens: the first operator's, or
// an invitation.
func joinPage(first bool, handle, email string, wrong error) plain {
	title, intro := tools.T("plain.join.title"), tools.T("plain.join.intro")
	if first {
		title, intro = tools.T("plain.join.first_title"), tools.T("plain.join.first")
	}
	return plain{
		name: "form", title: title, wrong: wrong, form: true,
		view: formView{true, handle, email, []tools.Text{intro, tools.T("plain.join.once")}, "plain.password", "plain.join.button"},
	}
}

// passwordPage is what a link for a new password opens.
func passwordPage(handle string, wrong error) plain {
	return plain{
		name: "form", title: tools.T("plain.reset.title"), wrong: wrong, form: true,
		view: formView{Handle: handle, Intro: []tools.Text{tools.T("plain.reset.intro", handle)}, PasswordLabel: "plain.reset.password", Button: "plain.reset.button"},
	}
}

// newPassPage is what a link for a new waiting pass opens.
func newPassPage(handle string, wrong error) plain {
	return plain{
		name: "pass", title: tools.T("plain.pass.title"), wrong: wrong, form: true,
		view: noteView{Says: []tools.Text{tools.T("plain.pass.what", handle)}},
	}
}

// uploadPage is what a link for a file opens.
func uploadPage(handle string, wrong error) plain {
	view := struct {
		Says []tools.Text
		Most int // MB
	}{[]tools.Text{tools.T("plain.upload.what", handle), tools.T("plain.upload.stranger")}, upload.MaxBytes >> 20}
	return plain{name: "upload", title: tools.T("plain.upload.title"), wrong: wrong, form: true, view: view}
}

// uploadedPage confirms that a file is there.
func uploadedPage() plain {
	return note(http.StatusOK, "plain.uploaded.title", tools.T("plain.uploaded.what"))
}

// waitingView is what the person who waits sees. The page sends do=forget; its
// link ?delete=1 asks for deletePage, which sends do=delete.
type waitingView struct {
	Handle string
	Words  []string
	Days   int // from the sign-up on, until it is deleted
}

// waitingPage is where somebody stands who signed up.
func waitingPage(v waitingView) plain {
	return plain{name: "waiting", title: tools.T("plain.waiting.title"), form: true, view: v}
}

// deletePage asks once more before a sign-up is deleted.
func deletePage(handle string) plain {
	return plain{name: "delete", title: tools.T("plain.delete.title"), form: true, view: struct{ Handle string }{handle}}
}

// noteView is some sentences, and perhaps one way on.
type noteView struct {
	Says           []tools.Text
	Link, LinkText string
}

func note(status int, title string, says ...tools.Text) plain {
	return plain{name: "note", status: status, title: tools.T(title), view: noteView{Says: says}}
}

// approvedPage is said once: the pass is worth nothing from then on.
func approvedPage(handle, signIn string) plain {
	return leading(signIn, note(http.StatusOK, "plain.approved.title", tools.T("plain.approved.what", handle), tools.T("plain.approved.once")))
}

// leading is a page of sentences that leads to signing in, where there is a
// front end for it.
func leading(signIn string, p plain) plain {
	if v, ok := p.view.(noteView); ok && signIn != "" {
		v.Link, v.LinkText = signIn, "nod.signin.title"
		p.view = v
	}
	return p
}

// refusedPage tells that a sign-up was refused.
func refusedPage() plain {
	return note(http.StatusOK, "plain.refused.title", tools.T("plain.refused.what"), tools.T("plain.refused.again"))
}

// unknownPassPage is for a pass that is none, is no more, or is not there.
func unknownPassPage() plain {
	return note(http.StatusNotFound, "plain.unknown.title", tools.T("plain.unknown.what"), tools.T("plain.unknown.operator"), tools.T("plain.unknown.approved"))
}

// deletedPage confirms that a sign-up is gone, with all that it was.
func deletedPage() plain {
	return note(http.StatusOK, "plain.deleted.title", tools.T("plain.deleted.what"))
}

// forgottenPage confirms that a device no longer knows who waits.
func forgottenPage() plain {
	return note(http.StatusOK, "plain.forgotten.title", tools.T("plain.forgotten.what"), tools.T("plain.unknown.operator"))
}

// joinedPage confirms an account that may be used at once. The first one is
// told how others come in.
func joinedPage(handle string, first bool, signIn string) plain {
	says := []tools.Text{tools.T("plain.joined.what", handle)}
	if first {
		says = append(says, tools.T("plain.joined.next"), tools.T("plain.joined.agents"))
	}
	return leading(signIn, note(http.StatusOK, "plain.joined.title", says...))
}

// passwordSetPage confirms a new password.
func passwordSetPage(handle, signIn string) plain {
	return leading(signIn, note(http.StatusOK, "plain.set.title", tools.T("plain.set.what", handle)))
}

// linkGonePage is for a one-time link that was used, ran out, or never was:
// which of these is not told.
func linkGonePage() plain {
	return note(http.StatusGone, "plain.gone.title", tools.T("plain.gone.what"))
}

// closedPage is where nobody can sign up.
func closedPage() plain {
	return note(http.StatusForbidden, "plain.closed.title", tools.T("plain.closed.what"))
}

// tooOftenPage says when to try again.
func tooOftenPage(wait time.Duration) plain {
	return note(http.StatusTooManyRequests, "plain.often.title", tools.T("limit.attempts", minutes(wait)))
}

// refusedFormPage shows an error where there is no form to show it above.
func refusedFormPage(err error) plain {
	return plain{name: "note", title: tools.T("plain.error.title"), wrong: err, view: noteView{}}
}
