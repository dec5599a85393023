package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

func approveTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_account_approve", Title: "nodkeep.title.account_approve", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Lets in an account that waits: its person can sign in from then on. nodkeep_account_suspend takes it back.",
	}, approve, tools.WithCard(func(_ *tools.Reader, _ which, out Standing, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.approve", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.approve_then", out.Handle)}}, nil
	}))
}

func approve(c *tools.Call, in which) (Standing, error) {
	rec, err := waiter(&c.Reader, string(in.Account))
	if err != nil {
		return Standing{}, err
	}
	rec.Set("status", tools.Approved)
	return standing(rec), c.Save(rec)
}
