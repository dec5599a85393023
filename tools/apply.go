package tools

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// apply runs calls and commits them together with their audit entries.
func (r *Runner) apply(ctx context.Context, a Actor, n Nod, calls []call) (Receipt, error) {
	nonce, tick, digest := newNonce(), ticket{}, n.Digest
	if digest != "" {
		var err error
		if tick, err = parseTicket(digest); err != nil {
			return Receipt{}, err
		}
		nonce = tick.nonce
		// A retry is told its receipt, also when the time has run out since.
		if err := used(r.app, nonce, a); err != nil {
			return Receipt{}, err
		}
		if r.c.Now().After(tick.expires) {
			return Receipt{}, Fail(Expired, "error.digest_expired")
		}
	}
	var receipt Receipt
	committed, err := r.transact(ctx, attempt{
		actor: a, names: r.names(nonce), restoring: calls[0].kind == kindUndo, calls: calls,
		before: func(tx core.App) error {
			if digest == "" {
				return nil
			}
			return used(tx, nonce, a)
		},
		finish: func(o *outcome) error {
			if err := r.decide(ctx, o, a, digest, tick, calls); err != nil {
				return err
			}
			var err error
			if receipt, err = r.record(o, a, n, calls); err != nil {
				return err
			}
			if n.Then != nil {
				if err := n.Then(o.tx, receipt); err != nil {
					return err
				}
			}
			if digest != "" {
				if err := spend(o.tx, nonce, a, tick.expires, receipt.Audit); err != nil {
					return err
				}
			}
			return o.rec.storeUploads(o.tx)
		},
	})
	if !committed {
		if err == nil {
			err = errors.New("the transaction ended without a commit")
		}
		return Receipt{}, unwrapSilence(err)
	}
	if err != nil {
		// What was written stays written: the receipt is the truth.
		r.c.Log.Error("a hook failed after the commit", "tool", calls[0].Tool, "error", err)
	}
	return receipt, nil
}

// decide holds what was done against what was shown, or, without a digest,
// against what this actor may do without showing it first.
func (r *Runner) decide(ctx context.Context, o *outcome, a Actor, digest string, tick ticket, calls []call) error {
	asks, err := r.decided(ctx, o, a)
	if err != nil {
		return err
	}
	if asks && digest == "" {
		return Fail(DigestRequired, "error.digest_required")
	}
	if digest == "" {
		return nil
	}
	content, err := o.content(r, a, calls)
	if err != nil {
		return err
	}
	if !r.matches(tick, content) {
		return Fail(Stale, "error.stale")
	}
	return nil
}

// decided asks the gate about every call, as heavy as it turned out to be: an
// error where one is refused, and whether a person must see one first.
func (r *Runner) decided(ctx context.Context, o *outcome, a Actor) (asks bool, err error) {
	for _, item := range o.preview.Items {
		d, err := r.c.Decide(ctx, o.tx, a, Weight{item.Tool, item.Effect, item.Money})
		switch {
		case err != nil:
			return false, err
		case d == Ask:
			asks = true
		case d != Run:
			return false, Fail(Forbidden, "error.refused", item.Tool)
		}
	}
	return asks, nil
}

// record writes one audit entry per call and the receipt.
func (r *Runner) record(o *outcome, a Actor, n Nod, calls []call) (Receipt, error) {
	at, items := r.c.Now(), o.preview.Items
	receipt := Receipt{Outputs: o.outputs, Changes: []Change{}}
	if len(o.rec.steps) > 0 && !o.rec.accounts() {
		receipt.UndoUntil = at.AddDate(0, 0, r.c.UndoDays).Truncate(time.Second)
	}
	from := end{}
	for i, c := range calls {
		e := entry{Kind: c.kind, State: stateApplied, Actor: a, Tool: c.Tool, Effect: items[i].Effect, Args: c.kept(o.tx), Digest: n.Digest, Proposal: n.Proposal, Reason: n.Note, Undoes: c.undoes, At: at}
		steps := o.rec.steps[from.steps:o.ends[i].steps]
		move, err := r.chain.append(o.tx, &e, steps)
		if err != nil {
			return Receipt{}, err
		}
		o.rec.moves = append(o.rec.moves, move)
		if err := noteDropped(o.tx, at, steps); err != nil {
			return Receipt{}, err
		}
		from = o.ends[i]
		receipt.Audit = append(receipt.Audit, e.ID)
		receipt.Changes = append(receipt.Changes, items[i].Changes...)
		receipt.Unseen += items[i].Unseen
		receipt.Cards = append(receipt.Cards, items[i].Card)
	}
	return receipt, nil
}

