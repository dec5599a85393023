package hooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/roster"
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
	var checks []check
	for _, is := range all {
		checks = append(checks, a.checkAssistant(is)...)
	}
	return checks, nil
}

func (a *App) checkAssistant(is roster.Assistant) []check {
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
		c.Fix = "Set " + variable(is.ID, is.Lacks[0]) + ", or have an operator say it."
		return []check{c}
	case is.Key == "" && is.Locks("key") && !is.Near():
		c.Says += "; it has no key"
		c.Fix = "Set " + variable(is.ID, "key") + ". One that operators give is not sent to an address of the environment."
	case is.Key == "" && !is.Near():
		c.Says += "; it has no key"
		c.Fix = "Set one, or " + variable(is.ID, "key") + " beside " + variable(is.ID, "base_url") + ": a key goes only to the address that came with it."
	}
	checks := []check{c}
	if !is.Near() && strings.HasPrefix(is.BaseURL, "http://") {
		checks = append(checks, weak("assistant", is.ID+" is asked over http: whoever is in between reads the key and all that people say", "Give its address with https://."))
	}
	if _, capped := a.dailyCap(); (capped || !is.Local) && a.ledger.PricesOf(is.Budgeted()) == nil {
		checks = append(checks, weak("prices", "nobody knows what "+is.ID+" costs: its tokens are counted, and whoever has only a budget in money cannot use it", "Give "+variable(is.ID, "price_input")+" and "+variable(is.ID, "price_output")+", in "+a.ledger.Currency()+" for a million tokens; 0 is a price too."))
	}
	return checks
}
