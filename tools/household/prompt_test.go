package household

import (
	"regexp"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// A model that is told to call a tool which is not there, or no longer called
// so, guesses.
func TestPromptsNameToolsThatExist(t *testing.T) {
	a := newHome(t)
	name, known := regexp.MustCompile(`household_[a-z_]+`), map[string]bool{}
	for _, tool := range a.Registry.Tools() {
		known[tool.Name] = true
	}
	for _, prompt := range (Plugin{}).Prompts() {
		for _, lang := range []string{"en", "de", "es"} {
			for _, tool := range name.FindAllString(a.Catalogue.Say(lang, tools.T(prompt.Text, "", "")), -1) {
				if !known[tool] {
					t.Errorf("%s, %s: there is no %s", prompt.Name, lang, tool)
				}
			}
		}
	}
}
