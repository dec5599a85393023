package tools

import (
	"fmt"
	"maps"

	"github.com/pocketbase/pocketbase/core"
)

// maxAbove is how many relations a rule is followed upwards into the past: a
// charge, its subscription, what that belongs to.
const maxAbove = 3

// asItWas gives the world after an entry and before it, as far as the records
// of nets and those they link to go: what was journaled since is taken back.
func (r *Runner) asItWas(rd *Reader, seq int64, nets []step, whole map[string]map[string]any, gone ghosts) (then, prior ghosts, err error) {
	p := past{runner: r, reader: rd, whole: maps.Clone(whole), states: map[string]map[string]any{}, gone: ghosts{}}
	p.haunt(gone)
	if err := p.reach(seq, nets); err != nil {
		return nil, nil, err
	}
	then = p.world(nil)
	before := map[string]map[string]any{}
	for _, s := range nets {
		if s.Op == OpDelete {
			// As it was, whatever has its id since.
			before[s.key()] = s.Before
		}
		if s.Op != OpUpdate {
			continue
		}
		state := maps.Clone(p.state(s.key()))
		if state == nil {
			continue
		}
		maps.Copy(state, s.Before)
		before[s.key()] = state
	}
	return then, p.world(before), nil
}

// reach rebuilds the records of nets, and those they linked to, as they were
// after an entry.
func (p *past) reach(seq int64, nets []step) (err error) {
	if p.at, err = p.reader.run.since.begin(p, seq); err != nil {
		return err
	}
	level := make([]step, 0, len(nets))
	for _, s := range nets {
		level = append(level, step{Collection: s.Collection, ID: s.ID})
	}
	seen := map[string]bool{}
	for depth := 0; depth < maxAbove && len(level) > 0; depth++ {
		for _, s := range level {
			seen[s.key()] = true
		}
		if level, err = p.rebuild(level, seen); err != nil {
			return err
		}
	}
	return nil
}

// past rebuilds records as they were at an entry.
type past struct {
	runner *Runner
	reader *Reader
	at     int64                     // the last step that is not taken back, by its place in the journal
	whole  map[string]map[string]any // as they are now, or were when they went
	states map[string]map[string]any // as they were then, where that differs
	gone   ghosts
}

func (p *past) haunt(more ghosts) {
	for name, records := range more {
		p.gone[name] = append(p.gone[name], records...)
	}
}

func (p *past) state(key string) map[string]any {
	if s := p.states[key]; s != nil {
		return s
	}
	return p.whole[key]
}

// rebuild takes back what was journaled of the records since, and gives those
// that they linked to.
func (p *past) rebuild(level []step, seen map[string]bool) (above []step, err error) {
	var unknown []step
	ids := map[string][]string{}
	for _, s := range level {
		ids[s.Collection] = append(ids[s.Collection], s.ID)
		if p.whole[s.key()] == nil {
			unknown = append(unknown, s)
		}
	}
	if len(unknown) > 0 {
		whole, gone, err := p.runner.wholeRecords(p.reader, unknown)
		if err != nil {
			return nil, err
		}
		for key, values := range whole {
			if p.whole[key] == nil {
				p.whole[key] = values
			}
		}
		p.haunt(gone)
	}
	for name, list := range ids {
		if err := p.since(name, list); err != nil {
			return nil, err
		}
	}
	for _, s := range level {
		for _, link := range p.links(s) {
			if !seen[link.key()] {
				seen[link.key()] = true
				above = append(above, link)
			}
		}
	}
	return above, nil
}

// since overlays what the records of a collection held before the first of
// their later steps that changed it.
func (p *past) since(name string, ids []string) error {
	keys, err := p.reader.run.since.read(p, name, ids)
	if err != nil {
		return err
	}
	for _, key := range keys {
		state := maps.Clone(p.whole[key])
		if state == nil {
			continue
		}
		if err := p.reader.run.since.overlay(key, state); err != nil {
			return err
		}
		p.states[key] = state
	}
	return nil
}

// links are the records that one linked to then. Accounts have no past here.
func (p *past) links(s step) []step {
	col, err := p.runner.app.FindCachedCollectionByNameOrId(s.Collection)
	if err != nil {
		return nil
	}
	var all []step
	for _, f := range col.Fields {
		rel, ok := f.(*core.RelationField)
		if !ok {
			continue
		}
		to, err := p.runner.app.FindCachedCollectionByNameOrId(rel.CollectionId)
		if err != nil || to.IsAuth() {
			continue
		}
		for id := range listed(p.state(s.key())[rel.Name]) {
			all = append(all, step{Collection: to.Name, ID: id})
		}
	}
	return all
}

// world is the ghosts of that time; those in over stand before the others.
func (p *past) world(over map[string]map[string]any) ghosts {
	was := ghosts{}
	for name, records := range p.gone {
		for _, rec := range records {
			key := fmt.Sprint(name, "/", rec[core.FieldNameId])
			if p.states[key] == nil && over[key] == nil {
				was[name] = append(was[name], rec)
			}
		}
	}
	add := func(key string, state map[string]any) {
		for i := range len(key) {
			if key[i] == '/' {
				was[key[:i]] = append(was[key[:i]], state)
				return
			}
		}
	}
	for key, state := range p.states {
		if state != nil && over[key] == nil {
			add(key, state)
		}
	}
	for key, state := range over {
		add(key, state)
	}
	return was
}

// without leaves out what the entry itself deleted: it is in the world before
// it, not in the one after.
func (g ghosts) without(nets []step) ghosts {
	deleted := map[string]bool{}
	for _, s := range nets {
		if s.Op == OpDelete {
			deleted[s.key()] = true
		}
	}
	if len(deleted) == 0 {
		return g
	}
	rest := ghosts{}
	for name, records := range g {
		for _, rec := range records {
			if !deleted[fmt.Sprint(name, "/", rec[core.FieldNameId])] {
				rest[name] = append(rest[name], rec)
			}
		}
	}
	return rest
}
