package toolstest

import (
	"encoding/json/v2"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodkeep/nodkeep/tools"
)

// Tokens estimates what a tool costs a model each time it is offered, by the
// bytes of the compact JSON of {name, description, input_schema}.
func Tokens(t tools.Tool) int {
	b, err := json.Marshal(struct {
		Name        string             `json:"name"`
		Description string             `json:"description"`
		InputSchema *jsonschema.Schema `json:"input_schema"`
	}{t.Name, t.Help, t.Input})
	if err != nil {
		return 0 // the contract tells of a schema that is no JSON
	}
	return tools.Tokens(len(b))
}

// TokenTable shows the Tokens of each tool that models are offered, in their
// order, and the sums of the core ones and of all; for t.Log.
func TokenTable(all []tools.Tool) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	var core, sum int
	for _, t := range all {
		if t.Hidden != "" {
			continue
		}
		shown, n := "", Tokens(t)
		if sum += n; t.Core {
			shown, core = "core", core+n
		}
		fmt.Fprintf(w, "%d\t%s\t %s\n", n, shown, t.Name)
	}
	fmt.Fprintf(w, "%d\tcore\t\n%d\tall\t\n", core, sum)
	_ = w.Flush() // a Builder takes everything
	return b.String()
}
