package tools_test

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestSecrets: long enough, none twice, and told from a token by its beginning.
func TestSecrets(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		s := tools.NewSecret()
		if len(s) != 43 || seen[s] || strings.ContainsAny(s, "+/=") {
			t.Fatalf("%q", s)
		}
		seen[s] = true
		if tools.IsToken(s) && !strings.HasPrefix(s, "nk_") || !tools.IsToken(tools.TokenPrefix+s) {
			t.Errorf("%q is taken for what it is not", s)
		}
	}
	if tools.Hash("abc") != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error("what was stored before is worth nothing now")
	}
}
