package hooks

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

const entry = "app.js" // where the front end begins

// staticImport finds what a module needs before it can run.
var staticImport = regexp.MustCompile(`(?:^|[;\n}])\s*(?:import|export)\s?(?:[\w*${][^"';()]*?)?\s?(?:from)?\s?"(\.{1,2}/[^"]+)"`)

// preload tells browsers in index.html which modules it will need: they would
// learn of each only from the one before, a journey each.
func (b *webFiles) preload() {
	index, ok := b.files[indexFile]
	if !ok {
		return
	}
	mark := []byte(`<script type="module" src="` + entry + `"`)
	at := bytes.Index(index.data, mark)
	if at < 0 {
		return
	}
	var links strings.Builder
	for _, name := range b.needed(entry) {
		links.WriteString(`<link rel="modulepreload" href="` + name + "\">\n")
	}
	data := append([]byte{}, index.data[:at]...)
	data = append(append(data, links.String()...), index.data[at:]...)
	b.files[indexFile] = newFile(indexFile, data)
}

// needed are the modules that one needs, itself included, each once, the
// nearest first. What is imported while it runs is not among them.
func (b *webFiles) needed(first string) []string {
	names := []string{first}
	for i := 0; i < len(names); i++ {
		f, ok := b.files[names[i]]
		if !ok {
			continue
		}
		for _, m := range staticImport.FindAllSubmatch(f.data, -1) {
			name := path.Join(path.Dir(names[i]), string(m[1]))
			if _, there := b.files[name]; there && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
