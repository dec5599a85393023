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

// trialDays are the arguments about a trial; what is empty stays.
type trialDays struct{ from, ends, decideBy string }

// try puts the days of a trial into the schedule of a subscription.
func (s *schedule) try(name string, d trialDays) error {
	was := s.trial
	for _, f := range []struct {
		field, value string
		into         *tools.Date
	}{{"trial_from", d.from, &s.trial.from}, {"trial_ends_on", d.ends, &s.trial.ends}, {"decide_by", d.decideBy, &s.trial.decideBy}} {
		if f.value == "" {
			continue
		}
		day, err := parseDate(f.field, f.value)
		if err != nil {
			return err
		}
		*f.into = day
	}
	if s.trial.decided == lose && s.ends == was.ends {
		s.ends = s.trial.ends // it was dropped to end with its trial
	}
	return s.trial.check(name, d)
}

// check refuses a trial that cannot be; of two days that contradict each other
// it names the one that was given.
func (t trial) check(name string, d trialDays) error {
	switch {
	case t.ends.IsZero() && !t.from.IsZero():
		return invalid("household.error.trial_ends", "trial_from", name)
	case t.ends.IsZero() && !t.decideBy.IsZero():
		return invalid("household.error.trial_ends", "decide_by", name)
	case t.ends.Before(t.from):
		field := "trial_ends_on"
		if d.ends == "" {
			field = "trial_from"
		}
		return invalid("household.error.trial_order", field, name, t.from, t.ends)
	case !t.decideBy.IsZero() && (t.decideBy.After(t.ends) || t.decideBy.Before(t.from)):
		return invalid("household.error.decide_by", name, t.decideBy, t.ends)
	}
	return nil
}
