package offer

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// TestSchema: what some host would refuse a conversation for becomes words.
func TestSchema(t *testing.T) {
	for _, row := range []struct{ name, is, want string }{
		{"nothing", `{}`, `{"type":"object","properties":{}}`},
		{"closed", `{"type":"object","additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"a pattern with words", `{"properties":{"a":{"type":"string","pattern":"^x$","description":"an x"}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"an x"}}}`},
		{"a pattern without", `{"properties":{"a":{"type":"string","pattern":"^x$"}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"text like ^x$"}}}`},
		{"or null", `{"properties":{"a":{"type":["null","integer"]}}}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`},
		{"one of several", `{"properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"several at the root", `{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}}]}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"a list of anything", `{"properties":{"a":{"type":"array"}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`},
		{
			"a list of some", `{"properties":{"a":{"type":"array","items":{"type":"string","format":"uri"},"maxItems":5,"minItems":1,"uniqueItems":true}}}`,
			`{"type":"object","properties":{"a":{"type":"array","description":"at least 1, at most 5, each once","items":{"type":"string","description":"uri"}}}}`,
		},
		{
			"bounds", `{"properties":{"a":{"type":"integer","minimum":1,"exclusiveMaximum":9,"multipleOf":2,"default":3}}}`,
			`{"type":"object","properties":{"a":{"type":"integer","description":"less than 9, a multiple of 2, 3 by default","minimum":1}}}`,
		},
		{"a constant", `{"properties":{"a":{"type":"string","const":"x"}}}`, `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`},
		{"a choice or null", `{"properties":{"a":{"type":"string","enum":["x",null]}}}`, `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`},
		{
			"a map", `{"properties":{"a":{"type":"object","additionalProperties":{"type":"string","pattern":"x"}}}}`,
			`{"type":"object","properties":{"a":{"type":"object","properties":{},"additionalProperties":{"type":"string","description":"text like x"}}}}`,
		},
		{"a map of anything", `{"properties":{"a":{"type":"object","additionalProperties":{}}}}`, `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`},
		{"a file", `{"properties":{"a":{"type":"string","contentEncoding":"base64","writeOnly":true,"title":"A","examples":["x"]}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"in base64"}}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var s jsonschema.Schema
			if err := json.Unmarshal([]byte(row.is), &s); err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(Schema(&s))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(canonical(t, row.want), canonical(t, string(raw))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func canonical(t *testing.T, s string) string {
	t.Helper()
	v := jsontext.Value(s)
	if err := v.Canonicalize(); err != nil {
		t.Fatal(err, s)
	}
	return string(v)
}

// TestCoerce: what was meant is understood where it is beyond doubt; the rest
// stays for the engine to refuse.
func TestCoerce(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"n":{"type":"integer"},"f":{"type":"number"},"s":{"type":"string"},"b":{"type":"boolean"},"any":{},
		"l":{"type":"array","items":{"type":"integer"}},"o":{"type":"object","properties":{"n":{"type":"integer"}}},
		"m":{"type":"object","additionalProperties":{"type":"string"}}}}`
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	for is, want := range map[string]string{
		``:     `{}`,
		`null`: `{}`,
		`{"n":"7","f":"1.5","s":15.990,"b":"true","l":["1",2],"o":{"n":" 7 "},"m":{"x":1}}`: `{"n":7,"f":1.5,"s":"15.990","b":true,"l":[1,2],"o":{"n":7},"m":{"x":"1"}}`,
		`{"l":"[1,\"2\"]","o":"{\"n\":1}"}`:                                                 `{"l":[1,2],"o":{"n":1}}`,
		`{"any":1,"unknown":"7"}`:                                                           `{"any":1,"unknown":"7"}`,
		// What is in doubt.
		`{"n":"7.5"}`:              ``,
		`{"n":"1e3"}`:              ``,
		`{"n":"007"}`:              ``,
		`{"n":"9007199254740993"}`: ``,
		`{"n":"seven","f":"1,5"}`:  ``,
		`{"n":""}`:                 ``,
		`{"n":null}`:               ``,
		`{"s":1e400}`:              ``,
		`{"s":true,"b":"yes"}`:     ``,
		`{"l":"1,2","o":"{"}`:      ``,
		`{"n":1,"n":2}`:            ``,
		`[1`:                       ``,
		`"text"`:                   ``,
	} {
		if want == "" {
			want = is
		}
		got := string(Coerce(jsontext.Value(is), &s))
		if got != want && (!jsontext.Value(got).IsValid() || canonical(t, got) != canonical(t, want)) {
			t.Errorf("%s: %s, want %s", is, got, want)
		}
	}
	// What a model was to send as a text may look like another value.
	if got := string(Coerce(jsontext.Value(`{"s":"7"}`), &s)); got != `{"s":"7"}` {
		t.Error(got)
	}
}

// FuzzCoerce: it takes whatever comes, and twice is as good as once.
func FuzzCoerce(f *testing.F) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"object","properties":{"b":{"type":"boolean"}}}}}}`), &s); err != nil {
		f.Fatal(err)
	}
	f.Add(`{"n":"7","s":1,"l":"[{\"b\":\"true\"}]"}`)
	f.Add(`{"n":{"n":"7"}}`)
	f.Fuzz(func(t *testing.T, args string) {
		once := Coerce(jsontext.Value(args), &s)
		if twice := Coerce(once, &s); string(twice) != string(once) {
			t.Errorf("%q: %s, then %s", args, once, twice)
		}
		if jsontext.Value(args).IsValid() && !once.IsValid() && strings.TrimSpace(args) != "" {
			t.Errorf("%q became %s", args, once)
		}
	})
}
