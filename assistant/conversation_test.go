package assistant

import (
	"encoding/json/jsontext"
	"fmt"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestPastTurnsAreBounded: of long turns fewer are told again than of short ones,
// and what goes are blocks of the oldest.
func TestPastTurnsAreBounded(t *testing.T) {
	for size, want := range map[int][]int{
		10:     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 8, 9, 10, 7},
		9000:   {1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6, 3},
		70_000: {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3},
	} {
		var c conversation
		var got []int
		for n := range want {
			c.add(past{Turn: fmt.Sprint(n), Asked: "a", Answer: strings.Repeat("x", size/2), Steps: []step{{
				Calls: []gateway.Call{{Args: jsontext.Value(strings.Repeat("x", size/4))}}, Results: []gateway.ToolResult{{Text: strings.Repeat("x", size/4)}},
			}}})
			got = append(got, len(c.Past))
			if c.Past[len(c.Past)-1].Turn != fmt.Sprint(n) {
				t.Fatalf("the newest has gone: %+v", c.Past)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d bytes each: %v are told, want %v", size, got, want)
		}
	}
}

// TestSlim: what is told again of a step is short, whole as data, and the same when
// it is made slim again.
func TestSlim(t *testing.T) {
	s := step{
		Text: strings.Repeat("w", 9000),
		Calls: []gateway.Call{
			{ID: "1", Name: "a", Args: jsontext.Value(`{"x":1}`)}, {ID: "2", Name: "b", Args: jsontext.Value(`{"x":"` + strings.Repeat("y", 5000) + `"}`)}, {ID: "3", Name: "c", Args: jsontext.Value(`{"x`), Invalid: true},
		},
		Results: []gateway.ToolResult{{Call: "1", Text: data("a", "short")}, {Call: "2", Text: data("b", strings.Repeat("ü", 5000))}, {Call: "3", Text: "no", Error: true}},
	}
	slim := s.slim()
	if len(slim.Text) > slimText+10 || string(slim.Calls[0].Args) != `{"x":1}` || string(slim.Calls[1].Args) != "{}" || string(slim.Calls[2].Args) != "{}" || slim.Calls[2].Invalid {
		t.Errorf("%d bytes, calls %+v", len(slim.Text), slim.Calls)
	}
	long := slim.Results[1].Text
	if slim.Results[0] != s.Results[0] || slim.Results[2] != s.Results[2] || len(long) > slimResult+20 || !strings.HasPrefix(long, `<data source="b">`) || !strings.HasSuffix(long, " …\n"+"</data>") {
		t.Errorf("%+v", slim.Results)
	}
	if again := slim.slim(); fmt.Sprint(again.Calls, len(again.Text)) != fmt.Sprint(slim.Calls, len(slim.Text)) && !strings.HasPrefix(slim.Text, again.Text[:slimText]) {
		t.Errorf("it is another when it is made slim again")
	}
}
