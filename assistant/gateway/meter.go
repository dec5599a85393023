package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

// metered takes the hold of one attempt when the first byte of its body is about
// to leave: without the body no host can act on a request.
type metered struct {
	ctx   context.Context
	meter Meter

	mu      sync.Mutex
	held    bool
	over    bool
	refused error
}

var errOver = errors.New("the request is over")

// hold is asked before each read of the body; only the first one counts, also
// when the connection was stale and the body is sent again.
func (m *metered) hold() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.refused != nil:
		return m.refused
	case m.over:
		return errOver
	case m.held:
		return nil
	}
	if m.meter != nil {
		if m.refused = m.meter.Hold(m.ctx); m.refused != nil {
			return m.refused
		}
	}
	m.held = true
	return nil
}

// settle ends the attempt. Whatever still wants to send its body is too late.
func (m *metered) settle(s Spent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held && !m.over && m.meter != nil {
		m.meter.Settle(s)
	}
	m.over = true
}

// no is why the meter let nothing leave. It may still be asked: the body is read
// by others than who waits for the answer.
func (m *metered) no() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refused
}

func (m *metered) body(b []byte) io.ReadCloser { return &body{m: m, r: bytes.NewReader(b)} }

// body is one that is held for as it leaves.
type body struct {
	m *metered
	r *bytes.Reader
}

// Read takes the hold before the first byte leaves.
func (b *body) Read(p []byte) (int, error) {
	if err := b.m.hold(); err != nil {
		return 0, err
	}
	return b.r.Read(p)
}

// Close keeps the bytes: they may be sent again.
func (b *body) Close() error { return nil }
