// Package bridge carries MCP between standard input and output and an HTTP
// handler: each line that comes in is a POST, what is answered goes out as
// lines. It knows nothing of tools; both ends are MCP of any generation.
//
// What it answers for outlives the handler: when that goes away and another
// takes its place, a session is begun anew with what the client had said at its
// beginning. A message is sent again only if it was surely not read, or if it
// only asks for something.
package bridge

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const (
	// maxLine is what the handler takes as one message, in bytes.
	maxLine = 4 << 20
	// maxBusy is how many messages may be under way at a time.
	maxBusy = 1000
	// grace is how long answers may still come once the input has ended, and
	// parting how long the goodbye may take.
	grace   = 500 * time.Millisecond
	parting = 200 * time.Millisecond
)

var (
	// ErrRefused says that the handler does not take the token.
	ErrRefused = errors.New("the token is not accepted")
	// ErrNobody says that there is no handler to be had.
	ErrNobody = errors.New("nothing answers")
)

// Config of a Bridge. All but Log are needed.
type Config struct {
	// Do sends a request. It waits for a handler, and fails with ErrNobody where
	// there is none to be had. It must heed Expect: 100-continue, by which the bridge knows
	// whether the body was read.
	Do      func(*http.Request) (*http.Response, error)
	URL     string // of the handler
	Token   string // the bearer
	In      io.Reader
	Out     io.Writer    // gets nothing but messages, each in one Write
	Refused string       // what a client is told when the token is refused
	Log     *slog.Logger // nil for none
}

// Bridge carries one client's messages.
type Bridge struct {
	Config
	ctx  context.Context // over when all must end
	stop context.CancelCauseFunc
	busy sync.WaitGroup

	out sync.Mutex // held for each line

	mu      sync.Mutex
	session *session                  // nil before initialize, and always in the new generation
	flying  map[string]*flight        // requests under way, by id
	asked   map[string]*session       // the handler's requests that the client has not answered, by id
	last    chan struct{}             // closed once the last message that others must follow is through
	count   int                       // of messages under way
	renew   sync.Mutex                // held while a session begins anew
	watched map[string]jsontext.Value // what was said for the session to stay, by what it speaks of
}

// New makes a Bridge.
func New(c Config) *Bridge {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	through := make(chan struct{})
	close(through)
	return &Bridge{Config: c, flying: map[string]*flight{}, asked: map[string]*session{}, watched: map[string]jsontext.Value{}, last: through}
}

// Check fails with ErrRefused if the token is refused now.
func (b *Bridge) Check(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.URL, nil)
	if err != nil {
		return err
	}
	b.head(req, nil)
	resp, err := b.Do(req)
	if err != nil {
		return err
	}
	text := said(resp)
	_ = resp.Body.Close() // only its status counts
	switch {
	case resp.StatusCode == http.StatusUnauthorized:
		return ErrRefused
	case resp.StatusCode == http.StatusForbidden:
		return errors.New(text)
	case resp.StatusCode == http.StatusNotFound:
		return errors.New("what answers there has no MCP")
	case resp.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("it answers with status %d: %s", resp.StatusCode, text)
	}
	return nil // without a session there is nothing to get
}

// Run carries messages until the input ends, which is no error, the output
// does, or ctx is over. It leaves no session behind if that can be helped.
func (b *Bridge) Run(ctx context.Context) error {
	b.ctx, b.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	defer b.stop(nil)
	ended := make(chan error, 1)
	go func() { ended <- b.read() }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	case <-b.ctx.Done(): // nobody reads any more
		err = context.Cause(b.ctx)
	}
	b.endStreams()
	done := make(chan struct{})
	go func() { b.busy.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	case <-b.ctx.Done():
	case <-time.After(grace):
	}
	b.stop(nil)
	b.leave()
	return err
}

// endStreams ends what would never end by itself.
func (b *Bridge) endStreams() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.flying {
		if f.method == "subscriptions/listen" {
			f.hushed.Store(true)
			f.cancel()
		}
	}
}

// write puts one message out, on a line of its own.
func (b *Bridge) write(message jsontext.Value) {
	line := message.Clone()
	if err := line.Compact(); err != nil { // a line break within would end it
		b.Log.Warn("the handler sent what is no JSON", "error", err)
		return
	}
	b.out.Lock()
	defer b.out.Unlock()
	if b.ctx.Err() != nil {
		return // it would come after the end
	}
	if _, err := b.Out.Write(append(line, '\n')); err != nil {
		b.stop(fmt.Errorf("write to the client: %w", err))
	}
}
