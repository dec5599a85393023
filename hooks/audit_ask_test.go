package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// TestQuestionsInTheActivity: who asked finds the question with its figures, on the
// web and on the terminal, and so does an operator; nobody else does.
func TestQuestionsInTheActivity(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("bob")
	i.local("POST", "/operator/accounts", "", `{"handle":"cleo","password":"try-nodkeep"}`)
	by := tools.Actor{Person: i.user("ann").Id, Door: tools.DoorAssistant, Agent: "local", AgentName: "Local", Model: "m1"}
	f := assistant.Facts{
		Model: "m1", Finish: assistant.Answered, Took: 2500 * time.Millisecond, Changes: 1, Tools: []assistant.ToolUse{{Name: "household_due", Calls: 2}},
		Usage: assistant.Usage{Person: by.Person, Assistant: "local", Counts: assistant.Counts{Requests: 2, Uncached: 1000, CacheRead: 200, Output: 70}},
	}
	if err := i.runner.Asked(t.Context(), by, f.Figures(), false); err != nil {
		t.Fatal(err)
	}
	for who, n := range map[string]int{"ann": 1, "bob": 1, "cleo": 0} {
		_, v := i.web("GET", prefix+"/audit?tool=ask", i.token(who), "")
		if got := v.len("items"); got != n {
			t.Errorf("%s finds %d questions, want %d", who, got, n)
		}
		if n > 0 && (v.str("items", "0", "args", "model") != "m1" || v.at("items", "0", "args", "requests") != 2.0 || v.str("items", "0", "actor", "agent") != "local") {
			t.Errorf("%s is told %v", who, v)
		}
	}
	row := strings.Join(listedEntry{Tool: "ask", Args: []byte(`{"assistant":"local","requests":2,"input_uncached":1000,"cache_read":200,"output":70,"tools":[{"name":"t","calls":2}],"changes":1,"took_ms":2500}`)}.row(), "|")
	if want := "local: requests 2, tokens 1200 in, 70 out, tools 2, changes 1, 2.5 s"; !strings.HasSuffix(row, want) {
		t.Errorf("the terminal shows %q", row)
	}
}
