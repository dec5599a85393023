package budget

import (
	"strconv"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// Which names a limit.
type Which string

// The limits. The last is of all persons together.
const (
	DayCost     Which = "day_cost"
	MonthCost   Which = "month_cost"
	DayTokens   Which = "day_tokens"
	MonthTokens Which = "month_tokens"
	AllCost     Which = "all_cost"
)

// Limit is how far somebody is from one. Amounts of money are millionths of the
// currency, others tokens.
type Limit struct {
	Which  Which     `json:"which"`
	Own    bool      `json:"own"` // set by the person
	Limit  int64     `json:"limit"`
	Used   int64     `json:"used"`
	Held   int64     `json:"held"` // for calls under way
	Resets time.Time `json:"resets"`
}

func (l Limit) money() bool {
	return l.Which == DayCost || l.Which == MonthCost || l.Which == AllCost
}

// passed says that this much more would be beyond it. Nothing at all fits into a
// limit of nothing, not even what is free.
func (l Limit) passed(need int64) bool {
	return l.Limit == 0 || plus(plus(l.Used, l.Held), need) > l.Limit
}

// near is how much of it is four fifths.
func (l Limit) near() int64 { return l.Limit - l.Limit/5 }

// Near says that four fifths of it are used.
func (l Limit) Near() bool { return l.Used >= l.near() }

// limits are those of a person in state s on a day.
func (s state) limits(day string) (all []Limit) {
	spent := [4]Limit{
		{Which: DayCost, Used: s.DayCost, Held: s.HeldDayCost},
		{Which: MonthCost, Used: s.MonthCost, Held: s.HeldMonthCost},
		{Which: DayTokens, Used: s.DayTokens, Held: s.HeldDayTokens},
		{Which: MonthTokens, Used: s.MonthTokens, Held: s.HeldMonthTokens},
	}
	for _, b := range []struct {
		amounts string
		own     bool
	}{{s.Budget, false}, {s.Own, true}} {
		for i, n := range amounts(b.amounts) {
			if n >= 0 {
				l := spent[i]
				l.Limit, l.Own, l.Resets = n, b.own, resets(l.Which, day)
				all = append(all, l)
			}
		}
	}
	return all
}

// resets is when a limit of that day is new again.
func resets(w Which, day string) time.Time {
	t, _ := time.Parse(time.DateOnly, day)
	if w == MonthCost || w == MonthTokens {
		return t.AddDate(0, 1, 1-t.Day())
	}
	return t.AddDate(0, 0, 1)
}

// Reached is the answer to a call that would pass a limit. It is of the kind
// tools.Limit.
type Reached struct {
	Limit
	Need  int64      // what the call might use
	Until time.Time  // when the limit is new again
	Never bool       // and waiting does not help: the call might use more than all of it
	Text  tools.Text // for the person
}

// Error is for the log.
func (r *Reached) Error() string { return r.Unwrap().Error() }

// Unwrap gives it as the error that the doors know.
func (r *Reached) Unwrap() error { return &tools.Error{Kind: tools.Limit, Text: r.Text} }

// reached says of a limit that it would be passed.
func (l Limit) reached(need int64, currency string) *Reached {
	r := &Reached{Limit: l, Need: need, Until: l.Resets, Never: l.Limit == 0 || need > l.Limit}
	advice := tools.T("budget.advice.operator")
	if l.Own {
		advice = tools.T("budget.advice.own")
	}
	show := l.show(currency)
	from := tools.DateOf(l.Resets)
	switch {
	case l.Which == AllCost && r.Never:
		r.Text = tools.T("budget.short.all_cost")
	case l.Which == AllCost:
		r.Text = tools.T("budget.reached.all_cost", from)
	case l.Limit == 0:
		r.Text = tools.T("budget.zero."+string(l.Which), advice)
	case r.Never:
		r.Text = tools.T("budget.short."+string(l.Which), show(l.Limit), show(need), advice)
	default:
		r.Text = tools.T("budget.reached."+string(l.Which), show(l.Limit), show(plus(l.Used, l.Held)), show(need), from, advice)
	}
	return r
}

// show writes amounts of the limit for a sentence.
func (l Limit) show(currency string) func(int64) any {
	if l.money() {
		return func(n int64) any { return money(n, currency) }
	}
	return func(n int64) any { return tools.Decimal(strconv.FormatInt(n, 10)) }
}
