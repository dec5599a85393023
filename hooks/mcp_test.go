package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestMCPBearer: only an agent's token that is good opens the door, and each
// refusal says what a client must hear.
func TestMCPBearer(t *testing.T) {
	i := newInstance(t)
	id, secret := i.agentToken("ann", `{"mode":"read"}`)
	_, revoked := i.agentToken("ann", `{}`)
	_, expired := i.agentToken("ann", `{}`)
	_, suspended := i.agentToken("bob", `{}`)
	set := func(secret, field, value string) {
		if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_tokens SET " + field + " = '" + value + "' WHERE hash = '" + tools.Hash(secret) + "'").Execute(); err != nil {
			t.Fatal(err)
		}
	}
	set(revoked, "revoked", "2026-01-01 00:00:00.000Z")
	set(expired, "expires", "2026-01-01 00:00:00.000Z")
	i.stand("bob", "suspended")
	superuser := i.superuser()
	before := i.entries()
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	for _, row := range []struct{ name, header, invalid string }{
		{"none", "", ""},
		{"not the word Bearer", "Basic YW5uOng=", ""},
		{"without the word", secret, ""},
		{"empty", "Bearer ", ""},
		{"unknown", "Bearer nk_" + strings.Repeat("a", 43), "invalid_token"},
		{"a word", "Bearer secret", "invalid_token"},
		{"revoked", "Bearer " + revoked, "invalid_token"},
		{"expired", "Bearer " + expired, "invalid_token"},
		{"of a suspended person", "Bearer " + suspended, "invalid_token"},
		{"a session", "Bearer " + i.token("ann"), "invalid_token"},
		{"a superuser's session", "Bearer " + superuser, "invalid_token"},
		{"the hash", "Bearer " + tools.Hash(secret), "invalid_token"},
		{"the id", "Bearer " + id, "invalid_token"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := i.knock("POST", "", list, "Authorization", row.header)
			a := parse(t, w.Body)
			want(t, w.Code, a, 401, tools.Unauthorized)
			challenge := w.Header().Get("WWW-Authenticate")
			if !strings.HasPrefix(challenge, `Bearer realm="nodkeep"`) || strings.Contains(challenge, "error=") != (row.invalid != "") || !strings.Contains(challenge, row.invalid) {
				t.Errorf("WWW-Authenticate: %s", challenge)
			}
			if session := strings.Contains(row.name, "session"); session != strings.Contains(a.str("message"), "session of a person") {
				t.Errorf("what was brought is not said: %s", a)
			}
			if strings.Contains(a.String(), secret) || w.Header().Get("Mcp-Session-Id") != "" {
				t.Errorf("%s %v", a, w.Header())
			}
		})
	}
	if status, _ := i.rpc(secret, "tools/list", ""); status != 200 {
		t.Errorf("a good token: %d", status)
	}
	w := i.knock("POST", "", list, "Authorization", "bearer   "+secret)
	if w.Code != 200 {
		t.Errorf("the word in small letters: %d %s", w.Code, w.Body)
	}
	if i.entries() != before {
		t.Error("something was written")
	}
}
