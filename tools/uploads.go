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

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
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
	return readableName(file.OriginalName) + "_" + x.names.next(10, idAlphabet) + path.Ext(file.Name)
}

// readableName is what is kept of the name that a file came with.
func readableName(name string) string {
	base := strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	if base = strings.Trim(unsafeName.ReplaceAllString(base, "_"), "_"); base == "" {
		return "file"
	}
	return strings.TrimRight(base[:min(len(base), 100)], "_")
}

func hashFile(file *filesystem.File) (string, error) {
	rd, err := file.Reader.Open()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, rd)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, rd.Close())
}

// storeUploads writes the held files, right before the commit. What it wrote
// is removed when the transaction does not commit.
func (x *recorder) storeUploads(tx core.App) error {
	if len(x.uploads) == 0 {
		return nil
	}
	var written []string
	tx.TxInfo().OnComplete(func(txErr error) error {
		if txErr == nil {
			return nil
		}
		return removeFiles(tx, written)
	})
	return withFiles(tx, func(files *filesystem.System) error {
		for _, u := range x.uploads {
			written = append(written, u.path)
			if err := files.UploadFile(u.file, u.path); err != nil {
				return fmt.Errorf("store %s: %w", u.path, err)
			}
		}
		return nil
	})
}
