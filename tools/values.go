package tools

import (
	"database/sql/driver"
	"encoding/base64"
	"encoding/json/v2"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// export is a record as the database holds it: strings, float64, bool and nil.
// JSON fields are their text. Passwords and token keys are left out: they are
// no content.
func export(rec *core.Record) (map[string]any, error) {
	raw, err := rec.DBExport(nil)
	if err != nil {
		return nil, err
	}
	for _, f := range rec.Collection().Fields {
		name := f.GetName()
		if secretField(rec.Collection(), f) {
			delete(raw, name)
			continue
		}
		if raw[name], err = plainValue(raw[name]); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", rec.Collection().Name, name, err)
		}
	}
	return raw, nil
}

// secretField is a credential of an account: never journaled, never undone.
func secretField(col *core.Collection, f core.Field) bool {
	return f.Type() == core.FieldTypePassword || (col.IsAuth() && f.GetName() == core.FieldNameTokenKey)
}

func plainValue(v any) (any, error) {
	switch x := v.(type) {
	case nil, string, bool, float64:
		return x, nil
	case []byte:
		return string(x), nil
	case int:
		return float64(x), nil
	case int64:
		return float64(x), nil
	case driver.Valuer:
		p, err := x.Value()
		if err != nil {
			return nil, err
		}
		return plainValue(p)
	}
	return fmt.Sprint(v), nil
}

// odd wraps a value that JSON cannot hold as it is.
type odd struct {
	Base64 string `json:"$base64,omitempty"`
	Number string `json:"$number,omitempty"`
}

// encode writes exported values as JSON that decode reads back exactly.
func encode(values map[string]any) (string, error) {
	out := make(map[string]any, len(values))
	for k, v := range values {
		switch x := v.(type) {
		case string:
			if !utf8.ValidString(x) {
				v = odd{Base64: base64.StdEncoding.EncodeToString([]byte(x))}
			}
		case float64:
			if math.IsInf(x, 0) || math.IsNaN(x) {
				v = odd{Number: strconv.FormatFloat(x, 'g', -1, 64)}
			}
		}
		out[k] = v
	}
	b, err := json.Marshal(out, json.Deterministic(true))
	return string(b), err
}

func decodeValues(s string) (map[string]any, error) {
	if s == "" {
		return nil, nil
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		return nil, err
	}
	for k, v := range m {
		var err error
		if m[k], err = even(v); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// even gives what odd wraps, and all else as it is.
func even(v any) (any, error) {
	o, ok := v.(map[string]any)
	if !ok {
		return v, nil
	}
	if s, ok := o["$base64"].(string); ok {
		b, err := base64.StdEncoding.DecodeString(s)
		return string(b), err
	}
	if s, ok := o["$number"].(string); ok {
		return strconv.ParseFloat(s, 64)
	}
	return v, nil
}

// load puts exported values back into a record without validation; only the
// fields that only names, or all where it is nil.
func load(rec *core.Record, values map[string]any, only func(string) bool) error {
	for _, f := range rec.Collection().Fields {
		name := f.GetName()
		v, ok := values[name]
		if !ok || (only != nil && !only(name)) {
			continue
		}
		if name == core.FieldNameId {
			rec.Id, _ = v.(string)
			continue
		}
		if text, ok := v.(string); ok && f.Type() == core.FieldTypeJSON {
			rec.SetRaw(name, types.JSONRaw(text)) // as it was, not as it would be read
			continue
		}
		p, err := f.PrepareValue(rec, v)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", rec.Collection().Name, name, err)
		}
		rec.SetRaw(name, p)
	}
	return nil
}
