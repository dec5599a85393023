package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

func refuseTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_account_refuse", Title: "nodkeep.title.account_refuse", Effect: tools.EffectDestroy, Operator: true, Hidden: hiddenOperator,
		Help: "Refuses an account that waits and deletes it. Its person learns it by the waiting pass and may sign up again. It cannot be taken back.",
	}, refuse, tools.WithCard(func(_ *tools.Reader, _ which, out Standing, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.refuse", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.refuse_then")}}, nil
	}))
}

// refuse deletes the account: what stays is the hash of its pass, without an
// account, and that somebody was refused.
func refuse(c *tools.Call, in which) (Standing, error) {
	rec, err := waiter(&c.Reader, string(in.Account))
	if err != nil {
		return Standing{}, err
	}
	passes, err := c.List(Passes, tools.Query{In: map[string][]string{"account": {rec.Id}}})
	if err != nil {
		return Standing{}, err
	}
	for _, pass := range passes {
		pass.Set("outcome", Refused)
		if err := c.Save(pass); err != nil {
			return Standing{}, err
		}
	}
	out := standing(rec)
	out.Status = Refused
	return out, c.Delete(rec)
}
