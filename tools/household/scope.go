package household

import "github.com/nodkeep/nodkeep/tools"

// Scopes says that what hangs on a subscription is a part of it: without its
// prices, pauses and charges no tool would reckon its next charge right, and what
// is private of one is private of all of them. Settings and rates are what every
// tool reckons with.
func (Plugin) Scopes() map[string]tools.Scoping {
	part := tools.Scoping{Part: "subscription"}
	return map[string]tools.Scoping{
		subscriptions: {Shared: "private = false"},
		prices:        part,
		charges:       part,
		pauses:        part,
		shares:        part,
		reminders:     part,
		settings:      {Always: true},
		rates:         {Always: true},
	}
}
