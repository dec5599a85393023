package hooks

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// table is a file of an export.
type table struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// exportCSV writes the tables into a folder, or prints them as JSON.
func (a *App) exportCSV(ctx context.Context, x exporting) error {
	if err := a.needsFolder(); err != nil {
		return err
	}
	names, exports, err := a.exporters()
	if err != nil {
		return err
	}
	var tables []table
	for _, name := range names {
		err := a.gather(ctx, x, exports[name].Give, func(out map[string]jsontext.Value) error {
			var part []table
			if err := json.Unmarshal(out["files"], &part); err != nil {
				return err
			}
			for _, t := range part {
				if len(names) > 1 {
					t.Name = name + "_" + t.Name
				}
				tables = join(tables, t)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if x.out == "" {
		return a.printed(map[string]any{"files": tables})
	}
	if err := os.MkdirAll(x.out, 0o700); err != nil {
		return failed(err)
	}
	paths := make([]string, len(tables))
	for i, t := range tables {
		if t.Name != filepath.Base(t.Name) {
			return failed(fmt.Errorf("%q is no name of a file", t.Name))
		}
		paths[i] = filepath.Join(x.out, t.Name)
		if err := x.free(paths[i]); err != nil {
			return failed(err)
		}
	}
	for i, t := range tables {
		if err := x.write(paths[i], []byte(t.Content)); err != nil {
			return failed(err)
		}
	}
	if !a.reads() {
		return a.printed(map[string]any{"files": paths})
	}
	return a.say("Wrote %s\nThey hold what %s sees, private things too.\n", strings.Join(paths, "\n      "), x.as)
}

// join adds a table, or its rows to the table of that name: each part begins
// with the names of the columns.
func join(tables []table, t table) []table {
	for i := range tables {
		if tables[i].Name == t.Name {
			_, rows, _ := strings.Cut(t.Content, "\n")
			tables[i].Content += rows
			return tables
		}
	}
	return append(tables, t)
}
