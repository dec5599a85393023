package hooks

import (
	"context"
	"encoding/json/v2"
	"slices"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// newsKey is where a realtime client keeps what it is yet to be told of.
const newsKey = "nodkeepNews"

// news are the proposals of which a client is yet to be told. Each is told as
// it stands then, so one that came and went in between is told once. A client
// whose reader does not read holds up nobody but itself.
type news struct {
	bell
	of []string // ids; bell's lock
}

func (n *news) add(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.of, id) {
		n.of = append(n.of, id)
	}
}

func (n *news) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	of := n.of
	n.of = nil
	return of
}

// tellOfProposal tells the clients of a person that something waits for them,
// or was decided. It never waits.
func (a *App) tellOfProposal(person, id string) {
	if a.pb.SubscriptionsBroker().TotalClients() == 0 {
		return // a command without a server, for one
	}
	for _, c := range a.pb.SubscriptionsBroker().Clients() {
		if rec, ok := c.Get(apis.RealtimeClientAuthKey).(*core.Record); !ok || rec == nil || rec.Id != person || rec.Collection().Name != users || len(hearsProposals(c)) == 0 {
			continue
		}
		n := a.newsOf(c)
		n.add(id)
		n.ring(0, func() { a.tellNews(c, n) })
	}
}

// tellOfToken tells of what went with a token: that was decided by nobody.
func (a *App) tellOfToken(id string) {
	if a.pb.SubscriptionsBroker().TotalClients() == 0 {
		return
	}
	var gone []struct{ ID, Person string }
	err := a.pb.ConcurrentDB().Select("id", "person").From(tools.ProposalsTable).
		Where(dbx.HashExp{"agent": id, "state": string(gate.Discarded), "by": ""}).AndWhere(dbx.NewExp("decided >= {:then}",
		dbx.Params{"then": tools.Stamp(time.Now().Add(-lateness))})).All(&gone)
	if err != nil {
		a.pb.Logger().Warn("what went with a token was told to nobody", "error", err)
	}
	for _, p := range gone {
		a.tellOfProposal(p.Person, p.ID)
	}
}

func (a *App) newsOf(c subscriptions.Client) *news {
	a.badge.mu.Lock() // of making what clients keep
	defer a.badge.mu.Unlock()
	n, ok := c.Get(newsKey).(*news)
	if !ok {
		n = &news{}
		c.Set(newsKey, n)
	}
	return n
}

// hearsProposals gives the subscriptions of a client to the topic, with their
// options.
func hearsProposals(c subscriptions.Client) map[string]subscriptions.SubscriptionOptions {
	return c.Subscriptions(topicProposals + "?")
}

// tellNews sends a client what it is yet to be told of.
func (a *App) tellNews(c subscriptions.Client, n *news) {
	for _, id := range n.take() {
		state, may := a.stateFor(c, id)
		if !may {
			continue
		}
		data, err := json.Marshal(struct {
			ID    string     `json:"id"`
			State gate.State `json:"state"`
		}{id, state})
		if err != nil {
			return // two words are always JSON
		}
		for subscription := range hearsProposals(c) {
			c.Send(subscriptions.Message{Name: subscription, Data: data})
		}
	}
}

// stateFor reads how a proposal stands, for a client whose person it is of: as
// stored now, whoever the client was when it subscribed.
func (a *App) stateFor(c subscriptions.Client, id string) (gate.State, bool) {
	a.badge.gate.RLock() // nothing is read of a folder that is closed
	defer a.badge.gate.RUnlock()
	was, _ := c.Get(apis.RealtimeClientAuthKey).(*core.Record)
	if was == nil || a.badge.over || c.IsDiscarded() || was.Collection().Name != users {
		return "", false
	}
	rec, err := a.pb.FindRecordById(users, was.Id)
	if err != nil || !approved(rec) {
		return "", false
	}
	p, err := a.gate.Proposal(context.Background(), tools.Actor{Person: rec.Id, Door: tools.DoorWeb}, id)
	return p.State, err == nil
}
