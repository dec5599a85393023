package budget

import (
	"context"
	"strconv"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// state is all that decides on a call, read at once.
type state struct {
	Status   string `db:"status"`
	Granted  bool   `db:"granted"`
	Host     string `db:"host"` // that the person agreed to
	Protocol string `db:"protocol"`
	Budget   string `db:"budget"` // the operator's limits, "" for none
	Own      string `db:"own"`    // the person's

	// What is spent, and what is held, in the order of a budget.
	DayCost         int64 `db:"day_cost"`
	MonthCost       int64 `db:"month_cost"`
	DayTokens       int64 `db:"day_tokens"`
	MonthTokens     int64 `db:"month_tokens"`
	HeldDayCost     int64 `db:"held_day_cost"`
	HeldMonthCost   int64 `db:"held_month_cost"`
	HeldDayTokens   int64 `db:"held_day_tokens"`
	HeldMonthTokens int64 `db:"held_month_tokens"`

	// What all spend together that day.
	AllCost     int64 `db:"all_cost"`
	HeldAllCost int64 `db:"held_all_cost"`
}

// givenSQL is what a person was given, and agreed to.
const givenSQL = `
 ifnull((SELECT status FROM users WHERE id = {:person}), '') AS status,
 EXISTS (SELECT 1 FROM nodkeep_grants WHERE person = {:person} AND assistant = {:assistant})
  OR EXISTS (SELECT 1 FROM nodkeep_grants WHERE person = '' AND everybody = TRUE AND assistant = {:assistant}) AS granted,
 ifnull((SELECT host FROM nodkeep_consents WHERE person = {:person} AND assistant = {:assistant}), '') AS host,
 ifnull((SELECT protocol FROM nodkeep_consents WHERE person = {:person} AND assistant = {:assistant}), '') AS protocol`

// allowedSQL is that alone: most of what a query takes is to read its text.
const allowedSQL = "SELECT" + givenSQL

// stateSQL finds every row by an index. Sums in another currency than today's
// mean nothing and are left out; tokens are tokens.
const stateSQL = `
SELECT` + givenSQL + `,
 coalesce(
  (SELECT day_cost || ',' || month_cost || ',' || day_tokens || ',' || month_tokens FROM nodkeep_budgets WHERE person = {:person} ORDER BY everybody LIMIT 1),
  (SELECT day_cost || ',' || month_cost || ',' || day_tokens || ',' || month_tokens FROM nodkeep_budgets WHERE person = '' AND everybody = TRUE LIMIT 1), '') AS budget,
 ifnull((SELECT day_cost || ',' || month_cost || ',' || day_tokens || ',' || month_tokens FROM nodkeep_limits WHERE person = {:person}), '') AS own,
 spent.*, held.*,
 ifnull((SELECT sum(cost) FROM nodkeep_usage WHERE day = {:day} AND currency = {:currency}), 0) AS all_cost
FROM (
 SELECT
  ifnull(sum(iif(day = {:day} AND currency = {:currency}, cost, 0)), 0) AS day_cost,
  ifnull(sum(iif(currency = {:currency}, cost, 0)), 0) AS month_cost,
  ifnull(sum(iif(day = {:day}, input_uncached + cache_read + cache_write + output, 0)), 0) AS day_tokens,
  ifnull(sum(input_uncached + cache_read + cache_write + output), 0) AS month_tokens
 FROM nodkeep_usage WHERE person = {:person} AND day >= {:first} AND day < {:next}
) AS spent, (
 SELECT
  ifnull(sum(iif(person = {:person} AND day = {:day} AND currency = {:currency}, cost, 0)), 0) AS held_day_cost,
  ifnull(sum(iif(person = {:person} AND currency = {:currency}, cost, 0)), 0) AS held_month_cost,
  ifnull(sum(iif(person = {:person} AND day = {:day}, uncached + output, 0)), 0) AS held_day_tokens,
  ifnull(sum(iif(person = {:person}, uncached + output, 0)), 0) AS held_month_tokens,
  ifnull(sum(iif(day = {:day} AND currency = {:currency}, cost, 0)), 0) AS held_all_cost
 FROM nodkeep_holds WHERE day >= {:first} AND day < {:next}
) AS held`

// read gives the state of a person on a day.
func (l *Ledger) read(ctx context.Context, app core.App, person, assistant, day string) (s state, err error) {
	first, next := months(day)
	err = app.DB().NewQuery(stateSQL).WithContext(ctx).Bind(dbx.Params{
		"person": person, "assistant": assistant, "day": day, "first": first, "next": next, "currency": l.c.Currency,
	}).One(&s)
	return s, err
}

// without is the state before a call was held that is among its sums.
func (s state) without(n need) state {
	s.HeldDayCost -= n.cost
	s.HeldMonthCost -= n.cost
	s.HeldDayTokens -= n.tokens()
	s.HeldMonthTokens -= n.tokens()
	s.HeldAllCost -= n.cost
	return s
}

// agreed says that the person let their words go to this host in this way. To a
// script they go nowhere.
func (s state) agreed(a Assistant) bool {
	return a.Protocol == gateway.Scripted || s.Host != "" && s.Host == a.Host && gateway.Protocol(s.Protocol) == a.Protocol
}

// amounts reads the four limits of a budget: -1 is none. What is no number is a
// limit of nothing, as it must not become none.
func amounts(s string) [4]int64 {
	four := [4]int64{-1, -1, -1, -1}
	if s == "" {
		return four
	}
	for i, part := range strings.SplitN(s, ",", 4) {
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 {
			n = 0
		}
		four[i] = n
	}
	return four
}
