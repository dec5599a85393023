package household

import (
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// convertersOf is converterOf for many days, which are in order, in three
// questions however many they are.
func convertersOf(r *tools.Reader, to string, days []tools.Date) ([]converter, error) {
	list := make([]converter, len(days))
	for i, day := range days {
		list[i] = converter{to: to, day: day}
	}
	if len(days) == 0 {
		return list, nil
	}
	newest, err := newestRates(r, days)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, on := range newest {
		if !on.IsZero() {
			wanted = append(wanted, on.String())
		}
	}
	recs, err := r.List(rates, tools.Query{In: map[string][]string{"date": slices.Compact(wanted)}})
	if err != nil {
		return nil, err
	}
	by := map[string]*core.Record{}
	for _, rec := range recs {
		by[rec.GetString("date")] = rec
	}
	for i, on := range newest {
		if rec := by[on.String()]; rec != nil {
			if err := list[i].take(rec); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// newestRates finds for each day the newest on or before it that rates stand
// for; the zero Date for none.
func newestRates(r *tools.Reader, days []tools.Date) ([]tools.Date, error) {
	params := map[string]any{"from": days[0].AddDays(-maxRateAge).String(), "to": days[len(days)-1].String()}
	rows, err := r.Rows(rates, tools.Query{Filter: "date >= {:from} && date <= {:to}", Params: params, Sort: "date"}, "date")
	if err != nil {
		return nil, err
	}
	// What is too old is said to be: of what lies before all, the last.
	before, err := r.Rows(rates, tools.Query{Filter: "date < {:from}", Params: params, Sort: "-date", Limit: 1}, "date")
	if err != nil {
		return nil, err
	}
	all := append(before, rows...)
	newest := make([]tools.Date, len(days))
	var on tools.Date
	next := 0
	for i, day := range days {
		for ; next < len(all); next++ {
			d, err := tools.ParseDate(all[next].GetString("date"))
			if err != nil {
				return nil, err
			}
			if d.After(day) {
				break
			}
			on = d
		}
		newest[i] = on
	}
	return newest, nil
}
