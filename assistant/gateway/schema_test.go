package gateway

import (
	"encoding/json/jsontext"
	"strconv"
	"strings"
	"testing"
)

func TestSchemaAsHostsTakeIt(t *testing.T) {
	const empty = `{"type":"object","properties":{}}`
	in := func(property string) string { return `{"type":"object","properties":{"a":` + property + `}}` }
	for _, row := range []struct {
		k        keywords
		in, want string
	}{
		{anyKeyword, ``, empty},
		{anyKeyword, `null`, empty},
		{anyKeyword, `[1]`, empty},
		{anyKeyword, `{"typ`, empty},
		{anyKeyword, `{}`, `{"type":"object","properties":{}}`},
		{anyKeyword, `{"type":"object","oneOf":[{"required":["a"]}],"properties":{}}`, empty},
		{anyKeyword, in(`{"type":"array"}`), in(`{"type":"array","items":{}}`)},
		{anyKeyword, in(`{"type":"string","pattern":"^a$","format":"email"}`), in(`{"type":"string","pattern":"^a$","format":"email"}`)},
		{anyKeyword, in(`true`), in(`true`)},
		{grammarKeywords, in(`{"type":"string","pattern":"^a$","format":"email"}`), in(`{"type":"string"}`)},
		{grammarKeywords, in(`{"type":"string","format":"date"}`), in(`{"type":"string","format":"date"}`)},
		{grammarKeywords, in(`{"anyOf":[{"type":"string","pattern":"("}]}`), in(`{"anyOf":[{"type":"string"}]}`)},
		{geminiKeywords, in(`{"type":"array"}`), in(`{"type":"array","items":{"type":"string"}}`)},
		{geminiKeywords, in(`{"type":"array","items":true}`), in(`{"type":"array","items":{"type":"string"}}`)},
		{geminiKeywords, in(`{"type":"string","format":"date"}`), in(`{"type":"string"}`)},
		{geminiKeywords, in(`{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10,"multipleOf":5}`), in(`{"type":"integer","minimum":1,"maximum":9}`)},
		{geminiKeywords, in(`{"type":"number","exclusiveMinimum":0}`), in(`{"type":"number"}`)},
		{geminiKeywords, in(`{"const":"x"}`), in(`{"enum":["x"],"type":"string"}`)},
		{geminiKeywords, in(`{"type":"integer","const":3}`), in(`{"type":"integer"}`)},
		{geminiKeywords, in(`{"type":"integer","enum":[1,2]}`), in(`{"type":"integer"}`)},
		{geminiKeywords, in(`{"type":["integer","null"]}`), in(`{"type":"integer","nullable":true}`)},
		{geminiKeywords, in(`{"anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}`), in(`{"nullable":true,"type":"string","maxLength":3}`)},
		{geminiKeywords, in(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`), in(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`)},
		{
			geminiKeywords, in(`{"type":"object","additionalProperties":false,"propertyNames":{"pattern":"a"},"allOf":[{"properties":{"b":{"type":"string"}},"required":["b"]},{"required":["b","c"]}],"properties":{"c":{"type":"string"}}}`),
			in(`{"type":"object","properties":{"c":{"type":"string"},"b":{"type":"string"}},"required":["b","c"]}`),
		},
		{geminiKeywords, in(`{"type":"object","description":"what it takes","properties":{},"additionalProperties":{}}`), in(`{"type":"string","description":"what it takes (a JSON object)"}`)},
		{geminiKeywords, in(`{"type":["object","null"],"additionalProperties":{"type":"string"}}`), in(`{"type":"string","description":"a JSON object","nullable":true}`)},
		{geminiKeywords, in(`{"type":"array","items":{"type":"object"}}`), in(`{"type":"array","items":{"type":"string","description":"a JSON object"}}`)},
		{geminiKeywords, `{"type":"object","properties":{}}`, empty},
		{anyKeyword, in(`{"type":"object","properties":{}}`), in(`{"type":"object","properties":{}}`)},
		{geminiKeywords, in(`{"$ref":"#/$defs/x"}`), in(`{}`)},
		{geminiKeywords, `{"type":"object","properties":{"const":{"type":"string"},"$schema":{"type":"string"}}}`, `{"type":"object","properties":{"const":{"type":"string"},"$schema":{"type":"string"}}}`},
	} {
		if got := string(row.k.fitting(jsontext.Value(row.in))); got != row.want {
			t.Errorf("%d %s\n got %s\nwant %s", row.k, row.in, got, row.want)
		}
	}
	// Deep ones end.
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 200) + `{}` + strings.Repeat(`}}`, 200)
	if got := geminiKeywords.fitting(jsontext.Value(deep)); !got.IsValid() || len(got) > 2000 {
		t.Error(len(got))
	}
}

// A schema is taken apart once, and what is kept has an end.
func TestSchemasAreKept(t *testing.T) {
	f := new(fitted)
	in := jsontext.Value(`{"type":"object"}`)
	a, b := f.of(in, anyKeyword), f.of(in.Clone(), anyKeyword)
	if string(a) != `{"type":"object","properties":{}}` || &a[0] != &b[0] {
		t.Errorf("%s, then %s", a, b)
	}
	for n := range mostFitted + 10 {
		f.of(jsontext.Value(`{"title":"`+strconv.Itoa(n)+`"}`), anyKeyword)
	}
	if len(f.all) > mostFitted {
		t.Error(len(f.all))
	}
}
