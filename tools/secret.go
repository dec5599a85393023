package tools

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
)

// Secret is an argument that nobody may read later, such as a password: the
// audit keeps that it was given, never what it was.
type Secret string

// secretShown stands for a secret in the audit.
const secretShown = "•••"

// conceal gives the arguments as they may be kept. Those of a tool that takes
// secrets, but that are no object, are dropped whole: a secret may be in them.
func (t *Tool) conceal(args jsontext.Value) jsontext.Value {
	if t == nil || t.Input == nil {
		return args
	}
	var fields map[string]any
	for name, p := range t.Input.Properties {
		if !p.WriteOnly {
			continue
		}
		if fields == nil {
			if err := json.Unmarshal(args, &fields); err != nil || fields == nil {
				return nil
			}
		}
		if _, given := fields[name]; given {
			fields[name] = secretShown
		}
	}
	if fields == nil {
		return args
	}
	b, err := json.Marshal(fields, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return b
}
