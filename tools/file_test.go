package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestFile: who may view a record reads its file, by the name that it came
// with; nobody else does, whatever record a plugin makes up.
func TestFile(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	rec, err := b.try(b.bob, b.upload("", "doc", `C:\papers\Contract №1.PDF`, pdf))
	if err != nil {
		t.Fatal(err)
	}
	id := rec.Outputs[0].(string)
	own(t, b, id, b.bob.Person)
	stored, err := b.FindRecordById("lab_subs", id)
	if err != nil {
		t.Fatal(err)
	}
	file := func(who tools.Actor, of *core.Record, field string) (tools.Upload, error) {
		return read(b, who, func(r *tools.Reader) (tools.Upload, error) { return r.File(of, field) })
	}
	up, err := file(b.bob, stored, "doc")
	if diff := cmp.Diff(tools.Upload{Name: "contract_1.PDF", Data: []byte(pdf)}, up); err != nil || diff != "" {
		t.Error(err, diff)
	}
	// What is stored again comes back the same.
	rec, err = b.try(b.bob, b.upload("", "doc", up.Name, pdf))
	if err != nil {
		t.Fatal(err)
	}
	copied := rec.Outputs[0].(string)
	own(t, b, copied, b.bob.Person)
	again, err := b.FindRecordById("lab_subs", copied)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := file(b.bob, again, "doc"); err != nil || got.Name != up.Name {
		t.Errorf("%v %v", got, err)
	}
	forged := core.NewRecord(stored.Collection())
	forged.Id = id
	forged.Set("doc", stored.GetString("doc"))
	wrong := stored.Fresh()
	wrong.SetRaw("doc", "../"+copied+"/"+again.GetString("doc"))
	for _, row := range []struct {
		name, field string
		who         tools.Actor
		of          *core.Record
		kind        tools.Kind
	}{
		{"another's", "doc", b.ann, stored, tools.NotFound},
		{"another's, made up", "doc", b.ann, forged, tools.NotFound},
		{"another file of the record", "doc", b.bob, wrong, tools.NotFound},
		{"a new record", "doc", b.bob, core.NewRecord(stored.Collection()), tools.NotFound},
		{"no file", "name", b.bob, stored, tools.Invalid},
		{"no field", "none", b.bob, stored, tools.Invalid},
		{"many files", "pics", b.bob, stored, tools.Invalid},
	} {
		if got, err := file(row.who, row.of, row.field); tools.KindOf(err) != row.kind || len(got.Data) > 0 {
			t.Errorf("%s: %q %v", row.name, got.Data, err)
		}
	}
	// In the run that attaches it there is nothing to read yet.
	if _, err := b.try(b.bob, b.write(func(c *tools.Call) error {
		sub := c.New("lab_subs")
		sub.Set("owner", c.Actor.Person)
		if err := c.Attach(sub, "doc", up); err != nil {
			return err
		}
		if err := c.Save(sub); err != nil {
			return err
		}
		if _, err := c.File(sub, "doc"); tools.KindOf(err) != tools.NotFound {
			t.Errorf("attached: %v", err)
		}
		return nil
	})); err != nil {
		t.Error(err)
	}
	path := filepath.Join(b.DataDir(), "storage", stored.BaseFilesPath(), stored.GetString("doc"))
	if err := os.WriteFile(path, []byte(strings.Repeat("x", int(core.DefaultFileFieldMaxSize)+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := file(b.bob, stored, "doc"); tools.KindOf(err) != tools.TooLarge {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := file(b.bob, stored, "doc"); tools.KindOf(err) != tools.NotFound {
		t.Error(err)
	}
}

func own(t *testing.T, b *bench, id, person string) {
	t.Helper()
	if _, err := b.DB().NewQuery("UPDATE lab_subs SET owner = {:p} WHERE id = {:id}").Bind(map[string]any{"p": person, "id": id}).Execute(); err != nil {
		t.Fatal(err)
	}
}

// TestGivenName: what is left of a stored name is what it came with, and is
// left the same when it is stored again.
func TestGivenName(t *testing.T) {
	for stored, want := range map[string]string{
		"logo_abcdefghij.png":                       "logo.png",
		"my_logo_ab_abcde12345.png":                 "my_logo_ab.png",
		"file_abcdefghij.png":                       "file.png",
		"logo.png":                                  "logo.png",
		"Logo_abcdefghij.PNG":                       "logo.PNG",
		"a_abcdefghij_abcdefghij":                   "a_abcdefghij",
		"_abcdefghij.png":                           "file.png",
		strings.Repeat("x", 120) + "_abcdefghij.gz": strings.Repeat("x", 100) + ".gz",
	} {
		if got := tools.GivenName(stored); got != want {
			t.Errorf("%s became %s, want %s", stored, got, want)
		}
	}
}
