package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

// charged is a charge as it is stored.
type charged struct {
	id, sub   string
	due, date tools.Date // due is zero where only the date tells
	amount    int64
	currency  string
	skipped   bool
	byHand    bool // somebody has confirmed, added or skipped it; else a statement brought it
	text      string
}

func chargedOf(v values) (charged, error) {
	c := charged{
		id: v.GetString("id"), sub: v.GetString("subscription"), amount: amountOf(v), currency: v.GetString("currency"),
		skipped: v.GetString("state") == skipped, byHand: v.GetString("state") != "", text: v.GetString("text"),
	}
	var err error
	if c.date, err = tools.ParseDate(v.GetString("date")); err != nil {
		return c, err
	}
	c.due, err = tools.ParseDate(v.GetString("due"))
	return c, err
}

// chargesOf reads charges in the order that a query names, without text.
func chargesOf(r *tools.Reader, query tools.Query, more ...string) ([]charged, error) {
	rows, err := r.Rows(charges, query, append([]string{"subscription", "date", "due", "state", "amount", "currency"}, more...)...)
	if err != nil {
		return nil, err
	}
	list := make([]charged, len(rows))
	for i, row := range rows {
		if list[i], err = chargedOf(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// chargesNear reads the charges that can matter to what is due from one day to
// another, by subscription: of some subscriptions, or of all where ids is nil.
// The zero Date leaves that side open.
func chargesNear(r *tools.Reader, from, to tools.Date, ids []string) (map[string][]charged, error) {
	by := map[string][]charged{}
	if ids != nil && len(ids) == 0 {
		return by, nil
	}
	query := tools.Query{Sort: "date", Params: map[string]any{}}
	dated, named := "date != ''", "due != ''"
	if !from.IsZero() {
		query.Params["lo"] = from.AddDays(-reach).String()
		dated, named = dated+" && date >= {:lo}", named+" && due >= {:lo}"
	}
	if !to.IsZero() {
		query.Params["hi"] = to.AddDays(reach).String()
		dated, named = dated+" && date <= {:hi}", named+" && due <= {:hi}"
	}
	query.Filter = "(" + dated + ") || (" + named + ")"
	if ids != nil {
		query.In = map[string][]string{"subscription": ids}
	}
	list, err := chargesOf(r, query)
	for _, c := range list {
		by[c.sub] = append(by[c.sub], c)
	}
	return by, err
}
