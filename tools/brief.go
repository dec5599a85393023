package tools

import (
	"context"
	"fmt"
)

// Brief collects what the plugins say of the present state, in their order, as
// the person sees it. One that fails fails the whole; the log names it.
func (r *Runner) Brief(ctx context.Context, a Actor) ([]Text, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return nil, r.told(err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.c.ReadLimit)
	defer cancel()
	all := []Text{}
	for _, p := range r.reg.plugins {
		b, ok := p.(Briefer)
		if !ok {
			continue
		}
		err := guard(func() error {
			rd := r.reader(ctx, r.app, a, person)
			rd.scope = scopeOf(ctx)
			said, err := b.Brief(rd)
			if err == nil {
				err = r.foreign(ctx, a, rd.run)
			}
			all = append(all, said...)
			return err
		})
		if err != nil {
			r.c.Log.Warn("a briefing failed", "plugin", p.Name(), "kind", KindOf(err))
			return nil, r.told(fmt.Errorf("briefing of %s: %w", p.Name(), err))
		}
	}
	return all, nil
}
