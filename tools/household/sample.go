package household

import (
	"encoding/json/v2"
	"fmt"

	"github.com/nodkeep/nodkeep/tools"
)

var _ tools.Sampler = Plugin{}

// sampled is a subscription of the demonstration that a bank statement shows.
type sampled struct {
	merchant, cycle, old, amount string
	day, months                  int // of the first charge: day of the month, months ago
}

// Sample is a flat share: a year of ana's bank statement, and what the two added
// by hand, one of them for ben alone, one in another currency, and a trial that
// must be decided about soon.
func (Plugin) Sample(today tools.Date) []tools.Sample {
	rows := tools.ImportRows{File: "sample statement", Fingerprint: "sample"}
	for _, s := range []sampled{
		{"Netflix", "P1M", "13.99", "15.99", 14, 13},
		{"Spotify", "P1M", "", "10.99", 3, 11},
		{"Stadtwerke Strom", "P1M", "", "84.00", 31, 12},
		{"Vodafone", "P1M", "", "39.99", 20, 13},
		{"Haftpflicht", "P1Y", "", "68.40", 2, 26},
		{"GEZ", "P3M", "", "55.08", 15, 12},
	} {
		rows.Subscriptions = append(rows.Subscriptions, s.recurring(today))
	}
	day := func(back int) string { return today.AddDays(-back).String() }
	return []tools.Sample{
		sample("ana", "household_settings_update", map[string]any{"currency": "EUR", "time_zone": "Europe/Berlin"}),
		sample("ana", "household_category_add", map[string]any{"name": "Streaming"}),
		sample("ana", "household_category_add", map[string]any{"name": "Home"}),
		sample("ana", "household_payment_method_add", map[string]any{"name": "Credit card"}),
		sample("ana", "household_import_apply", rows),
		sample("ana", "household_subscription_add", map[string]any{
			"name": "Cloud storage", "amount": "2.99", "currency": "USD", "cycle": "P1M", "first_date": day(70), "payment_method": "Credit card",
		}),
		sample("ana", "household_subscription_add", map[string]any{
			"name": "Audiobooks", "amount": "9.95", "currency": "EUR", "cycle": "P1M", "trial_from": day(26), "trial_ends_on": day(-4), "payment_method": "Credit card",
		}),
		sample("ben", "household_subscription_add", map[string]any{
			"name": "Daily paper", "amount": "44.90", "currency": "EUR", "cycle": "P4W", "first_date": day(200), "category": "Home", "tags": []string{"shared"},
		}),
		sample("ben", "household_subscription_add", map[string]any{
			"name": "Climbing gym", "amount": "59.00", "currency": "EUR", "cycle": "P1M", "first_date": day(90), "private": true, "notes": "Only ben sees this.",
		}),
		sample("ben", "household_subscription_add", map[string]any{
			"name": "Disney+", "amount": "10.99", "currency": "EUR", "cycle": "P1M", "first_date": day(45), "category": "Streaming", "ends_on": today.AddDays(60).String(),
		}),
	}
}

func sample(by, tool string, args any) tools.Sample {
	b, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprint(tool, ": ", err)) // the values are those above
	}
	return tools.Sample{By: by, Invocation: tools.Invocation{Tool: tool, Args: b}}
}

// recurring is what a reader would have found in the statement. The new price,
// where there is one, holds for the last three charges.
func (s sampled) recurring(today tools.Date) tools.Recurring {
	cycle, err := tools.ParseCycle(s.cycle)
	if err != nil {
		panic(err) // the values are those above
	}
	month := tools.Cycle{N: 1, Unit: tools.Months}
	first := month.Nth(tools.Date{Year: today.Year, Month: today.Month, Day: 1}, s.day, -s.months)
	r := tools.Recurring{Merchant: s.merchant, Cycle: cycle, Amount: s.amount, Currency: "EUR", AnchorDay: s.day, FirstDate: first, Active: true, Confidence: 0.95}
	for k := 0; ; k++ {
		day := cycle.Nth(first, s.day, k)
		if day.After(today) {
			r.NextDate = day
			break
		}
		r.LastDate = day
		r.Evidence = append(r.Evidence, tools.Evidence{Line: k + 2, Date: day, Amount: "-" + s.amount, Text: s.merchant})
	}
	r.Occurrences = len(r.Evidence)
	if s.old == "" {
		return r
	}
	change := max(0, r.Occurrences-3)
	for k := range change {
		r.Evidence[k].Amount = "-" + s.old
	}
	r.Prices = []tools.Price{{From: first, Amount: s.old}, {From: r.Evidence[change].Date, Amount: s.amount}}
	return r
}
