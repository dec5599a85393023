package tools_test

import (
	"bytes"
	"encoding/json/v2"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00"
	pdf = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"
)

func (b *bench) upload(id, field, name, data string) tools.Invocation {
	return b.Call("lab_upload", attachIn{id, field, tools.Upload{Name: name, Data: []byte(data)}})
}

// files are the contents of a record's field.
func (b *bench) files(id, field string) (all []string) {
	b.tb.Helper()
	rec, err := b.FindRecordById("lab_subs", id)
	if err != nil {
		b.tb.Fatal(err)
	}
	files, err := b.NewFilesystem()
	if err != nil {
		b.tb.Fatal(err)
	}
	defer files.Close()
	for _, name := range rec.GetStringSlice(field) {
		all = append(all, content(files, rec.BaseFilesPath()+"/"+name))
	}
	return all
}

// TestUpload: a file among the arguments is shown without being stored, stored
// by just what was shown, and taken back.
func TestUpload(t *testing.T) {
	b := open(t, tools.Config{})
	told := 0
	b.OnModelAfterCreateError().BindFunc(func(e *core.ModelErrorEvent) error { told++; return e.Next() })
	before := b.dump()
	inv := b.upload("", "doc", `C:\papers\Contract №1.PDF`, pdf)
	p, err := b.Runner.Preview(t.Context(), b.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.stored()) > 0 || b.count("lab_subs") > 0 || told > 0 {
		t.Errorf("a preview left %v, %d records, %d hooks", b.stored(), b.count("lab_subs"), told)
	}
	for _, other := range []tools.Invocation{b.upload("", "doc", `C:\papers\Contract №1.PDF`, pdf+" "), b.upload("", "doc", "other.pdf", pdf), b.upload("", "pics", `C:\papers\Contract №1.PDF`, pdf)} {
		if _, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, other); tools.KindOf(err) != tools.Stale {
			t.Errorf("another file under the same digest: %v", err)
		}
	}
	rec, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
	if err != nil {
		t.Fatal(err)
	}
	id := rec.Outputs[0].(string)
	if diff := cmp.Diff([]string{pdf}, b.files(id, "doc")); diff != "" {
		t.Error(diff)
	}
	stored, err := b.FindRecordById("lab_subs", id)
	if err != nil {
		t.Fatal(err)
	}
	if name := stored.GetString("doc"); !strings.HasPrefix(name, "contract_1_") || !strings.HasSuffix(name, ".PDF") {
		t.Errorf("stored as %s", name)
	}

	// It replaces what is there, also where there may be several.
	made := b.dump()
	rec2, err := b.try(b.ann, b.upload(id, "doc", "b", "second"))
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"one", "two"} {
		if _, err := b.try(b.ann, b.upload(id, "pics", "p.txt", data)); err != nil {
			t.Fatal(err)
		}
	}
	if got := append(b.files(id, "doc"), b.files(id, "pics")...); !slices.Equal(got, []string{"second", "two"}) {
		t.Error(got)
	}
	last, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Tool: "lab_upload", Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, audit := range []string{last.Items[0].ID, last.Items[1].ID, rec2.Audit[0]} {
		if _, err := b.Undo(b.ann, audit); err != nil {
			t.Fatal(err)
		}
	}
	if d := differs(made, b.dump()); d != "" {
		t.Error(d)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil {
		t.Fatal(err)
	}
	if d := differs(before, b.dump()); d != "" {
		t.Error(d)
	}
	b.wellFormed(t)
}

