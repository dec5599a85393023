package tools

import (
	"context"
	"errors"
	"slices"
	"time"
)

var errRollback = errors.New("a preview is rolled back")

// preview runs calls and rolls them back. It is silent: whoever listens for
// failed writes hears nothing of it, whatever happens inside.
func (r *Runner) preview(ctx context.Context, a Actor, calls []call) (Preview, error) {
	nonce, life := newNonce(), r.c.Ticket
	if a.Agent != "" && a.Door != DoorAssistant {
		life = r.c.Waits // nobody sits at the screen
	}
	var p Preview
	_, err := r.transact(ctx, attempt{
		actor: a, names: r.names(nonce), preview: true, restoring: calls[0].kind == kindUndo, calls: calls,
		finish: func(o *outcome) error {
			if a.Agent != "" {
				// What it may not do it is not shown either.
				if _, err := r.decided(ctx, o, a); err != nil {
					return err
				}
			}
			p = o.preview
			p.Expires = r.c.Now().Add(life).Truncate(time.Second)
			content, err := o.content(r, a, calls)
			if err != nil {
				return err
			}
			p.Digest = r.sign(nonce, p.Expires, content)
			return errRollback
		},
	})
	if !errors.Is(err, errRollback) {
		return Preview{}, r.told(unwrapSilence(err))
	}
	return p, nil
}

func (r *Runner) names(nonce string) names { return names{key: r.c.Keys.Digests, nonce: nonce} }

func unwrapSilence(err error) error {
	if s, ok := errors.AsType[*silence](err); ok {
		return s.err
	}
	return err
}

// content is the content digest of everything that the calls did.
func (o *outcome) content(r *Runner, a Actor, calls []call) (string, error) {
	nets, err := netChanges(o.tx, o.rec.steps)
	if err != nil {
		return "", err
	}
	return r.content(o.tx, a, calls, nets, o.rec.sends)
}

// describe fills in the items: what each call changed, as far as the person
// may see it, and how heavy it is.
func (r *Runner) describe(o *outcome, calls []call) error {
	from := end{}
	for i, c := range calls {
		item, err := r.item(o, c, from, o.ends[i], o.outputs[i])
		if err != nil {
			return err
		}
		o.preview.Items = append(o.preview.Items, item)
		from = o.ends[i]
	}
	return nil
}

func (r *Runner) item(o *outcome, c call, from, to end, out any) (Item, error) {
	nets, err := netChanges(o.tx, o.rec.steps[from.steps:to.steps])
	if err != nil {
		return Item{}, err
	}
	weight, err := r.weigh(o, c, nets, to.sends > from.sends)
	if err != nil {
		return Item{}, err
	}
	item := Item{Invocation: c.Invocation, Effect: weight.Effect, Money: weight.Money, Output: out, Changes: []Change{}, Sends: []string{}}
	visible, err := o.reader.visibleSteps(nets, o.rec.vouched)
	if err != nil {
		return Item{}, err
	}
	if err := o.reader.nameGone(o.tx, nets, visible); err != nil {
		return Item{}, err
	}
	for i, s := range nets {
		if !visible[i] {
			item.Unseen++
			continue
		}
		ch, err := s.change(o.tx)
		if err != nil {
			return Item{}, err
		}
		if err := o.reader.present(&ch); err != nil {
			return Item{}, err
		}
		o.reader.run.refs[s.key()] = ch.Label // what others link to needs no look-up
		item.Changes = append(item.Changes, ch)
	}
	if c.kind == kindUndo {
		// As it was done, not as it is taken back: what others hang on first.
		slices.Reverse(item.Changes)
	}
	for _, m := range o.rec.sends[from.sends:to.sends] {
		item.Sends = append(item.Sends, m.Kind)
	}
	item.Card, err = o.reader.makeCard(c, out, item.Changes, item.Unseen, item.Sends, item.Effect)
	return item, err
}

// weigh is the effect that a call really had and whether money is in it. Its
// plugin is shown every change, also what the person may not see.
func (r *Runner) weigh(o *outcome, c call, nets []step, sends bool) (Weight, error) {
	w := Weight{Tool: c.Tool, Effect: c.effect}
	all := make([]Change, len(nets))
	for i, s := range nets {
		if s.Op == OpDelete && w.Effect.weight() < EffectDestroy.weight() {
			w.Effect = EffectDestroy
		}
		ch, err := s.change(o.tx)
		if err != nil {
			return Weight{}, err
		}
		all[i] = ch
	}
	if sends {
		w.Effect = EffectSend
	}
	for _, p := range r.reg.plugins {
		if police, ok := p.(Policer); ok && police.Money(o.reader, all) {
			w.Money = true
		}
	}
	return w, nil
}
