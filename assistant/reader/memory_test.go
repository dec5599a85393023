package reader

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// memoryFile names the variable that makes this program the child of TestMemory.
const memoryFile = "READER_MEMORY_FILE"

// TestMemoryChild reads the file that TestMemory names and prints the most
// memory that the whole process ever had.
func TestMemoryChild(t *testing.T) {
	name, ok := os.LookupEnv(memoryFile)
	if !ok {
		t.Skip("only in a process of its own")
	}
	if name != "" {
		review, err := Read(t.Context(), readFile(t, name), nil)
		if err != nil || review.Parsed.Transactions != bigRows {
			t.Fatalf("%d transactions, want %d: %v", review.Parsed.Transactions, bigRows, err)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(string(status))
}

// peakMemory is what a process needs that reads a file, in MB.
func peakMemory(t *testing.T, file string) int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, "-test.run=^TestMemoryChild$", "-test.v")
	c.Env = append(os.Environ(), memoryFile+"="+file)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no VmHWM in %s", out)
	}
	kB, _ := strconv.Atoi(string(m[1])) // digits, as the pattern says
	return kB >> 10
}

// TestMemory holds the reader to 150 MB for 200,000 rows: the whole process, the
// file and the program included, and the heap alone to less.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 200,000 rows")
	}
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("this system does not say what a process needed")
	}
	idle := peakMemory(t, "")
	for name, encode := range map[string]func(string) []byte{"utf-8": func(s string) []byte { return []byte(s) }, "windows-1252": latin1} {
		data := encode(strings.ReplaceAll(string(bigStatement(bigRows)), "MUENCHEN", "MÜNCHEN"))
		file := filepath.Join(t.TempDir(), "big.csv")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		whole := peakMemory(t, file)
		heap := int(peakHeap(t, func() error {
			_, err := Read(t.Context(), File{Data: data}, nil)
			return err
		}) >> 20)
		t.Logf("%s, %d MB: the process needed %d MB, %d MB without a file; peak heap %d MB", name, len(data)>>20, whole, idle, heap)
		if whole > 110 || heap > 95 {
			t.Errorf("%s: the process needed %d MB, want at most 110; the heap %d MB, want at most 95", name, whole, heap)
		}
	}
}
