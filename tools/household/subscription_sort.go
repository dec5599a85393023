package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// In which order subscriptions are listed.
const (
	byName   = "name"
	byNext   = "next"
	byCost   = "per_month"
	byNewest = "newest"
)

// sorted lists by what only a schedule tells: all are looked at for a page.
func (in subscriptionListIn) sorted(r *tools.Reader, h home, p page) (subscriptionListOut, error) {
	recs, err := in.find(r, h, nil)
	if err != nil {
		return subscriptionListOut{}, err
	}
	items, err := showAll(r, h, recs)
	if err != nil {
		return subscriptionListOut{}, err
	}
	order := soonest
	if in.Sort == byCost {
		order = dearest(h.currency)
	}
	slices.SortStableFunc(items, order)
	var out subscriptionListOut
	out.Items, out.Next = cut(p, items[min(p.offset, len(items)):])
	return out, nil
}

// soonest puts those first that are charged next, and last those that are not.
func soonest(a, b Subscription) int {
	if a.NextCharge == nil || b.NextCharge == nil {
		return cmp.Compare(bit(a.NextCharge == nil), bit(b.NextCharge == nil))
	}
	return a.NextCharge.Date.Compare(b.NextCharge.Date)
}

// dearest compares what a month costs in one currency; currencies are not
// compared, the household's comes first.
func dearest(home string) func(a, b Subscription) int {
	return func(a, b Subscription) int {
		if a.Currency != b.Currency {
			return cmp.Or(cmp.Compare(bit(a.Currency != home), bit(b.Currency != home)), strings.Compare(a.Currency, b.Currency))
		}
		// Of one currency all have as many decimals.
		return cmp.Or(cmp.Compare(len(b.PerMonth), len(a.PerMonth)), strings.Compare(b.PerMonth, a.PerMonth))
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
