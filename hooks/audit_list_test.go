package hooks

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestAuditNarrowedOverHTTP by what the address says, and one entry alone.
func TestAuditNarrowedOverHTTP(t *testing.T) {
	i := newInstance(t)
	ann, bob := i.token("ann"), i.token("bob")
	id, entry := i.add(ann, "Netflix", "")
	_, other := i.add(bob, "Gym", "")
	i.call("household_subscription_update", ann, `{"id":"none","name":"x"}`)
	later := url.QueryEscape(time.Now().Add(time.Hour).Format(time.RFC3339))
	for query, want := range map[string]int{
		"record=" + id: 1, "record=" + id + "&record=none": 1, "record=none": 0,
		"tool=household_subscription_add&person=bob": 1, "tool=household_subscription_add&person=ann": 1, "tool=household_subscription_add": 2,
		"state=refused": 1, "state=refused&person=bob": 0, "since=" + later: 0,
		"until=" + later + "&tool=household_subscription_add": 2, "until=2020-01-01T00:00:00Z": 0,
	} {
		if _, a := i.web("GET", prefix+"/audit?"+query, ann, ""); a.len("items") != want {
			t.Errorf("%s: %d entries, want %d", query, a.len("items"), want)
		}
	}
	for _, query := range []string{"state=done", "until=yesterday", "limit=201", "cursor=x"} {
		status, a := i.web("GET", prefix+"/audit?"+query, ann, "")
		want(t, status, a, 400, tools.Invalid)
	}
	if _, a := i.web("GET", prefix+"/audit/"+entry, ann, ""); a.str("id") != entry || a.str("handle") != "ann" || a.str("args", "name") != "Netflix" {
		t.Errorf("%s", a)
	}
	if _, a := i.web("GET", prefix+"/audit/"+other, ann, ""); a.str("handle") != "bob" || a.at("args") != nil {
		t.Errorf("%s", a)
	}
	status, a := i.web("GET", prefix+"/audit/none", ann, "")
	want(t, status, a, 404, tools.NotFound)
}

// TestChainForOperators says how it stands, and nothing of what is in it.
func TestChainForOperators(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("bob")
	i.add(i.token("ann"), "Netflix", "")
	_, a := i.web("GET", prefix+"/operator/audit", i.token("bob"), "")
	if a.at("ok") != true || a.at("entries").(float64) < 1 || strings.Contains(a.String(), "household") {
		t.Errorf("%s", a)
	}
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_audit SET person = 'x' WHERE tool = 'household_subscription_add'").Execute(); err != nil {
		t.Fatal(err)
	}
	if _, a = i.web("GET", prefix+"/operator/audit", i.token("bob"), ""); a.at("ok") != false || a.at("head_only") != false {
		t.Errorf("%s", a)
	}
}