// used refuses a digest that was applied before, with the receipt of that time.
func used(tx core.App, nonce string, a Actor) error {
	var audit, person string
	err := tx.DB().Select("audit", "person").From(noncesTable).Where(dbx.HashExp{"nonce": hexOf(nonce)}).Row(&audit, &person)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	e := Fail(Conflict, "error.digest_used")
	if person == a.Person {
		e.Audit = parseStrings(audit)
	}
	return e
}

// spend makes the digest good for nothing more. The unique index decides
// where two transactions came to know of it at once.
func spend(tx core.App, nonce string, a Actor, expires time.Time, audit []string) error {
	_, err := tx.NonconcurrentDB().Insert(noncesTable, dbx.Params{
		"id": core.GenerateDefaultRandomId(), "nonce": hexOf(nonce), "person": a.Person, "expires": Stamp(expires), "audit": jsonStrings(audit),
	}).Execute()
	return err
}

// refused leaves a trace of a write that was not done, in a transaction of its
// own. Asking for the card first is no refusal, and a used digest has its entry.
func (r *Runner) refused(a Actor, n Nod, invs []Invocation, err error) {
	kind := KindOf(err)
	if kind == DigestRequired || (kind == Conflict && len(errAudit(err)) > 0) {
		return
	}
	state := stateRefused
	if kind == Internal || kind == Limit || kind == Unavailable {
		state = stateFailed
	}
	reason := clip(r.reason(err), 500)
	if a.Agent != "" && n.Digest == "" {
		// An agent can ask for what it may not have as often as it likes.
		listed, last := r.refusals.note(a, r.c.Now())
		if !listed {
			return
		}
		if last {
			reason += " " + r.c.English(T("audit.refused_more"))
		}
	}
	e := entry{Kind: kindCall, State: state, Actor: a, Digest: clip(n.Digest, 200), Proposal: n.Proposal, Reason: reason, At: r.c.Now()}
	if _, err := find(r.app, Members, a.Person); KindOf(err) == Unauthorized && !a.outside() {
		// The account is gone, and with it what is kept of the person.
		e.Actor = Actor{Door: a.Door}
		invs = nil
	}
	if len(invs) > 0 {
		e.Tool = clip(invs[0].Tool, 80)
		if t := r.reg.tools[invs[0].Tool]; t != nil {
			e.Effect, e.Args = t.Effect, KeptArgs(t.concealUnknown(invs[0].Args, isAccount(r.app)))
		} else if invs[0].Tool == UndoTool {
			e.Args = KeptArgs(invs[0].Args)
		}
	}
	r.write(&e)
}

// Refuse leaves a trace of a call that a door did not let through, and gives
// the reason its English sentence. It is for what only the door can know: a
// credential that may not confirm, a body of the wrong type.
func (r *Runner) Refuse(a Actor, inv Invocation, reason error) error {
	err := r.told(reason)
	r.refused(a, Nod{}, []Invocation{inv}, err)
	return err
}

// Discarded leaves a trace of a call that a person did not want, in the
// transaction that ends its proposal.
func (r *Runner) Discarded(tx core.App, a Actor, inv Invocation, proposal, reason string) error {
	e := entry{
		Kind: kindCall, State: stateDiscarded, Actor: a, Tool: clip(inv.Tool, 80), Effect: EffectWrite, Args: KeptArgs(inv.Args),
		Proposal: proposal, Reason: reason, At: r.c.Now(),
	}
	if t := r.reg.tools[inv.Tool]; t != nil {
		e.Effect, e.Args = t.Effect, KeptArgs(t.conceal(inv.Args, isAccount(tx)))
	}
	return r.append(tx, &e, nil)
}

// write appends an entry that comes with no change.
func (r *Runner) write(e *entry) {
	err := r.app.RunInTransaction(func(tx core.App) error { return r.append(tx, e, nil) })
	if err != nil {
		r.c.Log.Error("an audit entry could not be written", "kind", e.Kind, "error", err)
	}
}

func errAudit(err error) []string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Audit
	}
	return nil
}
