package household_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

// TestSchemasAreShared: what tools take and answer says what it did before its
// parts were shared, and most of them are.
func TestSchemasAreShared(t *testing.T) {
	reg, err := tools.NewRegistry(household.Plugin{})
	if err != nil {
		t.Fatal(err)
	}
	all, places := 0, map[*jsonschema.Schema]bool{}
	var count func(s *jsonschema.Schema)
	count = func(s *jsonschema.Schema) {
		if s == nil {
			return
		}
		all++
		places[s] = true
		for _, p := range s.Properties {
			count(p)
		}
		count(s.Items)
		count(s.AdditionalProperties)
		count(s.Not)
	}
	for _, own := range (household.Plugin{}).Tools() {
		shared, _ := reg.Tool(own.Name)
		if d := cmp.Diff([]*jsonschema.Schema{own.Input, own.Output}, []*jsonschema.Schema{shared.Input, shared.Output}); d != "" {
			t.Errorf("%s: %s", own.Name, d)
		}
		count(shared.Input)
		count(shared.Output)
	}
	t.Logf("%d schemas in %d places", all, len(places))
	if len(places) > all/3 {
		t.Errorf("%d schemas are in %d places, at most a third of that is wanted", all, len(places))
	}
}
