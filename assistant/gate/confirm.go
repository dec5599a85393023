package gate

import (
	"cmp"
	"context"
	"encoding/json/v2"
	"errors"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Preview shows what a choice of the items would do now. Its digest confirms
// just that choice.
func (g *Gate) Preview(ctx context.Context, who tools.Actor, id string, keep []int) (Proposal, error) {
	p, err := g.Proposal(ctx, who, id)
	if err != nil {
		return Proposal{}, err
	}
	if err := p.open(); err != nil {
		return p, g.run.Told(err)
	}
	places, calls, err := p.choose(keep)
	if err != nil {
		return p, g.run.Told(err)
	}
	d, err := g.draft(ctx, p.Actor, p.Card.Taint, p.scope, calls)
	if err != nil {
		return p, err
	}
	d.ID, d.Created, d.Keep = p.ID, p.Created, places
	if d.Expires.After(p.Expires) {
		d.Expires = p.Expires
	}
	return d, nil
}

// Confirm is the person's nod: it applies just what the digest was made for,
// once, whichever surface it comes from. Where the same calls would do something
// else by now, the error is of kind Stale and the proposal names its successor.
func (g *Gate) Confirm(ctx context.Context, who tools.Actor, id, digest string, keep []int) (Proposal, error) {
	p, err := g.Proposal(ctx, who, id)
	if err != nil {
		return Proposal{}, err
	}
	p, _, err = g.confirm(ctx, p, string(who.Door), digest, keep)
	return p, g.run.Told(err)
}

func (g *Gate) confirm(ctx context.Context, p Proposal, by, digest string, keep []int) (Proposal, tools.Receipt, error) {
	if err := p.open(); err != nil {
		return p, tools.Receipt{}, err
	}
	places, calls, err := p.choose(keep)
	if err != nil {
		return p, tools.Receipt{}, err
	}
	if digest == "" {
		return p, tools.Receipt{}, tools.Fail(tools.DigestRequired, "error.digest_required")
	}
	if !tools.IsDigest(digest) {
		return p, tools.Receipt{}, tools.Fail(tools.Invalid, "error.digest")
	}
	receipt, err := g.run.Nod(nodded(within(ctx, p.scope)), p.Actor, tools.Nod{
		Digest: digest, Proposal: p.ID, Note: g.c.English(tools.T("gate.note." + by)),
		Then: func(tx core.App, r tools.Receipt) error {
			audit, err := json.Marshal(r.Audit)
			if err != nil {
				return err
			}
			set := dbx.Params{"by": by, "audit": string(audit)}
			if !r.UndoUntil.IsZero() {
				set["undo_until"] = tools.Stamp(r.UndoUntil)
			}
			if places != nil {
				kept, err := json.Marshal(places)
				if err != nil {
					return err
				}
				set["keep"] = string(kept)
			}
			return g.end(tx, p, Applied, set)
		},
	}, calls...)
	if err != nil {
		err = g.unapplied(ctx, p, by, err)
	}
	now, failed := g.find(ctx, dbx.HashExp{"id": p.ID})
	if failed != nil {
		return p, receipt, errors.Join(err, failed)
	}
	g.c.Told(p.Actor.Person, p.ID)
	return now, receipt, err
}

// unapplied keeps what became of a proposal that could not be applied. What
// may work in a moment leaves it waiting.
func (g *Gate) unapplied(ctx context.Context, p Proposal, by string, why error) error {
	switch tools.KindOf(why) {
	case tools.Stale:
		return cmp.Or(g.succeed(ctx, p, by), why)
	case tools.Invalid, tools.NotFound, tools.Forbidden, tools.Conflict, tools.TooLarge:
		to, set := Failed, dbx.Params{"by": by, "reason": why.Error()}
		if own, ok := errors.AsType[*tools.Error](why); ok && len(own.Audit) > 0 {
			// The person has applied what they were shown by the tool itself.
			audit, err := json.Marshal(own.Audit)
			if err != nil {
				return err
			}
			to, set = Applied, dbx.Params{"by": by, "audit": string(audit)}
		}
		err := g.end(g.app, p, to, set)
		if err != nil && tools.KindOf(err) != tools.Conflict { // decided meanwhile: that holds
			return err
		}
	}
	return why
}

// succeed makes a proposal stale, and another of what the same calls would do
// now.
func (g *Gate) succeed(ctx context.Context, p Proposal, by string) error {
	next, err := g.draft(ctx, p.Actor, p.Card.Taint, p.scope, p.calls)
	if err != nil {
		why := g.run.Told(err)
		switch tools.KindOf(why) {
		case tools.Limit, tools.Unavailable, tools.Internal:
			return why
		}
		return g.end(g.app, p, Failed, dbx.Params{"by": by, "reason": why.Error()})
	}
	return g.replace(p, Stale, by, &next)
}

// replace ends a proposal in favour of another one, both at once.
func (g *Gate) replace(p Proposal, to State, by string, next *Proposal) error {
	err := g.app.RunInTransaction(func(tx core.App) error {
		if err := g.end(tx, p, to, dbx.Params{"by": by}); err != nil {
			return err
		}
		if err := g.insert(tx, next); err != nil {
			return err
		}
		_, err := tx.NonconcurrentDB().Update(tools.ProposalsTable, dbx.Params{"replaced_by": next.ID}, dbx.HashExp{"id": p.ID}).Execute()
		return err
	})
	if err == nil {
		g.c.Told(p.Actor.Person, next.ID)
	}
	return err
}

// open refuses a proposal that waits no more.
func (p Proposal) open() error {
	switch p.State {
	case Pending:
		return nil
	case Expired:
		return tools.Fail(tools.Expired, "gate.error.expired")
	}
	e := tools.Fail(tools.Conflict, "gate.error.decided")
	if p.Receipt != nil {
		e.Audit = p.Receipt.Audit
	}
	return e
}

// noddedKey marks a run that a person has said yes to.
type noddedKey struct{}

func nodded(ctx context.Context) context.Context { return context.WithValue(ctx, noddedKey{}, true) }

func isNodded(ctx context.Context) bool { return ctx.Value(noddedKey{}) != nil }
