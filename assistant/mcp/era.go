package mcp

import (
	"bytes"
	"encoding/json/jsontext"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// MaxBody is the most that a request may hold, in bytes.
	MaxBody = 4 << 20
	// MaxBatch is how many messages the older versions may send in one request:
	// all of them run at once, and their answers add up.
	MaxBatch = 20
)

// Messages counts those of a request, a few beyond MaxBatch at most. What is no
// list is one, whatever is wrong with it.
func Messages(body []byte) (n int) {
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '[' {
		return 1
	}
	if _, err := d.ReadToken(); err != nil {
		return 1
	}
	for n = 0; n <= MaxBatch && d.PeekKind() != ']'; n++ {
		if d.SkipValue() != nil {
			return n + 1 // the library says what is wrong
		}
	}
	return n
}

// modernVersion is the first of the protocol that knows no sessions.
const modernVersion = "2026-07-28"

// eras are the two handlers behind one address: one without sessions, which the
// older versions could not ask a person through, and one with, which the new
// version does not know.
type eras struct{ modern, older http.Handler }

// ServeHTTP chooses by what the request says of itself.
func (e eras) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	modern, err := isModern(r)
	switch {
	case err != nil:
		http.Error(w, "the request broke off", http.StatusBadRequest)
	case modern:
		e.modern.ServeHTTP(w, r)
	default:
		if v, ok := r.Context().Value(visitorKey{}).(visitor); ok && r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			v.seat.bound() // it begins a session
		}
		e.older.ServeHTTP(w, r)
	}
}

// isModern looks at the version in the headers, and where that says nothing of
// the new one into the body. That there is an Mcp-Method says nothing: clients
// made for both send it with a session's first message too.
func isModern(r *http.Request) (bool, error) {
	if r.Method != http.MethodPost || r.Header.Get("Mcp-Session-Id") != "" {
		return false, nil
	}
	if r.Header.Get("Mcp-Protocol-Version") >= modernVersion {
		return true, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return bytes.Contains(body, []byte(`"`+mcp.MetaKeyProtocolVersion+`"`)), nil
}
