package household

import "github.com/nodkeep/nodkeep/tools"

// Resources are what clients can point at by address.
func (Plugin) Resources() []tools.Resource {
	resource := func(path, name, title, tool string) tools.Resource {
		return tools.Resource{URI: "nodkeep://household/" + path, Name: "household_" + name, Title: title, Tool: "household_" + tool}
	}
	return []tools.Resource{
		resource("subscriptions/{id}", "subscription", "household.resource.subscription", "subscription_get"),
		resource("subscriptions/{subscription}/charges", "charges", "household.title.charge_list", "charge_list"),
		resource("categories", "categories", "household.title.category_list", "category_list"),
		resource("payment_methods", "payment_methods", "household.title.payment_method_list", "payment_method_list"),
		resource("tags", "tags", "household.title.tag_list", "tag_list"),
		resource("reminders", "reminders", "household.title.reminder_list", "reminder_list"),
	}
}
