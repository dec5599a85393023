package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

// slack is how many days a bank books off the day that a charge is due on:
// weekends and holidays.
const slack = 4

// The states of a charge. Expected and changed are never stored: the one is a
// due day without a charge, the other a charge of another amount than was due.
const (
	expected  = "expected"
	confirmed = "confirmed"
	skipped   = "skipped"
	differs   = "changed"
)

// settled is a due day and the charge that settles it, if there is one. One
// charge settles one day at most, so that nothing is counted twice.
type settled struct {
	due    tools.Date // zero for a charge that no due day asked for
	charge int        // its index; -1 for none
}

// charged is what settling needs to know of a charge.
type charged struct {
	due, date tools.Date // due is zero where only the date tells
}

// settle matches due days with charges, both by date: first those that name
// their day, then the nearest ones within the slack.
func settle(dues []tools.Date, list []charged, cycle tools.Cycle) []settled {
	out := make([]settled, len(dues))
	for i, d := range dues {
		out[i] = settled{d, -1}
	}
	taken := make([]bool, len(list))
	for c, ch := range list {
		if i, ok := slices.BinarySearchFunc(dues, ch.due, tools.Date.Compare); ok && !ch.due.IsZero() && out[i].charge < 0 {
			out[i].charge, taken[c] = c, true
		}
	}
	most := slack
	if cycle.Unit == tools.Weeks && cycle.N == 1 {
		most = 3 // else two due days would reach for one charge
	}
	for off := 0; off <= most; off++ { // the nearest first
		for c, ch := range list {
			if taken[c] {
				continue
			}
			for _, d := range []tools.Date{ch.date.AddDays(-off), ch.date.AddDays(off)} {
				if i, ok := slices.BinarySearchFunc(dues, d, tools.Date.Compare); ok && out[i].charge < 0 {
					out[i].charge, taken[c] = c, true
					break
				}
			}
		}
	}
	for c, ok := range taken {
		if !ok {
			out = append(out, settled{charge: c})
		}
	}
	return out
}
