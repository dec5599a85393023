package tools_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// lab is a plugin to try the engine with: three linked collections with files,
// and tools whose code a test gives.
type lab struct {
	mu    sync.Mutex
	code  map[string]func(*tools.Call) error
	reads map[string]func(*tools.Reader) (any, error)
	rules map[string]tools.Rule
}

func newLab() *lab {
	return &lab{
		code: map[string]func(*tools.Call) error{}, reads: map[string]func(*tools.Reader) (any, error){},
		rules: map[string]tools.Rule{"lab_groups": {}, "lab_tags": {}, "lab_subs": {}, "lab_charges": {}},
	}
}

type run struct {
	Code string `json:"code"`
}

func (l *lab) do(c *tools.Call, in run) (string, error) {
	l.mu.Lock()
	f := l.code[in.Code]
	l.mu.Unlock()
	if f == nil {
		return "", tools.Fail(tools.NotFound, "error.no_tool", in.Code)
	}
	return in.Code, f(c)
}

func (l *lab) Name() string { return "lab" }
func (l *lab) Tools() []tools.Tool {
	return []tools.Tool{
		tools.New(tools.Def{Name: "lab_write", Title: "lab.write", Help: "Runs the code of a test that writes.", Effect: tools.EffectWrite}, l.do),
		tools.New(tools.Def{Name: "lab_destroy", Title: "lab.write", Help: "Runs the code of a test that deletes.", Effect: tools.EffectDestroy}, l.do),
		tools.NewRead(tools.Def{Name: "lab_read", Title: "lab.write", Help: "Runs the code of a test that reads."}, func(r *tools.Reader, in run) (any, error) {
			return l.reads[in.Code](r)
		}),
		tools.New(tools.Def{Name: "lab_upload", Title: "lab.write", Help: "Puts a file into a field of a new sub, or of one that is there.", Effect: tools.EffectWrite}, attach),
	}
}

type attachIn struct {
	ID    string       `json:"id,omitzero"`
	Field string       `json:"field"`
	File  tools.Upload `json:"file"`
}

func attach(c *tools.Call, in attachIn) (string, error) {
	rec := c.New("lab_subs")
	if in.ID != "" {
		var err error
		if rec, err = c.Find("lab_subs", in.ID); err != nil {
			return "", err
		}
	}
	if err := c.Attach(rec, in.Field, in.File); err != nil {
		return "", err
	}
	err := c.Save(rec)
	return rec.Id, err
}

func (l *lab) Volatile() map[string][]string      { return map[string][]string{"lab_groups": {"name"}} }
func (l *lab) ChangeRules() map[string]tools.Rule { return l.rules }

// Scopes: a sub with a flag is private, a charge is a part of its sub, tags are
// for every tool.
func (l *lab) Scopes() map[string]tools.Scoping {
	return map[string]tools.Scoping{"lab_subs": {Shared: "flag = false"}, "lab_charges": {Part: "sub"}, "lab_tags": {Always: true}}
}

func (l *lab) Locales() fs.FS {
	return texts(`{"lab.write": "Try something"}`)
}

func texts(json string) fs.FS {
	text := &fstest.MapFile{Data: []byte(json)}
	return fstest.MapFS{"en.json": text, "de.json": text, "es.json": text}
}

func (l *lab) Migrations() (list core.MigrationsList) {
	list.Register(labCollections, nil, "1764500000_lab.go")
	return list
}

