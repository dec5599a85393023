package mcp

import (
	"encoding/json"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

// offered is a tool as a token's list has it.
type offered struct {
	def   *mcp.Tool
	input *jsonschema.Schema // as the engine holds it
	call  string             // what the gate is asked for; "" for one that runs here
	read  bool
	own   *offer.Own
}

// mayAsk is told of every tool that changes something.
const mayAsk = " The person may be asked before it takes effect: the answer then has the status pending and says how to go on."

// shapes are definitions that were written once, by name and language.
type shapes struct {
	mu   sync.Mutex
	made map[string]*mcp.Tool
}

// toolsOf lists what a token is offered: what the gate says, and the tools of
// every token. The SDK lists them by name.
func (d *Door) toolsOf(a gate.Agent) []offered {
	var all []offered
	for _, t := range d.c.Gate.Offers(a) {
		read := t.Effect == tools.EffectRead
		out := t.Output
		if !read {
			out = outcomeOf(t.Output)
		}
		all = append(all, offered{def: d.define(a, t.Def, d.inputs[t.Name], out, !read), input: d.inputs[t.Name], call: t.Name, read: read})
	}
	for i := range d.own {
		o := &d.own[i]
		if o.Calls() != "" && d.c.Gate.Would(a, o.Calls()) == tools.Refuse {
			continue
		}
		all = append(all, offered{def: d.define(a, o.Def, o.Input, o.Output, o.Calls() != ""), input: o.Input, call: o.Calls(), read: o.Calls() == "", own: o})
	}
	return all
}

// known is a tool that there is, whether or not a token is offered it.
func (d *Door) known(name string) (offered, bool) {
	def := &mcp.Tool{Name: name}
	if t, ok := d.c.Registry.Tool(name); ok {
		return offered{def: def, input: d.inputs[name], call: name, read: t.Effect == tools.EffectRead}, true
	}
	for i := range d.own {
		if o := &d.own[i]; o.Name == name {
			return offered{def: def, input: o.Input, call: o.Calls(), read: o.Calls() == "", own: o}, true
		}
	}
	return offered{}, false
}

// define is a tool as it is listed, in the language of the agent's person. One
// that asks may have to wait for a nod.
func (d *Door) define(a gate.Agent, t tools.Def, in, out *jsonschema.Schema, asks bool) *mcp.Tool {
	d.said.mu.Lock()
	defer d.said.mu.Unlock()
	key := t.Name + " " + a.Language
	if made := d.said.made[key]; made != nil {
		return made
	}
	if d.said.made == nil {
		d.said.made = map[string]*mcp.Tool{}
	}
	made := &mcp.Tool{Name: t.Name, Title: d.say(a, tools.T(t.Title)), Description: t.Help}
	read, grave := t.Effect == tools.EffectRead, t.Effect == tools.EffectDestroy || t.Effect == tools.EffectSend
	open := t.Effect == tools.EffectSend
	if asks {
		made.Description += mayAsk
	}
	// Twice the same write makes two records, or undoes what was done since.
	made.Annotations = &mcp.ToolAnnotations{Title: made.Title, ReadOnlyHint: read, DestructiveHint: &grave, IdempotentHint: read, OpenWorldHint: &open}
	made.InputSchema, made.OutputSchema = d.schema(t.Name, offer.Schema(in)), d.schema(t.Name, output(out))
	d.said.made[key] = made
	return made
}

// schema is one as it is sent; one that cannot be written lets everything pass.
func (d *Door) schema(tool string, s *jsonschema.Schema) json.RawMessage {
	raw, err := json.Marshal(s) // once: the SDK would write it out for every list
	if err != nil {
		d.c.Log.Error("a schema cannot be written", "tool", tool, "error", err)
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return raw
}
