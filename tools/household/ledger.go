package household

import (
	"iter"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// line is a charge of a ledger: one that is stored, or one that is expected,
// which has no id and is dated on its due day.
type line struct {
	charged
	settles tools.Date // the due day; zero where none asked for it
	of      *entry
	open    bool // it is expected
}

func (l line) state() string {
	if l.open {
		return expected
	}
	return l.of.stateOf(l.charged, l.settles)
}

func (l line) shown() Charge {
	out := l.of.shownCharge(l.charged, l.settles, l.of.name())
	out.State = l.state()
	return out
}

// ledger lists the charges dated from one day to another, and what is expected
// in that time, up to the horizon at most: by subscription, then by day. Of the
// charges near, those of the time are listed, and all of them are matched. The
// zero Date leaves the time open, and a horizon of none expects nothing; nor is
// anything expected before since, where the time begins earlier.
func (all book) ledger(near map[string][]charged, since, from, to, horizon tools.Date) []line {
	var lines []line
	for i := range all {
		lines = slices.AppendSeq(lines, all[i].linesSince(near[all[i].id()], since, from, to, horizon))
	}
	return lines
}

// lines are those of one subscription.
func (e *entry) lines(list []charged, from, to, horizon tools.Date) iter.Seq[line] {
	return e.linesSince(list, from, from, to, horizon)
}

func (e *entry) linesSince(list []charged, since, from, to, horizon tools.Date) iter.Seq[line] {
	begin := e.first
	for _, d := range []tools.Date{since, from} {
		if begin.Before(d) {
			begin = d
		}
	}
	return func(yield func(line) bool) {
		for _, p := range e.settle(begin, horizon, list) {
			var l line
			if p.charge < 0 {
				l = e.expects(p.due)
			} else {
				l = line{charged: list[p.charge], settles: p.due, of: e}
			}
			inside := !l.date.Before(from) && (to.IsZero() || !l.date.After(to))
			if inside && !yield(l) {
				return
			}
		}
	}
}

// expects is the line of a due day that no charge settles.
func (e *entry) expects(due tools.Date) line {
	return line{charged{sub: e.id(), date: due, amount: e.on(due), currency: e.currency}, due, e, true}
}

// shownLines shows lines with what their statements say; a charge without a
// subscription that can be read is none to show.
func shownLines(r *tools.Reader, lines []line) ([]Charge, error) {
	lines = slices.DeleteFunc(lines, func(l line) bool { return l.of == nil })
	out := make([]Charge, len(lines))
	var ids []string
	for _, l := range lines {
		if l.id != "" {
			ids = append(ids, l.id)
		}
	}
	texts, heard := map[string]string{}, voicesIn(r)
	if len(ids) > 0 {
		rows, err := r.Rows(charges, tools.Query{In: map[string][]string{"id": ids}}, "text")
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			texts[row.GetString("id")] = row.GetString("text")
		}
	}
	for i, l := range lines {
		l.text = texts[l.id]
		out[i] = l.shown()
		heard.booked(l.charged, l.of.GetString("owner"))
	}
	return out, heard.tell()
}
