package hooks

import (
	"io/fs"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// beginning says where a program begins, and a front end before anybody has
// signed in.
type beginning struct {
	SignIn  string      `json:"sign_in"`
	Tools   string      `json:"tools"`
	Texts   string      `json:"texts"`
	SignUp  string      `json:"sign_up"` // the page for a new account, where there is one
	Waiting string      `json:"waiting"` // where somebody looks how their account stands
	Mail    bool        `json:"mail"`    // it sends mail
	First   bool        `json:"first"`   // nobody has an account yet
	Demo    *tools.Text `json:"demo"`    // what a demonstration is
	Plugins []webPlugin `json:"plugins"`
}

// webPlugin is a plugin with pages of its own for the front end.
type webPlugin struct {
	Name string `json:"name"`
	Main string `json:"main"` // its module, beside the front end's own files
}

// index answers what needs no account.
func (a *App) index(*core.RequestEvent) (any, error) {
	b := beginning{
		SignIn: "/api/collections/users/auth-with-password", Tools: prefix + "/tools", Texts: prefix + "/texts/en",
		Mail: a.mails(), Demo: a.demoText(), Plugins: []webPlugin{},
	}
	n, err := countMembers(a.pb)
	if err != nil {
		return nil, err
	}
	b.First = n == 0
	b.SignUp, b.Waiting = a.newcomers(b.First)
	for _, p := range a.webbers() {
		b.Plugins = append(b.Plugins, webPlugin{Name: p.Name(), Main: extFolder + "/" + p.Name() + "/main.js"})
	}
	return b, nil
}

// newcomers says where somebody without an account goes: nowhere, unless the
// settings let them.
func (a *App) newcomers(first bool) (signUp, waiting string) {
	switch a.inEffect().SignUp {
	case signUpOpen:
		return signUpPath, ""
	case signUpApproval:
		// While nobody is there who approves, those who run the machine would
		// come to wait for themselves.
		if !first {
			return signUpPath, waitingPath
		}
	}
	return "", ""
}

// webbers are the plugins with pages of their own.
func (a *App) webbers() (with []tools.Plugin) {
	for _, p := range a.registry.Plugins() {
		if pagesOf(p) != nil {
			with = append(with, p)
		}
	}
	return with
}

func pagesOf(p tools.Plugin) fs.FS {
	if w, ok := p.(tools.Webber); ok {
		return w.Web()
	}
	return nil
}
