package household

import "github.com/nodkeep/nodkeep/tools"

// ChangeRules says who may change what. Members share what is not private;
// what is private is its owner's alone, before a change and after it.
func (Plugin) ChangeRules() map[string]tools.Rule {
	own := "private = false || owner = @request.auth.id"
	below := "subscription.private = false || subscription.owner = @request.auth.id"
	mine := "person = @request.auth.id"
	return map[string]tools.Rule{
		subscriptions: {Was: own, Becomes: own},
		prices:        {Was: below, Becomes: below},
		charges:       {Was: below, Becomes: below},
		categories:    {},
		settings:      {},
		methods:       {},
		rates:         {},
		pauses:        {Was: below, Becomes: below},
		shares:        {Was: below, Becomes: below},
		reminders:     {Was: mine, Becomes: mine},
	}
}
