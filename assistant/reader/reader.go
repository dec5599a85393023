// Package reader turns a bank's export into rows and finds the payments that
// recur in them, for a person to look over. It uses no model and writes
// nothing: what a file says is data, never an instruction.
//
// A format is one file: a type that implements format, named in formats.
package reader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// The limits of a file. A larger one is refused, never read in part.
const (
	MaxBytes   = 64 << 20
	MaxRows    = 500_000
	maxColumns = 200
	maxCell    = 10 << 10 // bytes of a quoted cell that spans lines
	maxLine    = 1 << 20  // bytes in which the end of a quoted cell is looked for
	maxText    = 500      // bytes kept of one cell
	maxListed  = 1000     // skipped lines that a review names one by one
)

// File is what a person gave us to read.
type File struct {
	Name string
	Data []byte
	// Today, in the household's time zone, keeps two-digit years out of the
	// future. The zero Date means that nothing is known about today.
	Today tools.Date
	// Currency of the household (ISO 4217): what is meant where the file says
	// nothing at all. Empty means that the person is asked.
	Currency string
}

// Read reads a file with the answers that a person gave to the questions of an
// earlier review (question id to choice). A review with open questions holds
// no subscriptions. Errors are *tools.Error of kind invalid (not a statement, a
// wrong answer) or too_large, or the error of ctx.
func Read(ctx context.Context, file File, answers map[string]string) (tools.Review, error) {
	if len(file.Data) > MaxBytes {
		return tools.Review{}, tools.Fail(tools.TooLarge, "reader.too_large", MaxBytes>>20)
	}
	if err := checkAnswers(answers); err != nil {
		return tools.Review{}, err
	}
	f, err := formatOf(file.Data)
	if err != nil {
		return tools.Review{}, err
	}
	st, err := f.parse(ctx, file, answers)
	if err != nil {
		return tools.Review{}, err
	}
	if err := ctx.Err(); err != nil {
		return tools.Review{}, err
	}
	found, err := detect(ctx, st)
	if err != nil {
		return tools.Review{}, err
	}
	review := st.review(found)
	review.File = cleanText([]byte(file.Name))
	review.Fingerprint, err = fingerprint(ctx, file.Data)
	return review, err
}

// fingerprint names the content of a file, so that what was reviewed and what
// is applied can be told to be the same.
func fingerprint(ctx context.Context, data []byte) (string, error) {
	h := sha256.New()
	for part := range slices.Chunk(data, 4<<20) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// format is one kind of file.
type format interface {
	// sniff says, from the content alone, whether the file is of this kind.
	sniff(data []byte) bool
	parse(ctx context.Context, file File, answers map[string]string) (*statement, error)
}

// formats lists every format, those that are surest of themselves first.
func formats() []format { return []format{csv{}} }

func formatOf(data []byte) (format, error) {
	for _, f := range formats() {
		if f.sniff(data) {
			return f, nil
		}
	}
	return nil, refuse(data)
}
