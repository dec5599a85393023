package upload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
	"github.com/pocketbase/pocketbase/tools/filesystem"

	"github.com/nodkeep/nodkeep/tools"
)

// prefix of the files among those of PocketBase, which begin with the ids of
// collections.
const prefix = tools.UploadsTable + "/"

// owner is what a sealed file belongs to.
func owner(id string) tools.Owner {
	return tools.Owner{Collection: tools.UploadsTable, Record: id, Field: "content"}
}

// maxSealed is what a sealed file has at most, in bytes.
const maxSealed = (MaxBytes+64)*4/3 + 4

// write seals a file and stores it.
func (s *Store) write(ctx context.Context, id string, data []byte) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	sealed, err := s.c.Keys.Seal(owner(id), data)
	if err != nil {
		return err
	}
	err = s.files(func(files *filesystem.System) error {
		files.SetContext(ctx)
		return files.Upload([]byte(sealed), prefix+id)
	})
	if err != nil {
		return fmt.Errorf("store an upload: %w", err)
	}
	return nil
}

// content reads a file.
func (s *Store) content(ctx context.Context, id string) (data []byte, err error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = s.files(func(files *filesystem.System) error {
		files.SetContext(ctx)
		rd, err := files.GetReader(prefix + id)
		if err != nil {
			return err
		}
		sealed, err := io.ReadAll(io.LimitReader(rd, maxSealed))
		if err = errors.Join(err, rd.Close()); err != nil {
			return err
		}
		data, err = s.c.Keys.Open(owner(id), string(sealed))
		return err
	})
	if errors.Is(err, filesystem.ErrNotFound) {
		return nil, errNone(id) // it went this moment
	}
	return data, err
}

// remove deletes a file, if it is there.
func (s *Store) remove(id string) error {
	return s.files(func(files *filesystem.System) error {
		if err := files.Delete(prefix + id); !errors.Is(err, filesystem.ErrNotFound) {
			return err
		}
		return nil
	})
}

// files opens the storage for as long as f needs it.
func (s *Store) files(f func(*filesystem.System) error) error {
	files, err := s.c.App.NewFilesystem()
	if err != nil {
		return err
	}
	return errors.Join(f(files), files.Close())
}

// enter waits for a place to seal or open a file.
func (s *Store) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.sealing <- struct{}{}:
		return func() { <-s.sealing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TypeOf is the type of a content, whatever its name says.
func TypeOf(data []byte) string {
	is, _, _ := strings.Cut(mimetype.Detect(data).String(), ";")
	return is
}

// maxName is what is kept of a file's name, in bytes.
const maxName = 120

// CleanName is what is kept of the name that a file came with: no path, nothing
// that does not show or turns the direction of writing, and not too long.
func CleanName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	if name = strings.Trim(name, " ."); len(name) > maxName {
		end := ""
		if at := strings.LastIndexByte(name, '.'); at >= 0 && len(name)-at <= 10 {
			end = name[at:]
		}
		name = strings.ToValidUTF8(name[:maxName-len(end)], "") + end
	}
	if name == "" {
		return "file"
	}
	return name
}
