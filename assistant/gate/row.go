package gate

import (
	"context"
	"database/sql"
	"encoding/json/v2"
	"errors"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// row is a proposal as the database holds it.
type row struct {
	ID         string `db:"id"`
	Person     string `db:"person"`
	Agent      string `db:"agent"`
	AgentName  string `db:"agent_name"`
	Model      string `db:"model"`
	Door       string `db:"door"`
	Token      string `db:"token"`
	State      string `db:"state"`
	Items      string `db:"items"` // the calls
	Shown      string `db:"shown"` // what a person is shown of them
	Digest     string `db:"digest"`
	Expires    string `db:"expires"`
	Created    string `db:"created"`
	Decided    string `db:"decided"`
	By         string `db:"by"`
	Keep       string `db:"keep"`
	Audit      string `db:"audit"`
	UndoUntil  string `db:"undo_until"`
	Reason     string `db:"reason"`
	ReplacedBy string `db:"replaced_by"`
	Scope      string `db:"scope"` // of the question; "" is none
}

// proposal reads a row.
func (g *Gate) proposal(w row) (Proposal, error) {
	p := Proposal{
		ID: w.ID, State: State(w.State), Expires: tools.ParseStamp(w.Expires), Created: tools.ParseStamp(w.Created), Decided: tools.ParseStamp(w.Decided), By: w.By,
		Actor:  tools.Actor{Person: w.Person, Door: tools.Door(w.Door), Agent: w.Agent, AgentName: w.AgentName, Model: w.Model, Token: w.Token},
		Reason: w.Reason, ReplacedBy: w.ReplacedBy,
	}
	if p.State == Pending && !g.now().Before(p.Expires) {
		p.State = Expired
	}
	if p.State == Pending {
		p.Digest = w.Digest
	}
	if err := json.Unmarshal([]byte(w.Items), &p.calls); err != nil {
		return p, err
	}
	if w.Scope != "" {
		if err := json.Unmarshal([]byte(w.Scope), &p.scope); err != nil {
			return p, err // it must not run in none
		}
	}
	if err := tools.Restore([]byte(w.Shown), &p.Items); err != nil {
		return p, err
	}
	p.Card = card(p.Items)
	if w.Keep != "" {
		if err := json.Unmarshal([]byte(w.Keep), &p.Keep); err != nil {
			return p, err
		}
	}
	if p.State != Applied {
		return p, nil
	}
	p.Receipt = &tools.Receipt{Changes: []tools.Change{}, UndoUntil: tools.ParseStamp(w.UndoUntil)}
	for _, it := range p.kept(p.Keep) {
		p.Receipt.Changes = append(p.Receipt.Changes, it.Changes...)
		p.Receipt.Cards = append(p.Receipt.Cards, it.Card)
		p.Receipt.Unseen += it.Unseen
	}
	return p, json.Unmarshal([]byte(w.Audit), &p.Receipt.Audit)
}

// noCalls are those of a proposal that has ended.
const noCalls = "[]"

// find reads one of a person's proposals. What belongs to somebody else is not
// there.
func (g *Gate) find(ctx context.Context, which dbx.HashExp) (Proposal, error) {
	var w row
	err := g.app.DB().Select("*").From(tools.ProposalsTable).Where(which).WithContext(ctx).One(&w)
	if errors.Is(err, sql.ErrNoRows) {
		return Proposal{}, tools.Fail(tools.NotFound, "gate.error.no_proposal")
	}
	if err != nil {
		return Proposal{}, err
	}
	return g.proposal(w)
}

// insert writes a new proposal, unless as many of the agent wait for its person as may.
func (g *Gate) insert(tx core.App, p *Proposal) error {
	var waiting int
	err := tx.DB().Select("count(*)").From(tools.ProposalsTable).
		Where(dbx.HashExp{"agent": p.Actor.Agent, "person": p.Actor.Person, "state": string(Pending)}).AndWhere(dbx.NewExp("expires > {:now}", dbx.Params{"now": tools.Stamp(g.now())})).Row(&waiting)
	if err != nil {
		return err
	}
	if waiting >= g.c.Pending {
		return tools.Fail(tools.Limit, "gate.error.pending", g.c.Pending)
	}
	items, err := json.Marshal(p.calls)
	if err != nil {
		return err
	}
	shown, err := tools.Store(p.Items)
	if err != nil {
		return err
	}
	scope := ""
	if p.scope != nil {
		raw, err := json.Marshal(p.scope)
		if err != nil {
			return err
		}
		scope = string(raw)
	}
	p.ID = core.GenerateDefaultRandomId()
	_, err = tx.NonconcurrentDB().Insert(tools.ProposalsTable, dbx.Params{
		"id": p.ID, "person": p.Actor.Person, "agent": p.Actor.Agent, "agent_name": p.Actor.AgentName, "model": p.Actor.Model,
		"door": string(p.Actor.Door), "token": p.Actor.Token, "state": string(Pending), "items": string(items), "shown": string(shown),
		"digest": p.Digest, "expires": tools.Stamp(p.Expires), "created": tools.Stamp(p.Created), "scope": scope,
	}).Execute()
	return err
}

// end is the one update by which a proposal ends, on whatever surface: it
// answers that this one did it.
func (g *Gate) end(tx core.App, p Proposal, to State, set dbx.Params) error {
	set["state"], set["decided"], set["form"] = string(to), tools.Stamp(g.now()), ""
	set["items"] = noCalls // what was shown stays; the calls, a file's content among them, are done with
	res, err := tx.NonconcurrentDB().Update(tools.ProposalsTable, set, dbx.And(
		dbx.HashExp{"id": p.ID, "state": string(Pending)}, dbx.NewExp("expires > {:now}", dbx.Params{"now": tools.Stamp(g.now())}),
	)).Execute()
	if err != nil {
		return err
	}
	return tools.One(res, tools.Fail(tools.Conflict, "gate.error.decided"))
}
