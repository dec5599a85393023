package hooks

import (
	"encoding/json/v2"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// budgetTold tells the clients of a person that most of a limit is spent, each
// in a goroutine of its own: one that does not read holds up nobody.
func (a *App) budgetTold(person string, n budget.Notice) {
	if a.pb.SubscriptionsBroker().TotalClients() == 0 {
		return
	}
	data, err := json.Marshal(n, json.WithMarshalers(a.catalogue.Marshalers(a.languageFor(person))), json.Deterministic(true))
	if err != nil {
		a.pb.Logger().Error("a notice of a budget could not be written", "error", err)
		return
	}
	for _, c := range a.pb.SubscriptionsBroker().Clients() {
		rec, ok := c.Get(apis.RealtimeClientAuthKey).(*core.Record)
		if !ok || rec == nil || rec.Id != person || !approved(rec) {
			continue
		}
		for subscription := range c.Subscriptions(topicBudget + "?") {
			go c.Send(subscriptions.Message{Name: subscription, Data: data})
		}
	}
}

// languageFor is that of a person's profile.
func (a *App) languageFor(person string) string {
	rec, err := a.pb.FindRecordById(users, person)
	if err != nil {
		return ""
	}
	return i18n.Match("", rec.GetString("language"))
}
