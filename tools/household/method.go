package household

import "github.com/nodkeep/nodkeep/tools"

// Method is what something is paid with, such as a card.
type Method = Badge

func methodListTool() tools.Tool {
	return namedListTool(methodNoun(), tools.Def{
		Name: "household_payment_method_list", Title: "household.title.payment_method_list",
		Help: "Lists payment methods by name with color, icon and count: the subscriptions paid with it that you see, ended ones too. Gives {items, next}.",
	})
}

func methodAddTool() tools.Tool {
	return namedAddTool(methodNoun(), tools.Def{
		Name: "household_payment_method_add", Title: "household.title.payment_method_add",
		Help: "Adds a payment method that subscriptions can be given, such as a card or an account. Names are unique, in any case. No card numbers.",
	})
}

func methodUpdateTool() tools.Tool {
	return namedUpdateTool(methodNoun(), tools.Def{
		Name: "household_payment_method_update", Title: "household.title.payment_method_update",
		Help: "Renames a payment method, or changes its color or icon. What is left out stays.",
	})
}

func methodMergeTool() tools.Tool {
	return namedMergeTool(methodNoun(), tools.Def{
		Name: "household_payment_method_merge", Title: "household.title.payment_method_merge",
		Help: "Moves all that is paid with one payment method to another, then deletes the first.",
	})
}

func methodDeleteTool() tools.Tool {
	return namedDeleteTool(methodNoun(), tools.Def{
		Name: "household_payment_method_delete", Title: "household.title.payment_method_delete",
		Help: "Deletes a payment method that nothing is paid with. To replace one use household_payment_method_merge.",
	})
}
