package gateway

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCutAnywhere: of an answer that broke off nothing may run, wherever that
// was: it is an error, or the whole answer. What fails as a whole has no calls in
// any part of it.
func TestCutAnywhere(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	cuts := 0
	for _, file := range expectations(t) {
		e, body := readExpectation(t, file)
		if e.Response.Status != http.StatusOK || len(body) > 10_000 { // long ones are like short ones
			continue
		}
		p, err := ParseProtocol(e.Protocol)
		if err != nil {
			t.Fatal(err)
		}
		read := func(b []byte) (Result, *Error) {
			r, failed, err := Decode(Reply{Protocol: p, Host: e.Host, Model: "m", Status: http.StatusOK, Body: bytes.NewReader(b)})
			if err != nil {
				t.Fatal(err)
			}
			return r, failed
		}
		whole, wrong := read(body)
		for at := 0; at < len(body); at += step {
			r, failed := read(body[:at])
			cuts++
			switch {
			case len(r.Calls) > 0 && (failed != nil || cmp.Diff(whole.Calls, r.Calls) != ""):
				t.Errorf("%s cut at %d has the calls %+v", e.Body, at, r.Calls)
			case failed == nil && wrong == nil && (r.Text != whole.Text || r.Finish != whole.Finish || len(r.Calls) != len(whole.Calls)):
				t.Errorf("%s cut at %d is an answer: %+v", e.Body, at, r)
			default:
				continue
			}
			break // what follows is wrong for the same reason
		}
	}
	if cuts < 20_000 {
		t.Error("only", cuts, "cuts")
	}
}
