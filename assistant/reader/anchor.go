package reader

import (
	"math"

	"github.com/nodkeep/nodkeep/tools"
)

// anchorOf is the day of the month that is meant by charges which banks booked
// on working days and in short months: the day that explains most of them.
// Where several do, it is the smallest, so that 28 February alone is a 28th and
// 30 April with 31 May a month's end. Weeks have none.
func anchorOf(charges []charge, c tools.Cycle) int {
	if c.Unit == tools.Weeks {
		return 0
	}
	best, least := 0, math.Inf(1)
	for anchor := 1; anchor <= 31; anchor++ {
		if cost := drift(charges, anchor); cost < least {
			best, least = anchor, cost
		}
	}
	return best
}

// drift is how many days charges were booked off their anchor, all together.
func drift(charges []charge, anchor int) (days float64) {
	for _, c := range charges {
		days += distance(c.day, nominal(c.day, anchor))
	}
	return days
}

// distance of a booked day from the day that was meant: a weekend's shift costs
// almost nothing.
func distance(booked, meant day) float64 {
	d := int(booked - meant)
	if d == 0 {
		return 0
	}
	if meant.weekend() && d > 0 && d <= 3 {
		return 0.1
	}
	return math.Abs(float64(d))
}

// nominal is the date nearest to a booked day that falls on the anchor.
func nominal(booked day, anchor int) day {
	at := booked.date()
	best := day(math.MinInt32)
	for _, shift := range []int{-1, 0, 1} {
		m := at.Year*12 + int(at.Month) - 1 + shift
		d, _ := civil(m/12, m%12+1, min(anchor, monthDays(m/12, m%12+1)))
		if best == math.MinInt32 || abs(d-booked) < abs(best-booked) {
			best = d
		}
	}
	return best
}

func abs(d day) day { return max(d, -d) }

// nextOf is the first date after asOf on which the series should be charged.
func nextOf(s *series, anchor int, asOf day) tools.Date {
	from := s.last().day
	if anchor != 0 {
		from = nominal(from, anchor)
	}
	after := max(asOf, s.last().day) + 1
	k, date := s.rhythm.cycle.Next(from.date(), anchor, after.date())
	if k == 0 {
		date = s.rhythm.cycle.Nth(from.date(), anchor, 1)
	}
	return date
}
