package household

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// slow is the reference: what each group spent, by going through every day and
// every charge.
func (h anyHome) slow(person, by string, from, to tools.Date) map[string]SpendingSum {
	type spentSum struct {
		booked, expected int64
		charges, open    int
	}
	sums := map[string]spentSum{}
	for _, s := range h.subs {
		if s.private && s.owner != person {
			continue
		}
		book := func(day tools.Date, minor int64, currency string, booked bool) {
			if day.Before(from) || day.After(to) {
				return
			}
			for group, part := range s.slowGroups(by, day, minor, currency) {
				sum := sums[group+" "+currency]
				if booked {
					sum.booked, sum.charges = sum.booked+part.Minor, sum.charges+part.n
				} else {
					sum.expected, sum.open = sum.expected+part.Minor, sum.open+part.n
				}
				sums[group+" "+currency] = sum
			}
		}
		for _, due := range s.dues {
			if !s.settled[due] {
				book(due, s.on(due), s.currency, false)
			}
		}
		for _, c := range s.charges {
			if c.amount > 0 {
				book(c.date, c.amount, c.currency, true)
			}
		}
	}
	shown := map[string]SpendingSum{}
	for key, s := range sums {
		currency := key[len(key)-3:]
		show := func(minor int64) string { return tools.Money{Minor: minor, Currency: currency}.Decimal() }
		shown[key] = SpendingSum{currency, show(s.booked), show(s.expected), show(s.booked + s.expected), s.charges, s.open}
	}
	return shown
}

// part is what one group has of an amount, of so many charges.
type part struct {
	tools.Money
	n int
}

func (s anySub) slowGroups(by string, day tools.Date, minor int64, currency string) map[string]part {
	whole := part{tools.Money{Minor: minor}, 1}
	one := func(name string) map[string]part { return map[string]part{name: whole} }
	switch by {
	case groupMonth:
		return one(day.String()[:7])
	case groupCategory:
		return one(s.category)
	case groupMethod:
		return one(s.method)
	case groupSubscription:
		return one(s.id)
	case groupTag:
		all := map[string]part{}
		for _, tag := range s.tags {
			all[tag] = whole
		}
		if len(all) == 0 {
			return one("")
		}
		return all
	}
	if len(s.shares) == 0 {
		return one(s.owner)
	}
	parts := split(minor, s.shares)
	if currency != s.currency {
		parts = apportion(minor, split(s.on(day), s.shares))
	}
	all := map[string]part{}
	for i, sh := range s.shares {
		p := all[sh.member+sh.person]
		all[sh.member+sh.person] = part{tools.Money{Minor: p.Minor + parts[i]}, p.n + 1}
	}
	return all
}

// For any household and time, what is told by each group is what the reference
// finds; but for tags, and for how many charges members bear a part of, the
// groups add up to the totals, which are the same whatever is asked by.
func TestSpendingForAnyHousehold(t *testing.T) {
	today := date("2026-03-01")
	a := homeOn(t, today.String())
	booked, open := 0, 0
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		wipe(t, a)
		var h anyHome
		h.fill(t, a, rnd, today)
		from := today.AddDays(-rnd.IntN(900))
		to := earlier(from.AddDays(rnd.IntN(900)), today.AddDays(40))
		for _, who := range []string{"ann", "bob"} {
			person := a.Member(who).Id
			total := map[string]SpendingSum{}
			for _, s := range h.slow(person, groupSubscription, from, to) {
				total[s.Currency] = sumOf(total[s.Currency], s)
			}
			for _, by := range []string{groupMonth, groupCategory, groupMethod, groupMember, groupTag, groupSubscription} {
				out := spentBy(t, a, who, args{"by": by, "from": from.String(), "to": to.String(), "limit": 200})
				got := map[string]SpendingSum{}
				for _, row := range out.Items {
					name := row.Month + row.ID
					if name == "" && !row.None {
						name = row.Name.Args[0].(string)
					}
					for _, s := range row.Sums {
						got[name+" "+s.Currency] = s
						booked, open = booked+s.Charges, open+s.Open
					}
				}
				if diff := cmp.Diff(h.slow(person, by, from, to), got); diff != "" {
					t.Fatalf("seed %d, %s, by %s, %s to %s: %s", seed, who, by, from, to, diff)
				}
				if diff := cmp.Diff(slices.SortedFunc(maps.Values(total), byCurrency), out.Totals); diff != "" {
					t.Fatalf("seed %d, %s, by %s: totals %s", seed, who, by, diff)
				}
				if by != groupTag {
					added := map[string]SpendingSum{}
					for _, s := range got {
						added[s.Currency] = sumOf(added[s.Currency], s)
					}
					for currency, s := range added {
						if s.Total != total[currency].Total || s.Booked != total[currency].Booked {
							t.Fatalf("seed %d, by %s: the groups add up to %+v, not to %+v", seed, by, s, total[currency])
						}
					}
				}
			}
		}
	}
	if booked < 1000 || open < 500 {
		t.Errorf("only %d booked and %d open were seen", booked, open)
	}
}

func byCurrency(a, b SpendingSum) int { return slices.Compare([]byte(a.Currency), []byte(b.Currency)) }

// sumOf adds up two sums of one currency.
func sumOf(a, b SpendingSum) SpendingSum {
	add := func(x, y string) string {
		m := moneyOf(y, b.Currency)
		if x != "" {
			m.Minor += moneyOf(x, b.Currency).Minor
		}
		return m.Decimal()
	}
	return SpendingSum{b.Currency, add(a.Booked, b.Booked), add(a.Expected, b.Expected), add(a.Total, b.Total), a.Charges + b.Charges, a.Open + b.Open}
}

// What is private is in nobody else's sums: they are those of a household
// without it, to the cent and the row.
func TestSpendingLeavesOutWhatIsPrivate(t *testing.T) {
	today := date("2026-03-01")
	a := homeOn(t, today.String())
	different := 0
	for seed := range uint64(4) {
		wipe(t, a)
		var h anyHome
		h.fill(t, a, rand.New(rand.NewPCG(seed, 12)), today)
		ask := func(who string) map[string]any {
			all := map[string]any{}
			for _, by := range []string{groupMonth, groupCategory, groupMethod, groupMember, groupTag, groupSubscription} {
				all[by] = plain(t, spentBy(t, a, who, args{"by": by, "months": 30, "in": "EUR"}))
			}
			return all
		}
		bob, ann := ask("bob"), ask("ann")
		for _, s := range h.subs {
			if s.private && s.owner == h.members[0] {
				rec, err := a.FindRecordById(subscriptions, s.id)
				if err == nil {
					err = a.Delete(rec)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if diff := cmp.Diff(ask("bob"), bob); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if cmp.Diff(ask("ann"), ann) != "" {
			different++
		}
	}
	if different == 0 {
		t.Error("nothing private was spent on")
	}
}
