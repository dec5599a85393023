package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// trial is a time at the beginning in which nothing is charged, and by when it
// must be decided whether the subscription is kept.
type trial struct {
	from, ends, decideBy tools.Date // ends is the last day; zero where there is no trial
	decided              string     // keep, drop or "" while open
}

// The decisions about a trial.
const (
	keep = "keep"
	lose = "drop"
)

// Trial is how tools show one.
type Trial struct {
	From     tools.Date `json:"from,omitzero"`
	EndsOn   tools.Date `json:"ends_on" jsonschema:"its last day"`
	DecideBy tools.Date `json:"decide_by" jsonschema:"when to decide at the latest"`
	Decided  string     `json:"decided,omitzero" jsonschema:"keep or drop; absent while open"`
}

// covers says that a day is part of the trial: nothing is charged before it
// has ended.
func (t trial) covers(day tools.Date) bool { return !t.ends.IsZero() && !day.After(t.ends) }

// by is when to decide at the latest: its last day unless another was named.
func (t trial) by() tools.Date {
	if t.decideBy.IsZero() {
		return t.ends
	}
	return t.decideBy
}

func (t trial) shown() *Trial {
	if t.ends.IsZero() {
		return nil
	}
	return &Trial{From: t.from, EndsOn: t.ends, DecideBy: t.by(), Decided: t.decided}
}

// put writes the trial into a subscription.
func (t trial) put(rec *core.Record) {
	rec.Set("trial_from", t.from.String())
	rec.Set("trial_ends_on", t.ends.String())
	rec.Set("decide_by", t.decideBy.String())
	rec.Set("trial_decided", t.decided)
}
