package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestKeys are made once, kept for their owner only, and never replaced under
// a history.
func TestKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, err := tools.LoadKeys(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(tools.KeyFile(dir))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	again, err := tools.LoadKeys(dir, "")
	if err != nil || again != first || first.Secrets == first.Digests || first.Digests == first.Chain {
		t.Error("not the same, or not apart", err)
	}
	given, err := tools.LoadKeys(dir, strings.Repeat("k", 32))
	if err != nil || given == first {
		t.Error(err)
	}
	if _, err := tools.LoadKeys(dir, "short"); err == nil || strings.Contains(err.Error(), "short") {
		t.Error("a short key is taken or told:", err)
	}
	if err := os.WriteFile(tools.HeadFile(dir), []byte("1 x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(tools.KeyFile(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := tools.LoadKeys(dir, ""); err == nil || !strings.Contains(err.Error(), "history") {
		t.Error("a new key was made under a history:", err)
	}
	if err := os.WriteFile(tools.KeyFile(dir), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tools.LoadKeys(dir, ""); err == nil {
		t.Error("a damaged key is taken")
	}
}

// TestAnotherKey is told before anything is written with it.
func TestAnotherKey(t *testing.T) {
	b := open(t, tools.Config{})
	for i := range 3 {
		b.do(add("lab_tags", map[string]any{"name": string(rune('a' + i))}, nil))
	}
	if err := b.Runner.CheckKey(); err != nil {
		t.Fatal(err)
	}
	other, err := tools.LoadKeys(b.DataDir(), strings.Repeat("x", 40))
	if err != nil {
		t.Fatal(err)
	}
	runner, err := tools.NewRunner(tools.Config{App: b.App, Registry: b.Registry, Keys: other})
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.CheckKey(); err == nil || !strings.Contains(err.Error(), "key") {
		t.Error(err)
	}
	// One entry that was tampered with is no other key: verify tells of it.
	if _, err := b.DB().NewQuery("UPDATE nodkeep_audit SET mac = 'x' WHERE seq = (SELECT max(seq) FROM nodkeep_audit)").Execute(); err != nil {
		t.Fatal(err)
	}
	if err := b.Runner.CheckKey(); err != nil {
		t.Error(err)
	}
}
