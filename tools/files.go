package tools

import (
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// noteDropped lists the files that no record names any more after steps. They
// stay where they are until nothing can bring their records back.
func noteDropped(tx core.App, at time.Time, steps []step) error {
	for _, s := range steps {
		col, err := tx.FindCachedCollectionByNameOrId(s.Collection)
		if err != nil {
			return err
		}
		for _, f := range col.Fields {
			if f.Type() != core.FieldTypeFile {
				continue
			}
			kept := listed(s.After[f.GetName()])
			for name := range listed(s.Before[f.GetName()]) {
				if kept[name] {
					continue
				}
				// From now on it waits, however often it was dropped before.
				file := dbx.HashExp{"collection": col.Id, "record": s.ID, "file": name}
				_, err := tx.NonconcurrentDB().Delete(filesTable, file).Execute()
				if err == nil {
					_, err = tx.NonconcurrentDB().Insert(filesTable, dbx.Params{
						"id": core.GenerateDefaultRandomId(), "collection": col.Id, "record": s.ID, "file": name, "created": Stamp(at),
					}).Execute()
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// listed reads an exported field of one or many: a value, or a JSON list.
func listed(v any) map[string]bool {
	s, _ := v.(string)
	names := map[string]bool{}
	if s == "" {
		return names
	}
	if s[0] != '[' {
		names[s] = true
		return names
	}
	for _, n := range parseStrings(s) {
		names[n] = true
	}
	return names
}

// PruneFiles deletes files that no record has named since before. PocketBase
// would have deleted them at once; undo needs them for a while.
func (r *Runner) PruneFiles(before time.Time) error {
	return r.prune(dbx.NewExp("created < {:t}", dbx.Params{"t": Stamp(before)}))
}

// DropErased deletes the files that wait though nothing can bring them back:
// what the audit knew of them is erased, as with an account.
func (r *Runner) DropErased() error {
	return r.prune(dbx.NewExp("NOT EXISTS (SELECT 1 FROM {{" + stepsTable + "}} s JOIN {{_collections}} c ON c.[[name]] = s.[[collection]]" +
		" WHERE c.[[id]] = {{" + filesTable + "}}.[[collection]] AND s.[[record]] = {{" + filesTable + "}}.[[record]] AND instr(s.[[before]], {{" + filesTable + "}}.[[file]]) > 0)"))
}

// prune deletes those of the waiting files that no record names.
func (r *Runner) prune(which dbx.Expression) error {
	var rows []struct {
		ID, Collection, Record, File string
	}
	if err := r.app.DB().Select("id", "collection", "record", "file").From(filesTable).Where(which).All(&rows); err != nil {
		return err
	}
	var failed []error // one that cannot be removed does not keep the others
	for _, row := range rows {
		named, err := r.named(row.Collection, row.Record, row.File)
		if err == nil && !named {
			folder := row.Collection + "/" + row.Record + "/"
			err = errors.Join(removeFiles(r.app, []string{folder + row.File}), r.deletePrefix(folder+"thumbs_"+row.File))
		}
		if err == nil {
			_, err = r.app.NonconcurrentDB().Delete(filesTable, dbx.HashExp{"id": row.ID}).Execute()
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (r *Runner) named(collection, record, file string) (bool, error) {
	col, err := r.app.FindCollectionByNameOrId(collection)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil // it went with its collection
	}
	if err != nil {
		return false, err
	}
	rec, err := r.app.FindRecordById(col, record)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil && rec.FindFileFieldByFile(file) != nil, err
}

// keepFiles postpones every deletion of a record's files. It replaces
// PocketBase's own handler by its id and clears the marks of replaced files; a
// test pins both.
func (r *Runner) keepFiles() {
	r.app.OnModelAfterDeleteSuccess().Bind(&hook.Handler[*core.ModelEvent]{Id: "__pbFilesManagerDelete__", Priority: -99, Func: func(e *core.ModelEvent) error {
		if col, ok := e.Model.(*core.Collection); ok && col.BaseFilesPath() != "" {
			if err := r.deletePrefix(col.BaseFilesPath()); err != nil {
				r.c.Log.Error("the files of a deleted collection stay", "collection", col.Name, "error", err)
			}
		}
		return e.Next()
	}})
	r.app.OnRecordAfterUpdateSuccess().Bind(&hook.Handler[*core.RecordEvent]{Id: "nodkeepFiles", Priority: -100, Func: func(e *core.RecordEvent) error {
		for _, f := range e.Record.Collection().Fields {
			if f.Type() == core.FieldTypeFile {
				e.Record.SetRaw("@pbInternal_deletedFilesPrefix_"+f.GetName(), nil)
			}
		}
		return e.Next()
	}})
}

func (r *Runner) deletePrefix(prefix string) error {
	return withFiles(r.app, func(files *filesystem.System) error {
		return errors.Join(files.DeletePrefix(strings.TrimRight(prefix, "/") + "/")...)
	})
}

func removeFiles(app core.App, paths []string) error {
	return withFiles(app, func(files *filesystem.System) error {
		var errs []error
		for _, p := range paths {
			if err := files.Delete(p); err != nil && !errors.Is(err, filesystem.ErrNotFound) {
				errs = append(errs, err)
			}
		}
		return errors.Join(errs...)
	})
}

// withFiles opens the storage for as long as f needs it.
func withFiles(app core.App, f func(*filesystem.System) error) error {
	files, err := app.NewFilesystem()
	if err != nil {
		return err
	}
	return errors.Join(f(files), files.Close())
}
