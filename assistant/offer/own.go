package offer

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// Own is a tool of every agent that no plugin brings.
type Own struct {
	tools.Def
	Input, Output *jsonschema.Schema

	check func(jsontext.Value) (jsontext.Value, error) // what is given, against what it takes
	call  string                                       // the tool that the gate is asked for instead of run
	args  func(gate.Agent, jsontext.Value) (jsontext.Value, error)
	run   func(context.Context, gate.Agent, jsontext.Value) (any, error)
}

// defined is a tool that its door runs.
func defined[In any](d tools.Def) Own {
	t := tools.NewRead[In, map[string]any](d, nil)
	return Own{Def: d, Input: t.Input, check: t.Arguments}
}

// NewOwn makes a tool that changes no domain data: the gate is not asked.
func NewOwn[In, Out any](d tools.Def, run func(context.Context, gate.Agent, In) (Out, error)) Own {
	t := tools.NewRead[In, Out](d, nil)
	return Own{Def: d, Input: t.Input, Output: t.Output, check: t.Arguments, run: func(ctx context.Context, a gate.Agent, args jsontext.Value) (any, error) {
		in, err := decoded[In](t, args)
		if err != nil {
			return nil, err
		}
		return run(ctx, a, in)
	}}
}

// Calls is the tool that the gate is asked for; "" where the tool runs by Run.
func (o Own) Calls() string { return o.call }

// Args are what the gate is asked with, made of the arguments that an agent
// gave.
func (o Own) Args(a gate.Agent, given jsontext.Value) (jsontext.Value, error) {
	if o.args == nil {
		return given, nil
	}
	return o.args(a, given)
}

// Run answers a call of a tool that the gate is not asked for.
func (o Own) Run(ctx context.Context, a gate.Agent, args jsontext.Value) (any, error) {
	if o.run == nil {
		return nil, fmt.Errorf("the tool %s is run by its door", o.Name)
	}
	return o.run(ctx, a, args)
}

// Read takes the arguments that an agent gave for a tool that its door runs,
// and checks them, into one such as FindIn.
func (o Own) Read(given jsontext.Value, in any) error {
	args, err := o.check(Coerce(given, o.Input))
	if err != nil {
		return err
	}
	return json.Unmarshal(args, in)
}

// decoded checks the arguments of a tool and reads them.
func decoded[In any](t tools.Tool, args jsontext.Value) (in In, err error) {
	if args, err = t.Arguments(args); err != nil {
		return in, err
	}
	return in, json.Unmarshal(args, &in)
}
