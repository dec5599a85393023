package hooks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// modernMeta is what a request of the protocol without sessions says of itself.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// rpc sends one message of that protocol, as it comes from the network, and
// gives what is in the answer's event, or its body.
func (i *instance) rpc(secret, method, params string, headers ...string) (int, answer) {
	i.t.Helper()
	if params != "" {
		params = "," + params
	}
	status, _, a := i.post(secret, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+modernMeta+params+`}}`,
		append([]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}, headers...)...)
	return status, a
}

// toolCall calls a tool by that protocol.
func (i *instance) toolCall(secret, tool, args string, more ...string) answer {
	i.t.Helper()
	params := `"name":"` + tool + `","arguments":` + args
	for _, m := range more {
		params += "," + m
	}
	_, a := i.rpc(secret, "tools/call", params, "Mcp-Name", tool)
	return a
}

// post sends a message to the door.
func (i *instance) post(secret, body string, headers ...string) (int, http.Header, answer) {
	i.t.Helper()
	w := i.knock("POST", secret, body, headers...)
	return w.Code, w.Header(), parse(i.t, strings.NewReader(eventOf(w.Body.String())))
}

func (i *instance) knock(method, secret, body string, headers ...string) *httptest.ResponseRecorder {
	i.t.Helper()
	r := httptest.NewRequest(method, "http://127.0.0.1/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	for n := 0; n+1 < len(headers); n += 2 {
		if headers[n] == "Host" {
			r.Host = headers[n+1]
			continue
		}
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	return w
}

// eventOf is the data of the last event of a stream; what is none stays as it
// is.
func eventOf(body string) string {
	if at := strings.LastIndex("\n"+body, "\ndata: "); at >= 0 && !strings.HasPrefix(body, "{") {
		body, _, _ = strings.Cut(body[at+len("data: "):], "\n")
	}
	if strings.TrimSpace(body) == "" {
		return "null"
	}
	return body
}

// text is the first text of a tool's answer.
func (a answer) text() string { return a.str("result", "content", "0", "text") }

// isError says that a tool refused.
func (a answer) isError() bool { b, _ := a.at("result", "isError").(bool); return b }

// wantRefused wants a tool's refusal with a part of its sentence, and without
// structured content.
func wantRefused(t testing.TB, a answer, says string) {
	t.Helper()
	if !a.isError() || !strings.Contains(a.text(), says) || a.at("result", "structuredContent") != nil {
		t.Errorf("got %.500s, want a refusal that says %q", a, says)
	}
}

// manyTokens are more than a member may make: they are stored as they are.
func (i *instance) manyTokens(b testing.TB, n int) (secrets []string) {
	b.Helper()
	col, err := i.pb.FindCollectionByNameOrId(tools.TokensTable)
	if err != nil {
		b.Fatal(err)
	}
	for range n {
		secret := tools.TokenPrefix + tools.NewSecret()
		rec := core.NewRecord(col)
		for field, value := range map[string]any{"person": i.user("ann").Id, "name": "many", "mode": "ask", "tools": "all", "hash": tools.Hash(secret)} {
			rec.Set(field, value)
		}
		if err := i.pb.SaveNoValidate(rec); err != nil {
			b.Fatal(err)
		}
		secrets = append(secrets, secret)
	}
	return secrets
}
