package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// expectation is what testdata/wire says of a body; its README explains it.
// testdata/kinds is written in the same way: what other replies of the kinds that
// people reported may look like, several to a number.
type expectation struct {
	Body     string `json:"body"`
	Protocol string `json:"protocol"`
	Host     string `json:"host"`
	Response struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	} `json:"response"`
	Expect struct {
		Text      string  `json:"text"`
		Reasoning *string `json:"reasoning"`
		Calls     []struct {
			ID      string         `json:"id"`
			Name    string         `json:"name"`
			Args    jsontext.Value `json:"arguments"`
			Invalid bool           `json:"invalid_arguments"`
		} `json:"tool_calls"`
		Finish Finish `json:"finish"`
		Usage  *struct {
			Uncached   int64 `json:"input_uncached"`
			CacheRead  int64 `json:"cache_read"`
			CacheWrite int64 `json:"cache_write"`
			Output     int64 `json:"output"`
			Reasoning  int64 `json:"reasoning"`
		} `json:"usage"`
		Model string `json:"model"`
		Error *struct {
			Kind         ErrorKind `json:"kind"`
			Retryable    bool      `json:"retryable"`
			Contains     string    `json:"message_contains"`
			Status       int       `json:"status"`
			Param        string    `json:"param"`
			RetryAfter   int64     `json:"retry_after_ms"`
			AfterContent bool      `json:"after_content"`
		} `json:"error"`
		Refusal *struct {
			Category string `json:"category"`
			Message  string `json:"message"`
		} `json:"refusal"`
		Replay *struct {
			Content []jsontext.Value `json:"assistant_content"`
			Items   []jsontext.Value `json:"input_items"`
			Message jsontext.Value   `json:"assistant_message"`
		} `json:"replay"`
		Retry *struct {
			Remove []string          `json:"remove"`
			Add    []string          `json:"add"`
			Set    map[string]string `json:"set"`
		} `json:"retry_with"`
	} `json:"expect"`
}

// byLine gives one line at each read.
type byLine struct{ rest []byte }

func (b *byLine) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := bytes.IndexByte(b.rest, '\n') + 1
	if n == 0 {
		n = len(b.rest)
	}
	n = copy(p, b.rest[:n])
	b.rest = b.rest[n:]
	return n, nil
}

// servings are the ways in which a body may come.
var servings = map[string]func([]byte) io.Reader{
	"whole":        func(b []byte) io.Reader { return bytes.NewReader(b) },
	"byte by byte": func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) },
	"line by line": func(b []byte) io.Reader { return &byLine{b} },
}

func TestReplies(t *testing.T) {
	for _, file := range expectations(t) {
		testReply(t, file)
	}
}

// expectations are the files of all of them.
func expectations(t *testing.T) (all []string) {
	t.Helper()
	for folder, least := range map[string]int{"testdata/wire": 54, "testdata/kinds": 300} {
		files, err := filepath.Glob(folder + "/*.expect.json")
		if err != nil || len(files) < least {
			t.Fatal(folder, len(files), err)
		}
		all = append(all, files...)
	}
	return all
}

// readExpectation reads one, and the body that it is of.
func readExpectation(t *testing.T, file string) (e expectation, body []byte) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}
	if body, err = os.ReadFile(filepath.Join(filepath.Dir(file), e.Body)); err != nil {
		t.Fatal(err)
	}
	return e, body
}

