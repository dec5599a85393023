package offer_test

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/screen"
	"github.com/nodkeep/nodkeep/tools"
)

func own(t *testing.T, name string) offer.Own {
	t.Helper()
	for _, o := range offer.Model() {
		if o.Name == name {
			return o
		}
	}
	t.Fatal(name)
	return offer.Own{}
}

// TestUse: arguments come as an object, or as one that was put in quotes.
func TestUse(t *testing.T) {
	o := own(t, offer.UseName)
	for given, want := range map[string]string{
		`{"name":"a_b","args":{"n":1,"l":["x"]}}`:           `{"l":["x"],"n":1}`,
		`{"name":"a_b","args":"{\"n\":1,\"l\":[\"x\"]}"}`:   `{"l":["x"],"n":1}`,
		`{"name":"a_b","args":" {\"deep\":{\"n\":null}} "}`: `{"deep":{"n":null}}`,
		`{"name":"a_b"}`:                                     `{}`,
		`{"name":"a_b","args":null}`:                         `{}`,
		`{"name":"a_b","args":{}}`:                           `{}`,
		`{"name":"a_b","args":{"n":"7"}}`:                    `{"n":"7"}`,
		`{"name":"a_b","args":{"amount":15.990,"big":1e99}}`: `{"amount":15.99,"big":1e+99}`,
		// What is none.
		`{"name":"a_b","args":"n=1"}`:   ``,
		`{"name":"a_b","args":"[1]"}`:   ``,
		`{"name":"a_b","args":[1]}`:     ``,
		`{"name":"a_b","args":"{"}`:     ``,
		`{"args":{}}`:                   ``,
		`{"name":"a_b","arguments":{}}`: ``,
		`{"name":`:                      ``,
		`[]`:                            ``,
	} {
		var in offer.UseIn
		err := o.Read(jsontext.Value(given), &in)
		if want == "" {
			if tools.KindOf(err) != tools.Invalid {
				t.Errorf("%s: %+v, %v", given, in, err)
			}
			continue
		}
		inv, invErr := in.Invocation()
		if err != nil || invErr != nil || inv.Tool != "a_b" || string(inv.Args) != want {
			t.Errorf("%s: %s %s, %v %v", given, inv.Tool, inv.Args, err, invErr)
		}
	}
}

func TestScreenIn(t *testing.T) {
	o := own(t, offer.ScreenName)
	for _, form := range append(screen.Forms(), "pie", "") {
		var in offer.ScreenIn
		err := o.Read(jsontext.Value(`{"tool":"a_b","args":"{\"n\":1}","form":"`+form+`","columns":"[\"x\"]"}`), &in)
		good := form != "pie" && form != ""
		if (err == nil) != good {
			t.Errorf("%s: %v", form, err)
		}
		if inv, err := in.Invocation(); good && (err != nil || string(inv.Args) != `{"n":1}` || in.Form != form || !cmp.Equal(in.Columns, []string{"x"})) {
			t.Errorf("%s: %+v %v", form, in, err)
		}
	}
}

