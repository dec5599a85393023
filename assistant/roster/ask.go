package roster

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Asked is an assistant as one person asks it, and stays as it was found: what
// an operator changes meanwhile holds from the next question on. Whether the
// person may ask it, and has agreed to its host, is looked up with each request.
type Asked struct {
	Assistant
	r        *Roster
	person   string
	provider gateway.Provider
}

var _ gateway.Provider = Asked{}

// For gives an assistant as a person asks it. It is the one way to ask in a
// person's name, so that nobody can forget what belongs to that.
func (r *Roster) For(ctx context.Context, person, id string) (Asked, error) {
	switch {
	case r.c.Meter == nil:
		return Asked{}, errors.New("nothing counts what assistants cost")
	case person == "":
		return Asked{}, tools.Fail(tools.Forbidden, "budget.error.person")
	}
	a, err := r.Get(ctx, id)
	if err != nil {
		return Asked{}, err
	}
	p, err := r.provider(a)
	return Asked{a, r, person, p}, err
}

// Stream asks as gateway.Provider says, with what a caller must not say itself:
// what it may cost at most is held for the person before it leaves, its effort
// is within the assistant's ceiling, and the host is told an id that means
// nothing anywhere else. What refuses it is a *budget.Reached where a limit
// would be passed, and a tools.Error where the person may not ask; Problem makes
// either into what a door answers.
func (a Asked) Stream(ctx context.Context, r gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
	switch {
	case !a.Images && slices.ContainsFunc(r.Messages, has(gateway.Image)):
		return gateway.Result{Finish: gateway.Failed}, tools.Fail(tools.Invalid, "roster.say.no_images", a.Name)
	case !a.PDFs() && slices.ContainsFunc(r.Messages, has(gateway.PDF)):
		return gateway.Result{Finish: gateway.Failed}, tools.Fail(tools.Invalid, "roster.say.no_pdf", a.Name)
	}
	r.Effort = a.Within(r.Effort)
	r.Person = a.r.Person(a.person)
	r.CacheKey = a.r.opaque("assistant cache", a.ID, r.CacheKey)
	r.Meter = a.r.c.Meter(a.person, a.Assistant, r)
	return a.provider.Stream(ctx, r, show)
}

// has finds messages that show something of a kind.
func has(kind gateway.Media) func(gateway.Message) bool {
	return func(m gateway.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p gateway.Part) bool { return p.Media == kind })
	}
}

// opaque is an id that tells nobody what it is of.
func (r *Roster) opaque(parts ...string) string { return hex.EncodeToString(r.c.Keys.MAC(parts...)) }
