package household

import "github.com/nodkeep/nodkeep/tools"

// Category is one of the household's own.
type Category = Badge

func categoryListTool() tools.Tool {
	return namedListTool(categoryNoun(), tools.Def{
		Name: "household_category_list", Title: "household.title.category_list",
		Help: "Lists categories by name with color, icon and count: the subscriptions in it that you see, ended ones too. Gives {items, next}.",
	})
}

func categoryAddTool() tools.Tool {
	return namedAddTool(categoryNoun(), tools.Def{
		Name: "household_category_add", Title: "household.title.category_add",
		Help: "Adds a category that subscriptions can be given. Names are unique, upper and lower case being the same.",
	})
}

func categoryUpdateTool() tools.Tool {
	return namedUpdateTool(categoryNoun(), tools.Def{
		Name: "household_category_update", Title: "household.title.category_update",
		Help: "Renames a category, or changes its color or icon. What is left out stays.",
	})
}

func categoryMergeTool() tools.Tool {
	return namedMergeTool(categoryNoun(), tools.Def{
		Name: "household_category_merge", Title: "household.title.category_merge",
		Help: "Moves all that is in one category into another, then deletes the first.",
	})
}

func categoryDeleteTool() tools.Tool {
	return namedDeleteTool(categoryNoun(), tools.Def{
		Name: "household_category_delete", Title: "household.title.category_delete",
		Help: "Deletes a category; subscriptions in it stay, without one. To move them use household_category_merge.",
	})
}
