package household

import "github.com/nodkeep/nodkeep/tools"

// Prompts are what people ask for again and again.
func (Plugin) Prompts() []tools.Prompt {
	prompt := func(name string, args ...tools.PromptArg) tools.Prompt {
		return tools.Prompt{Name: "household_" + name, Title: "household.prompt." + name, Text: "household.prompt." + name + ".text", Args: args}
	}
	return []tools.Prompt{
		prompt("review_month", tools.PromptArg{Name: "month", Title: "household.prompt.month"}),
		prompt("find_savings"),
		prompt("audit_price_rises", tools.PromptArg{Name: "since", Title: "household.prompt.since"}),
		prompt("import_statement"),
		prompt("clean_up_categories"),
	}
}
