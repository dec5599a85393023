package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNoBrowser: where there is no browser, these tests say what is missing; in CI they fail
// rather than be skipped. It runs this test binary once more, where no program is found.
func TestNoBrowser(t *testing.T) {
	for ci, code := range map[string]int{"": 0, "1": 1} {
		c := exec.Command(os.Args[0], "-test.run", "^$")
		c.Env = []string{"PATH=" + t.TempDir(), "CI=" + ci, "HOME=" + t.TempDir()}
		out, err := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != code {
			t.Errorf("CI=%q ends with %d, not %d: %v", ci, got, code, err)
		}
		if !strings.Contains(string(out), "apt-get install chromium-headless-shell") {
			t.Errorf("CI=%q does not say what is missing: %s", ci, out)
		}
	}
}
