package mcp

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// writeTime is how long a client may take to read what it is sent. One that
	// reads no more would keep its stream, and whoever tells it something.
	writeTime = 30 * time.Second
	// aliveTime is how often a stream says that it is there: proxies cut what is
	// silent, and who is gone is found out by it.
	aliveTime = 25 * time.Second
)

// answer sees to the headers of an answer, which for a stream must keep every
// proxy from holding it back, turns the library's plain errors into JSON, and
// keeps streams alive.
type answer struct {
	http.ResponseWriter
	fault func(status int, message string)

	mu     sync.Mutex
	status int
	plain  bool // what follows is the message of an error
	over   bool
	alive  *time.Timer
}

// Unwrap lets a ResponseController through to deadlines and flushing.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader sends the headers.
func (a *answer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.head(status)
}

// head sends the headers once; the lock is held.
func (a *answer) head(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	h := a.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	kind := h.Get("Content-Type")
	if status >= 400 && a.fault != nil && strings.HasPrefix(kind, "text/plain") {
		a.plain = true
		return
	}
	a.ResponseWriter.WriteHeader(status)
	if strings.HasPrefix(kind, "text/event-stream") && !a.over {
		a.alive = time.AfterFunc(aliveTime, a.stillThere)
	}
}

// Write sends a part of the body. The library writes each event as a whole.
func (a *answer) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.head(http.StatusOK)
	if a.plain {
		a.plain = false
		a.Header().Del("Content-Length")
		a.fault(a.status, strings.TrimSpace(string(b)))
		a.fault = nil
		return len(b), nil
	}
	a.allow()
	return a.ResponseWriter.Write(b)
}

// allow gives a write its time; not every connection has deadlines.
func (a *answer) allow() {
	_ = http.NewResponseController(a.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
}

// stillThere sends a comment, which no client shows.
func (a *answer) stillThere() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return
	}
	a.allow()
	if _, err := a.ResponseWriter.Write([]byte(":\n\n")); err == nil {
		_ = http.NewResponseController(a.ResponseWriter).Flush()
		a.alive.Reset(aliveTime)
	}
}

// end stops what would write later.
func (a *answer) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.alive != nil {
		a.alive.Stop()
	}
}
