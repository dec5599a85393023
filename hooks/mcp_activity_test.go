package hooks

import (
	"strings"
	"testing"
)

// TestMCPActivityOfPeople: what no tool of an agent may do or read, it is not
// told as what was done either: accounts, passes, tokens, and what operators do.
// What it may read it is told, whoever did it.
func TestMCPActivityOfPeople(t *testing.T) {
	i := newInstance(t)
	ann := i.user("ann")
	ann.Set("operator", true)
	if err := i.pb.Save(ann); err != nil {
		t.Fatal(err)
	}
	status, a := i.web("POST", prefix+"/signup", "", `{"handle":"carol","email":"carol@example.com","password":"carolpass123","passwordConfirm":"carolpass123"}`)
	want(t, status, a, 202, "")
	i.agentToken("ann", `{"name":"of another desk","mode":"trusted"}`)
	_, secret := i.agentToken("ann", `{"mode":"read"}`)
	i.add(i.token("ann"), "Netflix", "")
	i.add(i.token("bob"), "Disney", "")
	told := i.toolCall(secret, "activity_list", `{"agent":"*","limit":200}`)
	for _, hidden := range []string{"carol", "another desk", "nodkeep_", "users"} {
		if strings.Contains(told.String(), hidden) {
			t.Errorf("it is told of %s", hidden)
		}
	}
	for _, open := range []string{"Netflix", "Disney", "household_subscription_add"} {
		if !strings.Contains(told.String(), open) {
			t.Errorf("it is not told of %s", open)
		}
	}
	// The person is told all the same.
	status, a = i.web("GET", prefix+"/audit?limit=200", i.token("ann"), "")
	if want(t, status, a, 200, ""); !strings.Contains(a.String(), "another desk") || !strings.Contains(a.String(), "nodkeep_passes") {
		t.Errorf("%s", a)
	}
}
