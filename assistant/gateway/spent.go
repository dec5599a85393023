package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"net/http"
)

// spent is what the attempt cost, as far as the host said. One that ended with
// an error before anything came was not billed; of one that broke off only the
// least is known, and of one that was told in full but for its length as well.
func (a *answer) spent(whole bool) Spent {
	s := Spent{Usage: a.usage, Billed: a.billed, Cost: a.cost, Cut: !whole}
	if s.Usage != nil && s.Usage.Output == 0 && a.told() {
		s.Cut = true
	}
	s.Unbilled = a.err != nil && a.err.Kind != Truncated && !a.begun && !a.odd && a.usage == nil && !a.told()
	return s
}

// told says that something of the answer came.
func (a *answer) told() bool { return a.text.Len() > 0 || a.reasoning.Len() > 0 || len(a.calls) > 0 }

// garbled is an answer of which we can make nothing: its host wrote it, and lets
// it be paid.
func (a *answer) garbled(err *Error) {
	a.odd = true
	a.fail(err)
}

// denied is what a request cost that was answered with an error: nothing, unless
// whoever stands before the host only waited no longer for it, or the error has an
// answer with it.
func (p *provider) denied(status int, said []byte, t target) Spent {
	a := &answer{show: func(Delta) {}}
	in := newIntake(a, p.speech.decoder(t, a))
	_ = in.add(said) // it is short
	in.end()
	s := a.spent(false)
	s.Unbilled = status != http.StatusGatewayTimeout && status != cloudflareTimeout && s.Usage == nil && !a.begun && !a.told()
	return s
}

// cloudflareTimeout is that of Cloudflare, for http.StatusGatewayTimeout.
const cloudflareTimeout = 524

// counts says that an error has counts of what was used beside it.
func counts(v jsontext.Value) bool {
	var of struct {
		Usage jsontext.Value `json:"usage"`
	}
	return lenient(v, &of) == nil && of.Usage.Kind() == '{' && bytes.ContainsAny(of.Usage, "123456789")
}
