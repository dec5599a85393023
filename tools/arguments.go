package tools

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxArguments bounds the arguments of one call, in bytes, unless its tool says
// otherwise.
const maxArguments = 1 << 20

// Arguments checks the arguments of a tool that is called by no Runner, and
// gives them back in one canonical form.
func (t Tool) Arguments(raw jsontext.Value) (jsontext.Value, error) { return t.arguments(raw) }

// arguments checks the arguments of a call before its tool runs and gives them
// back in one canonical form, without the nulls that stand for "absent".
func (t *Tool) arguments(raw jsontext.Value) (jsontext.Value, error) {
	if most := t.MaxArguments(); len(raw) > most {
		return nil, Fail(TooLarge, "error.too_large", most)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = jsontext.Value("{}")
	}
	if string(raw) == "{}" && len(t.Input.Required) == 0 && t.Input.MinProperties == nil {
		return raw, nil // as most reads are called
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, Fail(Invalid, "error.json", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	v = dropNulls(v, t.Input)
	if problem := firstProblem(v, t.Input, ""); problem != nil {
		return nil, Fail(Invalid, "error.arguments", *problem)
	}
	in, err := t.in()
	if err != nil {
		return nil, err
	}
	if err := in.Validate(v); err != nil {
		if problem := badString(v, t.Input, ""); problem != nil {
			return nil, Fail(Invalid, "error.arguments", *problem)
		}
		return nil, Fail(Invalid, "error.arguments", err.Error())
	}
	return json.Marshal(v, json.Deterministic(true))
}

// dropNulls takes out the nulls of optional fields; a null for a field that
// must be there stays and is refused as missing its type.
func dropNulls(v any, s *jsonschema.Schema) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			p := property(s, k)
			if p == nil {
				continue
			}
			if x == nil && !slices.Contains(s.Required, k) && !allowsNull(p) {
				delete(v, k)
				continue
			}
			v[k] = dropNulls(x, p)
		}
	case []any:
		if s.Items != nil {
			for i := range v {
				v[i] = dropNulls(v[i], s.Items)
			}
		}
	}
	return v
}
