package upload

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/tools/filesystem"

	"github.com/nodkeep/nodkeep/tools"
)

// strayTime is how old a file without a row must be to be taken for one that a
// crash has left: longer than one takes to be written.
const strayTime = 2 * comingTime

// Sweep deletes what has expired, what never came, and files whose row is gone.
func (s *Store) Sweep(ctx context.Context) error {
	now := s.c.Now()
	var ids []string
	err := s.c.App.DB().Select("id").From(tools.UploadsTable).Where(dbx.NewExp("[[expires]] <= {:now}", dbx.Params{"now": tools.Stamp(now)})).
		WithContext(ctx).Column(&ids)
	failed := []error{err}
	for _, id := range ids {
		failed = append(failed, s.drop(ctx, id))
	}
	return errors.Join(append(failed, s.strays(ctx, now))...)
}

// strays deletes files that no row names.
func (s *Store) strays(ctx context.Context, now time.Time) error {
	return s.files(func(files *filesystem.System) error {
		files.SetContext(ctx)
		there, err := files.List(prefix)
		if err != nil || len(there) == 0 {
			return err
		}
		// Read after the files, whose rows were there before them.
		var ids []string
		if err := s.c.App.DB().Select("id").From(tools.UploadsTable).WithContext(ctx).Column(&ids); err != nil {
			return err
		}
		known := make(map[string]bool, len(ids))
		for _, id := range ids {
			known[id] = true
		}
		var failed []error
		for _, f := range there {
			if !known[strings.TrimPrefix(f.Key, prefix)] && now.Sub(f.ModTime) > strayTime {
				if err := files.Delete(f.Key); !errors.Is(err, filesystem.ErrNotFound) {
					failed = append(failed, err)
				}
			}
		}
		return errors.Join(failed...)
	})
}

// Gone deletes the files of rows that were deleted with their person's account.
func (s *Store) Gone(ids []string) error {
	failed := make([]error, len(ids))
	for i, id := range ids {
		failed[i] = s.remove(id)
	}
	return errors.Join(failed...)
}
