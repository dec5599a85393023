package bridge

import (
	"cmp"
	"context"
	"encoding/json/jsontext"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

// maxTries is how often a message is sent that nobody reads.
const maxTries = 5

// flight is a message under way.
type flight struct {
	message
	ctx     context.Context
	cancel  context.CancelFunc
	session string      // that the answer to an initialize opens
	owner   *session    // of the request that a response of the client answers
	due     []string    // the ids still to be answered
	asked   []string    // what the handler asks the client by way of it
	heard   bool        // the first notice of a stream was passed on
	hushed  atomic.Bool // the client waits no more
}

// carry sends a message on its way, in the order that matters: what others rely
// on, the beginning of a session and every notice, is through before the next.
func (b *Bridge) carry(m message) {
	if m.method == "notifications/cancelled" && b.cancelled(m.about) {
		return
	}
	f := &flight{message: m, due: slices.Clone(m.wants())}
	f.ctx, f.cancel = context.WithCancel(b.ctx)
	b.mu.Lock()
	before, through := b.last, (chan struct{})(nil)
	if m.leads() {
		through = make(chan struct{})
		b.last = through
	}
	full := b.count >= maxBusy
	if m.method == "" {
		f.owner = b.asked[m.id]
		delete(b.asked, m.id)
	}
	if !full {
		b.count++
		for _, id := range f.due {
			b.flying[id] = f
		}
	}
	b.mu.Unlock()
	if full {
		f.cancel()
		b.refuseAll(m, codeInternal, errBusy)
		if through != nil {
			close(through)
		}
		return
	}
	b.busy.Go(func() {
		select {
		case <-before:
		case <-f.ctx.Done():
		}
		b.fly(f)
		if through != nil {
			close(through)
		}
		b.land(f)
	})
}

// land forgets a message that is through.
func (b *Bridge) land(f *flight) {
	f.cancel()
	b.mu.Lock()
	b.count--
	for _, id := range f.wants() {
		if b.flying[id] == f {
			delete(b.flying, id)
		}
	}
	var open []string
	for _, id := range f.asked {
		if b.asked[id] != nil {
			delete(b.asked, id)
			open = append(open, id)
		}
	}
	b.mu.Unlock()
	b.takeBack(open)
}

// takeBack tells the client of requests that nobody waits for any more.
func (b *Bridge) takeBack(asked []string) {
	for _, id := range asked {
		b.notify("notifications/cancelled", map[string]any{"requestId": jsontext.Value(id), "reason": "the request that needed the answer has ended"})
	}
}

// cancelled ends a request of the new generation, where the end of its POST is
// what says so, and says whether that was all. In the old one it is only told.
func (b *Bridge) cancelled(id string) bool {
	b.mu.Lock()
	f, old := b.flying[id], b.session != nil
	b.mu.Unlock()
	if f == nil {
		return !old // it was answered already
	}
	f.hushed.Store(true)
	if f.modern() {
		f.cancel()
	}
	return f.modern()
}

// fly sends a message until it arrives, and passes on what is answered.
func (b *Bridge) fly(f *flight) {
	err := b.deliver(f)
	if err == nil && len(f.due) > 0 {
		err = errLost
	}
	if err == nil || f.hushed.Load() || b.ctx.Err() != nil {
		return // nobody waits for more
	}
	for _, id := range f.due {
		b.refuse(id, codeInternal, err)
	}
	if len(f.wants()) == 0 {
		b.Log.Warn("a message did not arrive", "method", f.method, "error", err)
	}
}

// deliver sends a message, again where it was surely not read, or where that
// does no harm and nothing was answered.
func (b *Bridge) deliver(f *flight) (err error) {
	for try := range maxTries {
		select {
		case <-f.ctx.Done():
			return f.ctx.Err()
		case <-time.After(time.Duration(try) * 50 * time.Millisecond):
		}
		s := b.current(f)
		if s == nil && !f.modern() && !f.first {
			return errUnbegun
		}
		if f.method == "" && !f.batch && (f.owner == nil || f.owner != s) {
			return nil // it answers a session that is no more
		}
		var read bool
		var resp *http.Response
		if resp, read, err = b.post(f.ctx, f.message, s); err != nil {
			if errors.Is(err, ErrNobody) {
				return err
			}
			if read && !f.repeatable() {
				return errLost
			}
			continue
		}
		content := resp.Body
		if gone(resp, s) {
			_ = content.Close() // it was read
			if err = b.again(s); errors.Is(err, ErrNobody) || errors.Is(err, ErrRefused) {
				return err
			}
			continue
		}
		whole := len(f.due)
		f.session = resp.Header.Get("Mcp-Session-Id")
		err = b.receive(f, resp, s)
		_ = content.Close() // it was read as far as it goes
		switch {
		case err == nil && len(f.due) == 0:
			b.follow(f.message, s)
			return nil
		case errors.Is(err, ErrRefused) || len(f.due) < whole:
			return err
		case !f.repeatable():
			return errLost
		}
	}
	return cmp.Or(err, errSilent)
}
