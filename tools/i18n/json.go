package i18n

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"reflect"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// Marshalers is for encoding/json/v2, as json.WithMarshalers. It writes every
// tools.Text within any value as {"text": …, "key": …, "args": […]}, its text
// in the language, dates in args as YYYY-MM-DD and money as "15.99 EUR"; and
// every tools.Words as the sentence alone.
func (c *Catalogue) Marshalers(lang string) *json.Marshalers { return c.marshalers[c.known(lang)] }

func (c *Catalogue) newMarshalers(lang string) *json.Marshalers {
	return json.JoinMarshalers(
		json.MarshalToFunc(func(enc *jsontext.Encoder, t tools.Text) error {
			args := make([]any, len(t.Args))
			for i, arg := range t.Args {
				args[i] = plain(arg)
			}
			return json.MarshalEncode(enc, struct {
				Text string `json:"text"`
				Key  string `json:"key"`
				Args []any  `json:"args"`
			}{valid(c.Say(lang, t)), valid(t.Key), args})
		}),
		json.MarshalToFunc(func(enc *jsontext.Encoder, w tools.Words) error {
			return enc.WriteToken(jsontext.String(valid(c.Say(lang, tools.Text(w)))))
		}),
	)
}

// plain is an argument as JSON has it. A Text stays one, for the marshalers.
func plain(arg any) any {
	switch v := arg.(type) {
	case tools.Text, []tools.Text, tools.Words:
		return v
	}
	if v := reflect.ValueOf(arg); v.CanInt() || v.CanUint() {
		return arg
	}
	return valid(fmt.Sprint(arg))
}

// valid replaces what is no UTF-8: a sentence may quote a file that has none,
// and JSON can hold nothing else.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
