package hooks

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// TestTimeZone: what members set is kept, audited, and what the server tells them
// times by: on cards, on the plain pages, to their agents.
func TestTimeZone(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	_, secret := i.agentToken("ann", `{"name":"Claude","mode":"ask","tools":"all"}`)
	claude, _, err := i.gate.Token(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	waits := i.asks(claude, "household_subscription_add", netflix)
	card := func() string {
		_, a := i.web("POST", prefix+"/tools/nodkeep_token_create?preview=1", ann, `{"expires":"2029-01-31T20:30:00Z"}`)
		return answer{a.at("card", "lines")}.String()
	}
	page := func() string {
		_, body, _ := i.signedInAs("ann").do("GET", nodPath+"/"+waits.ID, nil)
		return body
	}
	context := func() string {
		_, a := i.rpc(secret, "resources/read", `"uri":"nodkeep://context"`, "Mcp-Name", "nodkeep://context")
		return a.String()
	}
	if said := card(); !strings.Contains(said, "31 January 2029, 20:30 (UTC)") {
		t.Error(said)
	}
	hasNot(t, page(), "That is until")
	if said := context(); strings.Contains(said, "clock") {
		t.Error(said)
	}

	before := i.entries()
	status, a := i.web("POST", prefix+"/me", ann, `{"time_zone":"Asia/Tokyo"}`)
	want(t, status, a, 200, "")
	if a.str("time_zone") != "Asia/Tokyo" || i.entries() != before+1 {
		t.Errorf("%s, %d entries more", a, i.entries()-before)
	}
	if _, a := i.web("GET", prefix+"/me", ann, ""); a.str("time_zone") != "Asia/Tokyo" {
		t.Errorf("%s", a)
	}
	if said := card(); !strings.Contains(said, "1 February 2029, 05:30 (Asia/Tokyo)") {
		t.Error(said)
	}
	tokyo := tools.Zone("Asia/Tokyo")
	has(t, page(), "That is until ", waits.Expires.In(tokyo).Format("15:04")+" (Asia/Tokyo)", waits.Created.In(tokyo).Format("15:04")+" (Asia/Tokyo)")
	if said := context(); !strings.Contains(said, "(Asia/Tokyo)") {
		t.Error(said)
	}

	for _, body := range []string{`{"time_zone":"Mars/Olympus"}`, `{"time_zone":"Local"}`, `{"time_zone":"../UTC"}`, `{"time_zone":9}`, `{"time_zone":"europe"}`} {
		status, a := i.web("POST", prefix+"/me", ann, body)
		want(t, status, a, 400, tools.Invalid)
	}
	if zone := i.user("ann").GetString("time_zone"); zone != "Asia/Tokyo" {
		t.Errorf("%q", zone)
	}
	status, a = i.web("POST", prefix+"/me", ann, `{"time_zone":""}`)
	want(t, status, a, 200, "")
	hasNot(t, page(), "That is until")
}

// TestTimeZoneOfAQuestion: a model is told the clock of who asks it.
func TestTimeZoneOfAQuestion(t *testing.T) {
	k := newTalk(t)
	told := func() string {
		k.script.Then(gateway.Scene{Say: "It is late."})
		k.ask("ann", assistant.Question{Text: "How late is it?"})
		asked := k.script.Asked()
		return string(jsonOf(t, asked[len(asked)-1].Messages))
	}
	if said := told(); strings.Contains(said, "clock") || !strings.Contains(said, "Now: ") {
		t.Error(said)
	}
	ann := k.user("ann")
	ann.Set("time_zone", "Asia/Tokyo")
	if err := k.pb.Save(ann); err != nil {
		t.Fatal(err)
	}
	said := told()
	now := regexp.MustCompile(`Now: (\S+ \S+) UTC`).FindStringSubmatch(said)
	if now == nil {
		t.Fatal(said)
	}
	at, err := time.Parse("2006-01-02 15:04", now[1])
	if there := at.In(tools.Zone("Asia/Tokyo")).Format("2006-01-02 15:04, Monday"); err != nil || !strings.Contains(said, "The person's clock: "+there+" (Asia/Tokyo)") {
		t.Error(said, there, err)
	}
}
