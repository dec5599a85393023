package tools_test

import (
	"encoding/json/v2"
	"fmt"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

type order struct {
	Name   string            `json:"name"`
	Count  int               `json:"count,omitzero"`
	Note   *string           `json:"note,omitzero"`
	Day    tools.Date        `json:"day,omitzero"`
	Cycle  tools.Cycle       `json:"cycle,omitzero"`
	Lines  []line            `json:"lines,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Flag   bool              `json:"flag,omitzero"`
}

type line struct {
	Item string  `json:"item"`
	Rate float64 `json:"rate,omitzero"`
}

// orders is a plugin that gives back what it was given.
type orders struct{ got *order }

func (o orders) Name() string { return "orders" }
func (o orders) Tools() []tools.Tool {
	return []tools.Tool{
		tools.NewRead(tools.Def{Name: "orders_echo", Title: "t", Help: "Gives back its arguments."}, func(_ *tools.Reader, in order) (order, error) {
			*o.got = in
			return in, nil
		}),
		tools.New(tools.Def{Name: "orders_file", Title: "t", Help: "Takes a whole file.", Effect: tools.EffectWrite}, func(_ *tools.Call, in order) (int, error) {
			return len(in.Name), nil
		}, tools.WithArguments(3<<20)),
	}
}

// TestQuoted: no message repeats what a terminal acts on, or what turns or hides
// its other words.
func TestQuoted(t *testing.T) {
	var got order
	b := open(t, tools.Config{}, orders{&got})
	const odd = "a\x1b[31m\u202eb"
	written, err := json.Marshal(odd)
	if err != nil {
		t.Fatal(err)
	}
	none := odd
	_, day := tools.ParseDate(odd)
	_, cycle := tools.ParseCycle(odd)
	_, amount := tools.ParseMoney(odd, "EUR")
	_, currency := tools.ParseMoney("1", odd)
	_, field := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: "orders_echo", Args: []byte(`{"name":"a",` + string(written) + `:1}`)})
	_, value := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: "orders_echo", Args: []byte(`{"name":"a","day":` + string(written) + `}`)})
	_, tool := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: odd})
	_, record := b.try(b.ann, b.write(update("lab_tags", &none, nil)))
	for what, err := range map[string]error{"day": day, "cycle": cycle, "amount": amount, "currency": currency, "field": field, "value": value, "tool": tool, "record": record} {
		if err == nil || strings.ContainsAny(err.Error(), "\x1b\u202e") || !strings.Contains(err.Error(), "[31m") {
			t.Errorf("%s: %q", what, err)
		}
	}
}

// TestArguments: what does not fit is refused before the tool runs, naming the
// field in words that a model can act on.
func TestArguments(t *testing.T) {
	var got order
	b := open(t, tools.Config{}, orders{&got})
	for args, want := range map[string]string{
		`{"name":"a"}`: "",
		`{"name":"a","note":null,"count":null,"lines":null,"day":null,"cycle":null,"flag":null}`: "",
		`{"name":"a","lines":[{"item":"x","rate":null}],"labels":{"k":"v"}}`:                     "",
		` {"name" : "a" , "day":"2024-02-29","cycle":"P1M"} `:                                    "",
		``:                           `"name" is missing`,
		`{}`:                         `"name" is missing`,
		`null`:                       "argument object",
		`[]`:                         "argument object",
		`"x"`:                        "argument object",
		`{"name":null}`:              `"name" must be a string, not null`,
		`{"name":1}`:                 `"name" must be a string, not a number`,
		`{"name":"a","count":1.5}`:   `"count" must be an integer`,
		`{"name":"a","count":"1"}`:   `"count" must be an integer`,
		`{"name":"a","count":1e300}`: `count`,
		`{"name":"a","nam":1}`:       `"nam" is unknown; the fields are count, cycle`,
		`{"name":"a","lines":{}}`:    `"lines" must be a list, not an object`,
		`{"name":"a","lines":[{}]}`:  `"lines[0].item" is missing`,
		`{"name":"a","lines":[{"item":"x","price":1}]}`: `"lines[0].price" is unknown`,
		`{"name":"a","lines":[{"item":"x"},null]}`:      `"lines[1]"`,
		`{"name":"a","labels":{"k":1}}`:                 `"labels.k" must be a string`,
		`{"name":"a","day":"2026-02-31"}`:               "2026-02-31",
		`{"name":"a","day":"yesterday"}`:                "day",
		`{"name":"a","cycle":"P0M"}`:                    "cycle",
		`{"name":"a","cycle":"P1D"}`:                    "cycle",
		`{"name":"a"`:                                   "JSON: unexpected",
		`{"name":"a"} {}`:                               "JSON",
		`{"name":"a","name":"b"}`:                       "JSON",
		"{\"name\":\"\xff\"}":                           "JSON",
	} {
		_, err := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: "orders_echo", Args: []byte(args)})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", args, err)
		case want != "" && (err == nil || tools.KindOf(err) != tools.Invalid || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want invalid with %s", args, err, want)
		}
	}
}

// TestLargeArguments: a tool that takes a whole file says so, others are given
// a megabyte.
func TestLargeArguments(t *testing.T) {
	b := open(t, tools.Config{}, orders{new(order)})
	sized := func(n int) []byte {
		return fmt.Appendf(nil, `{"name":"%s"}`, strings.Repeat("x", n-len(`{"name":""}`)))
	}
	for _, row := range []struct {
		tool string
		size int
		want tools.Kind
	}{
		{"orders_echo", 1 << 20, ""},
		{"orders_echo", 1<<20 + 1, tools.TooLarge},
		{"orders_file", 3 << 20, ""},
		{"orders_file", 3<<20 + 1, tools.TooLarge},
	} {
		_, err := b.Runner.Preview(t.Context(), b.ann, tools.Invocation{Tool: row.tool, Args: sized(row.size)})
		if (err != nil) != (row.want != "") || (err != nil && tools.KindOf(err) != row.want) {
			t.Errorf("%s of %d bytes: %v", row.tool, row.size, err)
		}
	}
}

// FuzzArguments: any bytes are taken or refused as invalid, nothing panics,
// and what is taken comes back as it was meant.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{"name":"a"}`, `{"name":"a","note":null}`, `{"lines":[{"item":1}]}`, `{"name":"a","labels":{"":"\u0000"}}`, `[[[[]]]]`, `{"name":"a","count":1e3}`, "{\"a\xff\":1}"} {
		f.Add([]byte(s))
	}
	var got order
	b := open(f, tools.Config{}, orders{&got})
	f.Fuzz(func(t *testing.T, args []byte) {
		out, err := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: "orders_echo", Args: args})
		if err != nil {
			if k := tools.KindOf(err); k != tools.Invalid && k != tools.TooLarge {
				t.Fatalf("%s: %v", k, err)
			}
			return
		}
		first, err := json.Marshal(out, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Runner.Read(t.Context(), b.ann, tools.Invocation{Tool: "orders_echo", Args: first})
		if err != nil {
			t.Fatalf("its own output is refused: %v\n%s", err, first)
		}
		second, err := json.Marshal(again, json.Deterministic(true))
		if err != nil || string(first) != string(second) {
			t.Fatalf("%s\n%s %v", first, second, err)
		}
	})
}