func labCollections(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	anyone := types.Pointer("@request.auth.id != ''")
	make := func(name string, fields ...core.Field) *core.Collection {
		col := core.NewBaseCollection(name)
		col.ListRule, col.ViewRule = anyone, anyone
		col.Fields.Add(fields...)
		col.Fields.Add(&core.AutodateField{Name: "created", OnCreate: true}, &core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true})
		return col
	}
	groups := make("lab_groups", &core.TextField{Name: "name"}, &core.RelationField{Name: "members", CollectionId: users.Id, MaxSelect: 99})
	tags := make("lab_tags", &core.TextField{Name: "name"})
	if err := errors.Join(app.Save(groups), app.Save(tags)); err != nil {
		return err
	}
	subs := make("lab_subs",
		&core.TextField{Name: "name"}, &core.TextField{Name: "code"}, &core.NumberField{Name: "amount"},
		&core.RelationField{Name: "owner", CollectionId: users.Id, MaxSelect: 1},
		&core.RelationField{Name: "group", CollectionId: groups.Id, MaxSelect: 1, CascadeDelete: true},
		&core.RelationField{Name: "tags", CollectionId: tags.Id, MaxSelect: 99},
		&core.JSONField{Name: "meta"}, &core.EditorField{Name: "note"}, &core.GeoPointField{Name: "pos"},
		&core.SelectField{Name: "kind", MaxSelect: 3, Values: []string{"a", "b", "c"}},
		&core.FileField{Name: "doc", MaxSelect: 1}, &core.FileField{Name: "pics", MaxSelect: 5},
		&core.DateField{Name: "day"}, &core.BoolField{Name: "flag"}, &core.TextField{Name: "secret", Hidden: true})
	subs.AddIndex("idx_lab_subs_code", true, "code", "code != ''")
	if err := app.Save(subs); err != nil {
		return err
	}
	charges := make("lab_charges",
		&core.RelationField{Name: "sub", CollectionId: subs.Id, MaxSelect: 1, CascadeDelete: true},
		&core.NumberField{Name: "amount"}, &core.FileField{Name: "receipt", MaxSelect: 1})
	charges.AddIndex("idx_lab_charges_sub", false, "sub", "")
	return app.Save(charges)
}

// bench is an app with the lab and shortcuts for its tests.
type bench struct {
	*toolstest.App
	*lab
	tb  testing.TB
	ann tools.Actor
	bob tools.Actor
	n   int
}

func open(tb testing.TB, config tools.Config, plugins ...tools.Plugin) *bench {
	l := newLab()
	return openIn(tb, filepath.Join(tb.TempDir(), "data"), config, l, plugins...)
}

func openIn(tb testing.TB, dir string, config tools.Config, l *lab, plugins ...tools.Plugin) *bench {
	tb.Helper()
	app := toolstest.Open(tb, dir, config, append([]tools.Plugin{l}, plugins...)...)
	return &bench{App: app, lab: l, tb: tb, ann: app.As("ann"), bob: app.As("bob")}
}

// call makes an invocation of code.
func (b *bench) call(tool string, f func(*tools.Call) error) tools.Invocation {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	name := fmt.Sprint("code", b.n)
	b.code[name] = f
	return tools.Invocation{Tool: tool, Args: []byte(`{"code":"` + name + `"}`)}
}

func (b *bench) write(f func(*tools.Call) error) tools.Invocation { return b.call("lab_write", f) }

// do applies code as ann, previewing it first where it deletes, and fails the
// test if it cannot.
func (b *bench) do(f func(*tools.Call) error) tools.Receipt {
	b.tb.Helper()
	rec, err := b.try(b.ann, b.write(f))
	if err != nil {
		b.tb.Fatal(err)
	}
	return rec
}

func (b *bench) try(a tools.Actor, invs ...tools.Invocation) (tools.Receipt, error) {
	b.tb.Helper()
	rec, err := b.Runner.Apply(b.tb.Context(), a, "", invs...)
	if tools.KindOf(err) != tools.DigestRequired {
		return rec, err
	}
	p, err := b.Runner.Preview(b.tb.Context(), a, invs...)
	if err != nil {
		return rec, err
	}
	return b.Runner.Apply(b.tb.Context(), a, p.Digest, invs...)
}

// add makes a record with those fields.
func add(collection string, fields map[string]any, id *string) func(*tools.Call) error {
	return func(c *tools.Call) error {
		rec := c.New(collection)
		for k, v := range fields {
			rec.Set(k, v)
		}
		if err := c.Save(rec); err != nil {
			return err
		}
		if id != nil {
			*id = rec.Id
		}
		return nil
	}
}

