package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"mime"
	"reflect"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
)

// maxBody bounds the body of what is no call of a tool.
const maxBody = 4 << 20

// envelope is what the body of a call may have around its arguments, such as
// white space. What has more is cut there, and is still too large: the engine
// refuses it, in its words.
const envelope = 4 << 10

// maxDrain is how much of what is not wanted is still read: a client that is
// sending does not listen for the answer yet.
const maxDrain = 64 << 20

// rawBody is the request's body without the copy that PocketBase keeps of it.
func rawBody(e *core.RequestEvent) io.ReadCloser {
	if b, ok := e.Request.Body.(*router.RereadableReadCloser); ok {
		return b.ReadCloser
	}
	return e.Request.Body
}

// readBody reads at most most+1 bytes: one more than allowed says too large.
func readBody(e *core.RequestEvent, most int64) ([]byte, error) {
	body := rawBody(e)
	b, err := io.ReadAll(io.LimitReader(body, most+1))
	if err != nil {
		return b, tools.Fail(tools.Invalid, "http.body").Because(err)
	}
	if int64(len(b)) > most {
		_, _ = io.CopyN(io.Discard, body, maxDrain)
	}
	return b, nil
}

// jsonBody reads a body that says it is JSON, or says nothing.
func jsonBody(e *core.RequestEvent) (jsontext.Value, error) { return jsonUpTo(e, maxBody) }

// callBody is that of a call of a tool: as much as it takes.
func callBody(e *core.RequestEvent, t tools.Tool) (jsontext.Value, error) {
	return jsonUpTo(e, int64(t.MaxArguments())+envelope)
}

func jsonUpTo(e *core.RequestEvent, most int64) (jsontext.Value, error) {
	b, err := readBody(e, most)
	if err != nil || len(b) == 0 {
		return b, err
	}
	if is := e.Request.Header.Get("Content-Type"); is != "" {
		media, _, err := mime.ParseMediaType(is)
		if err != nil || (media != "application/json" && !strings.HasSuffix(media, "+json")) {
			return b, tools.Fail(tools.Invalid, "http.content_type")
		}
	}
	return b, nil
}

// decode reads JSON into v and names what is wrong with it.
func decode(b []byte, v any) error {
	if len(b) > maxBody {
		return tools.Fail(tools.TooLarge, "error.too_large", maxBody)
	}
	if err := json.Unmarshal(b, v, json.RejectUnknownMembers(true)); err != nil {
		return decodeError(err)
	}
	return nil
}

// decodeError names what is wrong, in the reader's language.
func decodeError(err error) error {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return tools.Fail(tools.Invalid, "error.arguments", tools.T("body.twice", field(s.JSONPointer)))
		}
		return tools.Fail(tools.Invalid, "body.json", s.ByteOffset).Because(err)
	}
	s, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return tools.Fail(tools.Invalid, "http.body").Because(err)
	}
	if errors.Is(err, json.ErrUnknownName) {
		return tools.Fail(tools.Invalid, "error.arguments", tools.T("body.unknown", field(s.JSONPointer)))
	}
	kind := "other"
	if s.GoType != nil {
		of := s.GoType
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if is := of.Kind().String(); slices.Contains([]string{"string", "bool", "slice", "map", "struct"}, is) {
			kind = is
		}
	}
	return tools.Fail(tools.Invalid, "error.arguments", tools.T("body.type", field(s.JSONPointer), tools.T("body.kind."+kind)))
}

// field is where in the body a pointer points, as people write it.
func field(p jsontext.Pointer) tools.Text {
	at := strings.ReplaceAll(strings.Trim(string(p), "/"), "/", ".")
	if at == "" {
		return tools.T("body.whole")
	}
	return tools.T("", at)
}
