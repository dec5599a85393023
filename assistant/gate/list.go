package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// Decided is every state but Pending, for a Query.
const Decided State = "decided"

// Query narrows a list of proposals. Cursor is the Next of the page before;
// Limit is 50 unless given, 200 at most.
type Query struct {
	State, Agent, Cursor string
	Limit                int
}

// Page is proposals, newest first, and the cursor of the next page.
type Page struct {
	Items []Proposal `json:"items"`
	Next  string     `json:"next"`
}

// Proposal gives one of a person's proposals.
func (g *Gate) Proposal(ctx context.Context, who tools.Actor, id string) (Proposal, error) {
	if err := g.person(who); err != nil {
		return Proposal{}, err
	}
	p, err := g.find(ctx, dbx.HashExp{"id": id, "person": who.Person})
	return p, g.run.Told(err)
}

// Proposals lists a person's proposals.
func (g *Gate) Proposals(ctx context.Context, who tools.Actor, q Query) (Page, error) {
	page, err := g.list(ctx, who, q)
	return page, g.run.Told(err)
}

func (g *Gate) list(ctx context.Context, who tools.Actor, q Query) (Page, error) {
	if err := g.person(who); err != nil {
		return Page{}, err
	}
	limit := min(q.Limit, 200)
	if limit <= 0 {
		limit = 50
	}
	sel := g.app.DB().Select("*").From(tools.ProposalsTable).Where(dbx.HashExp{"person": who.Person}).
		OrderBy("created DESC", "id DESC").Limit(int64(limit + 1)).WithContext(ctx)
	now := dbx.Params{"now": tools.Stamp(g.now())}
	switch state := State(q.State); {
	case state == "":
	case state == Pending:
		sel.AndWhere(dbx.NewExp("state = 'pending' AND expires > {:now}", now))
	case state == Expired:
		sel.AndWhere(dbx.NewExp("(state = 'expired' OR (state = 'pending' AND expires <= {:now}))", now))
	case state == Decided:
		sel.AndWhere(dbx.NewExp("(state <> 'pending' OR expires <= {:now})", now))
	case slices.Contains([]State{Applied, Discarded, Stale, Replaced, Failed}, state):
		sel.AndWhere(dbx.HashExp{"state": q.State})
	default:
		return Page{}, tools.Fail(tools.Invalid, "gate.error.state", tools.Quoted(q.State, 40))
	}
	if q.Agent != "" {
		sel.AndWhere(dbx.HashExp{"agent": q.Agent})
	}
	if q.Cursor != "" {
		created, id, ok := strings.Cut(q.Cursor, "_")
		created = strings.Replace(created, "T", " ", 1)
		if !ok || tools.ParseStamp(created).IsZero() {
			return Page{}, tools.Fail(tools.Invalid, "error.cursor")
		}
		sel.AndWhere(dbx.NewExp("(created < {:created} OR (created = {:created} AND id < {:id}))", dbx.Params{"created": created, "id": id}))
	}
	var rows []row
	if err := sel.All(&rows); err != nil {
		return Page{}, err
	}
	page := Page{Items: []Proposal{}}
	for i, w := range rows {
		if i == limit {
			last := rows[i-1]
			page.Next = strings.Replace(last.Created, " ", "T", 1) + "_" + last.ID // fit for an address as it is
			break
		}
		p, err := g.proposal(w)
		if err != nil {
			return Page{}, err
		}
		page.Items = append(page.Items, p)
	}
	return page, nil
}

// Waiting counts what waits for a person.
func (g *Gate) Waiting(ctx context.Context, who tools.Actor) (n int, err error) {
	if err := g.person(who); err != nil {
		return 0, err
	}
	err = g.app.DB().Select("count(*)").From(tools.ProposalsTable).Where(dbx.HashExp{"person": who.Person, "state": string(Pending)}).
		AndWhere(dbx.NewExp("expires > {:now}", dbx.Params{"now": tools.Stamp(g.now())})).WithContext(ctx).Row(&n)
	return n, g.run.Told(err)
}

// Mode is what whoever made a proposal may do without a nod by now. An error is
// why it may not act any more: what it asked for cannot be confirmed then.
func (g *Gate) Mode(ctx context.Context, p Proposal) (Mode, error) {
	a, err := g.again(ctx, g.app, p.Actor)
	return a.Mode, g.run.Told(err)
}

// Status gives an agent one of its own proposals, without what only people are
// shown.
func (g *Gate) Status(ctx context.Context, a Agent, id string) (Proposal, error) {
	p, err := g.find(ctx, dbx.HashExp{"id": id, "person": a.Person, "agent": a.Agent})
	p.Digest = ""
	return p, g.run.Told(err)
}

// person refuses whoever is not a member in person.
func (g *Gate) person(who tools.Actor) error {
	if who.Agent != "" || who.Person == "" || who.Door == tools.DoorDashboard {
		return g.run.Told(tools.Fail(tools.Forbidden, "gate.error.person"))
	}
	return nil
}
