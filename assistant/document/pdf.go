package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/nodkeep/nodkeep/tools"
)

// pdfTime is for the pages of a PDF to be counted.
const pdfTime = 5 * time.Second

// pages counts those of a PDF, and refuses one that nobody could read: broken,
// encrypted, or too long.
func pages(ctx context.Context, data []byte, name string) (n int, err error) {
	ctx, cancel := context.WithTimeout(ctx, pdfTime)
	defer cancel()
	n, encrypted, err := count(ctx, data)
	switch {
	case ctx.Err() != nil:
		return 0, tools.Fail(tools.Limit, "document.slow", name).Because(ctx.Err())
	case encrypted:
		return 0, tools.Fail(tools.Invalid, "document.encrypted", name).Because(err)
	case err != nil || n < 1:
		return 0, tools.Fail(tools.Invalid, "document.broken", name).Because(err)
	case n > maxPages:
		return 0, tools.Fail(tools.TooLarge, "document.pages", name, n, maxPages)
	}
	return n, nil
}

// sealed finds that a PDF is encrypted where its trailer says how within itself,
// which the library passes over.
var sealed = regexp.MustCompile(`/Encrypt\s*(<<|\d+\s+\d+\s+R)`)

// count reads no more of a PDF than the list of its pages. The settings are said
// whole: the library would look for a file of them in the home folder.
func count(ctx context.Context, data []byte) (n int, encrypted bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading a PDF: %v", r)
		}
	}()
	if sealed.Match(data) {
		return 0, true, nil
	}
	limits := model.DefaultResourceLimits()
	limits.MaxStreamBytes, limits.MaxDecodeBytes = 32<<20, 32<<20
	limits.MaxObjectCount, limits.MaxXRefEntries, limits.MaxObjectStreamCount = 500_000, 500_000, 50_000
	doc, err := pdfcpu.ReadWithContext(ctx, bytes.NewReader(data), &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true, Limits: limits,
	})
	if err != nil {
		return 0, errors.Is(err, pdfcpu.ErrWrongPassword), err
	}
	if doc.Encrypt != nil {
		return 0, true, nil
	}
	err = doc.EnsurePageCount()
	return doc.PageCount, false, err
}
