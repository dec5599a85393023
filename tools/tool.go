package tools

import (
	"encoding/json/jsontext"
	"encoding/json/v2"

	"github.com/google/jsonschema-go/jsonschema"
)

// Effect is what a tool does to the world. It is checked, not trusted: a write
// that deletes a record counts as destroy.
type Effect string

// The effects, from light to grave.
const (
	EffectRead    Effect = "read"
	EffectWrite   Effect = "write"   // can be undone
	EffectDestroy Effect = "destroy" // deletes, cancels, suspends
	EffectSend    Effect = "send"    // leaves the instance, cannot be undone
)

// weight orders the effects.
func (e Effect) weight() int {
	switch e {
	case EffectRead:
		return 0
	case EffectWrite:
		return 1
	case EffectDestroy:
		return 2
	}
	return 3
}

// Grave says that it cannot be undone by a click, or leaves the instance.
func (e Effect) Grave() bool { return e.weight() >= EffectDestroy.weight() }

// Def describes a tool.
type Def struct {
	Name   string // plugin, underscore, use case: "household_subscription_add"
	Title  string // a key of the catalogue
	Help   string // English, read by models and people: what it does, what it needs
	Effect Effect
	Core   bool   // in the small set that agents get first
	Hidden string // why no model is offered it; "" means offered

	// Operator tools are for those who look after the instance: members with
	// that role, superusers, and whoever types a command on its machine.
	Operator bool

	// SignedIn tools are for somebody who has signed in themselves: a token that
	// a script holds could make what outlasts it.
	SignedIn bool
}

// Tool is a use case: a name, a typed input and output, an effect and a
// function that runs as an actor. Make one with NewRead, New or NewRaw.
type Tool struct {
	Def
	Input, Output *jsonschema.Schema // read only: tools of a Registry share their parts

	read func(*Reader, jsontext.Value) (any, error)
	run  func(*Call, jsontext.Value) (any, error)
	card func(*Reader, jsontext.Value, any, []Change) (Card, error)
	raw  bool                                 // reaches further than its Call: the rows it changed are counted
	most int                                  // bytes of arguments; 0 is maxArguments
	err  error                                // why it could not be made; the Registry tells
	in   func() (*jsonschema.Resolved, error) // what arguments are held to
}

// Option of New and NewRead.
type Option func(*Tool)

// OneOf lets an argument, or the items of a list, be one of values only.
func OneOf(argument string, values ...any) Option {
	return func(t *Tool) {
		s := t.Input.Properties[argument]
		if s.Items != nil {
			s = s.Items
		}
		s.Enum = values
	}
}

// NewRead makes a tool that only reads. It is given a Reader, which has
// nothing to write with.
func NewRead[In, Out any](d Def, run func(*Reader, In) (Out, error), opts ...Option) Tool {
	d.Effect = EffectRead
	t := typed[In, Out](d)
	t.read = func(r *Reader, args jsontext.Value) (any, error) {
		in, err := decode[In](args)
		if err != nil {
			return nil, err
		}
		return run(r, in)
	}
	for _, o := range opts {
		o(&t)
	}
	return t
}

// New makes a tool that changes something.
func New[In, Out any](d Def, run func(*Call, In) (Out, error), opts ...Option) Tool {
	t := typed[In, Out](d)
	t.run = func(c *Call, args jsontext.Value) (any, error) {
		in, err := decode[In](args)
		if err != nil {
			return nil, err
		}
		return run(c, in)
	}
	for _, o := range opts {
		o(&t)
	}
	return t
}

// NewRaw makes a tool whose schemas are given, for code that is not compiled
// in. What it changed is counted by SQLite and held against what was collected.
func NewRaw(d Def, in, out *jsonschema.Schema, run func(*Call, jsontext.Value) (any, error)) Tool {
	t := Tool{Def: d, Input: in, Output: out, run: run, raw: true, most: mostOf(in)}
	_, t.err = in.Resolve(nil)
	t.in = resolving(in)
	return t
}

// WithCard writes the sentence that a person would say, from the changes that
// the preview made. The engine adds the field-by-field lines and the weight.
func WithCard[In, Out any](write func(*Reader, In, Out, []Change) (Card, error)) Option {
	return func(t *Tool) {
		t.card = func(r *Reader, args jsontext.Value, out any, changes []Change) (Card, error) {
			in, err := decode[In](args)
			if err != nil {
				return Card{}, err
			}
			return write(r, in, out.(Out), changes)
		}
	}
}

// HasCard says that the tool writes its card itself.
func (t Tool) HasCard() bool { return t.card != nil }

// WithArguments lets the arguments of a tool that takes a whole file be larger
// than those of others, up to this many bytes. Doors take no more than 12 MB.
func WithArguments(most int) Option {
	return func(t *Tool) { t.most = most }
}

func typed[In, Out any](d Def) Tool {
	t := Tool{Def: d}
	if t.Input, t.err = schemaFor[In](); t.err != nil {
		return t
	}
	if t.Output, t.err = schemaFor[Out](); t.err != nil {
		return t
	}
	t.most = mostOf(t.Input)
	t.in = resolving(t.Input)
	return t
}

func decode[In any](args jsontext.Value) (in In, err error) {
	if err := json.Unmarshal(args, &in); err != nil {
		return in, Fail(Invalid, "error.arguments", err.Error())
	}
	return in, nil
}
