package reader

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// habit is something bought again and again by no agreement: at one of few
// prices, on days that nobody planned.
type habit struct {
	name   string
	prices []int // in cents
	days   int   // about how many lie between two
	within int   // a place that has many branches writes their numbers
	spread int   // days between two differ by about this; 0 for chance alone
}

func habits() []habit {
	return []habit{
		{"CAFE MUELLE", []int{320}, 4, 0, 0},
		{"CAFE AM MARKT", []int{290, 340}, 9, 0, 0},
		{"PARKHAUS MITTE", []int{200, 400}, 11, 0, 0},
		{"PARKEN APP", []int{150}, 14, 900, 0},
		{"KINO PALAST", []int{1250}, 28, 0, 0},
		{"CINEMA CITY", []int{990, 1290}, 35, 0, 0},
		{"BAECKEREI KORN", []int{380}, 6, 0, 0},
		{"IMBISS AM ECK", []int{850}, 20, 0, 0},
		{"FRISEUR SCHNITT", []int{2800}, 40, 0, 0},
		{"WASCHSALON", []int{600}, 17, 0, 0},
		{"SCHWIMMBAD", []int{550}, 24, 0, 0},
		{"TANKSTELLE OST", []int{5000}, 19, 300, 0},
		{"COIFFEUR ANNA", []int{3200}, 33, 0, 9},
		{"STAMMTISCH", []int{1500}, 31, 0, 3},
		{"KEGELBAHN", []int{1200}, 30, 0, 7},
		{"SAUNA AM SEE", []int{1650}, 14, 0, 4},
		{"KAFFEEBAR", []int{310}, 7, 0, 2},
		{"PIZZERIA ROMA", []int{1100, 1300}, 10, 0, 3},
	}
}

// habitual is a statement of habits alone, over half a year to two years.
func habitual(r *rand.Rand) string {
	first := tools.Date{Year: 2024, Month: 10, Day: 1}
	span := 180 + r.IntN(550)
	type line struct {
		day  int
		text string
	}
	var lines []line
	for _, h := range habits() {
		for day := r.IntN(h.days + 1); day < span; {
			name := h.name
			if h.within > 0 {
				name += fmt.Sprintf(" %03d", r.IntN(h.within))
			}
			price := h.prices[r.IntN(len(h.prices))]
			lines = append(lines, line{day, fmt.Sprintf("%s,%s,-%d.%02d\n", first.AddDays(day), name, price/100, price%100)})
			gap := r.ExpFloat64() * float64(h.days)
			if h.spread > 0 {
				gap = float64(h.days) + r.NormFloat64()*float64(h.spread)
			}
			day += max(1, int(gap+0.5))
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.day - b.day })
	var b strings.Builder
	b.WriteString("Date,Name,Amount (EUR)\n")
	for _, l := range lines {
		b.WriteString(l.text)
	}
	return b.String()
}

// TestHabits reads 400 statements in which nothing recurs by agreement.
func TestHabits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 13))
	found, ticked := 0, 0
	for range 400 {
		for _, s := range read(t, habitual(r), nil).Subscriptions {
			found++
			if s.Confidence >= 0.75 {
				ticked++
			}
			var days []string
			for _, e := range s.Evidence {
				days = append(days, e.Date.String())
			}
			t.Logf("%s %s %s %.2f %s", s.Merchant, s.Cycle, s.Amount, s.Confidence, strings.Join(days, " "))
		}
	}
	t.Logf("%d series in 400 statements of habits, %d of them ticked", found, ticked)
	if found > 9 || ticked > 7 {
		t.Error("more than 9 found, or more than 7 ticked")
	}
}

// TestLateBookings is the other side of TestHabits: charges that are due on one
// day of the month, of which the bank books some days later, are all found.
func TestLateBookings(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 19))
	late := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3}
	found, ticked := 0, 0
	for range 400 {
		n, anchor := 3+r.IntN(8), 1+r.IntN(31)
		c := tools.Cycle{N: 1, Unit: tools.Months}
		first := tools.Date{Year: 2026, Month: 9, Day: 1}
		var charges []string
		for k := range n {
			due := c.Nth(first, anchor, k-n)
			charges = append(charges, due.AddDays(late[r.IntN(len(late))]).String()+" -9.99")
		}
		list := read(t, history("MERCHANT ONE", charges...), nil).Subscriptions
		if len(list) == 1 && list[0].Cycle == c && list[0].Occurrences == n {
			found++
			if list[0].Confidence >= 0.75 {
				ticked++
			}
		} else {
			t.Logf("%v: %v", charges, brief(list))
		}
	}
	t.Logf("%d of 400 series found, %d ticked", found, ticked)
	if found < 390 || ticked < 365 {
		t.Error("fewer than 390 found, or fewer than 365 ticked")
	}
}
