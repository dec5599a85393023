package i18n

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Catalogue holds the sentences of all sources by language and key. It does
// not change after Load and may be used by many at once.
type Catalogue struct {
	entries    map[string]map[string]entry
	marshalers map[string]*json.Marshalers
	sources    []fs.FS
}

// entry is a sentence with places {0}, {1}, …. A plural one has another
// wording for one thing; which is meant says the first whole number.
type entry struct {
	one, other string
	plural     bool
}

var place = regexp.MustCompile(`\{\d{1,2}\}`)

// Load merges sources, each with a file LANG.json for every one of Languages:
// an object of keys, each with a sentence or {"one": …, "other": …}. It fails
// with all that is wrong, by file and key: a file or key that is missing or
// malformed, a key that two sources give, places that differ between languages.
func Load(sources ...fs.FS) (*Catalogue, error) {
	c := &Catalogue{entries: map[string]map[string]entry{}, marshalers: map[string]*json.Marshalers{}, sources: sources}
	var wrong []error
	once := map[string]string{} // a key is the same string in every language
	for _, lang := range Languages() {
		all := map[string]entry{}
		for i, source := range sources {
			file := fmt.Sprintf("%s.json of source %d", lang, i+1)
			entries, err := read(source, lang+".json")
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", file, err))
			}
			for key, e := range entries {
				if _, ok := all[key]; ok {
					wrong = append(wrong, fmt.Errorf("%s: %q is already given by another source", file, key))
				}
				if _, ok := once[key]; !ok {
					once[key] = key
				}
				all[once[key]] = e
			}
		}
		c.entries[lang] = all
		c.marshalers[lang] = c.newMarshalers(lang)
	}
	if wrong == nil {
		wrong = c.compare()
	}
	if wrong != nil {
		return nil, fmt.Errorf("translations: %w", errors.Join(wrong...))
	}
	return c, nil
}

// read gives the entries of one file, those that are well formed even when
// others are not.
func read(source fs.FS, file string) (map[string]entry, error) {
	data, err := fs.ReadFile(source, file)
	if err != nil {
		return nil, err
	}
	var raw map[string]jsontext.Value
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	entries := make(map[string]entry, len(raw))
	var wrong []error
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		e, err := parse(raw[key])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%q: %w", key, err))
		}
		entries[key] = e
	}
	return entries, errors.Join(wrong...)
}

func parse(raw jsontext.Value) (entry, error) {
	var e entry
	var err error
	if raw.Kind() == jsontext.KindBeginObject {
		e.plural = true
		var forms struct {
			One   string `json:"one"`
			Other string `json:"other"`
		}
		err = json.Unmarshal(raw, &forms, json.RejectUnknownMembers(true))
		e.one, e.other = forms.One, forms.Other
	} else {
		err = json.Unmarshal(raw, &e.other)
		e.one = e.other
	}
	if err != nil {
		return entry{}, err
	}
	for _, form := range []string{e.one, e.other} {
		if form == "" {
			return e, errors.New("a sentence is empty")
		}
		if strings.ContainsAny(place.ReplaceAllString(form, ""), "{}") {
			return e, fmt.Errorf("%q has a brace that is no place such as {0}", form)
		}
	}
	return e, nil
}

// compare holds every language against all others.
func (c *Catalogue) compare() (wrong []error) {
	keys := map[string]entry{} // with the wording of the first language that has it
	for _, lang := range slices.Backward(Languages()) {
		maps.Copy(keys, c.entries[lang])
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for _, lang := range Languages() {
			e, ok := c.entries[lang][key]
			if !ok {
				wrong = append(wrong, fmt.Errorf("%s.json: %q is missing", lang, key))
			} else if got, want := e.places(), keys[key].places(); !slices.Equal(got, want) {
				wrong = append(wrong, fmt.Errorf("%s.json: %q has the places %v, another language has %v", lang, key, got, want))
			}
		}
	}
	return wrong
}

// places lists the places of both forms, each once, in order. A form may leave
// out what another has ("one day", "{0} days").
func (e entry) places() []string {
	found := place.FindAllString(e.one+e.other, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// Keys lists all keys, in order.
func (c *Catalogue) Keys() []string {
	return slices.Sorted(maps.Keys(c.entries[Languages()[0]]))
}

// Texts gives the entries of a language as the files have them, a string or
// {"one": …, "other": …} by key; English for a language that is not ours.
func (c *Catalogue) Texts(lang string) map[string]any {
	texts := map[string]any{}
	for key, e := range c.entries[c.known(lang)] {
		if e.plural {
			texts[key] = map[string]string{"one": e.one, "other": e.other}
		} else {
			texts[key] = e.other
		}
	}
	return texts
}

// known is lang, or English when there is no such language.
func (c *Catalogue) known(lang string) string {
	if _, ok := c.entries[lang]; ok {
		return lang
	}
	return Languages()[0]
}
