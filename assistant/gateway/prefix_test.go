package gateway

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCutAnywhere cuts every recorded stream after each of its bytes: what is
// left has no calls that may run, or just those of the whole.
func TestCutAnywhere(t *testing.T) {
	for _, file := range expectations(t) {
		e, body := readExpectation(t, file)
		if e.Response.Status != http.StatusOK || len(body) > 10_000 { // long ones are like short ones
			continue
		}
		p, err := ParseProtocol(e.Protocol)
		if err != nil {
			t.Fatal(err)
		}
		of := func(b []byte) Result {
			r, _, err := Decode(Reply{Protocol: p, Host: e.Host, Model: "m", Status: http.StatusOK, Body: bytes.NewReader(b)})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		whole := of(body)
		for n := range body {
			r := of(body[:n])
			if len(r.Calls) == 0 {
				continue
			}
			if diff := cmp.Diff(whole.Calls, r.Calls); diff != "" {
				t.Errorf("%s: after %d of %d bytes the calls are others (-whole +cut):\n%s", e.Body, n, len(body), diff)
				break
			}
		}
	}
}
