package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// What spending can be told by.
const (
	groupMonth        = "month"
	groupCategory     = "category"
	groupMethod       = "payment_method"
	groupMember       = "member"
	groupTag          = "tag"
	groupSubscription = "subscription"
)

type spendingIn struct {
	By           string `json:"by,omitzero" jsonschema:"month by default; member: by shares, else by owner"`
	Months       int    `json:"months,omitzero" jsonschema:"up to to, its own month among them; 12 by default"`
	From         string `json:"from,omitzero" jsonschema:"instead of months"`
	To           string `json:"to,omitzero" jsonschema:"today by default; later adds what is expected"`
	Subscription string `json:"subscription,omitzero" jsonschema:"id"`
	Category     string `json:"category,omitzero" jsonschema:"name or id"`
	Tag          string `json:"tag,omitzero"`
	In           string `json:"in,omitzero" jsonschema:"currency of converted"`
	pageIn
}

// Spending is what was spent in some time.
type Spending struct {
	From      tools.Date    `json:"from"`
	To        tools.Date    `json:"to"`
	By        string        `json:"by"`
	Totals    []SpendingSum `json:"totals" jsonschema:"of the whole time, not of this page, whatever by is; by currency, never converted"`
	Converted *Converted    `json:"converted,omitzero" jsonschema:"the totals in one currency at the rates of the last day that has passed"`
	Overlaps  bool          `json:"overlaps,omitzero" jsonschema:"some have several tags and count in each row: the rows add up to more than the totals"`
	Items     []SpendingRow `json:"items" jsonschema:"months by date, else what cost most first"`
	Next      string        `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

// SpendingSum is what was spent in one currency.
type SpendingSum struct {
	Currency string `json:"currency"`
	Booked   string `json:"booked" jsonschema:"what was charged, on the day that it was"`
	Expected string `json:"expected" jsonschema:"what was due and neither booked nor skipped"`
	Total    string `json:"total"`
	Charges  int    `json:"charges" jsonschema:"how many were booked, of more than nothing"`
	Open     int    `json:"open" jsonschema:"how many were due only"`
}

// SpendingRow is what was spent on one group.
type SpendingRow struct {
	Month     string             `json:"month,omitzero" jsonschema:"as 2026-11"`
	ID        string             `json:"id,omitzero" jsonschema:"of the record; a tag, and a person without an account, have none"`
	Name      tools.Words        `json:"name,omitzero"`
	None      bool               `json:"none,omitzero" jsonschema:"what belongs to no group"`
	Sums      []SpendingSum      `json:"sums" jsonschema:"by currency"`
	Converted *SpendingConverted `json:"converted,omitzero" jsonschema:"the sums in the currency of the totals' converted"`
}

// SpendingConverted is what the sums of a row come to in one currency.
type SpendingConverted struct {
	Amount  string     `json:"amount,omitzero" jsonschema:"absent where a rate is missing"`
	On      tools.Date `json:"on,omitzero" jsonschema:"the day of the rates"`
	Rates   []UsedRate `json:"rates,omitzero" jsonschema:"where they are not those of the totals"`
	Missing []NoRate   `json:"missing,omitzero"`
}

func spendingTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_spending", Title: "household.title.spending", Core: true,
		Help: "Sums what was spent, by real dates: booked, and what was due but never booked, per currency and group, with totals.",
	}, spending, tools.OneOf("by", groupMonth, groupCategory, groupMethod, groupMember, groupTag, groupSubscription))
}

func spending(r *tools.Reader, in spendingIn) (Spending, error) {
	p, err := in.page()
	if err != nil {
		return Spending{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return Spending{}, err
	}
	if in.By == "" {
		in.By = groupMonth
	}
	out := Spending{By: in.By}
	if out.From, out.To, err = in.span(h.today); err != nil {
		return Spending{}, err
	}
	all, ids, err := in.book(r)
	if err != nil {
		return Spending{}, err
	}
	near, err := allNear(r, out.From, out.To, ids)
	if err != nil {
		return Spending{}, err
	}
	s, err := spenderOf(r, out.By, out.From, out.To)
	if err != nil {
		return Spending{}, err
	}
	for i := range all {
		s.spend(&all[i], near[all[i].id()])
	}
	out.Totals, out.Overlaps = s.all.shown(), s.overlaps
	groups := s.order(h.currency)
	groups, out.Next = cut(p, groups[min(p.offset, len(groups)):])
	for _, g := range groups {
		out.Items = append(out.Items, g.row())
	}
	return out, s.convert(r, h, in.In, groups, &out)
}
