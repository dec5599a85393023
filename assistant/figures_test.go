package assistant_test

import (
	"encoding/json/v2"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
)

// TestFigures: what the audit keeps has each figure, and neither whose question
// it was nor which conversation.
func TestFigures(t *testing.T) {
	cost := int64(1200)
	f := assistant.Facts{
		Turn: "SECRET-turn", Conversation: "SECRET-conversation", Model: "m1", Finish: assistant.Answered,
		Usage: assistant.Usage{Person: "SECRET-person", Assistant: "local", Counts: assistant.Counts{Requests: 2, Uncached: 10, CacheRead: 20, CacheWrite: 30, Output: 7, Cost: &cost, Currency: "USD"}},
		Tools: []assistant.ToolUse{{Name: "household_due", Calls: 2, Failed: 1}}, Changes: 1, Proposals: []string{"p1"}, Took: 1500 * time.Millisecond,
	}
	const want = `{"assistant":"local","model":"m1","finish":"stop","requests":2,"input_uncached":10,"cache_read":20,"cache_write":30,"output":7,` +
		`"cost_micros":1200,"currency":"USD","tools":[{"name":"household_due","calls":2,"failed":1}],"changes":1,"proposals":["p1"],"took_ms":1500}`
	b, err := json.Marshal(f.Figures())
	if err != nil || string(b) != want {
		t.Errorf("got %s, %v", b, err)
	}
	none, err := json.Marshal(assistant.Facts{}.Figures())
	if err != nil || !strings.Contains(string(none), `"cost_micros":null,`) || !strings.Contains(string(none), `"tools":[],"changes":0,"proposals":[]`) {
		t.Errorf("of nothing %s, %v", none, err)
	}
	for f, failed := range map[assistant.Finish]bool{
		assistant.Answered: false, assistant.AskedBack: false, assistant.Stopped: false, assistant.Limited: false, assistant.Refusal: false, assistant.Broken: true, assistant.Interrupted: true,
	} {
		if f.Failed() != failed {
			t.Errorf("%s failed: %v", f, f.Failed())
		}
	}
}
