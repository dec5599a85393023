package toolstest

import (
	"os"
	"path/filepath"
	"reflect"
	"sync"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// prefilled holds, by plugins, the files of a folder in which their migrations
// have run: most of what a test's app costs.
var prefilled sync.Map // string -> func() (map[string][]byte, error)

// prefill puts those files into an empty folder. Plugins that differ by more
// than their type are left to run their migrations there.
func prefill(dir string, plugins []tools.Plugin) error {
	there, err := os.ReadDir(dir)
	if err != nil || len(there) > 0 {
		return err
	}
	key := ""
	for _, p := range plugins {
		kind := reflect.TypeOf(p)
		if kind.Size() > 0 {
			return nil
		}
		key += kind.PkgPath() + "." + kind.Name() + " "
	}
	made, _ := prefilled.LoadOrStore(key, sync.OnceValues(func() (map[string][]byte, error) { return filled(plugins) }))
	files, err := made.(func() (map[string][]byte, error))()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// filled runs the migrations in a folder and gives its files.
func filled(plugins []tools.Plugin) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "toolstest")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	app := core.NewBaseApp(core.BaseAppConfig{DataDir: dir})
	if err := prepare(app, plugins); err != nil {
		return nil, err
	}
	if err := app.ClearBootstrap(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}
