package tools

import (
	"context"
	"slices"

	"github.com/pocketbase/pocketbase/core"
)

// What a question names at most, and what it then reaches.
const (
	maxRefs  = 50
	maxReach = 1000
)

// The reaches of a question.
const (
	reachAll    = "all"
	reachTicked = "ticked"
	reachRecord = "record"
	reachTree   = "tree"
)

// Scope resolves what a question is about: all, or "", is everything; ticked and
// record are the records that it names and what these name by their relations;
// tree is that and the records that name them. Records that the person may not
// see are not found, as those that are none. A private one is refused unless
// private records are switched on, and so is what reaches further than 1,000.
func (r *Runner) Scope(ctx context.Context, a Actor, of string, refs []Ref, private bool) (Scope, error) {
	s := Scope{Private: private}
	rd, err := r.scoped(ctx, a, nil)
	if err == nil {
		s.Only, err = r.reach(rd, of, refs, private)
	}
	if err != nil {
		return Scope{}, r.told(err)
	}
	return s, nil
}

// Named gives the name of each record, as cards have it: of those in the scope
// of the context.
func (r *Runner) Named(ctx context.Context, a Actor, refs []Ref) ([]Words, error) {
	rd, err := r.scoped(ctx, a, scopeOf(ctx))
	if err == nil && len(refs) > maxRefs {
		err = Fail(Invalid, "error.scope_many", maxRefs)
	}
	names := make([]Words, 0, len(refs))
	for i := 0; i < len(refs) && err == nil; i++ {
		var name Words
		name, err = r.nameRef(rd, refs[i])
		names = append(names, name)
	}
	if err != nil {
		return nil, r.told(err)
	}
	return names, nil
}

// scoped is a Reader of the person with a scope.
func (r *Runner) scoped(ctx context.Context, a Actor, s *Scope) (*Reader, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return nil, err
	}
	rd := r.reader(ctx, r.app, a, person)
	rd.scope = s
	return rd, nil
}

func (r *Runner) nameRef(rd *Reader, ref Ref) (Words, error) {
	rec, err := r.refer(rd, ref)
	if err != nil {
		return Words{}, err
	}
	values, err := export(rec)
	return rd.label(r.reg.ownerOf(ref.Collection), rec.Collection(), values), err
}

// refer finds what a question names: a record of a plugin.
func (r *Runner) refer(rd *Reader, ref Ref) (*core.Record, error) {
	if r.askable(ref.Collection) {
		rec, err := rd.Find(ref.Collection, ref.ID)
		if err == nil || KindOf(err) != NotFound {
			return rec, err
		}
	}
	return nil, Fail(NotFound, "error.not_found", Quoted(ref.Collection, 60), Quoted(ref.ID, 60))
}

// askable says that a collection holds what questions are about.
func (r *Runner) askable(collection string) bool {
	return r.reg.ownerOf(collection) != nil && !ofAccounts(collection)
}

// reach is what a question may find, by collection; nil is everything.
func (r *Runner) reach(rd *Reader, of string, refs []Ref, private bool) (map[string][]string, error) {
	switch {
	case !slices.Contains([]string{"", reachAll, reachTicked, reachRecord, reachTree}, of):
		return nil, Fail(Invalid, "error.scope_of", Quoted(of, 40))
	case len(refs) > maxRefs:
		return nil, Fail(Invalid, "error.scope_many", maxRefs)
	case len(refs) == 0 && of != "" && of != reachAll:
		return nil, Fail(Invalid, "error.scope_none")
	}
	in := &reached{runner: r, reader: rd, ids: map[string]map[string]bool{}}
	from := map[string][]string{}
	for _, ref := range refs {
		rec, err := r.refer(rd, ref)
		if err != nil {
			return nil, err
		}
		if err := r.switchedOn(rd, rec, private); err != nil {
			return nil, err
		}
		if in.add(ref.Collection, ref.ID) {
			from[ref.Collection] = append(from[ref.Collection], ref.ID)
		}
	}
	if of == "" || of == reachAll {
		return nil, nil
	}
	if !private {
		rd.scope = &Scope{} // what is not switched on is not followed either
	}
	if of == reachTree {
		if err := in.follow(from, in.naming); err != nil {
			return nil, err
		}
	}
	if err := in.follow(in.all(), in.named, in.parts); err != nil {
		return nil, err
	}
	return in.all(), nil
}

// switchedOn refuses a private record unless private ones are switched on.
func (r *Runner) switchedOn(rd *Reader, rec *core.Record, private bool) error {
	if private {
		return nil
	}
	narrow := *rd
	narrow.scope = &Scope{}
	shared, err := narrow.within(rec.Collection(), rec.Id)
	if err != nil || shared {
		return err
	}
	values, err := export(rec)
	if err != nil {
		return err
	}
	return Fail(Invalid, "error.scope_private", Text(rd.label(r.reg.ownerOf(rec.Collection().Name), rec.Collection(), values)))
}
