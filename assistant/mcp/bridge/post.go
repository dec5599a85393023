package bridge

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// body tells whether it was read.
type body struct {
	*bytes.Reader
	read atomic.Bool
}

// Read notes that somebody reads.
func (r *body) Read(p []byte) (int, error) {
	r.read.Store(true)
	return r.Reader.Read(p)
}

// post sends a message. read says that the handler may have read it.
func (b *Bridge) post(ctx context.Context, m message, s *session) (_ *http.Response, read bool, err error) {
	content := &body{Reader: bytes.NewReader(m.raw)}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.URL, io.NopCloser(content))
	if err != nil {
		return nil, false, err
	}
	req.ContentLength = int64(len(m.raw))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Expect", "100-continue")
	b.head(req, s)
	if m.modern() {
		req.Header.Set("Mcp-Protocol-Version", m.version)
		req.Header.Set("Mcp-Method", header(m.method))
		if m.name != "" {
			req.Header.Set("Mcp-Name", header(m.name))
		}
	}
	resp, err := b.Do(req)
	return resp, content.read.Load(), err
}

// head sets what every request has.
func (b *Bridge) head(req *http.Request, s *session) {
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+b.Token)
	if s != nil && s.id != "" {
		req.Header.Set("Mcp-Session-Id", s.id)
	}
	if s != nil && s.version != "" {
		req.Header.Set("Mcp-Protocol-Version", s.version)
	}
}

// header is a value as a header can hold it. What a handler has under a name
// has none of the characters left out: it will say that there is no such thing.
func header(value string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, value), " ")
}

// receive passes on what is answered.
func (b *Bridge) receive(f *flight, resp *http.Response, s *session) error {
	switch kind := media(resp); {
	case resp.StatusCode == http.StatusUnauthorized:
		return b.refused()
	case kind == "text/event-stream" && resp.StatusCode == http.StatusOK:
		return events(resp.Body, func(data []byte) { b.pass(f, data, s) })
	case kind == "application/json" && len(f.due) > 0:
		data, err := io.ReadAll(io.LimitReader(resp.Body, maxEvent))
		if err != nil {
			return err
		}
		if whole := len(f.due); resp.StatusCode == http.StatusOK || isMessage(data) {
			b.pass(f, data, s)
			if len(f.due) < whole || resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		resp.Body = io.NopCloser(bytes.NewReader(data))
	case resp.StatusCode < http.StatusMultipleChoices:
		return nil
	}
	for _, id := range f.due {
		b.refuse(id, codeFor(resp.StatusCode), fmt.Errorf("the server answers with status %d: %s", resp.StatusCode, said(resp)))
	}
	if len(f.due) == 0 {
		b.Log.Warn("a message was refused", "method", f.method, "status", resp.StatusCode, "says", said(resp))
	}
	f.due = nil
	return nil
}

func codeFor(status int) int {
	if status >= http.StatusBadRequest && status < http.StatusInternalServerError && status != http.StatusTooManyRequests {
		return codeInvalid
	}
	return codeInternal
}

func isMessage(data []byte) bool {
	_, err := open(data)
	return err == nil
}

// pass writes one message of the handler, or several of a batch, and notes what
// it answers or asks.
func (b *Bridge) pass(f *flight, data []byte, s *session) {
	raw := jsontext.Value(data)
	if raw.Kind() == '[' {
		f.due = nil
		b.write(raw)
		return
	}
	e, err := open(raw)
	if err != nil {
		b.Log.Warn("the handler sent what is no message", "error", err)
		return
	}
	id := identity(e.ID)
	switch {
	case e.Method != nil && id != "":
		b.asks(f, id, s)
	case e.Method != nil && strings.HasSuffix(*e.Method, "/acknowledged"):
		if f.heard { // the stream was begun again, and the client knows nothing of that
			return
		}
		f.heard = true
	case e.Method == nil:
		if id == "" && len(f.due) == 1 { // an error that does not say of what
			id = f.due[0]
			e.ID = jsontext.Value(id)
			if named, err := json.Marshal(e); err == nil {
				raw = named
			}
		}
		if f.hushed.Load() && f.modern() {
			return
		}
		f.due = slices.DeleteFunc(f.due, func(d string) bool { return d == id })
		if f.first {
			b.begin(f, e)
		}
	}
	b.write(raw)
}