// TestAskForm: what a model asks is shown in single lines of bounded length, or
// not at all.
func TestAskForm(t *testing.T) {
	o := own(t, offer.AskName)
	q := func(text string, choices ...string) offer.AskQuestion {
		return offer.AskQuestion{Text: text, Choices: choices}
	}
	for _, row := range []struct {
		name string
		in   []offer.AskQuestion
		want []offer.AskQuestion
		key  string
	}{
		{"one", []offer.AskQuestion{q("Which one?", "A", "B")}, []offer.AskQuestion{q("Which one?", "A", "B")}, ""},
		{"open", []offer.AskQuestion{q("Since when?")}, []offer.AskQuestion{{Text: "Since when?", Choices: []string{}}}, ""},
		{"lines", []offer.AskQuestion{q(" Which\n\tone?\u202e\u200b ", "A\r\nB", "A B")}, []offer.AskQuestion{q("Which one?", "A B")}, ""},
		{"an emoji of several", []offer.AskQuestion{q("👩\u200d👧?", "ja")}, []offer.AskQuestion{q("👩\u200d👧?", "ja")}, ""},
		{"none", nil, nil, "offer.ask.questions"},
		{"five", []offer.AskQuestion{q("1"), q("2"), q("3"), q("4"), q("5")}, nil, "offer.ask.questions"},
		{"nine choices", []offer.AskQuestion{q("1", strings.Split("123456789", "")...)}, nil, "offer.ask.choices"},
		{"blank", []offer.AskQuestion{q(" \u200b\u200d\n")}, nil, "offer.ask.empty"},
		{"a blank choice", []offer.AskQuestion{q("1", "")}, nil, "offer.ask.empty"},
		{"a long one", []offer.AskQuestion{q(strings.Repeat("ü", 201))}, nil, "offer.ask.long"},
		{"just not", []offer.AskQuestion{q(strings.Repeat("ü", 200), strings.Repeat("ü", 80))}, []offer.AskQuestion{q(strings.Repeat("ü", 200), strings.Repeat("ü", 80))}, ""},
		{"a long choice", []offer.AskQuestion{q("1", strings.Repeat("ü", 81))}, nil, "offer.ask.long"},
	} {
		t.Run(row.name, func(t *testing.T) {
			raw, err := json.Marshal(offer.AskIn{Questions: row.in})
			if err != nil {
				t.Fatal(err)
			}
			var in offer.AskIn
			if err := o.Read(raw, &in); err != nil {
				t.Fatal(err)
			}
			got, err := in.Form()
			key := ""
			if own, ok := errors.AsType[*tools.Error](err); ok {
				key = own.Text.Key
			}
			if key != row.key {
				t.Errorf("%v, want %s", err, row.key)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestModelSchemas: what a model is told of its own tools is what every host
// takes, and no tool of it runs by itself.
func TestModelSchemas(t *testing.T) {
	portable := []string{"type", "description", "properties", "required", "items", "enum", "additionalProperties"}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			t.Errorf("%s: %v is no schema", at, v)
			return
		}
		for word, value := range m {
			known := false
			for _, p := range portable {
				known = known || p == word
			}
			if !known {
				t.Errorf("%s: a host may not know %s", at, word)
			}
			switch word {
			case "properties":
				for name, p := range value.(map[string]any) {
					walk(at+"."+name, p)
				}
			case "items":
				walk(at+"[]", value)
			}
		}
		if m["type"] == nil {
			t.Errorf("%s has no type", at)
		}
	}
	for _, o := range append(offer.Model(), offer.Activity(nil), offer.Undo()) {
		raw, err := json.Marshal(offer.Schema(o.Input))
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		walk(o.Name, v)
		if strings.Contains(o.Help+string(raw), "token") || strings.Contains(o.Help+string(raw), "MCP") {
			t.Errorf("%s: a model has no token: %s %s", o.Name, o.Help, raw)
		}
		if len(o.Help) > 320 {
			t.Errorf("%s: %d letters of help", o.Name, len(o.Help))
		}
	}
	for _, o := range offer.Model() {
		if _, err := o.Run(t.Context(), gate.Agent{}, nil); err == nil {
			t.Errorf("%s ran", o.Name)
		}
	}
}

// TestFormIsPlain: what does not show, or moves what does, stands in no question.
func TestFormIsPlain(t *testing.T) {
	form, err := offer.AskIn{Questions: []offer.AskQuestion{{Text: "Which\x1b[2J\x00 one?\r\n\u202eNow", Choices: []string{"a\x07b", "\u200bc"}}}}.Form()
	if err != nil || form[0].Text != "Which [2J one? Now" || strings.Join(form[0].Choices, "|") != "a b|c" {
		t.Errorf("%q %v", form, err)
	}
}
