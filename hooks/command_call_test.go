package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestCallWithFiles: an argument can be the text of a file, whatever stands
// beside it.
func TestCallWithFiles(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana", "--operator")
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rates := write("a=b.csv", "\ufeffDate, USD, \r\n9 January 2026, 1.0812, \r\n8 January 2026, 1.08, \r\n")
	importing := func(args ...string) []string {
		return append([]string{"call", "household_rate_import", "--as", "ana"}, args...)
	}
	if a := m.ok(importing("--file", "file="+rates, "--preview")...); a.len("changes") != 2 {
		t.Errorf("%s", a)
	}
	if a := m.ok(importing(`{"from":"2026-01-09"}`, "--file", "file="+rates)...); a.at("output", "added") != 1.0 {
		t.Errorf("%s", a)
	}
	for _, row := range []struct {
		code int
		want string
		args []string
	}{
		{2, "write the argument's name", []string{"--file", rates[:strings.LastIndex(rates, "/")]}},
		{2, "write the argument's name", []string{"--file", "file="}},
		{2, "file is given twice", []string{`{"file":"x"}`, "--file", "file=" + rates}},
		{2, "file is given twice", []string{"--file", "file=" + rates, "--file", "file=" + rates}},
		{2, "must be a JSON object", []string{`["x"]`, "--file", "file=" + rates}},
		{2, "must be a JSON object", []string{`null`, "--file", "file=" + rates}},
		{1, "no such file", []string{"--file", "file=" + filepath.Join(dir, "none")}},
		{1, "no text in UTF-8", []string{"--file", "file=" + write("zip", "PK\x03\x04\xff")}},
		{1, "more than", []string{"--file", "file=" + write("large", strings.Repeat("x", maxCall+1))}},
		{1, `"too_large"`, []string{"--file", "file=" + write("larger", strings.Repeat("x", 3<<20))}},
		{1, `"other" is unknown`, []string{"--file", "other=" + rates, "--file", "file=" + rates}},
	} {
		if r := m.run(importing(row.args...)...); r.code != row.code || r.out != "" || !strings.Contains(r.err, row.want) && !strings.Contains(strings.ReplaceAll(r.err, `\"`, `"`), row.want) {
			t.Errorf("%v: %+v; want %d %s", row.args, r, row.code, row.want)
		}
	}
	if a := m.ok("call", "household_rate_list", "--as", "ana"); a.len("output", "items") != 1 {
		t.Errorf("%s", a)
	}
}

// TestReadArgument: a file that a tool takes as one keeps its name and bytes.
func TestReadArgument(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logo.png")
	if err := os.WriteFile(path, []byte("\x89PNG\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readArgument(path, true)
	if want := `{"name":"logo.png","data":"iVBOR/8="}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

// photos is a plugin whose tool takes a file beside a text.
type photos struct{}

type photoIn struct {
	Photo tools.Upload `json:"photo"`
	Note  string       `json:"note"`
}

func (photos) Name() string { return "photos" }
func (photos) Tools() []tools.Tool {
	return []tools.Tool{tools.NewRead(tools.Def{Name: "photos_show", Title: "t", Help: "Takes a file."}, func(_ *tools.Reader, in photoIn) (string, error) { return in.Note, nil })}
}

// TestUploadsOf: which arguments are files the tool says.
func TestUploadsOf(t *testing.T) {
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.Plugins = append(a.Plugins, photos{})
		a.settings.Plugins = append(a.settings.Plugins, "photos")
	})
	path := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]string{
		"photos_show": `{"note":"x","photo":{"name":"a.png","data":"eA=="}}`,
		"photos_none": `{"note":"x","photo":"x"}`,
	} {
		got, err := i.withFiles(t.Context(), "ann", tool, []byte("{}"), []string{"photo=" + path, "note=" + path})
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", tool, got, err, want)
		}
	}
}
