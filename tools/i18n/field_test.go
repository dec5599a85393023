package i18n

import (
	"encoding/json/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

func fielded(t *testing.T, fields string) *Catalogue {
	t.Helper()
	files := everywhere(`{"garden_beds.depth": "Depth of the bed", "garden_rows.width": "Width of the row", "garden.kind.flower": "flowers"}`).(fstest.MapFS)
	for _, lang := range Languages() {
		files[FieldsFolder+"/"+lang+".json"] = &fstest.MapFile{Data: []byte(fields)}
	}
	c, err := Load(Core(), files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFieldLabels(t *testing.T) {
	c := fielded(t, `{"garden.field.from": "From", "garden_bed_add.field.from": "Planted on", "garden.field.row.width": "Wide", "garden.hint.from": "A day."}`)
	rows := []struct{ tool, path, want string }{
		{"garden_bed_add", "from", "Planted on"},         // the tool's own
		{"garden_bed_list", "from", "From"},              // the plugin's
		{"garden_bed_list", "depth", "Depth of the bed"}, // of the collection that the tool is named after
		{"garden_beds_bulk_add", "depth", "Depth of the bed"},
		{"garden_pot_add", "depth", ""},
		{"garden_pot_add", "beds.depth", "Depth of the bed"}, // of the collection that it is in
		{"garden_pot_add", "row.width", "Wide"},
		{"garden_pot_add", "width", ""},
		{"garden_pot_add", "id", "ID"}, // what everybody has
		{"gym_visit_add", "from", "From"},
	}
	for _, row := range rows {
		if got, ok := c.Fields("en", row.tool).Label(row.path); got != row.want || ok != (row.want != "") {
			t.Errorf("%s %s: got %q, want %q", row.tool, row.path, got, row.want)
		}
	}
	if got, _ := c.Fields("de", "garden_pot_add").Label("currency"); got != "Währung" {
		t.Errorf("in German: %q", got)
	}
	if got, ok := c.Fields("en", "garden_pot_add").Value("kind", "flower"); got != "flowers" || !ok {
		t.Errorf("a value: %q", got)
	}
}

// A file that cannot be read takes nothing but its words.
func TestFieldsMalformed(t *testing.T) {
	f := fielded(t, `{"garden.field.from": `).Fields("en", "garden_bed_add")
	if got, ok := f.Label("from"); !ok || got != "From" {
		t.Errorf("%q", got)
	}
	if got, ok := f.Label("row.width"); ok {
		t.Errorf("%q", got)
	}
}

func TestFieldSchema(t *testing.T) {
	f := fielded(t, `{"garden.field.from": "From", "garden.field.by": "By", "garden.hint.from": "A day.", "garden.field.state.new": "fresh", "garden.field.made.pots": "pots"}`).Fields("en", "garden_bed_add")
	in := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"from":  {Type: "string", Description: "ask, do not guess"},
		"state": {Type: "string"},
		"by":    {Type: "array", Items: &jsonschema.Schema{Type: "string", Enum: []any{"depth", "odd"}}},
		"made":  {Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "integer"}},
		"beds":  {Type: "array", Items: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"depth": {Type: "integer"}, "odd": {Type: "string"}}}},
	}}
	before, _ := json.Marshal(in)
	raw, err := json.Marshal(f.Schema(in), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(in); string(before) != string(after) {
		t.Errorf("the tool's own became %s", after)
	}
	for _, want := range []string{
		`"title":"From"`, `"description":"ask, do not guess"`, `"hint":"A day."`, `"labels":{"new":"fresh"}`,
		`"labels":{"depth":"Depth of the bed"}`, `"labels":{"by":"By","from":"From","pots":"pots","state":"State"}`, `"depth":{"type":"integer","title":"Depth of the bed"}`, `"odd":{"type":"string"}`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
	if diff := cmp.Diff([]string{"depth"}, keysOf(f.Schema(in).Properties["by"].Extra["labels"].(map[string]string))); diff != "" {
		t.Error(diff)
	}
}

func keysOf(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}
