package household

import "github.com/nodkeep/nodkeep/tools"

// Resources are what clients can point at by address.
func (Plugin) Resources() []tools.Resource {
	return []tools.Resource{{
		URI: "nodkeep://household/subscriptions/{id}", Name: "household_subscription", Title: "household.resource.subscription", Tool: "household_subscription_get",
	}}
}
