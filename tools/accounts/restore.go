package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

func restoreTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_account_restore", Title: "nodkeep.title.account_restore", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Gives a suspended member back what they were: they sign in again, with the role and data they had. nodkeep_account_suspend takes it back.",
	}, restore, tools.WithCard(func(_ *tools.Reader, _ which, out Standing, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.restore", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.restore_then", out.Handle)}}, nil
	}))
}

func restore(c *tools.Call, in which) (Standing, error) {
	rec, err := find(&c.Reader, string(in.Account))
	if err != nil {
		return Standing{}, err
	}
	if s := rec.GetString("status"); s != Suspended && s != Refused {
		return Standing{}, conflict("nodkeep.error.not_suspended", named(rec))
	}
	rec.Set("status", tools.Approved)
	return standing(rec), c.Save(rec)
}
