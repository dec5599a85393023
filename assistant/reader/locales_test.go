package reader

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools/i18n"
)

// TestLocales loads the texts as the catalogue does, which compares the languages,
// and looks for texts that are missing or not used.
func TestLocales(t *testing.T) {
	if _, err := i18n.Load(Locales()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("locales/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var en map[string]any
	if err := json.Unmarshal(data, &en); err != nil {
		t.Fatal(err)
	}
	// Keys that are put together from a prefix are listed here in full.
	for _, kind := range []string{"binary", "camt", "html", "image", "json", "mt940", "ofx", "old_excel", "pdf", "qif", "rtf", "spreadsheet", "xml", "zip"} {
		if _, ok := en["reader.kind."+kind]; !ok {
			t.Errorf("no text for the kind %s", kind)
		}
	}
	sources, _ := filepath.Glob("*.go")
	code := ""
	for _, s := range sources {
		b, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		code += string(b)
	}
	for _, key := range slices.Sorted(maps.Keys(en)) {
		last := key[strings.LastIndexByte(key, '.')+1:]
		if !strings.Contains(code, `"`+key+`"`) && !strings.Contains(code, `"`+last+`"`) {
			t.Errorf("%s is used nowhere", key)
		}
	}
}
