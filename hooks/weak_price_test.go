package hooks

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWeakPrices: doctor names an assistant whose prices nobody has checked for
// long, and only where they count.
func TestWeakPrices(t *testing.T) {
	year := 2026
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.now = func() time.Time { return time.Date(year, 12, 1, 0, 0, 0, 0, time.UTC) }
	}, "ASSISTANTS=claude,mine,home",
		"ASSISTANT_CLAUDE_MODEL=claude-opus-5", "ASSISTANT_CLAUDE_PROTOCOL=anthropic", "ASSISTANT_CLAUDE_KEY=sk-1",
		"ASSISTANT_MINE_MODEL=claude-opus-5", "ASSISTANT_MINE_PROTOCOL=anthropic", "ASSISTANT_MINE_KEY=sk-1", "ASSISTANT_MINE_PRICE_INPUT=5", "ASSISTANT_MINE_PRICE_OUTPUT=25",
		"ASSISTANT_HOME_MODEL=small", "ASSISTANT_HOME_BASE_URL=http://127.0.0.1:11434")
	if got := i.weak()["prices"]; got != "" {
		t.Error(got)
	}
	year = 2030
	if got := i.weak()["prices"]; !strings.Contains(got, "of claude were last checked on 2026-") || !strings.Contains(got, "ASSISTANT_CLAUDE_PRICE_INPUT") || strings.Contains(got, "mine") {
		t.Error(got)
	}
}
