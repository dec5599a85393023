package hooks

import (
	"context"
	"errors"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
)

// openLoop makes what answers questions, once all that it needs is there. What a
// killed server left in the middle is not taken up again.
func (a *App) openLoop() error {
	own := append(offer.Model(), offer.Activity(a.runner), offer.Undo())
	for _, o := range a.uploadTools() {
		if o.Name == upload.ImportName { // its files come with the question, not by a link
			own = append(own, o)
		}
	}
	menu, err := offer.New(offer.Config{Registry: a.registry, Gate: a.gate, Catalogue: a.catalogue, Own: own, Files: a.uploads})
	if err != nil {
		return err
	}
	loop, err := assistant.New(assistant.Config{
		App: a.pb, Keys: a.keys, Registry: a.registry, Runner: a.runner, Gate: a.gate, Catalogue: a.catalogue, Menu: menu, Uploads: a.uploads,
		For: a.modelFor, Choose: a.chosenAssistant, Currency: a.ledger.Currency(), Limits: a.turnLimits,
		Observer: a.observer, Asked: a.wasAsked,
		Log: a.pb.Logger(), Now: a.now,
	})
	if err != nil {
		return err
	}
	a.loop = loop
	return loop.Recover(context.Background())
}

// modelFor is an assistant as a person asks it.
func (a *App) modelFor(ctx context.Context, person, id string) (roster.Assistant, gateway.Provider, error) {
	asked, err := a.roster.For(ctx, person, id)
	return asked.Assistant, asked, err
}

// assistantMode is what the gate asks of an assistant, each time it decides: its
// mode, where the person may ask it.
func (a *App) assistantMode(ctx context.Context, person, id string) (gate.Mode, error) {
	is, err := a.roster.Get(ctx, id)
	if err == nil {
		err = a.ledger.Allows(ctx, person, is.Budgeted())
	}
	return is.Mode, err
}

// chosenAssistant is the first that a person may ask. Where there is none, the
// error says what is missing of the one that is nearest to it.
func (a *App) chosenAssistant(ctx context.Context, person string) (string, error) {
	all, err := a.roster.All(ctx)
	if err != nil {
		return "", err
	}
	var nearest error
	for _, is := range all {
		if !is.Ready() {
			continue
		}
		err := a.ledger.Allows(ctx, person, is.Budgeted())
		if err == nil {
			return is.ID, nil
		}
		own, ok := errors.AsType[*tools.Error](err)
		if !ok {
			return "", err
		}
		if nearest == nil || own.Text.Key == "budget.error.consent" {
			nearest = err
		}
	}
	if nearest == nil {
		nearest = tools.Fail(tools.Unavailable, "assistant.error.none")
	}
	return "", nearest
}

// wasAsked notes a question, and no word of it.
func (a *App) wasAsked(ctx context.Context, who tools.Actor, f assistant.Facts) {
	if err := a.runner.Asked(ctx, who, f.Figures(), f.Finish.Failed()); err != nil {
		a.pb.Logger().Error("a question could not be noted", "error", err)
	}
}
