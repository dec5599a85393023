package hooks

import (
	"encoding/json/v2"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// budgetTold tells the clients of a person that most of a limit is spent. It
// waits for nothing: a client that does not read holds up nobody.
func (a *App) budgetTold(person string, n budget.Notice) {
	if a.pb.SubscriptionsBroker().TotalClients() > 0 {
		go a.tellBudget(person, n)
	}
}

// tellBudget does so, if the person is a member as stored now, whatever a client
// was when it subscribed.
func (a *App) tellBudget(person string, n budget.Notice) {
	a.badge.gate.RLock() // nothing is read of a folder that is closed
	defer a.badge.gate.RUnlock()
	if a.badge.over {
		return
	}
	rec, err := a.pb.FindRecordById(users, person)
	if err != nil || !approved(rec) {
		return
	}
	data, err := json.Marshal(n, json.WithMarshalers(a.catalogue.Marshalers(i18n.Match("", rec.GetString("language")))), json.Deterministic(true))
	if err != nil {
		a.pb.Logger().Error("a notice of a budget could not be written", "error", err)
		return
	}
	for _, c := range a.pb.SubscriptionsBroker().Clients() {
		was, ok := c.Get(apis.RealtimeClientAuthKey).(*core.Record)
		if !ok || was == nil || was.Id != person || was.Collection().Name != users {
			continue
		}
		for subscription := range c.Subscriptions(topicBudget + "?") {
			go c.Send(subscriptions.Message{Name: subscription, Data: data})
		}
	}
}
