package hooks

import (
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools"
)

// TestAgentsRemembered: a token is remembered for a moment, never beyond its own
// end, and not at all where it was changed while it was looked at.
func TestAgentsRemembered(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	v := mcp.Visitor{Agent: gate.Agent{Actor: tools.Actor{Person: "ann", Token: "t1"}}}
	ends := v
	ends.Agent.Token, ends.Agent.Expires = "t2", now.Add(5*time.Second)
	var s agents
	_, changes, _ := s.get("a", now)
	s.put("a", v, changes, now)
	s.put("b", ends, changes, now)
	for _, row := range []struct {
		hash  string
		after time.Duration
		known bool
	}{{"a", 9 * time.Second, true}, {"a", 10 * time.Second, false}, {"b", 4 * time.Second, true}, {"b", 5 * time.Second, false}, {"c", 0, false}} {
		if _, _, known := s.get(row.hash, now.Add(row.after)); known != row.known {
			t.Errorf("%s after %s: %t", row.hash, row.after, known)
		}
	}
	_, changes, _ = s.get("a", now)
	s.forget("t1")
	if _, _, known := s.get("a", now); known {
		t.Error("a token that was changed is remembered")
	}
	s.put("a", v, changes, now)
	if _, _, known := s.get("a", now); known {
		t.Error("what was looked at before the change is remembered")
	}
	s.forget("ann")
	if _, _, known := s.get("b", now); known {
		t.Error("the token of a person who was changed is remembered")
	}
}

// TestProposalsAreKept as long as what they did can be taken back, and no longer.
func TestProposalsAreKept(t *testing.T) {
	now := time.Now()
	i := newInstanceWith(t, t.TempDir()+"/pb_data", func(a *App) { a.now = func() time.Time { return now } }, "NODKEEP_UNDO_DAYS=3")
	_, secret := i.agentToken("ann", `{"mode":"ask"}`)
	id := i.toolCall(secret, "household_subscription_add", netflix).str("result", "structuredContent", "proposal")
	ann := tools.Actor{Person: i.user("ann").Id, Door: tools.DoorWeb}
	begun := now
	for _, row := range []struct {
		days int
		kept bool
	}{{3, true}, {5, false}} {
		now = begun.AddDate(0, 0, row.days)
		if err := i.gate.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := i.gate.Proposal(t.Context(), ann, id); (err == nil) != row.kept {
			t.Errorf("after %d days: %v", row.days, err)
		}
	}
}
