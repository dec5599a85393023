package accounts

import (
	"reflect"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type moreApproveIn struct {
	ID string `json:"id"`
	amountsIn
}

func (p Plugin) moreApproveTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_more_approve", Title: "nodkeep.title.more_approve", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenAssistant,
		Help: "Gives a member what they ask for: the assistant, or a budget of their own that is as high as they ask; never lower than it is, unless other amounts are given (day_cost, month_cost, day_tokens, month_tokens, empty for no limit). nodkeep_grant_set and nodkeep_budget_set take it back.",
	}, p.moreApprove, tools.WithCard(func(_ *tools.Reader, _ moreApproveIn, out Request, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: requestTitle("nodkeep.card.more_approve", out), Lines: append(out.lines, tools.T("nodkeep.card.more_approve_then."+out.Kind))}, nil
	}))
}

func (p Plugin) moreApprove(c *tools.Call, in moreApproveIn) (Request, error) {
	rec, err := openRequest(&c.Reader, in.ID)
	if err != nil {
		return Request{}, err
	}
	var lines []tools.Text
	if rec.GetString("kind") == ForAssistant {
		err = p.giveAssistant(c, in, rec)
	} else {
		lines, err = p.giveBudget(c, in, rec)
	}
	if err != nil {
		return Request{}, err
	}
	out, err := p.decided(c, rec, RequestApproved)
	out.lines = lines
	return out, err
}

func (p Plugin) giveAssistant(c *tools.Call, in moreApproveIn, rec *core.Record) error {
	if !in.none() {
		return invalid("nodkeep.error.more_amounts")
	}
	id, person := rec.GetString("assistant"), rec.GetString("person")
	if err := p.hasAssistant(&c.Reader, id); err != nil {
		return err
	}
	has, err := theirs(&c.Reader, Grants, person, map[string]string{"assistant": id})
	if err != nil || has != nil {
		return err
	}
	return grant(c, id, person)
}

// giveBudget raises a budget, and gives the lines that say what it is now. One of
// their own is made only where it is to be another than everybody's: what nothing
// limits today, and what was raised for all, is not kept for one.
func (p Plugin) giveBudget(c *tools.Call, in moreApproveIn, rec *core.Record) ([]tools.Text, error) {
	person := rec.GetString("person")
	budget, err := theirs(&c.Reader, Budgets, person, nil)
	if err != nil {
		return nil, err
	}
	fresh := budget == nil
	if fresh {
		wide, err := theirs(&c.Reader, Budgets, "", nil)
		if err != nil {
			return nil, err
		}
		budget = newBudget(c, person, wide)
	}
	was := amountsOf(budget)
	for _, field := range amountFields() {
		wants, asked := limited(rec, field)
		if is, limited := limited(budget, field); asked && limited && wants > is {
			budget.Set(field, wants)
		}
	}
	if err := in.set(budget, p.Currency); err != nil {
		return nil, err
	}
	if fresh && reflect.DeepEqual(was, amountsOf(budget)) {
		return p.amountLines(budget), nil
	}
	return p.amountLines(budget), c.Save(budget)
}

type moreRefuseIn struct {
	ID string `json:"id"`
}

func (p Plugin) moreRefuseTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_more_refuse", Title: "nodkeep.title.more_refuse", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenAssistant,
		Help: "Refuses what a member asks for; all stays as it is, and they may ask again.",
	}, func(c *tools.Call, in moreRefuseIn) (Request, error) {
		rec, err := openRequest(&c.Reader, in.ID)
		if err != nil {
			return Request{}, err
		}
		return p.decided(c, rec, RequestRefused)
	}, tools.WithCard(func(_ *tools.Reader, _ moreRefuseIn, out Request, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: requestTitle("nodkeep.card.more_refuse", out), Lines: []tools.Text{tools.T("nodkeep.card.more_refuse_then", out.Handle)}}, nil
	}))
}

// openRequest finds one that nobody has decided.
func openRequest(r *tools.Reader, id string) (*core.Record, error) {
	rec, err := r.Find(Requests, id)
	switch {
	case tools.KindOf(err) == tools.NotFound:
		return nil, tools.Fail(tools.NotFound, "nodkeep.error.no_request", tools.Quoted(id, 60))
	case err != nil:
		return nil, err
	case rec.GetString("state") != RequestOpen:
		return nil, conflict("nodkeep.error.request_decided." + rec.GetString("state"))
	}
	return rec, nil
}

func (p Plugin) decided(c *tools.Call, rec *core.Record, state string) (Request, error) {
	rec.Set("state", state)
	rec.Set("decided", c.Now().UTC())
	if err := c.Save(rec); err != nil {
		return Request{}, err
	}
	return p.requestOf(&c.Reader, rec), nil
}
