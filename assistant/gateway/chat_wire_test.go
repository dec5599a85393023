package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// chatExpectation is what a body of testdata/wire is to become.
type chatExpectation struct {
	Body     string `json:"body"`
	Protocol string `json:"protocol"`
	Host     string `json:"host"`
	Quirk    string `json:"quirk"`
	Response struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	} `json:"response"`
	Expect struct {
		Text      *string `json:"text"`
		Reasoning *string `json:"reasoning"`
		Model     string  `json:"model"`
		Calls     []struct {
			ID      string         `json:"id"`
			Name    string         `json:"name"`
			Args    jsontext.Value `json:"arguments"`
			Invalid bool           `json:"invalid_arguments"`
		} `json:"tool_calls"`
		Finish Finish         `json:"finish"`
		Usage  map[string]int `json:"usage"`
		Error  *struct {
			Kind      ErrorKind `json:"kind"`
			Retryable bool      `json:"retryable"`
			Contains  string    `json:"message_contains"`
			Status    int       `json:"status"`
			Param     string    `json:"param"`
		} `json:"error"`
		Replay map[string][]jsontext.Value `json:"replay"`
	} `json:"expect"`
}

// chatByLine gives one line with each read.
type chatByLine struct{ rest []byte }

func (l *chatByLine) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	n := bytes.IndexByte(l.rest, '\n') + 1
	if n == 0 {
		n = len(l.rest)
	}
	n = copy(p, l.rest[:n])
	l.rest = l.rest[n:]
	return n, nil
}

func TestChatWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.expect.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no bodies", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want chatExpectation
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(file, err)
		}
		if want.Protocol != "openai-chat" {
			continue
		}
		body, err := os.ReadFile(filepath.Join("testdata/wire", want.Body))
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(body), "bytes": iotest.OneByteReader(bytes.NewReader(body)), "lines": &chatByLine{body}} {
			t.Run(want.Body+"/"+name, func(t *testing.T) { want.check(t, r) })
		}
	}
}

func (want *chatExpectation) check(t *testing.T, body io.Reader) {
	t.Helper()
	h := http.Header{}
	for k, v := range want.Response.Headers {
		h.Set(k, v)
	}
	got, failed, err := Decode(Reply{Protocol: OpenAI, Host: want.Host, Status: want.Response.Status, Header: h, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	e := want.Expect
	if e.Text != nil && got.Text != *e.Text {
		t.Errorf("text %q, want %q", got.Text, *e.Text)
	}
	if e.Reasoning != nil && got.Reasoning != *e.Reasoning {
		t.Errorf("reasoning %q, want %q", got.Reasoning, *e.Reasoning)
	}
	if got.Finish != e.Finish {
		t.Errorf("finish %q, want %q (%v)", got.Finish, e.Finish, failed)
	}
	if e.Model != "" && got.Model != e.Model {
		t.Errorf("model %q, want %q", got.Model, e.Model)
	}
	var usage map[string]int
	if u := got.Usage; u != nil {
		usage = map[string]int{"input_uncached": int(u.Uncached), "cache_read": int(u.CacheRead), "cache_write": int(u.CacheWrite), "output": int(u.Output), "reasoning": int(u.Reasoning)}
	}
	if diff := cmp.Diff(e.Usage, usage); diff != "" {
		t.Error("usage", diff)
	}
	if len(got.Calls) != len(e.Calls) {
		t.Fatalf("%d calls, want %d: %+v", len(got.Calls), len(e.Calls), got.Calls)
	}
	for n, c := range e.Calls {
		g := got.Calls[n]
		if g.ID == "" || c.ID != "" && g.ID != c.ID || g.Name != c.Name || g.Invalid != c.Invalid || !c.Invalid && !sameJSON(g.Args, c.Args) {
			t.Errorf("call %+v, want %+v", g, c)
		}
	}
	switch {
	case (failed == nil) != (e.Error == nil):
		t.Errorf("error %v, want %+v", failed, e.Error)
	case failed != nil:
		if failed.Kind != e.Error.Kind || failed.Retryable != e.Error.Retryable || !strings.Contains(failed.Message, e.Error.Contains) || failed.Status != e.Error.Status || e.Error.Param != "" && failed.Param != e.Error.Param {
			t.Errorf("error %+v, want %+v", failed, e.Error)
		}
	}
}

func sameJSON(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && string(a) == string(b)
}
