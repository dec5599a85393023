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
	if len(blocks) != 9 {
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
	for _, args := range [][]string{{"test", ".", "-update"}, {"test", "."}, {"vet", "."}} {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	list, err := os.ReadFile(filepath.Join(dir, "testdata", "tools.txt"))
	if err != nil || string(list) != "garden_bed_add write more offered\ngarden_bed_list read core offered\n" {
		t.Errorf("%q, %v", list, err)
	}
}
