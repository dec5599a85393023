package reader

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLocales holds the languages to the same keys and the same places.
func TestLocales(t *testing.T) {
	places := regexp.MustCompile(`\{\d\}`)
	load := func(language string) map[string]string {
		data, err := os.ReadFile(filepath.Join("locales", language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]string
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for k, s := range m {
			found := places.FindAllString(s, -1)
			slices.Sort(found)
			m[k] = strings.Join(found, "")
		}
		return m
	}
	en := load("en")
	for _, language := range []string{"de", "es"} {
		if diff := cmp.Diff(en, load(language)); diff != "" {
			t.Errorf("%s differs from en:\n%s", language, diff)
		}
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
