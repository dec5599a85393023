package fake

import (
	"encoding/base64"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// check says what is wrong with a value of a request.
type check func(at string, v any) *refusal

// fields are those that an object may have, and no others; a name that ends in
// "!" must be there.
type fields map[string]check

func (f fields) check(at string, v any) *refusal {
	o, ok := v.(map[string]any)
	if !ok {
		return mismatch(at, "an object", v)
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if want, must := strings.CutSuffix(name, "!"); must {
			if _, ok := o[want]; !ok {
				return &refusal{kind: absent, at: join(at, want)}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		c, ok := f[name]
		if !ok {
			c, ok = f[name+"!"]
		}
		if !ok {
			return &refusal{kind: unknown, at: join(at, name)}
		}
		if no := c(join(at, name), o[name]); no != nil {
			return no
		}
	}
	return nil
}

// with are the fields and some more.
func (f fields) with(more fields) fields {
	out := maps.Clone(f)
	maps.Copy(out, more)
	return out
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func mismatch(at, want string, v any) *refusal {
	return &refusal{kind: invalid, at: at, text: fmt.Sprintf("Invalid type for '%s': expected %s, but got %T instead.", at, want, v)}
}

func keys(m map[string]any) iter.Seq[string] { return maps.Keys(m) }

func anything(string, any) *refusal { return nil }

func text(at string, v any) *refusal {
	if _, ok := v.(string); !ok {
		return mismatch(at, "a string", v)
	}
	return nil
}

// some is text that is not blank.
func some(at string, v any) *refusal {
	if s, ok := v.(string); !ok || strings.TrimSpace(s) == "" {
		return &refusal{kind: invalid, at: at, text: "text content blocks must contain non-whitespace text"}
	}
	return nil
}

func truth(at string, v any) *refusal {
	if _, ok := v.(bool); !ok {
		return mismatch(at, "a boolean", v)
	}
	return nil
}

// upTo is a whole number from 1.
func upTo(most float64) check {
	return func(at string, v any) *refusal {
		n, ok := v.(float64)
		switch {
		case !ok || n != float64(int64(n)):
			return mismatch(at, "an integer", v)
		case n < 1:
			return &refusal{kind: invalid, at: at, text: "Input should be greater than or equal to 1"}
		case n > most:
			return &refusal{kind: invalid, at: at, text: fmt.Sprintf("%v > %v, which is the maximum allowed number of output tokens", n, most)}
		}
		return nil
	}
}

func word(words ...string) check {
	return func(at string, v any) *refusal {
		if s, ok := v.(string); !ok || !slices.Contains(words, s) {
			return &refusal{kind: invalid, at: at, code: "invalid_value", text: fmt.Sprintf("Invalid value: '%v'. Supported values are: '%s'.", v, strings.Join(words, "', '"))}
		}
		return nil
	}
}

func matching(pattern string) check {
	re := regexp.MustCompile(pattern)
	return func(at string, v any) *refusal {
		if s, ok := v.(string); !ok || !re.MatchString(s) {
			return &refusal{kind: invalid, at: at, code: "invalid_value", text: fmt.Sprintf("Invalid '%s': string does not match pattern. Expected a string that matches the pattern '%s'.", at, pattern)}
		}
		return nil
	}
}

func list(c check) check {
	return func(at string, v any) *refusal {
		l, ok := v.([]any)
		if !ok {
			return mismatch(at, "an array", v)
		}
		for i, v := range l {
			if no := c(join(at, strconv.Itoa(i)), v); no != nil {
				return no
			}
		}
		return nil
	}
}

// filled is a list with something in it.
func filled(c check) check {
	return func(at string, v any) *refusal {
		if l, ok := v.([]any); ok && len(l) == 0 {
			return &refusal{kind: invalid, at: at, text: "List should have at least 1 item after validation, not 0"}
		}
		return list(c)(at, v)
	}
}

// either takes a string or what c takes; orNull takes null or what c takes.
func either(c check) check {
	return func(at string, v any) *refusal {
		if _, ok := v.(string); ok {
			return nil
		}
		return c(at, v)
	}
}

func orNull(c check) check {
	return func(at string, v any) *refusal {
		if v == nil {
			return nil
		}
		return c(at, v)
	}
}

// by looks at an object by what one of its fields says.
func by(field string, sorts map[string]fields) check {
	return func(at string, v any) *refusal {
		o, ok := v.(map[string]any)
		if !ok {
			return mismatch(at, "an object", v)
		}
		name, _ := o[field].(string)
		f, ok := sorts[name]
		if !ok {
			return &refusal{kind: invalid, at: join(at, field), code: "invalid_value", text: fmt.Sprintf("Invalid value: '%v'. Supported values are: '%s'.", o[field], strings.Join(slices.Sorted(maps.Keys(sorts)), "', '"))}
		}
		return f.check(at, v)
	}
}

// base64Of is data that is what it is said to be.
func base64Of(at, data, mime string) *refusal {
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(b) == 0 {
		return &refusal{kind: invalid, at: at, text: "Invalid base64 data"}
	}
	if got := http.DetectContentType(b); got != mime {
		return &refusal{kind: invalid, at: at, text: fmt.Sprintf("The file was specified using the %s media type, but it appears to be %s", mime, got)}
	}
	return nil
}

// dataURL is one of data of these types, and no address.
func dataURL(mimes ...string) check {
	return func(at string, v any) *refusal {
		s, _ := v.(string)
		head, data, ok := strings.Cut(s, ",")
		mime, in := strings.CutPrefix(head, "data:")
		mime, coded := strings.CutSuffix(mime, ";base64")
		if !ok || !in || !coded || !slices.Contains(mimes, mime) {
			return &refusal{kind: invalid, at: at, code: "invalid_value", text: fmt.Sprintf("Invalid '%s'. Expected a base64-encoded data URL with a MIME type of %s.", at, strings.Join(mimes, ", "))}
		}
		return base64Of(at, data, mime)
	}
}

func pictures() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

// schema is JSON Schema of an object, without the keywords that the host does
// not know.
func schema(refused ...string) check {
	var walk check
	walk = func(at string, v any) *refusal {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if named := strings.HasSuffix(at, ".properties"); !named && slices.Contains(refused, name) {
					return &refusal{kind: unknown, at: join(at, name)}
				}
				if no := walk(join(at, name), v[name]); no != nil {
					return no
				}
			}
		case []any:
			return list(walk)(at, v)
		}
		return nil
	}
	return func(at string, v any) *refusal {
		o, ok := v.(map[string]any)
		if !ok || o["type"] != "object" {
			return &refusal{kind: invalid, at: at, code: "invalid_function_parameters", text: fmt.Sprintf("Invalid schema for function: schema must be a JSON Schema of 'type: \"object\"', got 'type: \"%v\"'.", o["type"])}
		}
		return walk(at, v)
	}
}

// noneEmpty is Gemini's: an object within a schema names its properties.
func noneEmpty(inner check) check {
	var walk check
	walk = func(at string, v any) *refusal {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if o, ok := v[name].(map[string]any); ok && o["type"] == "object" {
					if named, _ := o["properties"].(map[string]any); len(named) == 0 {
						return &refusal{kind: invalid, at: join(at, name), text: fmt.Sprintf("%s.properties: should be non-empty for OBJECT type", join(at, name))}
					}
				}
				if no := walk(join(at, name), v[name]); no != nil {
					return no
				}
			}
		case []any:
			return list(walk)(at, v)
		}
		return nil
	}
	return func(at string, v any) *refusal {
		if no := inner(at, v); no != nil {
			return no
		}
		return walk(at, v)
	}
}
