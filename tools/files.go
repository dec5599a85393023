package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
	"github.com/pocketbase/pocketbase/tools/hook"
)

// unsafeName is what a file's name loses.
var unsafeName = regexp.MustCompile(`[^a-z0-9]+`)

// holdUploads replaces the files that a record brings by their names, for
// preview and apply alike, and keeps them until the digest is known to match.
// It answers the hash of each file's content.
func (x *recorder) holdUploads(rec *core.Record) (map[string]string, error) {
	var hashes map[string]string
	for _, f := range rec.Collection().Fields {
		field, ok := f.(*core.FileField)
		if !ok || len(rec.GetUnsavedFiles(field.Name)) == 0 {
			continue
		}
		values, multiple := rec.GetRaw(field.Name).([]any)
		if !multiple {
			values = []any{rec.GetRaw(field.Name)}
		}
		plain := make([]any, len(values))
		for i, v := range values {
			file, ok := v.(*filesystem.File)
			if !ok {
				plain[i] = v
				continue
			}
			hash, err := hashFile(file)
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", rec.Collection().Name, field.Name, err)
			}
			x.mu.Lock()
			file.Name = x.fileName(file)
			x.uploads = append(x.uploads, upload{rec.BaseFilesPath() + "/" + file.Name, file})
			x.mu.Unlock()
			if hashes == nil {
				hashes = map[string]string{}
			}
			hashes[file.Name] = hash
			plain[i] = file.Name
		}
		if multiple {
			rec.SetRaw(field.Name, plain)
		} else {
			rec.SetRaw(field.Name, plain[0])
		}
	}
	return hashes, nil
}

// fileName keeps the readable part of the name that the file came with, and
// derives the part that PocketBase draws by chance.
func (x *recorder) fileName(file *filesystem.File) string {
	base := strings.ToLower(strings.TrimSuffix(file.OriginalName, path.Ext(file.OriginalName)))
	if base = strings.Trim(unsafeName.ReplaceAllString(base, "_"), "_"); base == "" {
		base = "file"
	}
	return base[:min(len(base), 100)] + "_" + x.names.next(10, idAlphabet) + path.Ext(file.Name)
}

func hashFile(file *filesystem.File) (string, error) {
	rd, err := file.Reader.Open()
	if err != nil {
		return "", err
	}
	defer rd.Close()
	h := sha256.New()
	if _, err := io.Copy(h, rd); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// storeUploads writes the held files, right before the commit. What it wrote
// is removed when the transaction does not commit.
func (x *recorder) storeUploads(tx core.App) error {
	if len(x.uploads) == 0 {
		return nil
	}
	fs, err := tx.NewFilesystem()
	if err != nil {
		return err
	}
	defer fs.Close()
	var written []string
	tx.TxInfo().OnComplete(func(txErr error) error {
		if txErr == nil {
			return nil
		}
		return removeFiles(tx, written)
	})
	for _, u := range x.uploads {
		written = append(written, u.path)
		if err := fs.UploadFile(u.file, u.path); err != nil {
			return fmt.Errorf("store %s: %w", u.path, err)
		}
	}
	return nil
}

func removeFiles(app core.App, paths []string) error {
	fs, err := app.NewFilesystem()
	if err != nil {
		return err
	}
	defer fs.Close()
	var errs []error
	for _, p := range paths {
		if err := fs.Delete(p); err != nil && !errors.Is(err, filesystem.ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

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
			kept := fileNames(s.After[f.GetName()])
			for name := range fileNames(s.Before[f.GetName()]) {
				if kept[name] {
					continue
				}
				_, err := tx.NonconcurrentDB().Insert(filesTable, dbx.Params{
					"id": core.GenerateDefaultRandomId(), "collection": col.Id, "record": s.ID, "file": name, "created": stamp(at),
				}).Execute()
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fileNames reads an exported file field: one name, or a JSON list of them.
func fileNames(v any) map[string]bool {
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
	var rows []struct {
		ID, Collection, Record, File string
	}
	err := r.app.DB().Select("id", "collection", "record", "file").From(filesTable).
		Where(dbx.NewExp("created < {:t}", dbx.Params{"t": stamp(before)})).All(&rows)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if !r.named(row.Collection, row.Record, row.File) {
			folder := row.Collection + "/" + row.Record + "/"
			if err := removeFiles(r.app, []string{folder + row.File}); err != nil {
				return err
			}
			if err := r.deletePrefix(folder + "thumbs_" + row.File); err != nil {
				return err
			}
		}
		if _, err := r.app.NonconcurrentDB().Delete(filesTable, dbx.HashExp{"id": row.ID}).Execute(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) named(collection, record, file string) bool {
	rec, err := r.app.FindRecordById(collection, record)
	return err == nil && rec.FindFileFieldByFile(file) != nil
}

// keepFiles postpones every deletion of a record's files. It replaces
// PocketBase's own handler by its id and clears the marks of replaced files; a
// test pins both.
func (r *Runner) keepFiles() {
	r.app.OnModelAfterDeleteSuccess().Bind(&hook.Handler[*core.ModelEvent]{Id: "__pbFilesManagerDelete__", Priority: -99, Func: func(e *core.ModelEvent) error {
		if col, ok := e.Model.(*core.Collection); ok && col.BaseFilesPath() != "" {
			if err := r.deletePrefix(col.BaseFilesPath()); err != nil {
				r.app.Logger().Error("the files of a deleted collection stay", "collection", col.Name, "error", err)
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
	fs, err := r.app.NewFilesystem()
	if err != nil {
		return err
	}
	defer fs.Close()
	return errors.Join(fs.DeletePrefix(strings.TrimRight(prefix, "/") + "/")...)
}