func testReply(t *testing.T, file string) {
	t.Helper()
	e, body := readExpectation(t, file)
	p, err := ParseProtocol(e.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	for k, v := range e.Response.Headers {
		h.Set(k, v)
	}
	var first *Result // however it is served, it is the same
	for how, serve := range servings {
		t.Run(e.Body+" "+how, func(t *testing.T) {
			r, failed, err := Decode(Reply{Protocol: p, Host: e.Host, Model: "m", Status: e.Response.Status, Header: h, Body: serve(body)})
			if err != nil {
				t.Fatal(err)
			}
			e.check(t, r, failed)
			if first == nil {
				first = &r
			} else if d := cmp.Diff(*first, r); d != "" {
				t.Error(d)
			}
		})
	}
}

func (e expectation) check(t *testing.T, r Result, failed *Error) {
	t.Helper()
	x := e.Expect
	if r.Text != x.Text || r.Finish != x.Finish || (x.Reasoning != nil && r.Reasoning != *x.Reasoning) || (x.Model != "" && r.Model != x.Model) {
		t.Errorf("got text %q, reasoning %q, finish %s, model %q", r.Text, r.Reasoning, r.Finish, r.Model)
	}
	if len(r.Calls) != len(x.Calls) {
		t.Fatalf("calls: %+v", r.Calls)
	}
	for i, c := range r.Calls {
		want := x.Calls[i]
		if c.Name != want.Name || (want.ID != "" && c.ID != want.ID) || c.ID == "" || c.Invalid != want.Invalid || (!c.Invalid && !same(t, c.Args, want.Args)) {
			t.Errorf("call %d: %+v, want %+v", i, c, want)
		}
	}
	switch {
	case x.Usage == nil:
		if r.Usage != nil {
			t.Errorf("usage %+v, want none", *r.Usage)
		}
	case r.Usage == nil:
		t.Error("no usage")
	default:
		if d := cmp.Diff(Usage{x.Usage.Uncached, x.Usage.CacheRead, x.Usage.CacheWrite, x.Usage.Output, x.Usage.Reasoning}, *r.Usage); d != "" {
			t.Error(d)
		}
	}
	switch {
	case x.Error == nil:
		if failed != nil {
			t.Errorf("error: %v", failed)
		}
	case failed == nil:
		t.Error("no error")
	default:
		w, kind := x.Error, failed.Kind
		if kind == NoModel { // which is told apart only here
			kind = BadRequest
		}
		if kind != w.Kind || failed.Retryable != w.Retryable || !strings.Contains(failed.Message, w.Contains) || failed.Status != w.Status ||
			(w.Param != "" && failed.Param != w.Param) || failed.RetryAfter.Milliseconds() != w.RetryAfter || (w.AfterContent && !failed.AfterContent) {
			t.Errorf("error %+v, want %+v", *failed, *w)
		}
	}
	if failed != nil && failed.AfterContent != (r.Text+r.Reasoning != "") {
		t.Errorf("something was shown: %t", failed.AfterContent)
	}
	if want := x.Retry; want != nil {
		if failed == nil || failed.Repair == nil || !slices.Equal(failed.Repair.Remove, want.Remove) || !slices.Equal(failed.Repair.Add, want.Add) || !maps.Equal(failed.Repair.Set, want.Set) {
			t.Errorf("to be sent again with %+v, want %+v", failed, *want)
		}
	}
	if x.Refusal != nil && (r.Refusal == nil || r.Refusal.Category != x.Refusal.Category || r.Refusal.Message != x.Refusal.Message) {
		t.Errorf("refusal %+v, want %+v", r.Refusal, *x.Refusal)
	}
	if x.Replay == nil {
		return
	}
	back, err := Replay(r.Raw)
	if err != nil {
		t.Fatal(err)
	}
	if x.Replay.Content != nil {
		if !same(t, list(back...), list(x.Replay.Content...)) {
			t.Errorf("sent back:\n%s\nwant:\n%s", list(back...), list(x.Replay.Content...))
		}
		return
	}
	if x.Replay.Message != nil {
		if len(back) != 1 || !among(t, x.Replay.Message, back[0]) {
			t.Errorf("sent back:\n%s\nwant within:\n%s", list(back...), x.Replay.Message)
		}
		return
	}
	if len(back) != len(x.Replay.Items) {
		t.Fatalf("sent back: %s", list(back...))
	}
	for i, item := range back {
		var got, want map[string]any
		if err := json.Unmarshal(item, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(x.Replay.Items[i], &want); err != nil {
			t.Fatal(err)
		}
		for k := range want {
			if d := cmp.Diff(want[k], got[k]); d != "" {
				t.Errorf("item %d, %s: %s", i, k, d)
			}
		}
		if got["id"] != nil && got["type"] != "function_call" {
			t.Errorf("item %d goes back with its id", i)
		}
	}
}

// among says that a value has all that another has: members of objects may be
// more, lists are as long.
func among(t *testing.T, want, got jsontext.Value) bool {
	t.Helper()
	all, ok := members(want)
	if ok {
		has, _ := members(got)
		for _, m := range all {
			if n := at(has, m.name); n < 0 || !among(t, m.value, has[n].value) {
				return false
			}
		}
		return true
	}
	if wants, gots := elements(want), elements(got); len(wants) > 0 {
		for n := range wants {
			if len(gots) != len(wants) || !among(t, wants[n], gots[n]) {
				return false
			}
		}
		return true
	}
	return same(t, want, got)
}

// same says that two values mean the same.
func same(t *testing.T, a, b jsontext.Value) bool {
	t.Helper()
	a, b = a.Clone(), b.Clone()
	if a.Canonicalize() != nil || b.Canonicalize() != nil {
		t.Errorf("no JSON: %s, %s", a, b)
	}
	return bytes.Equal(a, b)
}
