package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// topicWaiting says that somebody waits for the operator, topicProposals that
// something of the person's own waits for a nod, or was decided, topicBudget
// that most of what they may spend is spent.
const (
	topicWaiting   = "nodkeep/waiting"
	topicProposals = "nodkeep/proposals"
	topicBudget    = "nodkeep/budget"
)

// oauthTopic brings a guest the answer of whoever they sign in with.
const oauthTopic = "@oauth2"

// ownTopics are where our own messages go. No other topic under the first part
// of one is anybody's.
var ownTopics = [...]string{"nodkeep", "assistant"}

// topics says who hears our own messages, by the topic or what lies under it.
func topics() map[string]func(*core.Record) bool {
	return map[string]func(*core.Record) bool{topicWaiting: operates, topicProposals: approved, topicBudget: approved}
}

// bindTopics guards what is heard over realtime: PocketBase lets everybody
// subscribe to everything, and looks only at what collections send.
func (a *App) bindTopics() {
	a.pb.OnRealtimeSubscribeRequest().Bind(&hook.Handler[*core.RealtimeSubscribeRequestEvent]{Id: "nodkeepTopics", Priority: early, Func: func(e *core.RealtimeSubscribeRequestEvent) error {
		for _, subscription := range e.Subscriptions {
			if !a.mayHear(e.Auth, subscription) {
				return a.turnAway(e.RequestEvent, e.Auth, tools.Fail(tools.Forbidden, "http.topic"))
			}
		}
		return e.Next()
	}})
}

// mayHear says whether an account, nil for a guest, may hear what is sent to a
// topic. Whoever sends to one of ours asks again: an account may have changed
// since it subscribed.
func (a *App) mayHear(rec *core.Record, subscription string) bool {
	topic, _, _ := strings.Cut(subscription, "?") // options follow
	switch {
	case rec != nil && rec.IsSuperuser(), topic == "", subscription == oauthTopic:
		return true
	case isOwn(topic):
		return rec != nil && mayHearOwn(rec, topic)
	case a.isCollection(topic):
		return true // its rules are asked for each record
	}
	return rec != nil && (approved(rec) || rec.Collection().Name != users)
}

func isOwn(topic string) bool {
	for _, own := range ownTopics {
		if within(topic, own) {
			return true
		}
	}
	return false
}

func mayHearOwn(rec *core.Record, topic string) bool {
	for known, may := range topics() {
		if within(topic, known) {
			return may(rec)
		}
	}
	return false
}

// isCollection says whether records of a collection are sent to the topic: to
// its name or id, alone or followed by * or the id of a record.
func (a *App) isCollection(topic string) bool {
	name, record, _ := strings.Cut(topic, "/")
	col, err := a.pb.FindCachedCollectionByNameOrId(name)
	return err == nil && (col.Name == name || col.Id == name) && !strings.Contains(record, "/")
}