// TestUploadRefused: what the field does not take is refused and named, by the
// content, and writes nothing.
func TestUploadRefused(t *testing.T) {
	b := open(t, tools.Config{})
	col, err := b.FindCollectionByNameOrId("lab_subs")
	if err != nil {
		t.Fatal(err)
	}
	doc := col.Fields.GetByName("doc").(*core.FileField)
	doc.MaxSize, doc.MimeTypes = 1000, []string{"application/pdf", "image/png"}
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	raw := func(file string) tools.Invocation {
		return tools.Invocation{Tool: "lab_upload", Args: []byte(`{"field":"doc","file":` + file + `}`)}
	}
	for _, row := range []struct {
		name string
		inv  tools.Invocation
		kind tools.Kind
		want string
	}{
		{"a picture", b.upload("", "doc", "x.txt", png), "", ""},
		{"just as large", b.upload("", "doc", "x", pdf+strings.Repeat(" ", 1000-len(pdf))), "", ""},
		{"one too large", b.upload("", "doc", "x.pdf", pdf+strings.Repeat(" ", 1001-len(pdf))), tools.Invalid, `the field "doc" is a file of 1001 bytes; at most 1000`},
		{"nothing", b.upload("", "doc", "x.pdf", ""), tools.Invalid, `the field "doc" is an empty file`},
		{"called a picture", b.upload("", "doc", "x.png", "<html></html>"), tools.Invalid, `the field "doc" is a file of the type text/html; charset=utf-8; allowed are application/pdf, image/png`},
		{"no base64", raw(`{"name":"x","data":"JVBERi0x*"}`), tools.Invalid, `the field "file.data" is not base64`},
		{"no padding", raw(`{"name":"x","data":"JVBERi0xLg"}`), tools.Invalid, `the field "file.data" is not base64`},
		{"two lines", raw(`{"name":"x","data":"JVBE\nRi0x"}`), tools.Invalid, `the field "file.data" is not base64`},
		{"the alphabet of addresses", raw(`{"name":"x","data":"_-_-"}`), tools.Invalid, `the field "file.data" is not base64`},
		{"no data", raw(`{"name":"x"}`), tools.Invalid, `"file.data" is missing; it must be a string (its content in base64)`},
		{"a list", raw(`{"name":"x","data":[1]}`), tools.Invalid, `"file.data" must be a string`},
		{"more", raw(`{"name":"x","data":"","type":"a"}`), tools.Invalid, `"file.type" is unknown`},
		{"no field for files", b.upload("", "name", "x", pdf), tools.Internal, ""},
		{"no field", b.upload("", "nothing", "x", pdf), tools.Internal, ""},
		{"far too large", b.upload("", "doc", "x", strings.Repeat("x", 7<<20)), tools.TooLarge, "8388608 bytes are allowed"},
	} {
		n := b.count("lab_subs")
		_, err := b.Runner.Preview(t.Context(), b.ann, row.inv)
		if row.kind == "" && err != nil || row.kind != "" && (err == nil || tools.KindOf(err) != row.kind || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
		if _, err := b.try(b.ann, row.inv); (err == nil) != (row.kind == "") {
			t.Errorf("%s: %v", row.name, err)
		}
		if made := b.count("lab_subs") - n; made != 0 && row.kind != "" {
			t.Errorf("%s: made %d records", row.name, made)
		}
	}
}

// TestUploadInAudit: the arguments that the audit keeps hold no megabytes, and
// a file as large as PocketBase takes by itself goes through.
func TestUploadInAudit(t *testing.T) {
	b := open(t, tools.Config{})
	big := bytes.Repeat([]byte("large "), 5<<20/6)
	rec, err := b.try(b.ann, b.upload("", "doc", "large.txt", string(big)))
	if err != nil {
		t.Fatal(err)
	}
	if got := b.files(rec.Outputs[0].(string), "doc"); len(got) != 1 || got[0] != string(big) {
		t.Error("it is not what came")
	}
	page, err := b.Runner.Activity(t.Context(), b.ann, tools.ActivityQuery{Tool: "lab_upload"})
	if err != nil || len(page.Items) != 1 {
		t.Fatal(err, page)
	}
	var args struct {
		SHA256 string `json:"sha256"`
		Bytes  int    `json:"bytes"`
	}
	if err := json.Unmarshal(page.Items[0].Args, &args, json.RejectUnknownMembers(true)); err != nil || len(args.SHA256) != 64 || args.Bytes < 6<<20 {
		t.Errorf("%v %.200s", err, page.Items[0].Args)
	}
	var most int
	if err := b.DB().NewQuery("SELECT max(length(args)) FROM nodkeep_audit").Row(&most); err != nil || most > 200 {
		t.Errorf("%d bytes of arguments are kept, %v", most, err)
	}
	// A tool that takes no files takes no more than before.
	_, err = b.Read(b.ann, "lab_read", run{strings.Repeat("x", 1<<20)})
	if tools.KindOf(err) != tools.TooLarge {
		t.Error(err)
	}
	// What fails for another reason is kept no longer.
	if _, err := b.try(b.ann, b.upload("nowhere", "doc", "large.txt", string(big))); tools.KindOf(err) != tools.NotFound {
		t.Error(err)
	}
	if err := b.DB().NewQuery("SELECT max(length(args)) FROM nodkeep_audit").Row(&most); err != nil || most > 200 {
		t.Errorf("%d bytes of arguments are kept, %v", most, err)
	}
}

// TestUploadSchema: what a model is shown of a file.
func TestUploadSchema(t *testing.T) {
	for _, tool := range newLab().Tools() {
		if tool.Name != "lab_upload" {
			continue
		}
		got, err := json.Marshal(tool.Input.Properties["file"], json.Deterministic(true))
		var have, want any
		err = errors.Join(err, json.Unmarshal(got, &have), json.Unmarshal([]byte(`{"type":"object","required":["name","data"],"additionalProperties":false,
			"properties":{"name":{"type":"string","description":"what the file is called"},"data":{"type":"string","contentEncoding":"base64","description":"its content in base64"}}}`), &want))
		if diff := cmp.Diff(want, have); diff != "" || err != nil {
			t.Error(err, diff)
		}
		if n := tool.MaxArguments(); n != 8<<20 {
			t.Error(n)
		}
	}
}

// TestOwnID: a tool may give a new record an id, as an import of what was
// exported does. It is the same in preview and apply, has PocketBase's form, and
// one that is taken is refused without a word about what has it.
func TestOwnID(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	var bobs string
	if _, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "bob's secret", "owner": b.bob.Person}, &bobs))); err != nil {
		t.Fatal(err)
	}
	with := func(ids ...string) tools.Invocation {
		return b.write(func(c *tools.Call) error {
			for _, id := range ids {
				rec := c.New("lab_subs")
				rec.Id = id
				rec.Set("owner", c.Actor.Person)
				if err := c.Save(rec); err != nil {
					return err
				}
			}
			return nil
		})
	}
	const own = "ownid0000000001"
	inv := with(own, "ownid0000000002", "")
	p, err := b.Runner.Preview(t.Context(), b.ann, inv)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := b.Runner.Apply(t.Context(), b.ann, p.Digest, inv)
	if err != nil {
		t.Fatal(err)
	}
	for i, ch := range rec.Changes {
		if want := p.Items[0].Changes[i].ID; ch.ID != want || i == 0 && want != own || i == 2 && len(want) != 15 {
			t.Errorf("change %d made %s, the preview showed %s", i, ch.ID, want)
		}
	}
	if _, err := b.FindRecordById("lab_subs", own); err != nil {
		t.Error(err)
	}
	said := ""
	for _, row := range []struct{ name, id string }{
		{"her own", own}, {"bob's", bobs}, {"too short", "a"}, {"too long", "ownid00000000012"}, {"upper case", "OWNID0000000009"}, {"a path", "../../../../../x"}, {"odd", "ownid000000\x00000"},
	} {
		_, err := b.try(b.ann, with(row.id))
		if tools.KindOf(err) != tools.Invalid || mentions(t, fmt.Sprint(err), "secret") {
			t.Errorf("%s: %v", row.name, err)
		}
		switch row.name {
		case "her own":
			said = fmt.Sprint(err)
		case "bob's":
			if fmt.Sprint(err) != said {
				t.Errorf("of her own: %s, of bob's: %v", said, err)
			}
		}
		if n := b.count("lab_subs"); n != 4 {
			t.Fatalf("%s: %d records", row.name, n)
		}
	}
	if _, err := b.try(b.ann, with("ownid0000000007", "ownid0000000007")); tools.KindOf(err) != tools.Invalid || b.count("lab_subs") != 4 {
		t.Error("twice in one call", err)
	}
	if _, err := b.Undo(b.ann, rec.Audit...); err != nil || b.count("lab_subs") != 1 {
		t.Error(err)
	}
	b.wellFormed(t)
}

