package hooks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/tools"
)

func netflixArgs() map[string]any {
	return map[string]any{"name": "Netflix", "amount": "15.99", "currency": "EUR", "cycle": "P1M", "first_date": "2026-01-14"}
}

// TestMCPForm: the person is asked by the client, in each generation, and what
// they answer is what becomes of the call.
func TestMCPForm(t *testing.T) {
	for _, version := range generations() {
		for _, row := range []struct {
			name   string
			answer func() (*mcp.ElicitResult, error)
			status string
			left   int
		}{
			{"yes", func() (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true}}, nil
			}, "done", 1},
			{"a no in the form", func() (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": false, "reason": "too dear"}}, nil
			}, "discarded", 0},
			{"declined", func() (*mcp.ElicitResult, error) { return &mcp.ElicitResult{Action: "decline"}, nil }, "discarded", 0},
			{"cancelled", func() (*mcp.ElicitResult, error) { return &mcp.ElicitResult{Action: "cancel"}, nil }, "pending", 0},
		} {
			t.Run(version+"/"+row.name, func(t *testing.T) {
				i := newInstance(t)
				_, secret := i.agentToken("ann", `{"mode":"ask"}`)
				var asked *mcp.ElicitParams
				s := mcpClient(t, i.serve(), secret, version, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked = r.Params
					return row.answer()
				}})
				a := use(t, s, "household_subscription_add", netflixArgs())
				if asked == nil || !strings.Contains(asked.Message, "Netflix") || !strings.Contains(asked.Message, "15.99") {
					t.Fatalf("the person was asked %+v", asked)
				}
				schema, _ := asked.RequestedSchema.(map[string]any)
				if properties, _ := schema["properties"].(map[string]any); schema["type"] != "object" || len(properties) != 2 {
					t.Errorf("the form is %v", asked.RequestedSchema)
				}
				if a.str("status") != row.status || i.subscriptions() != row.left {
					t.Errorf("%s; %d subscriptions", a, i.subscriptions())
				}
				if row.name == "a no in the form" && a.str("reason") != "too dear" {
					t.Errorf("the reason is lost: %s", a)
				}
				if row.status == "done" {
					if a.str("output", "name") != "Netflix" || a.len("receipt", "audit") != 1 {
						t.Errorf("%s", a)
					}
					var by string
					if err := i.pb.DB().NewQuery("SELECT by FROM nodkeep_proposals").Row(&by); err != nil || by != "client" {
						t.Errorf("decided by %q %v", by, err)
					}
				}
			})
		}
	}
}

// TestMCPFormUnable: a client that said it could ask, and then cannot, is told
// that the call waits.
func TestMCPFormUnable(t *testing.T) {
	for _, version := range generations()[1:] { // the newer client gives up by itself
		i := newInstance(t)
		_, secret := i.agentToken("ann", `{"mode":"ask"}`)
		s := mcpClient(t, i.serve(), secret, version, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return nil, errors.New("no screen")
		}})
		if a := use(t, s, "household_subscription_add", netflixArgs()); a.str("status") != "pending" || i.proposals("pending") != 1 {
			t.Errorf("%s: %s", version, a)
		}
	}
}

// TestMCPPending: without anybody to ask, the answer is that the call waits, and
// proposal_status tells what became of it.
func TestMCPPending(t *testing.T) {
	for _, version := range generations() {
		i := newInstance(t)
		_, secret := i.agentToken("ann", `{"mode":"ask"}`)
		base := i.serve()
		s := mcpClient(t, base, secret, version, nil)
		a := use(t, s, "household_subscription_add", netflixArgs())
		id := a.str("proposal")
		if a.str("status") != "pending" || id == "" || !strings.HasPrefix(a.str("link"), base+nodPath+"/"+id) || !strings.Contains(a.str("card"), "Netflix") ||
			a.str("expires") == "" || !strings.Contains(a.str("next"), "proposal_status") || i.subscriptions() != 0 {
			t.Errorf("%s: %s", version, a)
		}
		if a := use(t, s, "proposal_status", map[string]any{"id": id}); a.str("status") != "pending" {
			t.Errorf("%s: %s", version, a)
		}
		// A decision wakes who waits for it.
		got := make(chan answer, 1)
		go func() { got <- use(t, s, "proposal_status", map[string]any{"id": id, "wait": 50}) }()
		who := tools.Actor{Person: i.user("ann").Id, Door: tools.DoorWeb}
		p, err := i.gate.Proposal(t.Context(), who, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := i.gate.Confirm(t.Context(), who, id, p.Digest, nil); err != nil {
			t.Fatal(err)
		}
		if a := <-got; a.str("status") != "done" || a.len("receipt", "audit") != 1 || i.subscriptions() != 1 {
			t.Errorf("%s: %s", version, a)
		}
	}
}

// TestMCPAddress: a client that only opens addresses, or a token whose person
// decides on our own surfaces only, is sent to the card.
func TestMCPAddress(t *testing.T) {
	for _, version := range generations()[:2] { // older ones know no addresses
		for _, terms := range []string{`{"mode":"ask"}`, `{"mode":"ask","own_surfaces":true}`} {
			i := newInstance(t)
			_, secret := i.agentToken("ann", terms)
			can := &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}
			if strings.Contains(terms, "own") {
				can.Form = &mcp.FormElicitationCapabilities{}
			}
			var asked *mcp.ElicitParams
			who := tools.Actor{Person: i.user("ann").Id, Door: tools.DoorWeb}
			s := mcpClient(t, i.serve(), secret, version, &mcp.ClientOptions{
				Capabilities: &mcp.ClientCapabilities{Elicitation: can},
				ElicitationHandler: func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked = r.Params
					id := r.Params.URL[strings.LastIndex(r.Params.URL, "/")+1:]
					p, err := i.gate.Proposal(ctx, who, id)
					if err == nil {
						_, err = i.gate.Confirm(ctx, who, id, p.Digest, nil)
					}
					return &mcp.ElicitResult{Action: "accept"}, err
				},
			})
			a := use(t, s, "household_subscription_add", netflixArgs())
			if asked == nil || asked.Mode != "url" || !strings.Contains(asked.URL, nodPath) || a.str("status") != "done" || i.subscriptions() != 1 {
				t.Errorf("%s %s: asked %+v, answered %s", version, terms, asked, a)
			}
		}
	}
}

