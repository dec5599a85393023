package gateway

import (
	"bytes"
	"encoding/json/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestCutAnywhere: of an answer that broke off nothing may run, wherever that
// was: it is an error, or the whole answer.
func TestCutAnywhere(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.expect.json")
	if err != nil || len(files) < 300 {
		t.Fatal(len(files), err)
	}
	cuts := 0
	for _, file := range files {
		var e expectation
		b, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(b, &e) != nil {
			t.Fatal(file, err)
		}
		p, err := ParseProtocol(e.Protocol)
		if err != nil || e.Response.Status != 200 {
			continue
		}
		body, err := os.ReadFile(filepath.Join(filepath.Dir(file), e.Body))
		if err != nil {
			t.Fatal(err)
		}
		read := func(b []byte) (Result, *Error) {
			r, failed, err := Decode(Reply{Protocol: p, Host: e.Host, Status: 200, Body: bytes.NewReader(b)})
			if err != nil {
				t.Fatal(err)
			}
			return r, failed
		}
		whole, failed := read(body)
		if failed != nil {
			continue
		}
		for at := 0; at < len(body); at += 1 + len(body)/50 {
			r, failed := read(body[:at])
			cuts++
			switch {
			case failed != nil && len(r.Calls) > 0:
				t.Errorf("%s cut at %d has calls beside an error", e.Body, at)
			case failed == nil && (r.Text != whole.Text || r.Finish != whole.Finish || !reflect.DeepEqual(r.Calls, whole.Calls)):
				t.Errorf("%s cut at %d is an answer: %+v", e.Body, at, r)
			}
		}
	}
	if cuts < 5000 {
		t.Error("only", cuts, "cuts")
	}
}
