package accounts

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// Label names what has no name of its own.
func (Plugin) Label(collection string, values map[string]any) any {
	switch collection {
	case Passes:
		return tools.T("nodkeep.label.pass")
	case Links:
		return tools.T("nodkeep.label.link")
	case Assistants, Grants, Consents:
		id, _ := values["assistant"].(string)
		switch {
		case id == "":
		case collection == Grants:
			return tools.T("nodkeep.label.grant", id)
		case collection == Consents:
			return tools.T("nodkeep.label.consent", id)
		default:
			return id
		}
	case Budgets:
		return tools.T("nodkeep.label.budget")
	case Limits:
		return tools.T("nodkeep.label.limit")
	case Requests:
		return tools.T("nodkeep.label.request")
	}
	return nil
}

// Show says the choices of fields in words.
func (p Plugin) Show(collection, field string, values map[string]any) any {
	switch v, _ := values[field].(string); {
	case v == "":
	case collection == Links && field == "kind":
		return tools.T("nodkeep.kind." + v)
	case collection == Passes && field == "outcome" && v == Refused:
		return tools.T("nodkeep.outcome.refused")
	case collection == Tokens && (field == "mode" || field == "tools"), collection == Assistants && field == "mode":
		return tools.T("nodkeep." + field + "." + v)
	case collection == Requests && (field == "kind" || field == "state"):
		return tools.T("nodkeep.request." + v)
	case slices.Contains([]string{Budgets, Limits, Requests}, collection) && slices.Contains(amountFields(), field):
		return p.said("nodkeep.amount", field, whole64(v))
	}
	return nil
}
