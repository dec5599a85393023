package hooks

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// request is what a command asks of the handler, wherever that is.
type request struct {
	method, path string
	as, digest   string
	body         io.Reader // nil for none
	media        string    // "" is JSON
	last         int       // the event of a stream after which it goes on; 0 is from the first
}

// http is the request as the handler takes it.
func (r request) http(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, "http://nodkeep"+prefix+r.path, r.body)
	if err != nil {
		return nil, err
	}
	if r.body != nil {
		req.Header.Set("Content-Type", cmp.Or(r.media, "application/json"))
	}
	if r.as != "" {
		req.Header.Set(asHeader, r.as)
	}
	if r.digest != "" {
		req.Header.Set(digestHeader, r.digest)
	}
	if r.last > 0 {
		req.Header.Set(lastHeader, strconv.Itoa(r.last))
	}
	return req, nil
}

// send sends r and gives status and body. The server of the folder answers
// where one lives; else the folder is opened here and the same handler called.
func (a *App) send(ctx context.Context, r request) (int, []byte, error) {
	do, err := a.reach(ctx)
	if err != nil {
		return 0, nil, failed(err)
	}
	req, err := r.http(ctx)
	if err != nil {
		return 0, nil, failed(err)
	}
	resp, err := do(req)
	if err != nil {
		return 0, nil, failed(gone(err))
	}
	b, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close() // it was read to its end
	return resp.StatusCode, b, failed(gone(err))
}

// gone explains a connection that broke: what was sent was done whole or not
// at all, but nobody is left to say which.
func gone(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the server went away before it answered (%w); run: nodkeep doctor, and look whether the change is there", err)
}

// run sends r, prints the answer, and fails where it is an error.
func (a *App) run(ctx context.Context, r request) error {
	status, b, err := a.send(ctx, r)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return a.refuse(b)
	}
	return a.print(b)
}

// reach finds what answers. Between the moment that a server takes the folder
// and the one that its socket is there, a command waits.
func (a *App) reach(ctx context.Context) (do func(*http.Request) (*http.Response, error), err error) {
	if a.handler != nil {
		return a.here, nil
	}
	err = a.wait(ctx, func() (bool, error) {
		if a.answers() {
			t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return a.dial(ctx) }, DisableKeepAlives: true}
			do = t.RoundTrip
			return true, nil
		}
		ok, err := a.tryLock()
		if err != nil || !ok {
			return false, err
		}
		do = a.here
		return true, a.openHere()
	})
	return do, err
}

// here calls the handler in process.
func (a *App) here(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := &answered{header: http.Header{}, status: http.StatusOK}
	local(a.handler).ServeHTTP(w, r)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body)}, nil
}

// answered keeps what a handler answers.
type answered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is the header to fill.
func (w *answered) Header() http.Header { return w.header }

// WriteHeader keeps the status.
func (w *answered) WriteHeader(status int) { w.status = status }

// Write keeps the body.
func (w *answered) Write(b []byte) (int, error) { return w.body.Write(b) }

// needsFolder refuses to make a folder for a command that needs what is in it:
// its path is mistyped more often than wanted.
func (a *App) needsFolder() error {
	if a.used() || a.answers() {
		return nil
	}
	return failure{fmt.Errorf("there is no data in %s; name the folder with --dir, or begin with: %s", a.dir, a.firstAccount())}
}
