package household

import (
	"math/big"
	"slices"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// The longest name of somebody without an account, in characters, how many
// parts one share has at most, and how many shares a subscription.
const maxPerson, maxWeight, maxShares = 60, 1000, 20

// share is what one person bears of a subscription: a fixed part, or so many
// parts of what the fixed ones leave.
type share struct {
	member, person string // of one the other is empty; of somebody who has left, both
	weight         int    // 0 for a fixed part
	fixed          int64  // minor units

	rec *core.Record // nil before it is stored
}

// sameAs says that two shares are one person's.
func (s share) sameAs(o share) bool {
	return s.member == o.member && sameText(s.person, o.person) && s.member+s.person != ""
}

// put writes the share into its record.
func (s share) put(position int, currency string) {
	s.rec.Set("member", s.member)
	s.rec.Set("person", s.person)
	s.rec.Set("weight", s.weight)
	s.rec.Set("fixed", s.fixed)
	s.rec.Set("position", position)
	s.rec.Set("currency", currency)
}

// Share is how tools show one.
type Share struct {
	Member tools.Account `json:"member,omitzero" jsonschema:"id of the member; absent for others and for somebody who has left"`
	Handle string        `json:"handle,omitzero" jsonschema:"the member's"`
	Person string        `json:"person,omitzero" jsonschema:"somebody without an account"`
	Weight int           `json:"weight,omitzero" jsonschema:"parts of what the fixed shares leave"`
	Fixed  string        `json:"fixed,omitzero" jsonschema:"a fixed part, a decimal in the currency"`
	Amount string        `json:"amount" jsonschema:"what comes to this person of today's price"`
}

// split divides an amount so that the parts add up to it exactly: fixed parts
// first, the rest by weight. Where the fixed parts do not fit the amount, as
// they were agreed for another price, all is divided in proportion to them.
// What does not divide evenly goes to the largest remainders, the first ones
// first.
func split(amount int64, shares []share) []int64 {
	weights, fixed := make([]int64, len(shares)), int64(0)
	weighted := false
	for i, s := range shares {
		weights[i] = int64(s.weight)
		weighted = weighted || s.weight > 0
		if s.weight == 0 {
			fixed = plus(fixed, s.fixed)
		}
	}
	if fixed > amount || (!weighted && fixed != amount) {
		for i, s := range shares {
			weights[i] = 0
			if s.weight == 0 {
				weights[i] = s.fixed
			}
		}
		return apportion(amount, weights)
	}
	parts := apportion(amount-fixed, weights)
	for i, s := range shares {
		if s.weight == 0 {
			parts[i] = s.fixed
		}
	}
	return parts
}

// apportion divides an amount by weights, by the method of largest remainders.
// Without any weight everybody bears the same.
func apportion(amount int64, weights []int64) []int64 {
	parts := make([]int64, len(weights))
	if len(weights) == 0 {
		return parts
	}
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, big.NewInt(w))
	}
	if total.Sign() == 0 {
		weights = slices.Repeat([]int64{1}, len(weights))
		total.SetInt64(int64(len(weights)))
	}
	rests := make([]*big.Int, len(weights))
	order := make([]int, len(weights))
	left := amount
	for i, w := range weights {
		whole, rest := new(big.Int), new(big.Int)
		whole.DivMod(new(big.Int).Mul(big.NewInt(amount), big.NewInt(w)), total, rest)
		parts[i], rests[i], order[i] = whole.Int64(), rest, i
		left -= parts[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return rests[b].Cmp(rests[a]) })
	for _, i := range order[:left] {
		parts[i]++
	}
	return parts
}

// sharesOf reads who bears what of subscriptions, by subscription.
func sharesOf(r *tools.Reader, ids []string) (map[string][]share, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	recs, err := r.List(shares, tools.Query{Sort: "position", In: map[string][]string{"subscription": ids}})
	if err != nil {
		return nil, err
	}
	return bySubscription(recs, shareOf)
}

func shareOf(v values) (share, error) {
	rec, _ := v.(*core.Record)
	return share{
		member: v.GetString("member"), person: v.GetString("person"),
		weight: v.GetInt("weight"), fixed: int64(v.GetFloat("fixed")), rec: rec,
	}, nil
}

// handlesOf reads the handles of all members, by id.
func handlesOf(r *tools.Reader) (map[string]string, error) {
	all, err := r.Members()
	handles := make(map[string]string, len(all))
	for _, m := range all {
		handles[m.ID] = m.Handle
	}
	return handles, err
}

// shownShares shows who bears what of an amount.
func shownShares(s schedule, list []share, amount int64, handles map[string]string) []Share {
	var out []Share
	parts := split(amount, list)
	for i, sh := range list {
		one := Share{Member: tools.Account(sh.member), Handle: handles[sh.member], Person: sh.person, Weight: sh.weight, Amount: s.money(parts[i]).Decimal()}
		if sh.weight == 0 {
			one.Fixed = s.money(sh.fixed).Decimal()
		}
		out = append(out, one)
	}
	return out
}
