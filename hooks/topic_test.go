package hooks

import (
	"encoding/json/v2"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"
)

// subscribe asks for topics on a connection that is there already, and gives
// the status with the message.
func (i *instance) subscribe(client subscriptions.Client, token string, topics ...string) (int, string) {
	i.t.Helper()
	body, err := json.Marshal(map[string]any{"clientId": client.Id(), "subscriptions": topics})
	if err != nil {
		i.t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/api/realtime", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	r.Header.Set("Accept-Language", "en")
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	if w.Code == 204 {
		return w.Code, ""
	}
	return w.Code, parse(i.t, w.Body).str("message")
}

func (i *instance) client() subscriptions.Client {
	c := subscriptions.NewDefaultClient()
	i.pb.SubscriptionsBroker().Register(c)
	return c
}

// TestTopics: who may subscribe to what.
func TestTopics(t *testing.T) {
	i := newInstance(t)
	operator := i.user("bob")
	operator.Set("operator", true)
	if err := i.pb.Save(operator); err != nil {
		t.Fatal(err)
	}
	others := core.NewAuthCollection("clients") // of an app that was there before
	if err := i.pb.Save(others); err != nil {
		t.Fatal(err)
	}
	customer := core.NewRecord(others)
	customer.SetEmail("c@example.com")
	customer.SetPassword("a long password")
	if err := i.pb.Save(customer); err != nil {
		t.Fatal(err)
	}
	theirs, err := customer.NewAuthToken()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"assistant", "nodkeep"} { // a name of ours stays ours
		if err := i.pb.Save(core.NewBaseCollection(name)); err != nil {
			t.Fatal(err)
		}
	}
	col, err := i.pb.FindCollectionByNameOrId("household_subscriptions")
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string]string{"guest": "", "member": i.token("ann"), "operator": i.token("bob"), "superuser": i.superuser(), "customer": theirs}
	const all, signedIn = "guest member operator superuser customer", "member operator superuser customer"
	rows := []struct{ topic, may string }{
		{"household_subscriptions", all},
		{"household_subscriptions/*", all},
		{"household_subscriptions/abc?options={\"query\":{\"fields\":\"a/b\"}}", all},
		{col.Id + "/*", all},
		{"users/*", all},
		{"", all},
		{"@oauth2", all},
		{"@oauth2/x", signedIn},
		{"@oauth", signedIn},
		{"Household_Subscriptions/*", signedIn}, // nothing is sent there by PocketBase
		{"household_subscriptions/abc/def", signedIn},
		{"household_subscriptions /*", signedIn},
		{"theirs/news", signedIn},
		{"theirs?options={}", signedIn},
		{"*", signedIn},
		{"nodkeep/waiting", "operator superuser"},
		{"nodkeep/waiting?options={}", "operator superuser"},
		{"nodkeep/waiting/x", "operator superuser"},
		{"nodkeep/proposals", "member operator superuser"},
		{"nodkeep/proposals?options={}", "member operator superuser"},
		{"nodkeep/proposalsx", "superuser"},
		{"nodkeep/waitings", "superuser"},
		{"nodkeep/*", "superuser"},
		{"nodkeep", "superuser"},
		{"nodkeep?x", "superuser"},
		{"assistant", "superuser"},
		{"assistant/" + i.user("ann").Id + "/run", "superuser"},
	}
	for _, row := range rows {
		for who, token := range tokens {
			client := i.client()
			status, message := i.subscribe(client, token, "users/*", row.topic)
			may := strings.Contains(" "+row.may+" ", " "+who+" ")
			if may && status != 204 || !may && (status != 403 || message != "You may not listen to one of these topics.") {
				t.Errorf("%s, %q: %d %s", who, row.topic, status, message)
			}
			if !may && len(client.Subscriptions()) > 0 {
				t.Errorf("%s hears %v", who, client.Subscriptions())
			}
		}
	}
}

// TestTopicsOfNoMember: an account that is not approved hears no custom topic,
// should its token ever come so far.
func TestTopicsOfNoMember(t *testing.T) {
	i := newInstance(t)
	for _, status := range []string{"", "waiting", "refused", "suspended"} {
		rec := i.user("ann")
		rec.Set("status", status)
		rec.Set("operator", true)
		for topic, may := range map[string]bool{"theirs/news": false, topicWaiting: false, topicProposals: false, "users/*": true} {
			if i.mayHear(rec, topic) != may {
				t.Errorf("%q, %s", status, topic)
			}
		}
	}
}

// TestGuestsSignInWith somebody else's service: its answer comes over a topic.
func TestGuestsSignInWith(t *testing.T) {
	i := newInstance(t)
	client := i.client()
	if status, message := i.subscribe(client, "", "@oauth2"); status != 204 {
		t.Fatal(status, message)
	}
	heard := make(chan subscriptions.Message, 1)
	go func() { heard <- <-client.Channel() }()
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, httptest.NewRequest("GET", "/api/oauth2-redirect?code=abc&state="+client.Id(), nil))
	if to := w.Header().Get("Location"); !strings.Contains(to, "success") {
		t.Fatalf("%d %s", w.Code, to)
	}
	if m := <-heard; m.Name != "@oauth2" || !strings.Contains(string(m.Data), `"abc"`) {
		t.Errorf("%+v", m)
	}
}
