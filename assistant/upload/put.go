package upload

import (
	"context"
	"errors"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Put takes a file of a member. Room for it is kept before body reads it: size
// is what is to come, in bytes, below zero if nobody knows. Errors are of kind
// invalid (empty), too_large, limit (too many, or too much together) and
// forbidden, or those of body.
func (s *Store) Put(ctx context.Context, person string, size int64, body func() (tools.Upload, error)) (Upload, error) {
	r := row{ID: core.GenerateDefaultRandomId(), Person: person, State: Coming, Size: size, Expires: tools.Stamp(s.c.Now().Add(comingTime))}
	if err := s.add(ctx, &r); err != nil {
		return Upload{}, err
	}
	up, err := s.take(ctx, r, body)
	if err != nil {
		return Upload{}, errors.Join(err, s.drop(context.WithoutCancel(ctx), r.ID))
	}
	return up, nil
}

// add stores a row, if its person has room for it.
func (s *Store) add(ctx context.Context, r *row) error {
	if r.Size > MaxBytes {
		return errLarge()
	}
	if r.Size < 0 {
		r.Size = MaxBytes
	}
	r.Created = tools.Stamp(s.c.Now())
	return s.c.App.RunInTransaction(func(tx core.App) error {
		if err := s.room(ctx, tx, r, MaxFiles-1); err != nil {
			return err
		}
		_, err := tx.NonconcurrentDB().Insert(tools.UploadsTable, dbx.Params{
			"id": r.ID, "person": r.Person, "token": r.Token, "hash": r.Hash, "name": r.Name, "type": "", "state": string(r.State),
			"size": r.Size, "created": r.Created, "expires": r.Expires,
		}).WithContext(ctx).Execute()
		return err
	})
}

// room refuses what the person of a row may not keep beside what is there:
// most files besides this one.
func (s *Store) room(ctx context.Context, tx core.App, r *row, most int) error {
	if err := s.member(tx, r.Person); err != nil {
		return err
	}
	var there struct {
		Files int   `db:"files"`
		Bytes int64 `db:"bytes"`
	}
	err := tx.DB().Select("count(*) AS files", "coalesce(sum([[size]]), 0) AS bytes").From(tools.UploadsTable).
		Where(dbx.And(dbx.HashExp{"person": r.Person}, dbx.Not(dbx.HashExp{"id": r.ID}), s.living())).WithContext(ctx).One(&there)
	switch {
	case err != nil:
		return err
	case there.Files > most:
		return tools.Fail(tools.Limit, "uploads.many", MaxFiles)
	case there.Bytes+r.Size > MaxTotal:
		return tools.Fail(tools.Limit, "uploads.full", MaxTotal>>20)
	}
	return nil
}

// member refuses who is no approved member any more.
func (s *Store) member(app core.App, person string) error {
	rec, err := app.FindRecordById(tools.Members, person)
	if err != nil || rec.GetString("status") != tools.Approved {
		return tools.Fail(tools.Forbidden, "error.not_approved").Because(err)
	}
	return nil
}

// living are the rows that have not expired.
func (s *Store) living() dbx.Expression {
	return dbx.NewExp("[[expires]] > {:now}", dbx.Params{"now": tools.Stamp(s.c.Now())})
}

// take reads, seals and stores the file of a row that is there.
func (s *Store) take(ctx context.Context, r row, body func() (tools.Upload, error)) (Upload, error) {
	file, err := body()
	if err != nil {
		return Upload{}, err
	}
	switch {
	case len(file.Data) == 0:
		return Upload{}, tools.Fail(tools.Invalid, "uploads.empty")
	case int64(len(file.Data)) > MaxBytes:
		return Upload{}, errLarge()
	}
	if file.Name == "" {
		file.Name = r.Name
	}
	r.Name, r.Type, r.Size = CleanName(file.Name), TypeOf(file.Data), int64(len(file.Data))
	if err := s.write(ctx, r.ID, file.Data); err != nil {
		return Upload{}, err
	}
	r.State, r.Hash, r.Expires = Ready, "", tools.Stamp(s.c.Now().Add(Lifetime))
	// One that was deleted meanwhile, or took too long, is none any more.
	done, err := s.c.App.NonconcurrentDB().Update(tools.UploadsTable, dbx.Params{
		"name": r.Name, "type": r.Type, "size": r.Size, "state": string(r.State), "expires": r.Expires,
	}, dbx.And(dbx.HashExp{"id": r.ID, "state": string(Coming)}, s.living())).WithContext(ctx).Execute()
	if err == nil {
		err = tools.One(done, errNone(r.ID))
	}
	if err != nil {
		return Upload{}, errors.Join(err, s.remove(r.ID))
	}
	return r.shown(), nil
}

func errLarge() error { return tools.Fail(tools.TooLarge, "uploads.large", MaxBytes>>20) }
