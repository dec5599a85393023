package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

func operatorAddTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_operator_add", Title: "nodkeep.title.operator_add", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Makes a member an operator, who approves sign-ups and looks after the instance. nodkeep_operator_remove takes it back.",
	}, func(c *tools.Call, in memberIn) (Standing, error) { return setOperator(c, in, true) },
		tools.WithCard(func(_ *tools.Reader, _ memberIn, out Standing, _ []tools.Change) (tools.Card, error) {
			return tools.Card{Title: tools.T("nodkeep.card.operator_add", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.operator_add_then")}}, nil
		}))
}

func operatorRemoveTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_operator_remove", Title: "nodkeep.title.operator_remove", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Takes the role of an operator away; the member stays. Never from the last one. nodkeep_operator_add takes it back.",
	}, func(c *tools.Call, in memberIn) (Standing, error) { return setOperator(c, in, false) },
		tools.WithCard(func(_ *tools.Reader, _ memberIn, out Standing, _ []tools.Change) (tools.Card, error) {
			return tools.Card{Title: tools.T("nodkeep.card.operator_remove", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.operator_remove_then")}}, nil
		}))
}

// setOperator gives a member the role or takes it away.
func setOperator(c *tools.Call, in memberIn, to bool) (Standing, error) {
	rec, err := member(&c.Reader, string(in.Account))
	if err != nil {
		return Standing{}, err
	}
	switch is := rec.GetBool("operator"); {
	case is && to:
		return Standing{}, conflict("nodkeep.error.is_operator", named(rec))
	case !is && !to:
		return Standing{}, conflict("nodkeep.error.is_no_operator", named(rec))
	}
	if !to {
		if err := mayGo(&c.Reader, rec); err != nil {
			return Standing{}, err
		}
	}
	rec.Set("operator", to)
	return standing(rec), c.Save(rec)
}
