package hooks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/nodkeep/nodkeep/assistant/mcp/bridge"
)

const (
	// lull is how long a process that stays lets others have a folder whose
	// holder went away, and yielding how long the one that it gave way to.
	lull     = 300 * time.Millisecond
	yielding = 2 * time.Second
	// finishing is how long what runs may go on when the folder is given up: as
	// long as a tool that writes may take, and shorter than others wait.
	finishing = limit + time.Second
	// leaving is the same when this process has to end.
	leaving = 500 * time.Millisecond
	// heeding is how long what must end then may take to.
	heeding = 200 * time.Millisecond
)

// passage leads a process that stays to whatever answers on its folder, for as
// long as it stays: by the socket, also where the one that answers is this
// process itself, which takes the folder only while nobody else has it.
type passage struct {
	app       *App
	transport *http.Transport
	ctx       context.Context // over when the passage is
	end       context.CancelFunc
	busy      sync.WaitGroup

	mu    sync.Mutex
	try   *attempt  // to find a way, under way
	held  *holding  // nil while another has the folder
	known bool      // there was a way once
	calm  time.Time // until then the folder is left to others
}

// attempt is what all wait for that need a way.
type attempt struct {
	done chan struct{}
	err  error
}

// holding is the folder, open in this process and answered for at the socket.
type holding struct {
	*App
	socket *doorway
	once   sync.Once
}

func (a *App) newPassage() *passage {
	p := &passage{app: a}
	p.ctx, p.end = context.WithCancel(context.Background())
	p.transport = &http.Transport{
		DialContext: p.dial,
		// A connection that was used before may break in a way that leaves open
		// whether the request arrived; and without its word to go on no body is sent.
		DisableKeepAlives: true, ExpectContinueTimeout: time.Hour,
	}
	return p
}

// do sends a request to what answers.
func (p *passage) do(r *http.Request) (*http.Response, error) { return p.transport.RoundTrip(r) }

// dial connects to what answers, once something does.
func (p *passage) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	for {
		if c, err := p.app.dial(ctx); err == nil {
			p.mu.Lock()
			p.known = true
			p.mu.Unlock()
			return c, nil
		}
		if err := p.open(ctx); err != nil {
			return nil, fmt.Errorf("%w: %w", bridge.ErrNobody, err)
		}
	}
}

// open waits until something answers.
func (p *passage) open(ctx context.Context) error {
	p.mu.Lock()
	t := p.try
	if t == nil {
		t = &attempt{done: make(chan struct{})}
		p.try = t
		p.busy.Go(func() { p.find(t) })
	}
	p.mu.Unlock()
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// find makes this process the one that answers where nobody else has the folder.
func (p *passage) find(t *attempt) {
	p.mu.Lock()
	if until := time.Now().Add(lull); p.known && p.calm.Before(until) {
		p.calm = until
	}
	p.mu.Unlock()
	t.err = p.app.wait(p.ctx, func() (bool, error) {
		if p.app.answers() {
			return true, nil
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.held != nil || time.Now().Before(p.calm) {
			return false, p.ctx.Err()
		}
		return p.hold()
	})
	p.mu.Lock()
	p.try = nil
	p.mu.Unlock()
	close(t.done)
}

// hold opens the folder in this process; the lock of p is held. An App opens a
// folder once, so each time has one of its own.
func (p *passage) hold() (bool, error) {
	ok, err := p.app.tryLock()
	if !ok || err != nil {
		return false, err
	}
	config := p.app.Config
	config.DataDir = p.app.dir
	h := &holding{App: New(config)}
	h.dir = p.app.dir
	h.lock, p.app.lock = p.app.lock, nil
	h.yield = func() { p.busy.Go(func() { p.giveUp(finishing) }) }
	if err = h.openHere(); err == nil {
		h.socket, err = h.listenLocal(h.handler)
	}
	if err != nil {
		return false, errors.Join(err, h.close())
	}
	p.held = h
	return true, nil
}

// giveUp ends what this process does with the folder, so that another can have
// it. Whoever is on the way waits for that one.
func (p *passage) giveUp(finish time.Duration) {
	p.mu.Lock()
	h := p.held
	p.mu.Unlock()
	if h == nil {
		return
	}
	h.once.Do(func() {
		h.closeLocal(h.socket, finish)
		if err := h.close(); err != nil {
			fmt.Fprintln(p.app.Stderr, err)
		}
		p.mu.Lock()
		p.held, p.calm = nil, time.Now().Add(yielding)
		p.mu.Unlock()
	})
}

// close ends the passage, and soon what others do by way of it.
func (p *passage) close() {
	p.end()
	p.mu.Lock()
	h := p.held
	p.mu.Unlock()
	if h != nil { // it may be giving up already, and take longer
		defer time.AfterFunc(leaving, h.socket.cut).Stop()
	}
	p.giveUp(leaving)
	p.busy.Wait()
}
