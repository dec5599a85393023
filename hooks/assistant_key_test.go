package hooks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// TestKeysOpenForTheirAddressAlone: also where the sealed key is put back after
// its address was changed, is copied to another assistant, or the environment
// says later where it leads.
func TestKeysOpenForTheirAddressAlone(t *testing.T) {
	i, ann, _ := newDesk(t)
	const key = "sk-correct-horse-77"
	i.must("/operator/assistants", ann, `{"id":"one","model":"m","base_url":"https://a.example","key":"`+key+`"}`)
	i.must("/operator/assistants", ann, `{"id":"two","model":"m","base_url":"https://a.example","key":"sk-another-horse"}`)
	i.must("/operator/assistants", ann, `{"id":"three","model":"m","protocol":"anthropic","key":"`+key+`"}`)
	keyOf := func(r *roster.Roster, id string) string {
		is, err := r.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return is.Key
	}
	if keyOf(i.roster, "one") != key || keyOf(i.roster, "three") != key {
		t.Fatal("a key does not open where it belongs")
	}
	sealed := func(id string) (record, key string) {
		rec, err := i.pb.FindFirstRecordByData(roster.Collection, "assistant", id)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Id, rec.GetString("key")
	}
	root := i.superuser()
	patch := func(record, body string) {
		status, a := i.web("PATCH", "/api/collections/nodkeep_assistants/records/"+record, root, body)
		want(t, status, a, 200, "")
	}
	one, was := sealed("one")
	two, _ := sealed("two")
	patch(two, `{"key":"`+was+`"}`)
	if got := keyOf(i.roster, "two"); got != "" {
		t.Errorf("the key of another opens: %q", got)
	}
	patch(one, `{"base_url":"https://evil.example"}`)
	patch(one, `{"key":"`+was+`"}`)
	if got := keyOf(i.roster, "one"); got != "" {
		t.Errorf("it would go to another address: %q", got)
	}
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_assistants SET base_url = 'https://evil.example' WHERE assistant = 'three'").Execute(); err != nil {
		t.Fatal(err)
	}
	if got := keyOf(i.roster, "three"); got != "" {
		t.Errorf("it would go to an address that was written past all hooks: %q", got)
	}
	if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_assistants SET base_url = '' WHERE assistant = 'three'").Execute(); err != nil {
		t.Fatal(err)
	}
	later, err := roster.New(roster.Config{App: i.pb, Keys: i.keys, Fixed: []roster.Fixed{{ID: "three", Fields: map[string]string{"protocol": "openai"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := keyOf(later, "three"); got != "" || keyOf(i.roster, "three") != key {
		t.Errorf("it would go where the environment says now: %q", got)
	}
}

// TestNoHostTellsTheKey: not in its list of models either.
func TestNoHostTellsTheKey(t *testing.T) {
	const key = "sk-correct-horse-77"
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"` + key + `"},{"id":"m-` + strings.ToUpper(key) + `"},{"id":"small"}]}`))
			return
		}
		w.WriteHeader(404)
		_, _ = w.Write([]byte(`{"error":{"message":"no model for ` + key + `","code":"` + key + `"}}`))
	}))
	defer host.Close()
	i, ann, _ := newDesk(t)
	i.must("/operator/assistants", ann, `{"id":"cloud","model":"m","base_url":"`+host.URL+`","key":"`+key+`"}`)
	status, a := i.web("POST", prefix+"/operator/assistants/cloud/test", ann, "")
	want(t, status, a, 200, "")
	if said := strings.ToLower(a.String()); strings.Contains(said, "correct-horse") || !strings.Contains(said, "small") {
		t.Errorf("%s", a)
	}
}

// TestNobodyAgreesForAnother: what a script or a superuser holds of a member
// agrees to nothing; a session in which they signed in does.
func TestNobodyAgreesForAnother(t *testing.T) {
	i, ann, bob := newDesk(t)
	i.must("/operator/grants", ann, `{"assistant":"local","everybody":true,"allow":true}`)
	lent, err := i.user("bob").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	status, a := i.web("POST", prefix+"/me/consents", lent, `{"assistant":"local"}`)
	want(t, status, a, 403, tools.Forbidden)
	i.must("/me/consents", bob, `{"assistant":"local"}`)
	status, a = i.web("DELETE", prefix+"/me/consents/local", lent, "") // back is always a way
	want(t, status, a, 200, "")
}
