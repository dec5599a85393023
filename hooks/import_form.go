package hooks

import (
	"encoding/json/v2"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/tools"
)

// readStatement takes a file as a part of a form, or a text in JSON.
func (a *App) readStatement(e *core.RequestEvent) (statement, error) {
	// Not every connection can be told; what PocketBase sets holds there.
	rc := http.NewResponseController(e.Response)
	_ = rc.SetReadDeadline(time.Now().Add(a.reading))
	// One that passes later would end the request.
	defer func() { _ = rc.SetReadDeadline(time.Time{}) }()
	media, params, err := mime.ParseMediaType(e.Request.Header.Get("Content-Type"))
	switch {
	case err == nil && media == "multipart/form-data":
		body := rawBody(e)
		st, err := formStatement(multipart.NewReader(http.MaxBytesReader(nil, body, maxForm), params["boundary"]))
		if tools.KindOf(err) == tools.TooLarge {
			_, _ = io.CopyN(io.Discard, body, maxDrain)
		}
		return st, err
	case err == nil && media == "application/json":
	default:
		return statement{}, tools.Fail(tools.Invalid, "http.import_type")
	}
	// A text of JSON can be twice as long as what it says.
	b, err := readBody(e, 2*reader.MaxBytes)
	if err != nil {
		return statement{}, err
	}
	if len(b) > 2*reader.MaxBytes {
		return statement{}, tools.Fail(tools.TooLarge, "error.too_large", reader.MaxBytes)
	}
	st := statement{}
	if err := json.Unmarshal(b, &st, json.RejectUnknownMembers(true)); err != nil {
		return statement{}, decodeError(err)
	}
	st.data = []byte(st.Text)
	return st, nil
}

// maxForm is a file of the largest size, its answers, and what a form adds.
const maxForm = reader.MaxBytes + 1<<20

func formError(err error) error {
	if _, is := errors.AsType[*http.MaxBytesError](err); is {
		return tools.Fail(tools.TooLarge, "error.too_large", reader.MaxBytes)
	}
	return tools.Fail(tools.Invalid, "http.body").Because(err)
}

func formStatement(form *multipart.Reader) (st statement, err error) {
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return st, formError(err)
		}
		b, err := io.ReadAll(io.LimitReader(part, reader.MaxBytes+1))
		if err != nil {
			return st, formError(err)
		}
		switch part.FormName() {
		case "file":
			st.Name, st.data, found = part.FileName(), b, true
		case "text":
			st.data, found = b, true
		case "assistant":
			st.Assistant = string(b)
		case "answers":
			if err := decode(b, &st.Answers); err != nil {
				return st, err
			}
		default:
			return st, tools.Fail(tools.Invalid, "http.import_type")
		}
	}
	if !found {
		return st, tools.Fail(tools.Invalid, "http.import_type")
	}
	return st, nil
}
