package household

import (
	"testing"

	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// What models are given of the plugin has a price: all definitions, and those
// of the core tools, may take so many tokens.
const maxTokens, maxCoreTokens = 10_000, 2_500

func TestTokens(t *testing.T) {
	all := newHome(t).Registry.Tools()
	t.Logf("tokens of what a model is given\n%s", toolstest.TokenTable(all))
	var core, sum int
	for _, tool := range all {
		if tool.Hidden != "" {
			continue
		}
		n := toolstest.Tokens(tool)
		if sum += n; tool.Core {
			core += n
		}
	}
	if sum > maxTokens {
		t.Errorf("all definitions take %d tokens, at most %d are allowed", sum, maxTokens)
	}
	if core > maxCoreTokens {
		t.Errorf("the core definitions take %d tokens, at most %d are allowed", core, maxCoreTokens)
	}
}
