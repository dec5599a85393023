package accounts

import (
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Budgets are what members may spend: everybody's is for those without one of
// their own.
const Budgets = "nodkeep_budgets"

// Budget is what a member may spend, or everybody without one of their own.
type Budget struct {
	Account   string `json:"account,omitzero"`
	Handle    string `json:"handle,omitzero"`
	Everybody bool   `json:"everybody"`
	Amounts
	Updated time.Time `json:"updated,omitzero"` // absent where there is none of their own
}

// BudgetPage is one page of members' own budgets, with everybody's.
type BudgetPage struct {
	Items     []Budget `json:"items"`
	Next      string   `json:"next"`
	Everybody *Budget  `json:"everybody,omitempty"`
	Currency  string   `json:"currency"`
}

type budgetListIn struct {
	Account tools.Personal `json:"account,omitzero"` // its id or handle
	pageIn
}

func (p Plugin) budgetListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_budget_list", Title: "nodkeep.title.budget_list", Operator: true, Hidden: hiddenAssistant,
		Help: "Lists the budgets that members have of their own, oldest first, and everybody's beside them. What is null is not limited.",
	}, p.budgetList)
}

func (p Plugin) budgetList(r *tools.Reader, in budgetListIn) (BudgetPage, error) {
	q, limit, err := in.query()
	if err != nil {
		return BudgetPage{}, err
	}
	if err := ofAccount(r, &q, in.Account); err != nil {
		return BudgetPage{}, err
	}
	q.Filter = strings.TrimPrefix(q.Filter+" && everybody = false", " && ")
	recs, err := r.List(Budgets, q)
	if err != nil {
		return BudgetPage{}, err
	}
	recs, next := cut(recs, limit, created)
	out := BudgetPage{Items: []Budget{}, Next: next, Currency: p.Currency}
	for _, rec := range recs {
		out.Items = append(out.Items, budgetFrom(rec, handleOf(r, rec.GetString("person"))))
	}
	wide, err := theirs(r, Budgets, "", nil)
	if err == nil && wide != nil {
		out.Everybody = new(budgetFrom(wide, ""))
	}
	return out, err
}

func budgetFrom(rec *core.Record, handle string) Budget {
	return Budget{rec.GetString("person"), handle, rec.GetBool("everybody"), amountsOf(rec), at(rec, "updated")}
}

type budgetSetIn struct {
	whoIn
	amountsIn
	Default bool    `json:"default,omitzero"` // theirs goes, and everybody's is for them again
	Seen    *string `json:"seen,omitempty"`   // updated, as the list had it; empty: there was none
}

// BudgetSet is what became of budgets.
type BudgetSet struct {
	Items    []Budget `json:"items"` // as they are now
	Currency string   `json:"currency"`
	lines    []tools.Text
}

func (p Plugin) budgetSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_budget_set", Title: "nodkeep.title.budget_set", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenAssistant,
		Help: "Sets what members (accounts, at most 200 at once), or everybody without a budget of their own, may spend: day_cost and month_cost as decimals of the currency, day_tokens and month_tokens as whole numbers. What is not given stays, empty is no limit, 0 is a limit. A member's first own budget begins as everybody's. default: theirs goes, and everybody's is for them again. Setting it anew takes it back.",
	}, p.budgetSet, tools.WithCard(func(_ *tools.Reader, in budgetSetIn, out BudgetSet, _ []tools.Change) (tools.Card, error) {
		key := "nodkeep.card.budget_set"
		if in.Default {
			key = "nodkeep.card.budget_default"
		}
		people := []string{}
		for _, b := range out.Items {
			if !b.Everybody {
				people = append(people, b.Handle)
			}
		}
		return tools.Card{Title: whoText(key, people), Lines: append(out.lines, tools.T("nodkeep.card.budget_then"))}, nil
	}))
}

func (p Plugin) budgetSet(c *tools.Call, in budgetSetIn) (BudgetSet, error) {
	if in.none() == !in.Default {
		return BudgetSet{}, invalid("nodkeep.error.budget_what")
	}
	if in.Default && in.Everybody {
		return BudgetSet{}, invalid("nodkeep.error.budget_default")
	}
	all, err := in.targets(&c.Reader)
	if err != nil {
		return BudgetSet{}, err
	}
	if in.Seen != nil && len(all) != 1 {
		return BudgetSet{}, invalid("nodkeep.error.seen_one")
	}
	wide, err := theirs(&c.Reader, Budgets, "", nil)
	if err != nil {
		return BudgetSet{}, err
	}
	out := BudgetSet{Items: []Budget{}, Currency: p.Currency}
	for _, t := range all {
		rec, err := p.budgetOne(c, in, t, wide)
		if err != nil {
			return BudgetSet{}, err
		}
		if rec == nil {
			b := Budget{Account: t.id, Handle: t.handle}
			if wide != nil { // which holds for them now
				b.Amounts = amountsOf(wide)
			}
			out.Items = append(out.Items, b)
			continue
		}
		out.Items = append(out.Items, budgetFrom(rec, t.handle))
		if len(all) == 1 {
			out.lines = p.amountLines(rec)
		}
	}
	switch {
	case in.Default && wide == nil:
		out.lines = []tools.Text{tools.T("nodkeep.card.amount.none")}
	case in.Default:
		out.lines = p.amountLines(wide)
	case len(all) > 1:
		out.lines = p.givenLines(in.amountsIn)
	}
	return out, nil
}

// budgetOne sets one budget and gives it as it is; nil where it went.
func (p Plugin) budgetOne(c *tools.Call, in budgetSetIn, t target, wide *core.Record) (*core.Record, error) {
	rec, err := theirs(&c.Reader, Budgets, t.id, nil)
	if err != nil {
		return nil, err
	}
	now := []tools.Text{tools.T("nodkeep.now.nothing")}
	if rec != nil {
		now = p.amountLines(rec)
	}
	if err := unseen(in.Seen, rec, now); err != nil {
		return nil, err
	}
	if in.Default {
		if rec == nil {
			return nil, nil
		}
		return nil, c.Delete(rec)
	}
	if rec == nil {
		rec = newBudget(c, t.id, wide)
	}
	if err := in.set(rec, p.Currency); err != nil {
		return nil, err
	}
	return rec, c.Save(rec)
}

// newBudget begins a member's own as everybody's: what nobody speaks of must not
// be unlimited from now on.
func newBudget(c *tools.Call, person string, wide *core.Record) *core.Record {
	rec := c.New(Budgets)
	rec.Set("person", person)
	rec.Set("everybody", person == "")
	if person != "" && wide != nil {
		copyAmounts(rec, wide)
	}
	return rec
}

// budgetOf is what holds for a member: their own, else everybody's; nil for none.
func budgetOf(r *tools.Reader, person string) (*core.Record, error) {
	rec, err := theirs(r, Budgets, person, nil)
	if err == nil && rec == nil {
		rec, err = theirs(r, Budgets, "", nil)
	}
	return rec, err
}

// givenLines say what is set for several people, who may differ in the rest.
func (p Plugin) givenLines(in amountsIn) (lines []tools.Text) {
	for _, field := range amountFields() {
		v := in.of(field)
		if v == nil {
			continue
		}
		stored, err := amount(field, *v, p.Currency)
		if err != nil {
			continue // it was refused before
		}
		if stored == "" {
			lines = append(lines, tools.T("nodkeep.card.amount.free."+field))
			continue
		}
		lines = append(lines, p.said("nodkeep.card.amount", field, whole64(stored)))
	}
	return lines
}
