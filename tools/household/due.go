package household

import (
	"iter"

	"github.com/nodkeep/nodkeep/tools"
)

// firstDate and lastDate are where every calendar here begins and ends.
func firstDate() tools.Date { return tools.Date{Year: firstYear, Month: 1, Day: 1} }

func lastDate() tools.Date { return tools.Date{Year: lastYear, Month: 12, Day: 31} }

// segment is a time in which charges follow one count: a pause that shifts the
// cycle begins another.
type segment struct {
	first  tools.Date
	anchor int
	from   tools.Date // the first day; zero for the beginning
	until  tools.Date // the day after the last; zero for no end
}

// segments are counted from the first date on; each pause that shifts moves
// the next charge, and all after it, by its length.
func (s schedule) segments() []segment {
	list := []segment{{first: s.first, anchor: s.anchor}}
	for _, p := range s.pauses {
		at := &list[len(list)-1]
		switch {
		case p.until.IsZero():
			at.until = p.from
			return list
		case p.shift:
			_, next := s.cycle.Next(at.first, at.anchor, p.from)
			at.until = p.from
			list = append(list, segment{first: next.AddDays(p.until.DaysSince(p.from)), from: p.until})
		}
	}
	return list
}

// dues are the days on which it is charged, from a day on, in order. What is
// paused, in trial or after the last day is not among them.
func (s schedule) dues(from tools.Date) iter.Seq[tools.Date] {
	return func(yield func(tools.Date) bool) {
		for _, seg := range s.segments() {
			k, d := s.cycle.Next(seg.first, seg.anchor, later(from, seg.from))
			for ; (seg.until.IsZero() || d.Before(seg.until)) && d.Year <= lastYear && !s.over(d); d = s.cycle.Nth(seg.first, seg.anchor, k) {
				k++
				if s.free(d) {
					continue
				}
				if !yield(d) {
					return
				}
			}
		}
	}
}

// free says that nothing is charged on a day though the cycle falls on it.
func (s schedule) free(day tools.Date) bool {
	if s.trial.covers(day) {
		return true
	}
	_, paused := s.pausedOn(day)
	return paused
}

// next is the first charge on or after a day; false when there is none.
func (s schedule) next(day tools.Date) (tools.Date, bool) {
	for d := range s.dues(day) {
		return d, true
	}
	return tools.Date{}, false
}
