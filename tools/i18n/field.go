package i18n

import (
	"maps"
	"slices"
	"strings"
)

// FieldsFolder of a source has what people call what tools take and answer:
// only forms and tables say it, so it is read when one is drawn.
const FieldsFolder = "fields"

// Fields says what people call what a tool takes and answers. A name is looked
// up as the tool's own (garden_bed_add.field.from), as the plugin's
// (garden.field.from), as the field of a collection (garden_beds.from), and at
// last among what every plugin has (field.from).
type Fields struct {
	all, columns map[string]entry
	tool, plugin string
}

// Fields are those of a tool in a language.
func (c *Catalogue) Fields(lang, tool string) Fields {
	lang = c.known(lang)
	plugin, _, _ := strings.Cut(tool, "_")
	f := Fields{map[string]entry{}, c.entries[lang], tool, plugin}
	for _, source := range c.sources {
		// One that is missing or malformed leaves names as they are; a plugin's
		// contract finds it.
		entries, _ := read(source, FieldsFolder+"/"+lang+".json")
		maps.Copy(f.all, entries)
	}
	return f
}

// About is what the tool does, for people; Help is for models.
func (f Fields) About() (text string, ok bool) {
	return first(f.all, []string{f.tool + ".about"})
}

// Label is what people call a field; path has the names of what it is in, with
// points between.
func (f Fields) Label(path string) (text string, ok bool) {
	if text, ok = first(f.all, f.keys("field", path)); !ok {
		text, ok = first(f.columns, f.columnKeys(path))
	}
	if !ok {
		text, ok = first(f.all, []string{"field." + path})
	}
	return text, ok
}

// Hint is what helps to fill it in.
func (f Fields) Hint(path string) (text string, ok bool) {
	return first(f.all, append(f.keys("hint", path), "hint."+path))
}

// Value is what people call one of a set of values.
func (f Fields) Value(name, value string) (text string, ok bool) {
	if text, ok = first(f.all, append(f.keys("field", name+"."+value), "field."+name+"."+value)); !ok {
		text, ok = first(f.columns, []string{f.plugin + "." + name + "." + value})
	}
	return text, ok
}

// values calls take for each value of a field that has a name.
func (f Fields) values(name string, take func(value, text string)) {
	under := func(all map[string]entry, prefix string) {
		for key, e := range all {
			if value, ok := strings.CutPrefix(key, prefix); ok && !strings.Contains(value, ".") && len(e.places()) == 0 {
				take(value, e.other)
			}
		}
	}
	under(f.all, "field."+name+".")
	under(f.columns, f.plugin+"."+name+".")
	under(f.all, f.plugin+".field."+name+".")
	under(f.all, f.tool+".field."+name+".")
	if name == "field" {
		under(f.all, f.plugin+".field.")
	}
}

func (f Fields) keys(what, path string) []string {
	return []string{f.tool + "." + what + "." + path, f.plugin + "." + what + "." + path}
}

// columnKeys are those of fields of collections: of the one that is named as
// what the field is in, and of the one that the tool is named after.
func (f Fields) columnKeys(path string) (keys []string) {
	parts := strings.Split(path, ".")
	name := parts[len(parts)-1]
	if len(parts) > 1 {
		keys = append(keys, f.plugin+"_"+parts[len(parts)-2]+"."+name)
	}
	for noun := f.tool; noun != f.plugin; noun = noun[:strings.LastIndexByte(noun, '_')] {
		keys = append(keys, noun+"."+name, noun+"s."+name)
		if stem, ok := strings.CutSuffix(noun, "y"); ok {
			keys = append(keys, stem+"ies."+name)
		}
	}
	return keys
}

func first(all map[string]entry, keys []string) (text string, ok bool) {
	i := slices.IndexFunc(keys, func(key string) bool { _, ok := all[key]; return ok })
	if i < 0 {
		return "", false
	}
	return all[keys[i]].other, true
}
