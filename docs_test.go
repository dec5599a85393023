package main

import (
	"go/format"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)#: ]+)(#[^)]*)?\)`)
	goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")
)

// TestDocs follows the links between pages and formats their Go.
func TestDocs(t *testing.T) {
	files := repository(t)
	for name, data := range files {
		if path.Ext(name) != ".md" {
			continue
		}
		for _, m := range link.FindAllSubmatch(data, -1) {
			target := path.Join(path.Dir(name), string(m[1]))
			if _, ok := files[target]; !ok && !holds(files, target) {
				t.Errorf("%s: nothing is at %s", name, m[1])
			}
		}
		for _, m := range goBlock.FindAllSubmatch(data, -1) {
			if got, err := format.Source(m[1]); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if string(got) != string(m[1]) {
				t.Errorf("%s: its Go is not formatted; gofmt has\n%s", name, got)
			}
		}
	}
}

// holds says that a folder has files.
func holds(files map[string][]byte, dir string) bool {
	for name := range files {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}
