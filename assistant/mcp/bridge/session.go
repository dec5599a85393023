package bridge

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"io"
	"net/http"
)

// session is one of the old generation, as it stands with the handler of now.
type session struct {
	id      string
	version string
	first   message         // the initialize that began it
	ready   message         // the notice that ended its beginning; zero before that
	able    map[string]any  // what the handler says that it can
	ctx     context.Context // over when the session is
	end     context.CancelFunc
}

// current is the session that a message belongs to.
func (b *Bridge) current(f *flight) *session {
	if f.modern() || f.first {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

// gone says that the handler knows the session no more: that there is no such
// thing in it is said by a message.
func gone(resp *http.Response, s *session) bool {
	if s == nil || s.id == "" || resp.StatusCode != http.StatusNotFound {
		return false
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxEvent))
	if err == nil && isMessage(data) {
		resp.Body = io.NopCloser(bytes.NewReader(data))
		return false
	}
	return true
}

// started is what an initialize is answered.
type started struct {
	Version string         `json:"protocolVersion"`
	Able    map[string]any `json:"capabilities"`
}

// begin takes the session that the answer to an initialize begins.
func (b *Bridge) begin(f *flight, e envelope) {
	if len(e.Result) == 0 {
		return
	}
	s := b.newSession(f.message, f.session, e.Result)
	b.mu.Lock()
	old := b.session
	b.session = s
	clear(b.asked)
	clear(b.watched)
	b.mu.Unlock()
	if old != nil {
		old.end()
		b.drop(old)
	}
}

func (b *Bridge) newSession(first message, id string, result jsontext.Value) *session {
	var answer started
	_ = json.Unmarshal(result, &answer) // a version that is missing is found by the handler
	s := &session{id: id, version: answer.Version, first: first, able: answer.Able}
	s.ctx, s.end = context.WithCancel(b.ctx)
	return s
}

// follow is called once a message has arrived that a session consists of: what
// was said has to be said again to the next handler.
func (b *Bridge) follow(m message, s *session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s == nil || b.session != s {
		return
	}
	switch m.method {
	case "notifications/initialized":
		if s.ready.raw == nil {
			s.ready = m
			go b.listen(s)
		}
	case "logging/setLevel":
		b.watched[m.method] = m.raw
	case "resources/subscribe":
		b.watched[m.name] = m.raw
	case "resources/unsubscribe":
		delete(b.watched, m.name)
	}
}

// leave ends the session, so that nothing is kept for it.
func (b *Bridge) leave() {
	b.mu.Lock()
	s := b.session
	b.mu.Unlock()
	if s != nil {
		b.drop(s)
	}
}

// drop tells the handler that a session is over.
func (b *Bridge) drop(s *session) {
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), parting)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, b.URL, nil)
	if err != nil {
		return
	}
	b.head(req, s)
	resp, err := b.Do(req)
	if err != nil {
		b.Log.Debug("the session was not ended", "error", err) // it will time out
		return
	}
	_ = resp.Body.Close() // there is nothing in it
}
