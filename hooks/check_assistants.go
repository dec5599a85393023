package hooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// checkAssistants says which models can be asked, and what keeps one from it.
func (a *App) checkAssistants(ctx context.Context) ([]check, error) {
	all, err := a.roster.All(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return []check{{Name: "assistants", Says: "none is set up: no model is asked. What there could be: " + a.command("assistant suggest")}}, nil
	}
	limited, err := a.limitsMoney(ctx)
	if err != nil {
		return nil, err
	}
	var checks []check
	for _, is := range all {
		checks = append(checks, a.checkAssistant(is, limited)...)
	}
	return checks, nil
}

// limitsMoney says that what nobody knows the price of is refused to somebody.
func (a *App) limitsMoney(ctx context.Context) (bool, error) {
	if _, capped := a.dailyCap(); capped {
		return true, nil
	}
	var n int
	err := a.pb.RecordQuery(accounts.Budgets).WithContext(ctx).Select("count(*)").AndWhere(dbx.NewExp("day_cost != '' OR month_cost != ''")).Row(&n)
	return n > 0, err
}

// saying is how a field of an assistant can be set: a variable of one that the
// environment does not name would stop the start.
func (a *App) saying(is roster.Assistant, example string, fields ...string) string {
	if !is.Fixed {
		return fmt.Sprintf("an operator gives %s: %s", strings.Join(fields, " and "),
			a.command(`call nodkeep_assistant_set '{"id":"`+is.ID+`",`+example+`}' --as OPERATOR`))
	}
	var names []string
	for _, field := range fields {
		names = append(names, variable(is.ID, field))
	}
	return strings.Join(names, " and ")
}

func (a *App) checkAssistant(is roster.Assistant, limited bool) []check {
	if is.Scripted() {
		return []check{{Name: "assistant", Says: fmt.Sprintf("%s (%s) is no model: its answers are fixed", is.ID, visible(is.Name))}}
	}
	from := "operators"
	if is.Fixed {
		from = "the environment"
	}
	c := check{Name: "assistant", Says: fmt.Sprintf("%s (%s) asks %s at %s by %s; named by %s", is.ID, visible(is.Name), visible(is.Model), is.Host, is.Protocol, from)}
	if len(is.Locked) > 0 && len(is.Locked) < len(roster.Fields()) {
		c.Says += ", which locks " + strings.Join(is.Locked, ", ")
	}
	switch {
	case !is.Ready():
		c.Says = fmt.Sprintf("%s cannot be asked: %s", is.ID, strings.Join(is.Lacks, ", ")+" is missing or cannot be read")
		c.Fix = "Set it: " + a.saying(is, `"`+is.Lacks[0]+`":"…"`, is.Lacks[0]) + "."
		return []check{c}
	case is.Key == "" && is.Locks("key") && !is.Near():
		c.Says += "; it has no key"
		c.Fix = "Set " + variable(is.ID, "key") + ". One that operators give is not sent to an address of the environment."
	case is.Key == "" && !is.Near():
		c.Says += "; it has no key"
		c.Fix = "Set it: " + a.saying(is, `"key":"…"`, "key") + "."
		if is.Fixed {
			c.Fix = "An operator sets one; or set " + variable(is.ID, "key") + " beside " + variable(is.ID, "base_url") + ": a key goes only to the address that came with it."
		}
	}
	checks := []check{c}
	if !is.Near() && strings.HasPrefix(is.BaseURL, "http://") {
		checks = append(checks, weak("assistant", is.ID+" is asked over http: whoever is in between reads the key and all that people say", "Give its address with https://."))
	}
	prices := `"price_input":"…","price_output":"…"`
	if is.Local {
		prices = `"price_input":"0","price_output":"0"`
	}
	if (limited || !is.Local) && a.ledger.PricesOf(is.Budgeted()) == nil {
		checks = append(checks, weak("prices", "nobody knows what "+is.ID+" costs: its tokens are counted, and whoever has only a budget in money cannot use it", "Set what a million tokens cost in "+a.ledger.Currency()+", 0 where it is free: "+a.saying(is, prices, "price_input", "price_output")+"."))
	}
	return checks
}
