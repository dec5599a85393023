package budget

import (
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestTrial: a test of an assistant needs no grant, agreement or price, but
// passes no limit, and counts.
func TestTrial(t *testing.T) {
	h := newHome(t)
	other := Assistant{ID: "other", Host: "api.example.org", Protocol: gateway.OpenAI, Model: "m"}
	hold := func(person string) error {
		m := h.l.Trial(person, other, ask(3000, 10))
		err := m.Hold(t.Context())
		m.Settle(gateway.Spent{Usage: usage(100, 0, 0, 1)})
		return err
	}
	for _, person := range []string{h.ann, ""} {
		if err := hold(person); err != nil {
			t.Error(err)
		}
	}
	h.put("budgets", map[string]any{"person": h.ann, "day_tokens": "3110"})
	if err := hold(h.ann); err == nil {
		t.Error("it passes a limit")
	}
	h.put("budgets", map[string]any{"everybody": true, "day_tokens": "1"})
	if err := hold(""); err != nil {
		t.Error(err)
	}
	h.cap = 0
	if err := hold(""); err == nil {
		t.Error("it passes a cap of nothing")
	}
	if got := h.used(""); got.Requests != 3 || got.Unpriced != 3 || got.Uncached != 300 || h.held() != 0 {
		t.Errorf("%+v", got)
	}
}
