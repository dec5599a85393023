package hooks

import (
	"encoding/json/v2"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// maxQuestion bounds a question without its files, in bytes: the longest text
	// that a setting allows, with each sign escaped, and records beside it.
	maxQuestion = 1 << 20
	// askCarrying is how many questions with files a person may have under way,
	// and askCarried all together: the files are in memory meanwhile.
	askCarrying = 2
	askCarried  = 10
)

// asked is a question as a client sends it.
type asked struct {
	Client       string            `json:"client_id"`
	Conversation string            `json:"conversation,omitzero"`
	Text         string            `json:"text,omitzero"`
	Answers      map[string]string `json:"answers,omitzero"`
	Scope        assistant.Scope   `json:"scope,omitzero"`
	Assistant    string            `json:"assistant,omitzero"`
	Effort       gateway.Effort    `json:"effort,omitzero"`
	Show         []string          `json:"show,omitzero"` // names of files that the model is given
}

// readQuestion reads a question: JSON, or a form whose part question is that
// JSON, beside files. The connection has its time while they come, and no longer.
func (a *App) readQuestion(e *core.RequestEvent) (q assistant.Question, done func(), err error) {
	done = func() {}
	media, params, err := mime.ParseMediaType(e.Request.Header.Get("Content-Type"))
	within, form := a.reading, err == nil && media == "multipart/form-data"
	if form {
		within = a.coming
		person := e.Auth.Id
		if !a.carried.enter(person, askCarried, askCarrying) {
			return q, done, tools.Fail(tools.Limit, "ask.carrying").In(askAlive)
		}
		done = func() { a.carried.leave(person) }
	}
	// Not every connection can be told; what PocketBase sets holds there.
	rc := http.NewResponseController(e.Response)
	_ = rc.SetReadDeadline(time.Now().Add(within))
	defer func() { _ = rc.SetReadDeadline(time.Time{}) }()
	var in asked
	var files []assistant.File
	if form {
		in, files, err = formQuestion(e, params["boundary"])
	} else {
		in, err = jsonQuestion(e)
	}
	if err == nil {
		err = mark(files, in.Show)
	}
	return assistant.Question{
		Client: in.Client, Conversation: in.Conversation, Text: in.Text, Answers: in.Answers, Scope: in.Scope,
		Assistant: in.Assistant, Effort: in.Effort, Files: files, Language: language(e),
	}, done, err
}

func jsonQuestion(e *core.RequestEvent) (in asked, err error) {
	b, err := jsonUpTo(e, maxQuestion)
	if err != nil {
		return in, err
	}
	return in, decodeQuestion(b, &in)
}

func decodeQuestion(b []byte, in *asked) error {
	if len(b) > maxQuestion {
		return tools.Fail(tools.TooLarge, "error.too_large", maxQuestion)
	}
	if err := json.Unmarshal(b, in, json.RejectUnknownMembers(true)); err != nil {
		return decodeError(err)
	}
	return nil
}

// formQuestion reads a form. What is not wanted of it is read all the same: a
// client that is sending does not listen yet.
func formQuestion(e *core.RequestEvent, boundary string) (in asked, files []assistant.File, err error) {
	defer func() {
		if err != nil {
			_, _ = io.CopyN(io.Discard, rawBody(e), maxDrain)
		}
	}()
	form, found, size := multipart.NewReader(rawBody(e), boundary), false, 0
	for {
		part, err := form.NextPart()
		switch {
		case errors.Is(err, io.EOF) && found:
			return in, files, nil
		case errors.Is(err, io.EOF):
			return in, nil, tools.Fail(tools.Invalid, "ask.form")
		case err != nil:
			return in, nil, tools.Fail(tools.Invalid, "http.body").Because(err)
		}
		name, most := part.FormName(), document.MaxBytes-size
		switch {
		case name == "question" && !found:
			most = maxQuestion
		case name == "file":
			if err := document.Fit(len(files)+1, size); err != nil {
				return in, nil, err
			}
		default:
			return in, nil, tools.Fail(tools.Invalid, "ask.form")
		}
		b, err := io.ReadAll(io.LimitReader(part, int64(most)+1))
		switch {
		case err != nil:
			return in, nil, tools.Fail(tools.Invalid, "http.body").Because(err)
		case name == "question":
			if err := decodeQuestion(b, &in); err != nil {
				return in, nil, err
			}
			found = true
		default:
			size += len(b)
			if err := document.Fit(len(files)+1, size); err != nil {
				return in, nil, err
			}
			files = append(files, assistant.File{Upload: tools.Upload{Name: part.FileName(), Data: b}})
		}
	}
}

// mark says which files go to the model: those that are named, and no other. A
// name that is that of none, or of two, says nothing clear.
func mark(files []assistant.File, show []string) error {
	for i, f := range files {
		if slices.ContainsFunc(files[:i], func(o assistant.File) bool { return o.Name == f.Name }) {
			return tools.Fail(tools.Invalid, "ask.file_twice", tools.Quoted(f.Name, 80))
		}
		files[i].Show = slices.Contains(show, f.Name)
	}
	for _, name := range show {
		if !slices.ContainsFunc(files, func(f assistant.File) bool { return f.Name == name }) {
			return tools.Fail(tools.Invalid, "ask.show", tools.Quoted(name, 80))
		}
	}
	return nil
}

// enterStream counts a stream of a person until leave.
func (a *App) enterStream(e *core.RequestEvent) (leave func(), err error) {
	person := e.Auth.Id
	if !a.streams.enter(person, math.MaxInt, askStreams) {
		return nil, tools.Fail(tools.Limit, "ask.streams", askStreams).In(askAlive)
	}
	return func() { a.streams.leave(person) }, nil
}
