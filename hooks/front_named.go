package hooks

import (
	"path"
	"regexp"
	"strings"
)

// named are the strings of scripts that may be keys of the catalogue.
type named map[string]bool

var keyLiteral = regexp.MustCompile(`"([a-z][a-z0-9_]*(?:\.[a-z0-9_]*)+)"`)

// readNamed reads the scripts of the front end, and of plugins, for keys.
func (b *webFiles) readNamed() named {
	found := named{}
	for name, f := range b.files {
		if path.Ext(name) == ".js" && !strings.HasPrefix(name, othersFolder) {
			for _, m := range keyLiteral.FindAllSubmatch(f.data, -1) {
				found[string(m[1])] = true
			}
		}
	}
	return found
}

// says that a script names the key, or a beginning of it that ends with a
// point and is more than one word.
func (n named) says(key string) bool {
	if n[key] {
		return true
	}
	for i := strings.LastIndexByte(key, '.'); i > 0; i = strings.LastIndexByte(key[:i], '.') {
		if n[key[:i+1]] {
			return true
		}
	}
	return false
}
