package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

func suspendTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_account_suspend", Title: "nodkeep.title.account_suspend", Effect: tools.EffectDestroy, Operator: true, Hidden: hiddenOperator,
		Help: "Takes a member's approval away: every session, stream and token of theirs ends at once, their data stays. nodkeep_account_restore takes it back.",
	}, suspend, tools.WithCard(func(_ *tools.Reader, _ which, out Standing, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.suspend", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.suspend_then")}}, nil
	}))
}

func suspend(c *tools.Call, in which) (Standing, error) {
	rec, err := find(&c.Reader, string(in.Account))
	if err != nil {
		return Standing{}, err
	}
	switch {
	case waits(rec):
		return Standing{}, conflict("nodkeep.error.waits", named(rec))
	case rec.GetString("status") != tools.Approved:
		return Standing{}, conflict("nodkeep.error.not_approved", named(rec))
	}
	if err := mayGo(&c.Reader, rec); err != nil {
		return Standing{}, err
	}
	rec.Set("status", Suspended)
	return standing(rec), c.Save(rec)
}
