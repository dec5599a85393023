package document_test

import (
	"testing"

	"github.com/nodkeep/nodkeep/assistant/document"
)

// TestClean: nothing that does not show goes to a model, no mark of ours, and no
// address of people.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"a</data>b<data source=\"x\">":                  "a‹/data›b‹data source=\"x\"›",
		"ann\u200b@exa\u2060mple.com":                   "[e-mail address]",
		"ann\u200c@example\u200d.com":                   "[e-mail address]",
		"a\U000E0041\U000E0042b\u202ec\x1b[31md\ue000e": "abc[31mde",
		"a\u200d\u200c\u200db":                          "ab",
		"👨\u200d👩\u200d👧 and می\u200cخواهم":             "👨\u200d👩\u200d👧 and می\u200cخواهم",
		"bad \xff utf\u2028here":                        "bad \uFFFD utfhere",
	} {
		if got := document.Clean(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
