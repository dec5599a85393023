package bridge

import (
	"fmt"
	"net/http"
	"time"
)

// asks notes a request of the handler, which the client will answer.
func (b *Bridge) asks(f *flight, id string, s *session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked[id] = s
	if f != nil {
		f.asked = append(f.asked, id)
	}
}

// pauses between tries to listen.
const (
	firstPause = 200 * time.Millisecond
	maxPause   = 30 * time.Second
)

// listen passes on what the handler says unasked, for as long as the session
// lives.
func (b *Bridge) listen(s *session) {
	pause := firstPause
	for s.ctx.Err() == nil {
		began := time.Now()
		on, err := b.listenOnce(s)
		if !on || s.ctx.Err() != nil {
			return
		}
		if err != nil {
			b.Log.Debug("the stream of notices ended", "error", err)
		}
		if time.Since(began) > maxPause {
			pause = firstPause
		}
		select {
		case <-s.ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, maxPause)
	}
}

// listenOnce says whether to go on.
func (b *Bridge) listenOnce(s *session) (on bool, err error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, b.URL, nil)
	if err != nil {
		return false, err
	}
	b.head(req, s)
	req.Header.Set("Accept", "text/event-stream")
	resp, err := b.Do(req)
	if err != nil {
		return true, err
	}
	defer func() { _ = resp.Body.Close() }() // it was read as far as it goes
	switch {
	case gone(resp, s):
		err := b.again(s)
		return err != nil, err
	case resp.StatusCode == http.StatusMethodNotAllowed:
		return false, nil // it has none
	case resp.StatusCode != http.StatusOK:
		return true, fmt.Errorf("status %d: %s", resp.StatusCode, said(resp))
	}
	return true, events(resp.Body, func(data []byte) {
		if e, err := open(data); err == nil && e.Method != nil {
			if id := identity(e.ID); id != "" {
				b.asks(nil, id, s)
			}
			b.write(data)
		}
	})
}
