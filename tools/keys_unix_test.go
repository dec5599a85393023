//go:build unix

package tools_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestKeyFileMode is 600, whatever the process takes from new files.
func TestKeyFileMode(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077, 0o277, 0o777} {
		dir := filepath.Join(t.TempDir(), "data")
		was := syscall.Umask(umask)
		first, err := tools.LoadKeys(dir, "")
		syscall.Umask(was)
		if err != nil {
			t.Fatalf("umask %o: %v", umask, err)
		}
		info, err := os.Stat(tools.KeyFile(dir))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("umask %o: mode %v, %v", umask, info.Mode(), err)
		}
		if again, err := tools.LoadKeys(dir, ""); err != nil || again != first {
			t.Errorf("umask %o: it is not the key of the first start: %v", umask, err)
		}
	}
}

// TestKeyFileStays: what is at its place is never overwritten, nor written
// through.
func TestKeyFileStays(t *testing.T) {
	for _, text := range []string{"", "half", "\n"} {
		dir := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(tools.KeyFile(dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := tools.LoadKeys(dir, ""); err == nil {
			t.Errorf("%q is taken", text)
		}
		if b, err := os.ReadFile(tools.KeyFile(dir)); err != nil || string(b) != text {
			t.Errorf("%q became %q, %v", text, b, err)
		}
	}
	dir, elsewhere := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(elsewhere, tools.KeyFile(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := tools.LoadKeys(dir, ""); err == nil {
		t.Error("a key was made through a link that leads nowhere")
	}
	if _, err := os.Stat(elsewhere); !os.IsNotExist(err) {
		t.Errorf("something was written there: %v", err)
	}
}
