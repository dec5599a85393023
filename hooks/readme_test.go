package hooks

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

// TestReadme runs what README shows, as a person at a terminal who says yes,
// and holds what it prints against what README says it does.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```console\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("README shows nothing to run")
	}
	const statement = "assistant/reader/testdata/two_years_de.csv"
	data, err := os.ReadFile("../" + statement)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Dir(statement), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(statement, data, 0o600); err != nil {
		t.Fatal(err)
	}
	audit := ""
	for _, part := range strings.Split(string(block[1]), "$ ./nodkeep ")[1:] {
		command, shown, _ := strings.Cut(part, "\n")
		command = strings.ReplaceAll(command, "AUDIT", audit)
		got := typed(t, command)
		pattern, ok := printed(shown)
		found := pattern.FindStringSubmatch(got)
		if found == nil {
			t.Fatalf("%s prints\n%.3000s\nREADME shows\n%s", command, got, shown)
		}
		if ok {
			audit = found[1]
		}
	}
	if audit == "" {
		t.Error("README never shows an entry")
	}
}

// typed runs a command line with the redirections that README uses.
func typed(t *testing.T, command string) string {
	t.Helper()
	command, to, toFile := strings.Cut(command, " > ")
	command, from, fromFile := strings.Cut(command, " < ")
	stdin := "y\n"
	if fromFile {
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		stdin = string(b)
	}
	var out, stderr bytes.Buffer
	a := New(Config{
		Plugins: []tools.Plugin{household.Plugin{}}, DataDir: "pb_data", Env: environment(),
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &stderr, Terminal: func() bool { return !fromFile }, Screen: func() bool { return !toFile },
	})
	if code := a.Run(strings.Fields(command)); code != 0 {
		t.Fatalf("%s ends with %d: %s", command, code, &stderr)
	}
	if toFile {
		if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out.Reset()
	}
	said := stderr.String()
	if strings.HasSuffix(said, "[y/N] ") {
		said += "y\n" // as the terminal echoes it
	}
	return strings.ReplaceAll(said+out.String(), quoted(os.Args[0]), "./nodkeep")
}

// printed is the pattern that shown stands for; capture says that it holds an
// entry's id.
func printed(shown string) (pattern *regexp.Regexp, capture bool) {
	var b strings.Builder
	b.WriteString(`^(?:`)
	for line := range strings.Lines(shown) {
		line = strings.TrimRight(line, "\n")
		if line == "…" {
			b.WriteString(`(?s:.*)`)
			continue
		}
		quoted := strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
		capture = capture || strings.Contains(quoted, "AUDIT")
		b.WriteString(strings.ReplaceAll(quoted, "AUDIT", `([a-z0-9]{15})`) + "\n")
	}
	b.WriteString(`)$`)
	return regexp.MustCompile(b.String()), capture
}
