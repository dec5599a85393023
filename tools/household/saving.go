package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// The kinds of what household_savings finds, in the order that it tells them.
const (
	savingTrial       = "trial_open"
	savingDuplicate   = "duplicate"
	savingMerchant    = "same_merchant"
	savingReplaced    = "replaced"
	savingPaused      = "charged_paused"
	savingEnded       = "charged_ended"
	savingRise        = "price_rise"
	savingUnconfirmed = "unconfirmed"
)

// What savings look for by default: from which rise on, in percent, and how
// many months without a charge. A trial is told so many days before its end.
const (
	risePercent, maxRise         = 10, 10_000
	quietMonths, maxQuiet        = 6, 60
	trialSoon                    = 30
	savingCharges, savingRecords = 5, 20 // of charges and subscriptions that a saving names
)

type savingsIn struct {
	RisePercent *int `json:"rise_percent,omitempty" jsonschema:"from which rise on; 10 by default"`
	Months      int  `json:"months,omitzero" jsonschema:"without a charge; 6 by default"`
	pageIn
}

// Saving is a fact about what could cost less, and where it stands.
type Saving struct {
	Kind    string         `json:"kind" jsonschema:"trial_open, duplicate, same_merchant, replaced, charged_paused, charged_ended, price_rise or unconfirmed"`
	Text    tools.Words    `json:"text"`
	Records []SavingRecord `json:"records" jsonschema:"where it stands"`
	More    int            `json:"more,omitzero" jsonschema:"how many records are left out"`
	Costs   []SavingCost   `json:"costs" jsonschema:"what it costs by currency; of a rise, by how much more"`

	name    string
	charges []charged // to be named: what was read of them has no ids
}

// SavingRecord is a record behind a saving.
type SavingRecord struct {
	Collection string      `json:"collection"`
	ID         string      `json:"id"`
	Name       tools.Words `json:"name"`
	Owner      string      `json:"owner,omitzero" jsonschema:"handle, of several of one service"`
}

// SavingCost is what a saving costs in one currency.
type SavingCost struct {
	Currency string `json:"currency"`
	PerMonth string `json:"per_month,omitzero" jsonschema:"scaled to a month, for comparing only"`
	PerYear  string `json:"per_year,omitzero" jsonschema:"scaled to a year, for comparing only"`
	Charged  string `json:"charged,omitzero" jsonschema:"what was booked, of charges that nothing asked for"`
}

type savingsOut struct {
	Items []Saving      `json:"items" jsonschema:"by kind, then by name"`
	Notes []tools.Words `json:"notes,omitempty" jsonschema:"what could not be looked for"`
	Next  string        `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func savingsTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_savings", Title: "household.title.savings", Core: true,
		Help: "Finds what could cost less, as facts with records: open trials, one service twice, replaced yet running, charged while paused or ended, price rises, never confirmed.",
	}, savings)
}

// saver is what all that is looked for is read from.
type saver struct {
	book
	home    home
	since   tools.Date
	quiet   tools.Date           // since when what is due should have been confirmed
	near    map[string][]charged // since the earlier of the two
	handles map[string]string
}

func savings(r *tools.Reader, in savingsIn) (savingsOut, error) {
	p, err := in.page()
	if err != nil {
		return savingsOut{}, err
	}
	rise, err := in.parse()
	if err != nil {
		return savingsOut{}, err
	}
	s, err := saverOf(r, in.Months)
	if err != nil {
		return savingsOut{}, err
	}
	quiet, known, err := s.unconfirmed(r)
	if err != nil {
		return savingsOut{}, err
	}
	found := slices.Concat(s.trials(), s.duplicates(), s.merchants(), s.replaced(), s.strays(), s.rises(rise), quiet)
	order := []string{savingTrial, savingDuplicate, savingMerchant, savingReplaced, savingPaused, savingEnded, savingRise, savingUnconfirmed}
	slices.SortStableFunc(found, func(a, b Saving) int {
		return cmp.Or(slices.Index(order, a.Kind)-slices.Index(order, b.Kind), strings.Compare(fold(a.name), fold(b.name)))
	})
	out := savingsOut{Items: []Saving{}}
	if !known {
		out.Notes = append(out.Notes, tools.Words(tools.T("household.saving.no_charges")))
	}
	found, out.Next = cut(p, found[min(p.offset, len(found)):])
	out.Items = append(out.Items, found...)
	return out, nameCharges(r, out.Items)
}

func (in *savingsIn) parse() (rise int64, err error) {
	rise = risePercent
	if in.RisePercent != nil {
		rise = int64(*in.RisePercent)
	}
	if rise < 0 || rise > maxRise {
		return 0, invalid("household.error.percent", "rise_percent", rise, maxRise)
	}
	if in.Months == 0 {
		in.Months = quietMonths
	}
	if in.Months < 1 || in.Months > maxQuiet {
		return 0, invalid("household.error.months", "months", in.Months, maxQuiet)
	}
	return rise, nil
}

func saverOf(r *tools.Reader, months int) (s saver, err error) {
	if s.home, err = homeOf(r); err != nil {
		return s, err
	}
	if s.book, err = bookOf(r, tools.Query{}); err != nil {
		return s, err
	}
	if s.handles, err = handlesOf(r); err != nil {
		return s, err
	}
	s.since = monthsBack(s.home.today, priceMonths)
	s.quiet = monthsBack(s.home.today, months)
	s.near, err = allNear(r, earlier(s.since, s.quiet), s.home.today, nil)
	return s, err
}

// saving is one about subscriptions.
func (s saver) saving(kind string, text tools.Text, about ...*entry) Saving {
	f := Saving{Kind: kind, Text: tools.Words(text), name: about[0].name(), Costs: []SavingCost{}}
	for _, e := range about {
		f.Records = append(f.Records, SavingRecord{Collection: subscriptions, ID: e.id(), Name: tools.W(e.name())})
	}
	return f
}

// soon is the day of the next charge, by whose price a cost is told; else day.
func (e *entry) soon(day tools.Date) tools.Date {
	if d, ok := e.next(day); ok {
		return d
	}
	return day
}

// costing adds what subscriptions cost, by currency.
func (f Saving) costing(day tools.Date, of ...*entry) Saving {
	var month, year sums
	for _, e := range of {
		at := e.soon(day)
		month.add(e.money(e.cycle.PerMonth(e.on(at))))
		year.add(e.money(perYear(e.on(at), e.cycle)))
	}
	for i, m := range month {
		f.Costs = append(f.Costs, SavingCost{Currency: m.Currency, PerMonth: m.Decimal(), PerYear: year[i].Decimal()})
	}
	return f
}
