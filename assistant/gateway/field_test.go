package gateway

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFieldsTakeWhateverStandsThere(t *testing.T) {
	type inner struct {
		A num `json:"a"`
		S str `json:"s"`
	}
	type outer struct {
		N num         `json:"n"`
		S str         `json:"s"`
		O obj[inner]  `json:"o"`
		L objs[inner] `json:"l"`
	}
	full := outer{N: num{7, true}, S: "x", O: obj[inner]{inner{num{1, true}, "y"}, true}, L: objs[inner]{{S: "z"}}}
	rows := []struct {
		name, in string
		want     outer
	}{
		{"as documented", `{"n":7,"s":"x","o":{"a":1,"s":"y"},"l":[{"s":"z"}]}`, full},
		{"nulls", `{"n":null,"s":null,"o":null,"l":null}`, outer{}},
		{"another kind", `{"n":{},"s":[1],"o":"q","l":{"a":1}}`, outer{}},
		{"numbers as texts", `{"n":"7","s":4,"o":{"a":"1","s":true},"l":[null,3,[],{"s":"z"}]}`, outer{N: num{7, true}, S: "4", O: obj[inner]{inner{num{1, true}, "true"}, true}, L: objs[inner]{{S: "z"}}}},
		{"floats and what is too large", `{"n":7.0,"o":{"a":1e300}}`, outer{N: num{7, true}, O: obj[inner]{inner{A: num{1e15, true}}, true}}},
		{"no number", `{"n":"many"}`, outer{}},
		{"twice and unknown", `{"x":{"y":[]},"s":"a","s":"b"}`, outer{S: "b"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			var got outer
			if err := json.Unmarshal([]byte(row.in), &got, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(row.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	rows := []struct{ in, want string }{
		{"", "{}"},
		{" ", "{}"},
		{"{}", "{}"},
		{"null", "{}"},
		{`{}{"a":1}`, `{"a":1}`},
		{` {"a":1} `, `{"a":1}`},
		{`{"a":`, ""},
		{`[1]`, ""},
		{`"x"`, ""},
		{`{"a":1}{"b":2}`, ""},
		{`{"a":1,"a":2}`, ""},
		{"{\"a\":\"\xff\"}", ""},
	}
	for _, row := range rows {
		got, invalid := arguments(row.in)
		if string(got) != row.want || invalid != (row.want == "") {
			t.Errorf("%q: got %q, %v; want %q", row.in, got, invalid, row.want)
		}
	}
}

func TestCallsAreKnownByOneID(t *testing.T) {
	var a answer
	rows := []struct {
		id, name, args, want string
		fresh                bool
	}{
		{"x", "one", "", "x", true},
		{"", "two", "", "call_2", true},
		{"x", "one", "{}", "x", false},
		{"x", "one", `{"a":1}`, "call_3", true},
		{"call_5", "five", "", "call_5", true},
		{"", "six", "", "call_6", true},
		{"", "six", "", "call_7", true},
	}
	for _, row := range rows {
		if got, fresh := a.call(row.id, row.name, row.args); got != row.want || fresh != row.fresh {
			t.Errorf("%q %s %s: got %q, %v; want %q, %v", row.id, row.name, row.args, got, fresh, row.want, row.fresh)
		}
	}
	if len(a.calls) != 6 {
		t.Errorf("%d calls", len(a.calls))
	}
}
