package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// openAssistants makes the books of what models cost, and knows which there
// are. What a killed server held is settled before anything else is asked.
func (a *App) openAssistants() (err error) {
	s := a.settings.models
	a.ledger, err = budget.New(budget.Config{App: a.pb, Currency: s.Currency, Cap: a.dailyCap, Told: a.budgetTold, Now: a.now})
	if err != nil {
		return err
	}
	if err := a.ledger.Recover(context.Background()); err != nil {
		return fmt.Errorf("settle what calls of models were under way: %w", err)
	}
	a.roster, err = roster.New(roster.Config{
		App: a.pb, Keys: a.keys, Fixed: s.Assistants, Scripts: a.scripts, IDKey: s.IDKey, Currency: s.Currency, Transport: a.asked, Observer: a.observer, Log: a.pb.Logger(), Now: a.now,
		Trial: func(person string, is roster.Assistant, r gateway.Request) gateway.Meter {
			return a.ledger.Trial(person, is.Budgeted(), r)
		},
		Meter: func(person string, is roster.Assistant, r gateway.Request) gateway.Meter {
			return a.ledger.Meter(person, is.Budgeted(), r)
		},
	})
	return err
}

// bindAssistants keeps keys with their address, whoever writes it.
func (a *App) bindAssistants() {
	a.pb.OnRecordUpdate(roster.Collection).BindFunc(func(e *core.RecordEvent) error {
		roster.DropKey(e.Record)
		return e.Next()
	})
}

// dailyCap is what all may spend in a day.
func (a *App) dailyCap() (micros int64, ok bool) {
	if c := a.inEffect().models.Cap; c != nil {
		return *c, true
	}
	return 0, false
}

// operatorOf says who looks after the instance in a request: nobody for a
// command on the machine and for a superuser.
func (a *App) operatorOf(e *core.RequestEvent) (person string, err error) {
	actor, err := a.actorOf(e, true)
	switch {
	case err != nil:
		return "", err
	case e.Auth == nil || e.Auth.IsSuperuser():
		return "", nil
	case !operates(e.Auth):
		return "", tools.Fail(tools.Forbidden, "error.not_operator")
	}
	return actor.Person, nil
}

// assistantRoutes try assistants, and tell what could be one.
func (a *App) assistantRoutes() []route {
	return []route{
		{"GET", "/local/assistants", true, a.listAssistants},
		{"GET", "/operator/assistants/suggestions", false, a.suggestAssistants},
		{"POST", "/operator/assistants/{id}/test", false, a.testAssistant},
	}
}

// listedAssistant is one as a command shows it: as it is used, whoever said so.
type listedAssistant struct {
	ID       string           `json:"id"`
	Name     string           `json:"name"`
	Protocol gateway.Protocol `json:"protocol"`
	BaseURL  string           `json:"base_url"`
	Host     string           `json:"host"`
	Local    bool             `json:"local"`
	Scripted bool             `json:"scripted"` // it is no model: its answers are fixed
	Model    string           `json:"model"`
	Mode     gate.Mode        `json:"mode"`
	Images   string           `json:"images"` // yes or no, as operators see it
	Key      bool             `json:"key"`    // there is one
	Locked   []string         `json:"locked"` // fields that the environment says
	Lacks    []string         `json:"lacks"`  // fields without which it cannot be asked
}

func (a *App) listAssistants(e *core.RequestEvent) (any, error) {
	all, err := a.roster.All(e.Request.Context())
	out := list[listedAssistant]{Items: []listedAssistant{}}
	for _, is := range all {
		out.Items = append(out.Items, listedAssistant{
			is.ID, is.Name, is.Protocol, is.BaseURL, is.Host, is.Local, is.Scripted(), is.Model, is.Mode, yesNo(is.Images), is.Key != "",
			slices.Concat([]string{}, is.Locked), slices.Concat([]string{}, is.Lacks),
		})
	}
	return out, err
}

func (a *App) suggestAssistants(e *core.RequestEvent) (any, error) {
	if _, err := a.operatorOf(e); err != nil {
		return nil, err
	}
	items, err := a.roster.Suggest(e.Request.Context())
	return list[roster.Suggestion]{Items: items}, err
}

func (a *App) testAssistant(e *core.RequestEvent) (any, error) {
	person, err := a.operatorOf(e)
	if err != nil {
		return nil, err
	}
	report, err := a.roster.Test(e.Request.Context(), e.Request.PathValue("id"), person)
	if errors.Is(err, context.Canceled) {
		return nil, tools.Fail(tools.Unavailable, "roster.say.stopped", e.Request.PathValue("id"))
	}
	return report, err
}