// TestIDOfWhatIsGone: who gives a record the id of one that is gone learns
// nothing of it, and it stays gone.
func TestIDOfWhatIsGone(t *testing.T) {
	b := open(t, tools.Config{})
	b.private(t)
	var id string
	if _, err := b.try(b.bob, b.write(add("lab_subs", map[string]any{"name": "bob's secret", "owner": b.bob.Person}, &id))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.try(b.bob, b.write(update("lab_subs", &id, map[string]any{"note": "bob's secret note"}))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.try(b.bob, b.write(add("lab_charges", map[string]any{"sub": id, "amount": 424242}, nil))); err != nil {
		t.Fatal(err)
	}
	gone, err := b.try(b.bob, b.call("lab_destroy", remove("lab_subs", &id)))
	if err != nil {
		t.Fatal(err)
	}
	// seen counts the entries of tools, and none of them may show a secret.
	seen := func(who tools.Actor, n int, secrets ...string) {
		t.Helper()
		page, err := b.Runner.Activity(t.Context(), who, tools.ActivityQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Items {
			if strings.HasPrefix(e.Tool, "lab_") {
				n--
				for _, secret := range secrets {
					if mentions(t, e, secret) {
						t.Errorf("%s is in %+v", secret, e)
					}
				}
			}
		}
		if n != 0 {
			t.Errorf("%d entries more than were seen", n)
		}
	}
	seen(b.ann, 0)
	made, err := b.try(b.ann, b.write(func(c *tools.Call) error {
		rec := c.New("lab_subs")
		rec.Id = id
		rec.Set("name", "ann's secret")
		rec.Set("owner", c.Actor.Person)
		return c.Save(rec)
	}))
	if err != nil {
		t.Fatal(err)
	}
	seen(b.ann, 1, "bob's secret", "424242")
	seen(b.bob, 4, "ann's secret")
	if _, err := b.Undo(b.bob, gone.Audit...); tools.KindOf(err) != tools.Conflict || mentions(t, fmt.Sprint(err), "ann") {
		t.Error("it comes back over another's", err)
	}
	if _, err := b.Undo(b.ann, made.Audit...); err != nil {
		t.Error(err)
	}
	seen(b.ann, 1, "bob's secret", "424242")
	seen(b.bob, 4, "ann's secret")
	if _, err := b.Undo(b.bob, gone.Audit...); err != nil {
		t.Error(err)
	}
	seen(b.ann, 1, "bob's secret", "424242")
	seen(b.bob, 4, "ann's secret")
}
