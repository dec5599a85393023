package tools

import (
	"errors"
	"io"
	"path"
	"regexp"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
)

// drawn is the part of a stored name that was drawn by chance.
var drawn = regexp.MustCompile(`_[a-z0-9]{10}$`)

// File reads the file of a field that holds one, of a record that the person
// may view. Its name is that which it came with, as far as it was kept: what
// Attach stores again has the same. The error is of kind NotFound where there is
// no file, or not yet: what this run attached is stored with its commit.
func (r *Reader) File(rec *core.Record, field string) (Upload, error) {
	col := rec.Collection()
	f, ok := col.Fields.GetByName(field).(*core.FileField)
	if !ok || f.IsMultiple() || f.GetHidden() {
		return Upload{}, Fail(Invalid, "error.filter", col.Name+" has no field "+clip(field, 60)+" of one file")
	}
	// Asked again: a plugin can make a record of any id.
	stored, err := r.Find(col.Name, rec.Id)
	if err != nil {
		return Upload{}, err
	}
	name := stored.GetString(field)
	if name == "" || name != rec.GetString(field) {
		return Upload{}, Fail(NotFound, "error.no_file", col.Name, rec.Id, field)
	}
	up := Upload{Name: givenName(name)}
	err = withFiles(r.app, func(files *filesystem.System) error {
		files.SetContext(r.ctx)
		rd, err := files.GetReader(stored.BaseFilesPath() + "/" + name)
		if err != nil {
			return err
		}
		up.Data, err = io.ReadAll(io.LimitReader(rd, f.CalculateMaxBodySize()+1))
		return errors.Join(err, rd.Close())
	})
	switch {
	case errors.Is(err, filesystem.ErrNotFound):
		return Upload{}, Fail(NotFound, "error.no_file", col.Name, rec.Id, field)
	case err == nil && int64(len(up.Data)) > f.CalculateMaxBodySize():
		return Upload{}, Fail(TooLarge, "error.file_large", col.Name, rec.Id, field)
	}
	return up, err
}

// givenName is a stored name without what was drawn.
func givenName(name string) string {
	base := name[:len(name)-len(path.Ext(name))]
	return readableName(drawn.ReplaceAllString(base, "")+path.Ext(name)) + path.Ext(name)
}
