package hooks

import (
	"net/http"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// practice is what an instance does with what people give it: all that its
// settings say about that, and nothing of whom it knows.
type practice struct {
	settings settings
	pb       *core.Settings
	users    *core.Collection
	sources  []tools.Source // that are switched on
	origins  []string       // of other sites that may call the API

	assistants []roster.Assistant // that can be asked
}

// privacySection is a heading and what is so at present.
type privacySection struct {
	Title tools.Text   `json:"title"`
	Says  []tools.Text `json:"says"`
}

// privacy answers what this instance does with data, to whoever asks: it is to
// be read before signing up.
func (a *App) privacy(e *core.RequestEvent) error {
	col, err := a.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return err
	}
	assistants, err := a.asksModels(e.Request.Context())
	if err != nil {
		return err
	}
	sections := practice{a.inEffect(), a.pb.Settings(), col, a.sources(), a.otherOrigins(), assistants}.sections()
	e.Response.Header().Add("Vary", "Accept")
	if accept := e.Request.Header.Get("Accept"); strings.HasPrefix(accept, "application/json") {
		return a.answer(e, http.StatusOK, map[string]any{"sections": sections})
	}
	return a.show(e, plain{name: "privacy", title: tools.T("privacy.title"), view: sections})
}

// sections say it in the order in which somebody who thinks of signing up asks.
func (p practice) sections() []privacySection {
	return []privacySection{
		{tools.T("privacy.signup"), p.signUp()},
		{tools.T("privacy.place"), p.place()},
		{tools.T("privacy.kept"), p.kept()},
		{tools.T("privacy.leaves"), p.leaves()},
		{tools.T("privacy.assistants"), p.models()},
	}
}

// signUp says who may, and what is kept of it.
func (p practice) signUp() []tools.Text {
	address, network := tools.T("privacy.signup.address"), tools.T("privacy.signup.network")
	switch p.settings.SignUp {
	case signUpOpen:
		return []tools.Text{tools.T("privacy.signup.open"), address, network}
	case signUpClosed:
		return []tools.Text{tools.T("privacy.signup.closed"), address}
	}
	return []tools.Text{
		tools.T("privacy.signup.approval", p.settings.Waiting), address, tools.T("privacy.signup.waiting", days(waitingTime)),
		tools.T("privacy.signup.pass", days(passTime)), tools.T("privacy.signup.refused"), network,
	}
}

// kept says what is written down of what people do here, and for how long.
func (p practice) kept() []tools.Text {
	says := []tools.Text{
		tools.T("privacy.data"), tools.T("privacy.audit", p.settings.AuditDays), tools.T("privacy.undo", p.settings.UndoDays), tools.T("privacy.tokens", days(tokenTime)),
		tools.T("privacy.proposals", p.settings.UndoDays), tools.T("privacy.uploads"), tools.T("privacy.session", days(sessionTime)),
	}
	logs := p.pb.Logs
	if logs.MaxDays == 0 {
		return append(says, tools.T("privacy.logs.none"))
	}
	says = append(says, tools.T("privacy.logs", logs.MaxDays))
	if logs.LogIP {
		says = append(says, tools.T("privacy.logs.ip"))
	} else {
		says = append(says, tools.T("privacy.logs.no_ip"))
	}
	if logs.LogAuthId {
		says = append(says, tools.T("privacy.logs.account"))
	}
	return says
}

// days is a time of whole days as it is said.
func days(t time.Duration) int { return int(t.Hours() / 24) }
