package upload

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// List gives a person's uploads, the newest first.
func (s *Store) List(ctx context.Context, person string) ([]Upload, error) {
	var rows []row
	err := s.c.App.DB().Select("*").From(tools.UploadsTable).Where(dbx.And(dbx.HashExp{"person": person}, s.living())).
		OrderBy("created DESC", "id").WithContext(ctx).All(&rows)
	list := make([]Upload, len(rows))
	for i, r := range rows {
		list[i] = r.shown()
	}
	return list, err
}

// Get tells about one of a person's uploads. Another's is not found.
func (s *Store) Get(ctx context.Context, person, id string) (Upload, error) {
	r, err := s.find(ctx, dbx.HashExp{"id": id, "person": person}, errNone(id))
	return r.shown(), err
}

// find reads a row that has not expired.
func (s *Store) find(ctx context.Context, which dbx.HashExp, otherwise error) (r row, err error) {
	err = s.c.App.DB().Select("*").From(tools.UploadsTable).Where(dbx.And(which, s.living())).WithContext(ctx).One(&r)
	if errors.Is(err, sql.ErrNoRows) {
		err = otherwise
	}
	return r, err
}

// Read gives the file of one of a person's uploads. The error is of kind
// not_found, or conflict where it has not come yet.
func (s *Store) Read(ctx context.Context, person, id string) (tools.Upload, error) {
	r, err := s.find(ctx, dbx.HashExp{"id": id, "person": person}, errNone(id))
	if err != nil {
		return tools.Upload{}, err
	}
	if r.State != Ready {
		return tools.Upload{}, tools.Fail(tools.Conflict, "uploads.not_yet", id)
	}
	data, err := s.content(ctx, id)
	return tools.Upload{Name: r.Name, Data: data}, err
}

// Delete deletes one of a person's uploads, or takes back the link for it.
func (s *Store) Delete(ctx context.Context, person, id string) error {
	done, err := s.c.App.NonconcurrentDB().Delete(tools.UploadsTable, dbx.And(dbx.HashExp{"id": id, "person": person}, s.living())).
		WithContext(ctx).Execute()
	if err == nil {
		err = tools.One(done, errNone(id))
	}
	if err != nil {
		return err
	}
	return s.remove(id)
}

// drop deletes a row, then its file.
func (s *Store) drop(ctx context.Context, id string) error {
	if _, err := s.c.App.NonconcurrentDB().Delete(tools.UploadsTable, dbx.HashExp{"id": id}).WithContext(ctx).Execute(); err != nil {
		return err
	}
	return s.remove(id)
}
