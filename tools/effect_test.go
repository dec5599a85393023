package tools_test

import (
	"encoding/json/jsontext"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestReaderCannotWrite: what a read tool is given has nothing to write with.
func TestReaderCannotWrite(t *testing.T) {
	typ := reflect.TypeFor[*tools.Reader]()
	for i := range typ.NumMethod() {
		switch m := typ.Method(i).Name; m {
		case "Foreign", "Context", "Now", "Zone", "Find", "List", "Rows", "Sum", "Member", "Members", "Accounts", "CountAccounts", "HasAccount", "Operators", "Operator", "File":
		default:
			t.Errorf("a Reader can %s", m)
		}
	}
	for _, field := range reflect.VisibleFields(typ.Elem()) {
		if field.IsExported() && field.Name != "Actor" {
			t.Errorf("a Reader shows %s", field.Name)
		}
	}
}

// TestWriteThatDeletes counts as destroy, whether the tool, a cascade or a
// hook deletes.
func TestWriteThatDeletes(t *testing.T) {
	b := open(t, tools.Config{})
	var group, sub string
	b.do(add("lab_groups", map[string]any{"name": "g"}, &group))
	b.do(add("lab_subs", map[string]any{"name": "s", "group": group}, &sub))
	b.OnRecordUpdate("lab_tags").BindFunc(func(e *core.RecordEvent) error {
		rec, err := e.App.FindRecordById("lab_subs", sub)
		if err != nil {
			return err
		}
		if err := e.App.Delete(rec); err != nil {
			return err
		}
		return e.Next()
	})
	var tag string
	b.do(add("lab_tags", map[string]any{"name": "t"}, &tag))
	for name, f := range map[string]func(*tools.Call) error{
		"tool":    remove("lab_subs", &sub),
		"cascade": remove("lab_groups", &group),
		"hook":    update("lab_tags", &tag, map[string]any{"name": "u"}),
	} {
		p, err := b.Runner.Preview(t.Context(), b.ann, b.write(f))
		if err != nil || p.Items[0].Effect != tools.EffectDestroy || !p.Items[0].Card.Grave {
			t.Errorf("%s: %+v %v", name, p.Items, err)
		}
		if _, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(f)); tools.KindOf(err) != tools.DigestRequired {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What comes and goes within the run deletes nothing.
	b.do(func(c *tools.Call) error {
		var id string
		if err := add("lab_charges", map[string]any{"amount": 1}, &id)(c); err != nil {
			return err
		}
		return remove("lab_charges", &id)(c)
	})
}

// TestSendCannotBeHidden: a tool that sends is a send whatever it says it is.
func TestSendCannotBeHidden(t *testing.T) {
	b := open(t, tools.Config{})
	inv := b.write(func(c *tools.Call) error { return c.Send("mail", "x") })
	if _, err := b.Runner.Apply(t.Context(), b.ann, "", inv); tools.KindOf(err) != tools.DigestRequired {
		t.Error(err)
	}
	if b.count("nodkeep_outbox") != 0 {
		t.Error("sent")
	}
}

// raw is a plugin whose tools reach further than their Call.
type raw struct {
	code func(tx core.App) error
}

func (p *raw) Name() string { return "raw" }
func (p *raw) Tools() []tools.Tool {
	object := &jsonschema.Schema{Type: "object"}
	return []tools.Tool{tools.NewRaw(tools.Def{Name: "raw_any", Title: "raw.any", Help: "Runs code that reaches further.", Effect: tools.EffectWrite}, object, object,
		func(c *tools.Call, _ jsontext.Value) (any, error) { return nil, p.code(tools.AppOf(c)) })}
}

func (p *raw) Locales() fs.FS {
	return texts(`{"raw.any": "Any"}`)
}

// TestUncollectedRows: a tool that reaches further may change nothing that was
// not collected, nor the schema.
func TestUncollectedRows(t *testing.T) {
	p := &raw{}
	b := open(t, tools.Config{}, p)
	var group string
	b.do(add("lab_groups", map[string]any{"name": "g"}, &group))
	for i := range 3 {
		b.do(add("lab_subs", map[string]any{"name": string(rune('a' + i)), "group": group}, nil))
	}
	save := func(app core.App) error {
		col, err := b.FindCachedCollectionByNameOrId("lab_tags")
		if err != nil {
			return err
		}
		return app.Save(core.NewRecord(col))
	}
	sql := func(q string) func(core.App) error {
		return func(tx core.App) error { _, err := tx.DB().NewQuery(q).Execute(); return err }
	}
	for name, row := range map[string]struct {
		code func(tx core.App) error
		want string
	}{
		"a save":     {func(core.App) error { return nil }, ""},
		"raw update": {sql("UPDATE lab_subs SET name = 'raw'"), "error.uncollected"},
		"raw delete": {sql("DELETE FROM lab_groups"), "error.uncollected"},
		"schema":     {sql("CREATE TABLE lab_x (id TEXT)"), "error.schema_changed"},
		"an index":   {sql("CREATE INDEX lab_x ON lab_subs (name)"), "error.schema_changed"},
		"no row hit": {sql("UPDATE lab_subs SET name = 'raw' WHERE id = 'none'"), ""},
		"a cascade": {func(tx core.App) error {
			rec, err := tx.FindRecordById("lab_groups", group)
			if err != nil {
				return err
			}
			return tx.Delete(rec)
		}, "error.digest_required"},
	} {
		t.Run(name, func(t *testing.T) {
			p.code = func(tx core.App) error {
				if err := save(tx); err != nil {
					return err
				}
				return row.code(tx)
			}
			before := b.dump()
			_, err := b.Runner.Apply(t.Context(), b.ann, "", tools.Invocation{Tool: "raw_any"})
			key := ""
			if e, ok := errors.AsType[*tools.Error](err); ok {
				key = e.Text.Key
			}
			if key != row.want {
				t.Errorf("%v (%s), want %q", err, key, row.want)
			}
			if row.want != "" {
				if d := differs(before, b.dump()); d != "" {
					t.Error(d)
				}
			}
		})
	}
	// A table with triggers counts rows of its own.
	if err := sql("CREATE TRIGGER lab_t AFTER INSERT ON lab_tags BEGIN UPDATE lab_subs SET flag = 1; END")(b.App); err != nil {
		t.Fatal(err)
	}
	p.code = save
	if _, err := b.Runner.Apply(t.Context(), b.ann, "", tools.Invocation{Tool: "raw_any"}); err != nil {
		t.Error(err)
	}
}

// TestRegistryRefuses what breaks the contract, by name.
func TestRegistryRefuses(t *testing.T) {
	def := tools.Def{Name: "bad_tool", Title: "t", Help: "help", Effect: tools.EffectWrite}
	tool := func(change func(*tools.Def)) tools.Tool {
		d := def
		change(&d)
		return tools.New(d, func(*tools.Call, struct{}) (string, error) { return "", nil })
	}
	for want, plugin := range map[string]badPlugin{
		"must begin with bad_": {tool(func(d *tools.Def) { d.Name = "other_tool" })},
		"lower case":           {tool(func(d *tools.Def) { d.Name = "bad_Tool" })},
		"help":                 {tool(func(d *tools.Def) { d.Help = "" })},
		"effect":               {tool(func(d *tools.Def) { d.Effect = tools.EffectRead })},
		"none":                 {tool(func(d *tools.Def) { d.Effect = "harmless" })},
		"twice":                {tool(func(*tools.Def) {}), tool(func(*tools.Def) {})},
	} {
		if _, err := tools.NewRegistry(plugin); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want something with %q", err, want)
		}
	}
	if _, err := tools.NewRegistry(badPlugin{tool(func(*tools.Def) {})}); err != nil {
		t.Error(err)
	}
}

type badPlugin []tools.Tool

func (badPlugin) Name() string          { return "bad" }
func (p badPlugin) Tools() []tools.Tool { return p }
