package tools

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"
)

// Pasts looks at entries one after the other, as one run does.
type Pasts struct {
	r  *Runner
	rd *Reader
}

// PastsOf begins such a run.
func PastsOf(ctx context.Context, r *Runner, a Actor) (*Pasts, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return nil, err
	}
	return &Pasts{r, r.reader(ctx, r.app, a, person)}, nil
}

// Steps is how many steps were read of what came later.
func (p *Pasts) Steps() int { return p.rd.run.since.steps }

// Bytes is what the run holds of the past, and what it says that this takes.
func (p *Pasts) Bytes() (held, said int) {
	for _, e := range p.rd.run.since.records {
		held += perField
		for _, f := range e.fields {
			held += len(f.value) + perField
		}
	}
	return held, p.rd.run.since.bytes
}

// Activity lists as the Runner does.
func (p *Pasts) Activity(q ActivityQuery) (Activity, error) { return p.r.activity(p.rd, q) }

// Targets are the entries that an undo means.
func (p *Pasts) Targets(ids ...string) error {
	_, err := p.r.targets(p.rd, UndoSpec{Audit: ids})
	return err
}

// Differs says where an entry's world, after it and before it, is another than
// for a run that has looked at nothing else, and where that holds a record for
// another than the journal says when all later steps are taken back one by one.
func (p *Pasts) Differs(seq int64) (string, error) {
	var rows []auditRow
	err := p.r.app.DB().Select("*").From(auditTable).Where(dbx.HashExp{"seq": seq}).All(&rows)
	if err != nil || len(rows) == 0 {
		return "", err
	}
	steps, err := loadSteps(p.rd.ctx, p.r.app.DB(), rows)
	if err != nil {
		return "", err
	}
	nets, err := p.r.netStored(steps)
	if err != nil {
		return "", err
	}
	whole, gone, err := p.r.wholeRecords(p.rd, nets)
	if err != nil {
		return "", err
	}
	then, prior, err := p.r.asItWas(p.rd, seq, nets, whole, gone)
	if err != nil {
		return "", err
	}
	fresh := p.r.reader(p.rd.ctx, p.r.app, p.rd.Actor, p.rd.run.info.Auth)
	freshThen, freshPrior, err := p.r.asItWas(fresh, seq, nets, whole, gone)
	if err != nil {
		return "", err
	}
	if got, want := sorted(then), sorted(freshThen); got != want {
		return fmt.Sprintf("after %d:\n got %s\nwant %s", seq, got, want), nil
	}
	if got, want := sorted(prior), sorted(freshPrior); got != want {
		return fmt.Sprintf("before %d:\n got %s\nwant %s", seq, got, want), nil
	}
	own := past{runner: p.r, reader: fresh, whole: maps.Clone(whole), states: map[string]map[string]any{}, gone: ghosts{}}
	if err := own.reach(seq, nets); err != nil {
		return "", err
	}
	keys := slices.Collect(maps.Keys(own.states))
	for _, s := range nets {
		keys = append(keys, s.key())
	}
	for _, key := range keys {
		want, err := p.takenBack(key, seq, own.whole[key])
		if got := own.states[key]; err != nil || !cmp.Equal(got, want) {
			return fmt.Sprintf("%s after %d: %s", key, seq, cmp.Diff(want, got)), err
		}
	}
	return "", nil
}

// takenBack is a record without what came after an entry; nil where nothing did.
func (p *Pasts) takenBack(key string, seq int64, whole map[string]any) (state map[string]any, err error) {
	collection, id, _ := strings.Cut(key, "/")
	var later []stepRow
	err = p.r.app.DB().Select("s.*").From(stepsTable+" s").InnerJoin(auditTable+" a", dbx.NewExp("a.id = s.entry")).
		Where(dbx.HashExp{"s.collection": collection, "s.record": id}).AndWhere(dbx.NewExp("a.seq > {:seq}", dbx.Params{"seq": seq})).
		OrderBy("a.seq DESC", "s.n DESC").All(&later)
	if err != nil || whole == nil || len(later) == 0 {
		return nil, err
	}
	state = maps.Clone(whole)
	for i := range later {
		s, err := later[i].step()
		if err != nil {
			return nil, err
		}
		maps.Copy(state, s.Before)
	}
	return state, nil
}

func sorted(g ghosts) string {
	var all []string
	for name, records := range g {
		for _, rec := range records {
			raw, err := json.Marshal(rec, json.Deterministic(true))
			if err != nil {
				raw = fmt.Append(nil, rec)
			}
			all = append(all, name+" "+string(raw))
		}
	}
	slices.Sort(all)
	return fmt.Sprint(all)
}

// PlansOfPast are how SQLite finds what is read of the past.
func PlansOfPast(r *Runner) (plans []string) {
	db := r.app.ConcurrentDB()
	for _, q := range []*dbx.Query{lastStep(db, 1), stepsAfter(db, 1), stepsBetween(db, "a", "{}", 1)} {
		plans = append(plans, planOf(r, q))
	}
	return plans
}
