package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPluginPage follows docs/build/plugin.md to the letter, in a module beside
// this one: its files build, and its tests pass once the list is written.
func TestPluginPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a plugin")
	}
	page, err := os.ReadFile("docs/build/plugin.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := regexp.MustCompile("(?m)^`tools/garden/([\\w./]+)`[^`]*(?:`[^`\n]+`[^`]*)?\n```\\w+\n((?s:.*?))```")
	blocks := file.FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 14 {
		t.Fatalf("the page has %d files", len(blocks))
	}
	for _, b := range blocks {
		write(b[1], b[2])
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if name == "go.mod" {
			text = strings.Replace(text, "module "+module, "module example.org/garden", 1)
			text += "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
		}
		write(name, text)
	}
	said := ""
	for _, args := range [][]string{{"test", ".", "-update"}, {"vet", "."}, {"test", "-v", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		said = string(out)
	}
	for _, name := range []string{"TestBedAdd", "TestRentNamesItsLandlord", "TestRentIsMoney"} {
		if !strings.Contains(said, "--- PASS: "+name+" ") {
			t.Errorf("%s did not run:\n%s", name, said)
		}
	}
	list, err := os.ReadFile(filepath.Join(dir, "testdata", "tools.txt"))
	if err != nil || string(list) != "garden_bed_add write more offered\ngarden_bed_list read core offered\n" {
		t.Errorf("%q, %v", list, err)
	}
}

// TestPluginTable: the page names every optional interface, and the file of the
// household plugin that it names has it.
func TestPluginTable(t *testing.T) {
	page, err := os.ReadFile("docs/build/plugin.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("tools/plugin.go")
	if err != nil {
		t.Fatal(err)
	}
	_, optional, _ := strings.Cut(string(source), "// The rest is optional")
	all := regexp.MustCompile(`(?m)^type (\w+) interface ?\{\s*(?://.*\s+)*(\w+)\(`).FindAllStringSubmatch(optional, -1)
	if len(all) < 14 {
		t.Fatalf("there are %d interfaces", len(all))
	}
	for _, m := range all {
		name, method := m[1], m[2]
		row := regexp.MustCompile("(?m)^\\| `" + name + "` \\|.*\\| (?:none: .*)?`([^`]+)`[^|`]* \\|$").FindSubmatch(page)
		if row == nil {
			t.Errorf("the page has no row for %s", name)
			continue
		}
		at := string(row[1])
		if !strings.Contains(at, "/") {
			at = "tools/household/" + at
		}
		code, err := os.ReadFile(at)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(string(code), ") "+method+"(") {
			t.Errorf("%s has no %s", at, method)
		}
	}
}
