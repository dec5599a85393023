package mcp

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/nodkeep/nodkeep/assistant/stream"
)

// aliveTime is how often a stream says that it is there.
const aliveTime = 25 * time.Second

// answer sees to the headers of an answer, which for a stream must keep every
// proxy from holding it back, turns the library's plain errors into JSON, and
// keeps streams alive.
type answer struct {
	*stream.Writer
	fault func(status int, message string)

	mu     sync.Mutex
	status int
	plain  bool // what follows is the message of an error
}

func newAnswer(w http.ResponseWriter, fault func(status int, message string)) *answer {
	return &answer{Writer: stream.New(w, aliveTime), fault: fault}
}

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
	stream.Head(h)
	kind := h.Get("Content-Type")
	if status >= 400 && a.fault != nil && strings.HasPrefix(kind, "text/plain") {
		a.plain = true
		return
	}
	a.Writer.WriteHeader(status)
	if strings.HasPrefix(kind, "text/event-stream") {
		a.Begin()
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
	return a.Writer.Write(b)
}
