package e2e

import "testing"

// TestAskPrivate: before what only one person sees goes to a host elsewhere, it is said
// where it goes, and it stands beside the question as long as it holds.
func TestAskPrivate(t *testing.T) {
	i := serve(t, "ASSISTANTS=away", "ASSISTANT_AWAY_NAME=Away", "ASSISTANT_AWAY_PROTOCOL=openai", "ASSISTANT_AWAY_BASE_URL=https://models.example/v1",
		"ASSISTANT_AWAY_MODEL=m-1", "ASSISTANT_AWAY_PRICE_INPUT=1", "ASSISTANT_AWAY_PRICE_OUTPUT=4")
	i.ask("ana", "POST", "/api/nodkeep/operator/grants", map[string]any{"assistant": "away", "allow": true, "everybody": true})
	each(t, i, func(t *testing.T, i *instance, l look) {
		w := i.signIn("ana", l)
		w.visit("#/ask")
		w.press("What it is about")
		w.see("Include what only I see", "goes to models.example")
		w.press("Include what only I see")
		w.accessible()
		w.keep("private")
		w.press("Done")
		w.see("private, too")
		w.press("private, too") // and not any more
		w.miss("private, too")
	})
}
