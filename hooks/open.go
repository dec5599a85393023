package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/assistant/demo"
	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/assistant/screen"
	"github.com/nodkeep/nodkeep/assistant/upload"
	migrations "github.com/nodkeep/nodkeep/pb_migrations"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// open opens the data folder, whose lock a holds: keys, database, migrations,
// runner, in this order, since each needs the one before.
func (a *App) open() error {
	if len(a.problems) > 0 {
		return settingsError(a.problems)
	}
	var err error
	if a.registry, err = tools.NewRegistry(append([]tools.Plugin{a.ownPlugin()}, a.chosen()...)...); err != nil {
		return err
	}
	sources := append([]fs.FS{
		i18n.Core(), locales(), reader.Locales(), upload.Locales(), gate.Locales(), mcp.Locales(), assistant.Locales(), offer.Locales(), client.Locales(),
		budget.Locales(), roster.Locales(), screen.Locales(), document.Locales(),
	}, a.registry.Locales()...)
	if a.demonstrates {
		sources = append(sources, demo.Locales())
	}
	if a.catalogue, err = i18n.Load(sources...); err != nil {
		return err
	}
	_, err = os.Stat(tools.KeyFile(a.dir))
	made := a.settings.Key == "" && errors.Is(err, fs.ErrNotExist)
	a.keys, err = tools.LoadKeys(a.dir, a.settings.Key)
	if err != nil {
		return err
	}
	register(a.registry.Plugins())
	if err := a.pb.Bootstrap(); err != nil {
		return fmt.Errorf("open the data folder %s: %w", a.dir, err)
	}
	if err := a.pb.RunAllMigrations(); err != nil {
		return fmt.Errorf("migrate the data folder %s: %w", a.dir, err)
	}
	a.openTelemetry()
	if err := a.readSaid(); err != nil {
		return err
	}
	if err := a.openGate(); err != nil {
		return err
	}
	a.desk = reader.NewDesk(reader.Config{Runner: a.runner, Registry: a.registry, Catalogue: a.catalogue, Time: a.reading})
	if err := a.openUploads(); err != nil {
		return err
	}
	if err := a.openDoor(); err != nil {
		return err
	}
	if err := a.openAssistants(); err != nil {
		return err
	}
	if err := a.openLoop(); err != nil {
		return err
	}
	if err := a.runner.CheckKey(); err != nil {
		if made {
			// Made a moment ago, beside a history of another key: it is none.
			return errors.Join(err, os.Remove(tools.KeyFile(a.dir)))
		}
		if !a.looking {
			return err
		}
	}
	if err := a.runner.CheckRules(); err != nil {
		return err
	}
	for _, p := range a.registry.Plugins() {
		if h, ok := p.(tools.Hooker); ok {
			if err := h.Hooks(a.pb); err != nil {
				return fmt.Errorf("plugin %s: %w", p.Name(), err)
			}
		}
	}
	a.newKey = made
	return a.keepSchema()
}

// tellKey says that this start made the key, and what it is worth.
func (a *App) tellKey(w io.Writer) {
	if a.newKey {
		fmt.Fprintf(w, "A key was made: %s (mode 600).\n  Keep a copy of it apart from backups, none of which contains it: without it what\n  is encrypted stays so, and the audit cannot be verified.\n", tools.KeyFile(a.dir))
	}
}

// openHere opens the folder for one command and makes the handler that a
// server would serve.
func (a *App) openHere() error {
	if err := a.open(); err != nil {
		return err
	}
	if a.reads() {
		a.tellKey(a.Stderr) // what a command prints is its result
	}
	router, err := apis.NewRouter(a.pb)
	if err != nil {
		return err
	}
	if err := a.bindRoutes(router); err != nil {
		return err
	}
	mux, err := router.BuildMux()
	a.handler = mux
	return err
}

// close gives up what open and the lock took.
func (a *App) close() error {
	a.closeBadge()
	if a.loop != nil {
		a.loop.Close()
	}
	if a.door != nil {
		a.door.Close()
	}
	a.closeTelemetry()
	err := a.pb.ClearBootstrap()
	if a.lock != nil {
		err = errors.Join(err, a.lock.release())
		a.lock = nil
	}
	return err
}

// chosen are the plugins of main that the settings name, in main's order.
func (a *App) chosen() []tools.Plugin {
	var plugins []tools.Plugin
	for _, p := range a.Plugins {
		if slices.Contains(a.settings.Plugins, p.Name()) {
			plugins = append(plugins, p)
		}
	}
	return plugins
}

// register puts the migrations into PocketBase's one list, each once.
func register(plugins []tools.Plugin) {
	lists := []core.MigrationsList{migrations.List()}
	for _, p := range plugins {
		if m, ok := p.(tools.Migrator); ok {
			lists = append(lists, m.Migrations())
		}
	}
	there := map[string]bool{}
	for _, m := range core.AppMigrations.Items() {
		there[m.File] = true
	}
	for _, l := range lists {
		for _, m := range l.Items() {
			if !there[m.File] {
				core.AppMigrations.Add(m)
			}
		}
	}
}

func settingsError(problems []problem) error {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.String()
	}
	return errors.New(strings.Join(lines, "\n"))
}

// used says that the data folder was opened before.
func (a *App) used() bool {
	_, err := os.Stat(filepath.Join(a.dir, "data.db"))
	return err == nil
}

// bindBackups keeps what belongs to the running server out of backups, and in
// its place when one is restored.
func (a *App) bindBackups() {
	exclude := func(e *core.BackupEvent) error {
		e.Exclude = append(e.Exclude, lockName, socketName)
		return e.Next()
	}
	a.pb.OnBackupCreate().BindFunc(exclude)
	a.pb.OnBackupRestore().BindFunc(exclude)
}

// serve opens the folder as its server and serves it until ctx is over.
func (a *App) serve(ctx context.Context, run func() error) (err error) {
	if a.listener != nil {
		defer func() { _ = a.listener.Close() }() // the server has closed it, if there was one
	}
	if err := a.takeFolder(ctx, a.alreadyRuns); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.open(); err != nil {
		return err
	}
	a.over = ctx.Err
	defer a.followSources(ctx)()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ended:
		case <-ctx.Done():
			_ = a.pb.OnTerminate().Trigger(&core.TerminateEvent{App: a.pb})
		}
	}()
	return run()
}
