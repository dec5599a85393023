package hooks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
)

// portableWords are what every model host takes in a schema of arguments.
func portableWords() []string {
	return []string{"type", "description", "properties", "required", "items", "enum", "additionalProperties", "minimum", "maximum", "minLength", "maxLength"}
}

// TestMCPSchemas walks every tool that a token can be offered.
func TestMCPSchemas(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"mode":"trusted","tools":"all"}`)
	_, a := i.rpc(secret, "tools/list", "")
	list, _ := a.at("result", "tools").([]any)
	offered := 0
	for _, tool := range i.registry.Tools() {
		if tool.Hidden == "" {
			offered++
		}
	}
	if len(list) < offered+3 || offered < 50 {
		t.Errorf("%d tools are listed of %d", len(list), offered)
	}
	var names []string
	for _, one := range list {
		tool := answer{one}
		name := tool.str("name")
		names = append(names, name)
		t.Run(name, func(t *testing.T) {
			if len("nodkeep"+name) > 60 || len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
				t.Error("some client takes no such name")
			}
			if tool.str("title") == "" || tool.str("title") == name || len(tool.str("description")) < 20 || tool.str("annotations", "title") != tool.str("title") {
				t.Errorf("title %q, description %q", tool.str("title"), tool.str("description"))
			}
			hold(t, tool.at("inputSchema"), "arguments", true)
			if tool.str("inputSchema", "type") != "object" || tool.at("inputSchema", "properties") == nil || tool.at("inputSchema", "additionalProperties") != false {
				t.Errorf("the arguments are %v", tool.at("inputSchema"))
			}
			if tool.str("outputSchema", "type") != "object" {
				t.Error("the answer is no object, which older clients want")
			}
			holdObjects(t, tool.at("outputSchema"), "answer")
			i.holdAnnotations(t, name, tool)
		})
	}
	if !slices.IsSorted(names) {
		t.Errorf("the order is left to chance: %v", names)
	}
	_, again := i.rpc(secret, "tools/list", "")
	if again.String() != a.String() {
		t.Error("the list differs from call to call")
	}
}

// hold wants of a schema only the portable words, and a type of every value.
func hold(t *testing.T, v any, at string, root bool) {
	s, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s is %v", at, v)
		return
	}
	for word := range s {
		if !slices.Contains(portableWords(), word) {
			t.Errorf("%s has %s", at, word)
		}
	}
	kind, _ := s["type"].(string)
	if !slices.Contains([]string{"object", "array", "string", "integer", "number", "boolean"}, kind) {
		t.Errorf("%s has the type %v", at, s["type"])
	}
	if properties, ok := s["properties"].(map[string]any); ok != (kind == "object") {
		t.Errorf("%s: type %s and properties %t", at, kind, ok)
	} else {
		for name, p := range properties {
			hold(t, p, at+"."+name, false)
		}
		required, _ := s["required"].([]any)
		for _, name := range required {
			if properties[fmt.Sprint(name)] == nil {
				t.Errorf("%s wants %v, which it does not have", at, name)
			}
		}
	}
	if items, ok := s["items"]; ok != (kind == "array") {
		t.Errorf("%s: type %s and items %t", at, kind, ok)
	} else if ok {
		hold(t, items, at+"[]", false)
	}
	if more, ok := s["additionalProperties"]; ok && more != false {
		hold(t, more, at+".*", false)
	}
}

// holdObjects wants an object that says a type wherever a schema stands but for
// what else an object may hold: the official client for TypeScript takes no list
// in which a property is true, and the Inspector wants no value without a type.
func holdObjects(t *testing.T, v any, at string) {
	t.Helper()
	s, ok := v.(map[string]any)
	if !ok || s["type"] == nil && s["$ref"] == nil && s["anyOf"] == nil {
		t.Errorf("%s is %v", at, v)
		return
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		holdObjects(t, p, at+"."+name)
	}
	for _, word := range []string{"items", "additionalProperties"} {
		if inner, there := s[word]; there && (word == "items" || inner != false && inner != true) {
			holdObjects(t, inner, at+"."+word)
		}
	}
}

// holdAnnotations wants all four hints, and the truth.
func (i *instance) holdAnnotations(t *testing.T, name string, tool answer) {
	t.Helper()
	effect := map[string]tools.Effect{
		"proposal_status": tools.EffectRead, "activity_list": tools.EffectRead, "undo": tools.EffectDestroy,
		"upload_link": tools.EffectWrite, "import_read": tools.EffectRead,
	}[name]
	if known, ok := i.registry.Tool(name); ok {
		effect = known.Effect
	}
	read, grave := effect == tools.EffectRead, effect == tools.EffectDestroy || effect == tools.EffectSend
	for hint, want := range map[string]bool{"readOnlyHint": read, "destructiveHint": grave, "idempotentHint": read, "openWorldHint": effect == tools.EffectSend} {
		if got, ok := tool.at("annotations", hint).(bool); !ok || got != want {
			t.Errorf("%s is %v, want %t", hint, tool.at("annotations", hint), want)
		}
	}
	if asks := strings.Contains(tool.str("description"), "may be asked"); asks == (read || name == "upload_link") {
		t.Errorf("that a person may be asked is said: %t", asks)
	}
}

// TestMCPOutputs makes every call of the household's tour, and holds what is
// answered against the schema that was published.
func TestMCPOutputs(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) // that of the tour
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.now = func() time.Time { return now } })
	i.makeOperator("ann")
	secrets, who := map[string]string{}, map[string]tools.Actor{}
	ids := []string{"${ann}", i.user("ann").Id, "${bob}", i.user("bob").Id}
	for _, handle := range []string{"ann", "bob"} {
		_, secrets[handle] = i.agentToken(handle, `{"mode":"trusted","tools":"all","daily_writes":1000}`)
		who[handle] = tools.Actor{Person: i.user(handle).Id, Door: tools.DoorWeb}
	}
	schemas := i.published(t, secrets["ann"])
	b, err := os.ReadFile("../tools/household/testdata/tour.json")
	if err != nil {
		t.Fatal(err)
	}
	var steps []struct {
		Tool, By, As string
		Args         json.RawMessage
	}
	if err := json.Unmarshal(b, &steps); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	check := func(tool string, a answer) {
		t.Helper()
		if a.isError() || a.at("result", "structuredContent") == nil {
			t.Fatalf("%s: %.900s", tool, a)
		}
		if err := schemas[tool].Validate(a.at("result", "structuredContent")); err != nil {
			t.Errorf("%s answers what its schema does not say: %v\n%.900s", tool, err, a)
		}
		seen[tool] = true
	}
	for _, s := range steps {
		if s.By == "" {
			s.By = "ann"
		}
		args := strings.NewReplacer(ids...).Replace(string(s.Args))
		if args == "" {
			args = "{}"
		}
		if tool, _ := i.registry.Tool(s.Tool); tool.Hidden != "" {
			continue
		}
		a := i.toolCall(secrets[s.By], s.Tool, args)
		check(s.Tool, a)
		out := answer{a.at("result", "structuredContent")}
		if id := out.str("proposal"); out.str("status") == "pending" {
			p, err := i.gate.Proposal(t.Context(), who[s.By], id)
			if err == nil {
				_, err = i.gate.Confirm(t.Context(), who[s.By], id, p.Digest, nil)
			}
			if err != nil {
				t.Fatalf("%s %s: %v", s.Tool, args, err)
			}
			a = i.toolCall(secrets[s.By], "proposal_status", `{"id":"`+id+`"}`)
			check("proposal_status", a)
			out = answer{a.at("result", "structuredContent")}
			if err := schemas[s.Tool].Validate(out.any); err != nil {
				t.Errorf("%s, once it is done: %v", s.Tool, err)
			}
		}
		if s.As != "" {
			id := out.str("id")
			if id == "" {
				id = out.str("output", "id")
			}
			if id == "" {
				t.Fatalf("%s: no id in %s", s.Tool, out)
			}
			ids = append(ids, "${"+s.As+"}", id)
		}
	}
	check("activity_list", i.toolCall(secrets["ann"], "activity_list", `{"agent":"*","limit":200}`))
	// A change as it ends in every other way, and an undo that is done.
	const form = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	asked := func(tool, args, more string) answer {
		_, _, a := i.post(secrets["bob"], `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+form+`,"name":"`+tool+`","arguments":`+args+more+`}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
		return a
	}
	for _, row := range []struct{ action, status string }{{"cancel", "pending"}, {"decline", "discarded"}, {"accept", "done"}} {
		const args = `{"since":"2020-01-01T00:00:00Z"}`
		state := asked("undo", args, "").str("result", "requestState")
		a := asked("undo", args, `,"requestState":"`+state+`","inputResponses":{"nod":{"action":"`+row.action+`","content":{"confirm":true}}}`)
		if check("undo", a); a.str("result", "structuredContent", "status") != row.status {
			t.Errorf("%s: %s", row.action, a)
		}
		id := a.str("result", "structuredContent", "proposal")
		check("proposal_status", i.toolCall(secrets["bob"], "proposal_status", `{"id":"`+id+`"}`))
	}
	for name := range schemas {
		// The other two are held against theirs where a file is brought.
		if !seen[name] && name != "upload_link" && name != "import_read" {
			t.Errorf("%s was not called", name)
		}
	}
}

// published are the schemas of answers as a client gets them.
func (i *instance) published(t *testing.T, secret string) map[string]*jsonschema.Resolved {
	t.Helper()
	_, a := i.rpc(secret, "tools/list", "")
	list, _ := a.at("result", "tools").([]any)
	schemas := map[string]*jsonschema.Resolved{}
	for _, one := range list {
		b, err := json.Marshal(answer{one}.at("outputSchema"))
		if err != nil {
			t.Fatal(err)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas[answer{one}.str("name")] = r
	}
	return schemas
}
