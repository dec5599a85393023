package gate

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"strings"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// The answers of a client's form.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)

// Form opens a form in the agent's client for a proposal that waits, and gives
// the state that must come back with the answer. It is good once, for this
// token, tool, arguments and digest. The error is of kind Forbidden where a nod
// counts on our own surfaces only.
func (g *Gate) Form(ctx context.Context, a Agent, p Proposal, inv tools.Invocation) (state string, err error) {
	if a, err = g.again(ctx, g.app, a.Actor); err != nil {
		return "", g.run.Told(err)
	}
	if a.OwnSurfaces || g.c.Own() {
		return "", g.run.Told(tools.Fail(tools.Forbidden, "gate.error.own_surfaces"))
	}
	nonce := tools.NewSecret()
	res, err := g.app.NonconcurrentDB().Update(tools.ProposalsTable, dbx.Params{"form": nonce},
		dbx.HashExp{"id": p.ID, "agent": a.Agent, "person": a.Person, "state": string(Pending)}).WithContext(ctx).Execute()
	if err != nil {
		return "", g.run.Told(err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return "", g.run.Told(tools.Fail(tools.Conflict, "gate.error.decided").Because(err))
	}
	now, err := g.find(ctx, dbx.HashExp{"id": p.ID})
	if err != nil {
		return "", g.run.Told(err)
	}
	mac, err := g.formMAC(a, now, inv, nonce)
	if err != nil {
		return "", g.run.Told(err)
	}
	return p.ID + "." + nonce + "." + base64.RawURLEncoding.EncodeToString(mac), nil
}

// Answered takes what a client says that its person answered. An answer that
// does not belong to a form of ours, or that was given before, decides nothing
// and is refused.
func (g *Gate) Answered(ctx context.Context, a Agent, inv tools.Invocation, state, action string, yes bool, reason string) (Answer, error) {
	// As it is now: a form may have been open for long.
	now, err := g.again(ctx, g.app, a.Actor)
	if err != nil {
		return Answer{}, g.refuse(a, inv, err)
	}
	p, err := g.opened(ctx, now, inv, state)
	if err != nil {
		return Answer{}, g.refuse(a, inv, err)
	}
	switch {
	case action == Accept && yes:
		now, receipt, err := g.confirm(ctx, p, ByClient, p.Digest, nil)
		if err != nil {
			return Answer{Proposal: &now}, g.run.Told(err)
		}
		return Answer{Output: receipt.Outputs[0], Receipt: &receipt, Proposal: &now}, nil
	case action == Accept || action == Decline:
		now, err := g.discard(ctx, p, ByClient, reason)
		return Answer{Proposal: &now}, g.run.Told(err)
	}
	return Answer{Proposal: &p}, nil // it goes on waiting
}

// opened is the proposal of a form that was answered, and closes the form.
func (g *Gate) opened(ctx context.Context, a Agent, inv tools.Invocation, state string) (Proposal, error) {
	forged := func(err error) (Proposal, error) {
		return Proposal{}, tools.Fail(tools.Forbidden, "gate.error.form").Because(err)
	}
	parts := strings.Split(state, ".")
	if len(parts) != 3 || len(state) > 200 {
		return forged(nil)
	}
	if a.OwnSurfaces || g.c.Own() {
		return Proposal{}, tools.Fail(tools.Forbidden, "gate.error.own_surfaces") // since the form was opened
	}
	given, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil {
		return forged(err)
	}
	p, err := g.find(ctx, dbx.HashExp{"id": parts[0], "person": a.Person, "agent": a.Agent})
	if err != nil {
		return forged(err)
	}
	// Decided elsewhere, its digest is told no more, and the state fits nothing.
	if p.State != Pending {
		return p, p.open()
	}
	want, err := g.formMAC(a, p, inv, parts[1])
	if err != nil || !hmac.Equal(given, want) {
		return forged(err)
	}
	res, err := g.app.NonconcurrentDB().Update(tools.ProposalsTable, dbx.Params{"form": ""},
		dbx.HashExp{"id": p.ID, "form": parts[1], "state": string(Pending)}).WithContext(ctx).Execute()
	if err != nil {
		return Proposal{}, err
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return forged(err)
	}
	return p, nil
}

// Card gives the state of a call whose person is sent to our own card. It
// decides nothing, and says which call the answer is of.
func (g *Gate) Card(a Agent, p Proposal, inv tools.Invocation) (state string, err error) {
	mac, err := g.formMAC(a, Proposal{ID: p.ID}, inv, "card")
	return p.ID + "." + base64.RawURLEncoding.EncodeToString(mac), err
}

// CardOf finds the proposal by that state. It is good for the same token, tool
// and arguments alone; anything else is refused.
func (g *Gate) CardOf(a Agent, inv tools.Invocation, state string) (id string, err error) {
	id, sum, _ := strings.Cut(state, ".")
	given, err := base64.RawURLEncoding.Strict().DecodeString(sum)
	if err == nil {
		var want []byte
		if want, err = g.formMAC(a, Proposal{ID: id}, inv, "card"); err == nil && hmac.Equal(given, want) {
			return id, nil
		}
	}
	return "", g.refuse(a, inv, tools.Fail(tools.Forbidden, "gate.error.form").Because(err))
}

// formMAC binds a form to who was asked, by whom, about what.
func (g *Gate) formMAC(a Agent, p Proposal, inv tools.Invocation, nonce string) ([]byte, error) {
	var v any
	args := inv.Args
	if len(args) == 0 {
		args = jsontext.Value("{}")
	}
	if err := json.Unmarshal(args, &v); err != nil {
		return nil, err
	}
	canonical, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return g.c.Keys.MAC("form", a.Person, a.Token, p.ID, p.Digest, inv.Tool, string(canonical), nonce), nil
}
