package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

type assistantRemoveIn struct {
	ID string `json:"id"`
}

// AssistantRemoved names an assistant of which operators say nothing any more.
type AssistantRemoved struct {
	ID     string `json:"id"`
	Stays  bool   `json:"stays"`  // the environment has it still
	Grants int    `json:"grants"` // that went with it
}

func (p Plugin) assistantRemoveTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_assistant_remove", Title: "nodkeep.title.assistant_remove", Effect: tools.EffectDestroy, Operator: true, Hidden: hiddenAssistant,
		Help: "Removes an assistant with its key and the grants for it. Of one that the environment has, what operators say goes, and the rest stays. The key has to be given anew to take it back.",
	}, p.assistantRemove, tools.WithCard(func(_ *tools.Reader, _ assistantRemoveIn, out AssistantRemoved, _ []tools.Change) (tools.Card, error) {
		then := "nodkeep.card.assistant_remove_then"
		if out.Stays {
			then = "nodkeep.card.assistant_remove_stays"
		}
		return tools.Card{Title: tools.T("nodkeep.card.assistant_remove", out.ID), Lines: []tools.Text{tools.T(then)}}, nil
	}))
}

func (p Plugin) assistantRemove(c *tools.Call, in assistantRemoveIn) (AssistantRemoved, error) {
	rec, err := saidOf(&c.Reader, in.ID)
	if err != nil {
		return AssistantRemoved{}, err
	}
	_, stays := p.fixed()[in.ID]
	switch {
	case rec == nil && stays:
		return AssistantRemoved{}, conflict("nodkeep.error.assistant_fixed", in.ID)
	case rec == nil:
		return AssistantRemoved{}, noAssistant(in.ID)
	}
	out := AssistantRemoved{ID: in.ID, Stays: stays}
	if !stays {
		// Else whoever was granted this one would have the next of its name.
		grants, err := c.List(Grants, tools.Query{In: map[string][]string{"assistant": {in.ID}}})
		if err != nil {
			return AssistantRemoved{}, err
		}
		for _, grant := range grants {
			if err := c.Delete(grant); err != nil {
				return AssistantRemoved{}, err
			}
		}
		out.Grants = len(grants)
	}
	return out, c.Delete(rec)
}
