package hooks

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/tools"
)

// TestMostOfALimitIsTold: to the person whose it is, and to nobody else.
func TestMostOfALimitIsTold(t *testing.T) {
	i, base := badgeInstance(t)
	anns, bobs := i.connect(base), i.connect(base)
	if a, b := i.listen(base, anns, i.token("ann"), topicBudget), i.listen(base, bobs, i.token("bob"), topicBudget); a != 204 || b != 204 {
		t.Fatal(a, b)
	}
	n := budget.Notice{Limit: budget.Limit{Which: budget.DayCost, Limit: 1_000_000, Used: 800_000}, Text: tools.T("roster.say.stopped", "Claude")}
	i.budgetTold(i.user("ann").Id, n)
	if got := anns.next(t); !strings.HasPrefix(got, topicBudget+" {") || !strings.Contains(got, `"which":"day_cost"`) || !strings.Contains(got, `"text":{"text":"The question to Claude was stopped."`) {
		t.Error(got)
	}
	bobs.silent(t, "another person's limit is told")
	i.stand("ann", "suspended")
	i.budgetTold(i.user("ann").Id, n)
	for e := range anns.events {
		t.Error("told to somebody who is no member: ", e)
	}
}
