package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// pause is a time in which a subscription is not charged: from its first day
// until the day on which it goes on, which is not part of it.
type pause struct {
	from, until tools.Date // until is zero while nobody knows
	shift       bool       // later charges move by the length of the pause

	rec *core.Record // nil before it is stored
}

// Pause is how tools show one.
type Pause struct {
	ID      string     `json:"id"`
	From    tools.Date `json:"from" jsonschema:"the first day of the pause"`
	Resumes tools.Date `json:"resumes,omitzero" jsonschema:"the day it goes on; absent while open"`
	Shift   bool       `json:"shift,omitzero" jsonschema:"later charges move by the length of the pause"`
}

func (p pause) shown() Pause {
	s := Pause{From: p.from, Resumes: p.until, Shift: p.shift}
	if p.rec != nil {
		s.ID = p.rec.Id
	}
	return s
}

func (p pause) covers(day tools.Date) bool {
	return !day.Before(p.from) && (p.until.IsZero() || day.Before(p.until))
}

// overlaps says that two pauses have a day in common.
func (p pause) overlaps(o pause) bool {
	return (o.until.IsZero() || p.from.Before(o.until)) && (p.until.IsZero() || o.from.Before(p.until))
}

// inOrder sorts pauses by their first days.
func inOrder(list []pause) []pause {
	slices.SortFunc(list, func(a, b pause) int { return a.from.Compare(b.from) })
	return list
}

// endsIn says that its last day comes before a pause is over.
func (s schedule) endsIn(p pause) bool {
	return !s.ends.IsZero() && (p.until.IsZero() || s.ends.Before(p.until))
}

// pausedOn is the pause that covers a day.
func (s schedule) pausedOn(day tools.Date) (pause, bool) {
	for _, p := range s.pauses {
		if p.covers(day) {
			return p, true
		}
	}
	return pause{}, false
}

// currentPause is the one that covers a day, or else the next.
func (s schedule) currentPause(day tools.Date) (pause, bool) {
	for _, p := range s.pauses {
		if p.until.IsZero() || p.until.After(day) {
			return p, true
		}
	}
	return pause{}, false
}

func pauseOf(v values) (pause, error) {
	p := pause{shift: v.GetBool("shift")}
	p.rec, _ = v.(*core.Record)
	var err error
	if p.from, err = tools.ParseDate(v.GetString("from")); err != nil {
		return p, err
	}
	p.until, err = tools.ParseDate(v.GetString("until"))
	return p, err
}

// pausesOf reads the pauses of subscriptions, by subscription and date.
func pausesOf(r *tools.Reader, ids []string) (map[string][]pause, error) {
	recs, err := r.List(pauses, tools.Query{Sort: "from", In: map[string][]string{"subscription": ids}})
	if err != nil {
		return nil, err
	}
	return bySubscription(recs, pauseOf)
}
