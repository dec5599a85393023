package hooks

import (
	"io"
	"net/http"
	"sync"
)

// inside is how the program calls its own handler as a client would: answers
// come as they are written, so that one that lasts can be read while it does.
type inside struct{ handler http.Handler }

// RoundTrip sends a request.
func (t inside) RoundTrip(r *http.Request) (*http.Response, error) {
	body, in := io.Pipe()
	w := &piped{header: http.Header{}, body: in, begun: make(chan int, 1)}
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.RequestURI = r.URL.RequestURI()
	go func() {
		defer w.end()
		t.handler.ServeHTTP(w, r)
	}()
	select {
	case status := <-w.begun:
		return &http.Response{
			Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: w.sent, Body: body, ContentLength: -1, Request: r,
		}, nil
	case <-r.Context().Done():
		_ = body.Close() // whoever writes stops
		return nil, r.Context().Err()
	}
}

// piped is an answer that somebody reads while it is written.
type piped struct {
	header, sent http.Header
	body         *io.PipeWriter
	begun        chan int
	once         sync.Once
}

// Header is the header to fill.
func (w *piped) Header() http.Header { return w.header }

// WriteHeader begins the answer.
func (w *piped) WriteHeader(status int) {
	if status < http.StatusOK {
		return // word to go on, which nobody waits for
	}
	w.once.Do(func() {
		w.sent = w.header.Clone()
		w.begun <- status
	})
}

// Write sends a part of the body.
func (w *piped) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// Flush has nothing to do: what is written is on its way.
func (w *piped) Flush() { w.WriteHeader(http.StatusOK) }

// end is when the handler is done, or has panicked: it must not take the program
// with it.
func (w *piped) end() {
	if p := recover(); p != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
	w.WriteHeader(http.StatusOK)
	_ = w.body.Close() // it never fails
}