func update(collection string, id *string, fields map[string]any) func(*tools.Call) error {
	return func(c *tools.Call) error {
		rec, err := c.Find(collection, *id)
		if err != nil {
			return err
		}
		for k, v := range fields {
			rec.Set(k, v)
		}
		return c.Save(rec)
	}
}

func remove(collection string, id *string) func(*tools.Call) error {
	return func(c *tools.Call) error {
		rec, err := c.Find(collection, *id)
		if err != nil {
			return err
		}
		return c.Delete(rec)
	}
}

func file(content string) *filesystem.File {
	f, err := filesystem.NewFileFromBytes([]byte(content), "x.txt")
	if err != nil {
		panic(err)
	}
	return f
}

func (b *bench) count(table string) (n int) {
	b.tb.Helper()
	if err := b.DB().Select("count(*)").From(table).Row(&n); err != nil {
		b.tb.Fatal(err)
	}
	return n
}

// audits counts the entries in a state.
func (b *bench) audits(state string) (n int) {
	b.tb.Helper()
	err := b.DB().Select("count(*)").From("nodkeep_audit").Where(dbx.HashExp{"state": state}).AndWhere(dbx.NewExp("kind != 'write'")).Row(&n)
	if err != nil {
		b.tb.Fatal(err)
	}
	return n
}

// stored lists the files in the storage, without PocketBase's attributes.
func (b *bench) stored() (names []string) {
	root := filepath.Join(b.DataDir(), "storage")
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(p, ".attrs") {
			names = append(names, strings.TrimPrefix(p, root))
		}
		return nil
	})
	return names
}

var labTables = []string{"lab_groups", "lab_tags", "lab_subs", "lab_charges"}

// dump is everything in the lab's collections: exported and as SQLite holds
// it, autodates excepted, with the content of every file.
func (b *bench) dump() map[string]string {
	b.tb.Helper()
	out := map[string]string{}
	files, err := b.NewFilesystem()
	if err != nil {
		b.tb.Fatal(err)
	}
	defer files.Close()
	for _, table := range labTables {
		recs, err := b.FindAllRecords(table)
		if err != nil {
			b.tb.Fatal(err)
		}
		for _, rec := range recs {
			var text strings.Builder
			var columns []string
			for _, f := range rec.Collection().Fields {
				if f.Type() == core.FieldTypeAutodate {
					continue
				}
				n := f.GetName()
				columns = append(columns, fmt.Sprintf("'%s='||typeof([[%s]])||':'||ifnull(hex(cast([[%s]] as blob)),'')", n, n, n))
				if f.Type() == core.FieldTypeFile {
					for _, name := range rec.GetStringSlice(n) {
						text.WriteString(" file " + name + "=" + content(files, rec.BaseFilesPath()+"/"+name))
					}
				}
			}
			var raw string
			err := b.DB().NewQuery("SELECT " + strings.Join(columns, "||';'||") + " FROM {{" + table + "}} WHERE id={:id}").Bind(dbx.Params{"id": rec.Id}).Row(&raw)
			if err != nil {
				b.tb.Fatal(err)
			}
			out[table+"/"+rec.Id] = raw + text.String()
		}
	}
	return out
}

func content(files *filesystem.System, path string) string {
	rd, err := files.GetReader(path)
	if err != nil {
		return "LOST"
	}
	defer rd.Close()
	data, err := io.ReadAll(rd)
	if err != nil {
		return "LOST"
	}
	return string(data)
}

// differs says where two dumps differ, "" where they do not.
func differs(was, is map[string]string) string {
	for _, k := range slices.Sorted(maps.Keys(was)) {
		if is[k] != was[k] {
			return fmt.Sprintf("%s\n was %.900s\n is  %.900s", k, was[k], is[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(is)) {
		if _, ok := was[k]; !ok {
			return k + " is new"
		}
	}
	return ""
}
