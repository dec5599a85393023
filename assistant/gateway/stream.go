package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// DefaultOutput is how many tokens an answer may have unless a request says.
const DefaultOutput = 8192

// Stream asks, again where that is worth it and nothing was shown yet.
func (p *provider) Stream(ctx context.Context, r Request, show func(Delta)) (res Result, err error) {
	if r.MaxOutput <= 0 {
		r.MaxOutput = DefaultOutput
	}
	begun, pace := p.c.Now(), pace{watched: p.c.Observer != nil}
	if p.c.Observer != nil {
		var over func(Outcome)
		ctx, over = p.c.Observer.Begin(ctx, Info{Protocol: p.c.Protocol, Host: p.target.Host, Model: p.c.Model, MaxOutput: r.MaxOutput, Effort: r.Effort, Stream: !r.Whole})
		defer func() { over(Outcome{Result: res, Err: err, Took: p.c.Now().Sub(begun), Gaps: pace.gaps}) }()
	}
	seen := func(d Delta) {
		pace.step(p.c.Now().Sub(begun))
		show(d)
	}
	repaired := map[string]int{}
	for attempts, repeats := 1, 0; ; attempts++ {
		t := p.aim()
		res, err = p.once(ctx, r, t, seen)
		p.tidy(&res)
		res.Attempts, res.First = attempts, pace.first
		e, ok := errors.AsType[*Error](err)
		if !ok {
			if err != nil {
				res.Finish = Failed
			}
			return res, err
		}
		p.clean(e, r)
		p.note(e, attempts)
		switch {
		case e.AfterContent:
			return res, e
		case p.repair(r, t, e, repaired):
		case !e.Retryable || repeats == maxRepeats:
			return res, e
		default:
			wait, ok := pause(e, repeats)
			if !ok {
				return res, e
			}
			if err := p.c.Sleep(ctx, wait); err != nil {
				return res, err
			}
			repeats++
		}
	}
}

// note logs what a host said: for whoever looks for the reason, never to people.
func (p *provider) note(e *Error, attempt int) {
	p.c.Log.Warn("a model's host did not answer", "host", p.target.Host, "model", p.c.Model, "kind", string(e.Kind), "status", e.Status, "code", e.Code,
		"request_id", e.RequestID, "attempt", attempt, "message", e.Message)
}

// once makes one attempt.
func (p *provider) once(ctx context.Context, r Request, t target, show func(Delta)) (Result, error) {
	body, err := p.speech.encode(r, t)
	if err != nil {
		return Result{Finish: Failed}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	meter := &metered{ctx: ctx, meter: r.Meter}
	var spent Spent // whatever goes wrong from here on, its bytes may have left
	defer func() { meter.settle(spent) }()

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, nil)
	if err != nil {
		return Result{Finish: Failed}, err
	}
	req.Body, req.ContentLength = meter.body(body), int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return meter.body(body), nil }
	req.Header = p.headers(r, t, p.c.Key)

	watch := time.AfterFunc(p.c.First, func() { cancel(errSilent) })
	defer watch.Stop()
	endless := time.AfterFunc(p.c.Longest, func() { cancel(errEndless) })
	defer endless.Stop()
	resp, err := p.client.Do(req)
	if err != nil {
		return Result{Finish: Failed}, p.unreachable(ctx, meter, err)
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	id := requestID(resp.Header)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // what came explains it best
		e := classify(resp.StatusCode, resp.Header, said)
		spent = p.denied(resp.StatusCode, said, t)
		return Result{Finish: Failed, RequestID: id}, e
	}

	a := &answer{show: show}
	switch resp.Header.Get("Content-Encoding") {
	case "", "identity":
	default:
		a.odd = true // nobody asked for it to be packed, and so nobody reads it
	}
	in := newIntake(a, p.speech.decoder(t, a))
	broke := p.take(resp.Body, in, watch)
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSilent) {
		in.stop()
		spent = a.spent(false)
		res, _ := a.result(t)
		res.Finish, res.RequestID, res.Calls, res.Raw = Failed, id, nil, nil
		return res, context.Cause(ctx)
	}
	in.end()
	res, failed := a.result(t)
	spent = a.spent(failed == nil || failed.Kind == Empty)
	res.RequestID = id
	if failed == nil {
		return res, nil
	}
	failed.RequestID, failed.cause = cmp.Or(failed.RequestID, id), cmp.Or(failed.cause, broke)
	if failed.Kind == Truncated && errors.Is(context.Cause(ctx), errSilent) {
		failed.Message, failed.Retryable = context.Cause(ctx).Error(), !errors.Is(context.Cause(ctx), errEndless)
	}
	return res, failed
}

// headers are those of a request.
func (p *provider) headers(r Request, t target, key string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept-Encoding", "identity") // what is packed comes in lumps
	if !r.Whole {
		h.Set("Accept", "text/event-stream, application/json")
	}
	p.speech.headers(h, r, t, key)
	return h
}

// errSilent ends a request to a host that says nothing any more.
var errSilent = errors.New("the host did not answer in time")

// errEndless ends one to a host that says a little now and then, and never all:
// what was held for it would be for ever.
var errEndless = fmt.Errorf("%w: there was no end to it", errSilent)

// take reads the answer to its end, or to where it broke off.
func (p *provider) take(body io.Reader, in *intake, watch *time.Timer) error {
	buf := make([]byte, 4<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			watch.Reset(p.c.Idle)
			if err := in.add(buf[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// unreachable says why there was no answer at all.
func (p *provider) unreachable(ctx context.Context, m *metered, err error) error {
	if no := m.no(); no != nil {
		return no
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errSilent) {
		return cause
	} else if cause != nil {
		err = cause
	}
	return &Error{Kind: Unreachable, Message: err.Error(), Retryable: true, cause: err}
}
