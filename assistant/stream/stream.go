// Package stream writes answers that last: each part is sent as it comes, a
// client that reads no more is let go, and one that waits hears that it is not
// forgotten.
package stream

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// WriteTime is how long a client may take to read what it is sent. One that
// reads no more would keep its stream, and whoever tells it something.
const WriteTime = 30 * time.Second

// Writer is an answer that lasts. Its writes come one after the other, whoever
// makes them.
type Writer struct {
	http.ResponseWriter
	every time.Duration

	mu    sync.Mutex
	over  bool
	alive *time.Timer
}

// New makes one that, once it has begun, says every so often that it is there:
// proxies cut what is silent, and who is gone is found out by it. That is less
// than WriteTime, which a connection may count while nothing is written.
func New(w http.ResponseWriter, every time.Duration) *Writer {
	return &Writer{ResponseWriter: w, every: every}
}

// Unwrap lets a ResponseController through to deadlines and flushing.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Head has every proxy pass on what comes as it comes, and keep nothing of it.
func Head(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
}

// Begin is called after the headers were sent.
func (w *Writer) Begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over && w.alive == nil {
		w.alive = time.AfterFunc(w.every, w.stillThere)
	}
}

// Write sends a part.
func (w *Writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allow()
	return w.ResponseWriter.Write(b)
}

// Event sends an event with its number, at once.
func (w *Writer) Event(id int, kind string, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allow()
	var b bytes.Buffer
	fmt.Fprintf(&b, "id: %d\nevent: %s\n", id, kind)
	for line := range bytes.Lines(bytes.ReplaceAll(data, []byte("\r"), nil)) {
		fmt.Fprintf(&b, "data: %s\n", bytes.TrimSuffix(line, []byte("\n")))
	}
	b.WriteByte('\n')
	if _, err := w.ResponseWriter.Write(b.Bytes()); err != nil {
		return err
	}
	return w.flush()
}

// allow gives a write its time; not every connection has deadlines.
func (w *Writer) allow() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(WriteTime))
}

// Flush sends what was written, such as the headers.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allow()
	return w.flush()
}

func (w *Writer) flush() error { return http.NewResponseController(w.ResponseWriter).Flush() }

// stillThere sends a comment, which no client shows.
func (w *Writer) stillThere() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.allow()
	if _, err := w.ResponseWriter.Write([]byte(":\n\n")); err == nil && w.flush() == nil {
		w.alive.Reset(w.every)
	}
}

// End stops what would write later.
func (w *Writer) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.alive != nil {
		w.alive.Stop()
	}
}