// TestMCPOwnSurfaces: what a client answers for a person counts for nothing where
// the token or the instance says so, and no form is shown.
func TestMCPOwnSurfaces(t *testing.T) {
	for _, row := range []struct{ terms, env string }{{`{"mode":"ask","own_surfaces":true}`, ""}, {`{"mode":"ask"}`, "NODKEEP_OWN_SURFACES=true"}} {
		for _, version := range generations() {
			i := newInstance(t, row.env)
			_, secret := i.agentToken("ann", row.terms)
			s := mcpClient(t, i.serve(), secret, version, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				t.Error("a form was shown")
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true}}, nil
			}})
			if a := use(t, s, "household_subscription_add", netflixArgs()); a.str("status") != "pending" || i.subscriptions() != 0 {
				t.Errorf("%s %s", version, a)
			}
		}
	}
}

// TestMCPLies: a client answers for a person who was not asked, or asked about
// something else. Nothing is written but the refusal.
func TestMCPLies(t *testing.T) {
	const form = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	const yes = `"inputResponses":{"nod":{"action":"accept","content":{"confirm":true}}}`
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	_, second := i.agentToken("ann", `{"mode":"ask","tools":"all"}`)
	_, bobs := i.agentToken("bob", `{"mode":"ask","tools":"all"}`)
	send := func(secret, tool, args, more string) answer {
		_, _, a := i.post(secret, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+form+`,"name":"`+tool+`","arguments":`+args+more+`}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
		return a
	}
	const add = "household_subscription_add"
	ask := func() string {
		t.Helper()
		a := send(secret, add, netflix, "")
		state := a.str("result", "requestState")
		if state == "" || a.str("result", "resultType") != "input_required" || a.at("result", "content") != nil {
			t.Fatalf("nobody was asked: %s", a)
		}
		return `,"requestState":"` + state + `"`
	}
	state := ask()
	other := strings.Replace(netflix, "15.99", "1.00", 1)
	for _, row := range []struct{ name, secret, tool, args, more string }{
		{"without state", secret, add, netflix, "," + yes},
		{"a made-up state", secret, add, netflix, `,"requestState":"abc",` + yes},
		{"a made-up state of the right form", secret, add, netflix, `,"requestState":"abc.def.ghi",` + yes},
		{"other arguments", secret, add, other, state + "," + yes},
		{"another tool", secret, "household_category_add", `{"name":"Netflix"}`, state + "," + yes},
		{"another token of the person", second, add, netflix, state + "," + yes},
		{"another person", bobs, add, netflix, state + "," + yes},
		{"the state of a card", secret, add, netflix, `,"requestState":"look:none",` + yes},
		{"a state cut short", secret, add, netflix, strings.TrimSuffix(state, `"`)[:len(state)-3] + `",` + yes},
	} {
		a := send(row.secret, row.tool, row.args, row.more)
		if !a.isError() || i.subscriptions() != 0 {
			t.Errorf("%s: %s", row.name, a)
		}
	}
	if a := send(secret, "household_subscription_list", `{}`, ","+yes); !a.isError() {
		t.Errorf("an answer to a read: %s", a)
	}
	// The true answer is good, once.
	if a := send(secret, add, netflix, state+","+yes); a.str("result", "structuredContent", "status") != "done" || i.subscriptions() != 1 {
		t.Errorf("%s", a)
	}
	if a := send(secret, add, netflix, state+","+yes); !a.isError() || i.subscriptions() != 1 {
		t.Errorf("the state was replayed: %s", a)
	}
	// A card of another tool tells nothing here.
	pending := send(secret, "household_category_add", `{"name":"Fun"}`, "")
	id, _, _ := strings.Cut(pending.str("result", "requestState"), ".")
	if a := send(secret, add, netflix, `,"requestState":"look:`+id+`"`); !a.isError() {
		t.Errorf("%s", a)
	}
	var refused int
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE state = 'refused'").Row(&refused); err != nil || refused < 8 {
		t.Errorf("%d refusals are in the audit %v", refused, err)
	}
}
