package tools

import (
	"context"
	"fmt"
	"slices"
)

// Brief collects what the plugins say of the present state, in their order, as
// the person sees it. One that fails fails the whole; the log names it. What was
// made in the same quarter of an hour is given again, unless a record changed
// since.
func (r *Runner) Brief(ctx context.Context, a Actor) ([]Text, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return nil, r.told(err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.c.ReadLimit)
	defer cancel()
	key, keeps := briefOf(ctx, a)
	now := r.c.Now()
	is, changes, there := r.briefs.get(key, now)
	if !keeps || !there {
		rd := r.reader(ctx, r.app, a, person)
		rd.scope = scopeOf(ctx)
		if is.said, err = r.brief(rd); err != nil {
			return nil, r.told(err)
		}
		is.foreign, is.until = rd.run.foreign, now.Truncate(briefFor).Add(briefFor)
		if keeps {
			r.briefs.put(key, is, changes)
		}
	}
	if err := r.foreign(ctx, a, is.foreign); err != nil {
		return nil, r.told(err)
	}
	return slices.Clone(is.said), nil
}

// brief asks the plugins.
func (r *Runner) brief(rd *Reader) ([]Text, error) {
	all := []Text{}
	for _, p := range r.reg.plugins {
		b, ok := p.(Briefer)
		if !ok {
			continue
		}
		err := guard(func() error {
			said, err := b.Brief(rd)
			all = append(all, said...)
			return err
		})
		if err != nil {
			r.c.Log.Warn("a briefing failed", "plugin", p.Name(), "kind", KindOf(err))
			return nil, fmt.Errorf("briefing of %s: %w", p.Name(), err)
		}
	}
	return all, nil
}
