package gate

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// maxReason bounds what a person says to a model with a discard, in characters.
const maxReason = 500

// Discard is the person's no. The reason, which may be empty, is told to the
// agent.
func (g *Gate) Discard(ctx context.Context, who tools.Actor, id, reason string) (Proposal, error) {
	p, err := g.Proposal(ctx, who, id)
	if err != nil {
		return Proposal{}, err
	}
	p, err = g.discard(ctx, p, string(who.Door), reason)
	return p, g.run.Told(err)
}

func (g *Gate) discard(ctx context.Context, p Proposal, by, reason string) (Proposal, error) {
	if err := p.open(); err != nil {
		return p, err
	}
	reason = strings.TrimSpace(strings.ToValidUTF8(reason, "\uFFFD"))
	if utf8.RuneCountInString(reason) > maxReason {
		return p, tools.Fail(tools.Invalid, "gate.error.reason", maxReason)
	}
	err := g.app.RunInTransaction(func(tx core.App) error {
		if err := g.end(tx, p, Discarded, dbx.Params{"by": by, "reason": reason}); err != nil {
			return err
		}
		for _, c := range p.calls {
			if err := g.run.Discarded(tx, p.Actor, c, p.ID, reason); err != nil {
				return err
			}
		}
		return nil
	})
	now, failed := g.find(ctx, dbx.HashExp{"id": p.ID})
	if failed != nil {
		return p, failed
	}
	if err == nil {
		g.c.Told(p.Actor.Person, p.ID)
	}
	return now, err
}

// DiscardAll is a no to everything of an agent that waits. It answers how many
// proposals that were.
func (g *Gate) DiscardAll(ctx context.Context, who tools.Actor, agent string) (int, error) {
	if err := g.person(who); err != nil {
		return 0, err
	}
	if agent == "" {
		return 0, g.run.Told(tools.Fail(tools.Invalid, "gate.error.which_agent"))
	}
	var rows []row
	err := g.app.DB().Select("*").From(tools.ProposalsTable).OrderBy("created").WithContext(ctx).
		Where(dbx.HashExp{"person": who.Person, "agent": agent, "state": string(Pending)}).All(&rows)
	if err != nil {
		return 0, g.run.Told(err)
	}
	n := 0
	for _, w := range rows {
		p, err := g.proposal(w)
		if err == nil {
			_, err = g.discard(ctx, p, string(who.Door), "")
		}
		switch kind := tools.KindOf(err); {
		case err == nil:
			n++
		case kind == tools.Conflict || kind == tools.Expired: // it ended meanwhile
		default:
			return n, g.run.Told(err)
		}
	}
	return n, nil
}
