// Package toolstest helps to test tools: an app in a fresh folder with its
// members, and the contract that every plugin keeps.
package toolstest

import (
	"encoding/json/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	_ "github.com/pocketbase/pocketbase/migrations" // the system's own collections

	migrations "github.com/nodkeep/nodkeep/pb_migrations"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// App is a PocketBase app with the core's and the plugins' collections.
type App struct {
	core.App
	Runner    *tools.Runner
	Registry  *tools.Registry
	Catalogue *i18n.Catalogue
	tb        testing.TB
}

// New makes an app in a fresh folder, with the approved members ann and bob.
// It ends with the test.
func New(tb testing.TB, plugins ...tools.Plugin) *App {
	return Open(tb, filepath.Join(tb.TempDir(), "data"), tools.Config{}, plugins...)
}

// NewWith is New with settings of the runner.
func NewWith(tb testing.TB, config tools.Config, plugins ...tools.Plugin) *App {
	return Open(tb, filepath.Join(tb.TempDir(), "data"), config, plugins...)
}

// Open is NewWith in a folder that may have been used before.
func Open(tb testing.TB, dir string, config tools.Config, plugins ...tools.Plugin) *App {
	tb.Helper()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	must(os.MkdirAll(dir, 0o755))
	must(prefill(dir, plugins))
	limit := config.Limit
	if limit == 0 {
		limit = 5 * time.Second
	}
	base := core.NewBaseApp(core.BaseAppConfig{DataDir: dir, QueryTimeout: limit})
	a := &App{App: base, tb: tb}
	var err error
	a.Registry, err = tools.NewRegistry(plugins...)
	must(err)
	a.Catalogue, err = i18n.Load(append(a.Registry.Locales(), i18n.Core())...)
	must(err)
	tb.Cleanup(func() { _ = base.ClearBootstrap() })
	must(prepare(base, plugins))
	keys, err := tools.LoadKeys(dir, "")
	must(err)
	config.App, config.Registry, config.Keys, config.English = base, a.Registry, keys, a.Catalogue.English
	a.Runner, err = tools.NewRunner(config)
	must(err)
	must(a.Runner.CheckRules())
	must(a.Runner.CheckKey())
	for _, p := range plugins {
		if h, ok := p.(tools.Hooker); ok {
			must(h.Hooks(base))
		}
	}
	a.Member("ann")
	a.Member("bob")
	return a
}

// prepare opens an app's folder and brings it up to date.
func prepare(app core.App, plugins []tools.Plugin) error {
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := migrate(app, plugins); err != nil {
		return err
	}
	settings, err := app.Settings().Clone() // what writes the logs reads the other
	if err != nil {
		return err
	}
	if settings.Logs.MaxDays != 0 {
		settings.Logs.MaxDays = 0
		if err := app.Save(settings); err != nil {
			return err
		}
	}
	return cheapPasswords(app)
}

// cheap is what the hash of a password costs in a test.
const cheap = 4

// cheapPasswords keeps tests from spending their time on hashes.
func cheapPasswords(app core.App) error {
	for _, name := range []string{"users", core.CollectionNameSuperusers} {
		col, err := app.FindCollectionByNameOrId(name)
		if err != nil {
			return err
		}
		f, ok := col.Fields.GetByName(core.FieldNamePassword).(*core.PasswordField)
		if !ok || f.Cost == cheap {
			continue
		}
		f.Cost = cheap
		if err := app.Save(col); err != nil {
			return err
		}
	}
	return nil
}

func migrate(app core.App, plugins []tools.Plugin) error {
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	lists := []core.MigrationsList{migrations.List()}
	for _, p := range plugins {
		if m, ok := p.(tools.Migrator); ok {
			lists = append(lists, m.Migrations())
		}
	}
	for _, l := range lists {
		if _, err := core.NewMigrationsRunner(app, l).Up(); err != nil {
			return err
		}
	}
	return nil
}

// Member is the approved member of that handle, made when there is none.
func (a *App) Member(handle string) *core.Record {
	a.tb.Helper()
	if rec, err := a.FindFirstRecordByData("users", "handle", handle); err == nil {
		return rec
	}
	col, err := a.FindCollectionByNameOrId("users")
	if err != nil {
		a.tb.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Set("handle", handle)
	rec.Set("status", "approved")
	rec.SetEmail(handle + "@example.com")
	rec.SetPassword("a long password")
	if err := a.Save(rec); err != nil {
		a.tb.Fatal(err)
	}
	return rec
}

// As is the member at the web's door.
func (a *App) As(handle string) tools.Actor {
	a.tb.Helper()
	return tools.Actor{Person: a.Member(handle).Id, Door: tools.DoorWeb}
}

// Call makes an invocation of arguments of any type.
func (a *App) Call(tool string, args any) tools.Invocation {
	a.tb.Helper()
	if args == nil {
		return tools.Invocation{Tool: tool}
	}
	b, err := json.Marshal(args)
	if err != nil {
		a.tb.Fatal(err)
	}
	return tools.Invocation{Tool: tool, Args: b}
}

// Read runs a read tool.
func (a *App) Read(actor tools.Actor, tool string, args any) (any, error) {
	a.tb.Helper()
	return a.Runner.Read(a.tb.Context(), actor, a.Call(tool, args))
}

// Preview previews one call.
func (a *App) Preview(actor tools.Actor, tool string, args any) (tools.Preview, error) {
	a.tb.Helper()
	return a.Runner.Preview(a.tb.Context(), actor, a.Call(tool, args))
}

// Apply applies one call; where it needs a digest it previews first.
func (a *App) Apply(actor tools.Actor, tool string, args any) (tools.Receipt, error) {
	a.tb.Helper()
	inv := a.Call(tool, args)
	rec, err := a.Runner.Apply(a.tb.Context(), actor, "", inv)
	if tools.KindOf(err) != tools.DigestRequired {
		return rec, err
	}
	p, err := a.Runner.Preview(a.tb.Context(), actor, inv)
	if err != nil {
		return rec, err
	}
	return a.Runner.Apply(a.tb.Context(), actor, p.Digest, inv)
}

// Undo takes entries back, with the digest of a preview.
func (a *App) Undo(actor tools.Actor, audit ...string) (tools.Receipt, error) {
	a.tb.Helper()
	spec := tools.UndoSpec{Audit: audit}
	p, err := a.Runner.PreviewUndo(a.tb.Context(), actor, spec)
	if err != nil {
		return tools.Receipt{}, err
	}
	return a.Runner.Undo(a.tb.Context(), actor, p.Digest, spec)
}
