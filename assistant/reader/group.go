package reader

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
)

// group is all that was paid to one merchant from one account.
type group struct {
	key      string
	account  uint16
	currency code
	out, in  int     // how many there are
	rows     []int32 // of money out
	refunds  []int32 // of money in
	into     *group  // the group that this one was merged into
	mandate  bool    // the payee collects by a SEPA mandate
	known    bool    // the payee sells nothing but subscriptions
}

// minCut is how long a key must be for a longer one to be the same name, which
// a bank cut somewhere.
const minCut = 8

// groupRows gathers what was paid by merchant. Rows are sorted by day, and so
// are those of a group.
func groupRows(ctx context.Context, rows []row) ([]*group, error) {
	s := sorter{groups: map[string]int32{}, mandates: map[string]string{}, excluded: notSubscribed(), parts: instalments()}
	of := make([]int32, len(rows)) // the number of each row's group, from 1
	for i := range rows {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		of[i] = s.groupOf(&rows[i])
	}
	for _, g := range s.list {
		if service := knownService(g.key); service != "" {
			g.key, g.known = service, true
		}
	}
	merged := mergeCut(s.list)
	s.deal(rows, of)
	return merged, nil
}

// sorter puts each row into its group. Its buffers are used again for each row.
type sorter struct {
	merchant merchant
	folded   []byte
	id       []byte
	list     []*group
	groups   map[string]int32  // their numbers, by id
	mandates map[string]string // to the key of the first row with it
	excluded *phrases
	parts    *phrases // instalments
}

// groupOf is the number of a row's group, from 1; 0 for a row of no group.
func (s *sorter) groupOf(r *row) int32 {
	if r.amount == 0 || r.apart {
		return 0
	}
	if r.amount < 0 {
		if s.folded = appendFold(s.folded[:0], r.text); s.excludes(s.folded) {
			return 0
		}
	}
	s.merchant.of(r)
	mandate := mandateOf(r)
	s.id = append(s.id[:0], s.merchant.key...)
	if len(mandate) >= minCut && strings.ContainsAny(mandate, "0123456789") && !s.merchant.within {
		if first, ok := s.mandates[mandate]; ok {
			s.id = append(s.id[:0], first...) // another name, the same contract
		} else {
			s.mandates[mandate] = string(s.id)
		}
	}
	n := len(s.id)
	s.id = append(s.id, byte(r.account), byte(r.account>>8), r.currency[0], r.currency[1], r.currency[2])
	at, ok := s.groups[string(s.id)]
	if !ok {
		id := string(s.id)
		s.list = append(s.list, &group{key: id[:n], account: r.account, currency: r.currency})
		at = int32(len(s.list))
		s.groups[id] = at
	}
	g := s.list[at-1]
	g.mandate = g.mandate || mandate != ""
	if r.amount < 0 {
		g.out++
	} else {
		g.in++
	}
	return at
}

// excludes says that a folded text is of no payment that recurs by agreement. It
// walks over the words once for all that it looks for.
func (s *sorter) excludes(text []byte) bool {
	for len(text) > 0 {
		word, rest := text, []byte(nil)
		if i := bytes.IndexByte(text, ' '); i >= 0 {
			word, rest = text[:i], text[i+1:]
		}
		if s.excluded.start(word, text) || s.parts.start(word, word) && countedOf(string(rest[:min(len(rest), 40)])) {
			return true
		}
		text = rest
	}
	return false
}

// deal gives the groups their rows, in memory that is taken once.
func (s *sorter) deal(rows []row, of []int32) {
	room := make([]int32, len(rows))
	for _, g := range s.list {
		if g.into == nil {
			g.rows, room = room[:0:g.out], room[g.out:]
			g.refunds, room = room[:0:g.in], room[g.in:]
		}
	}
	for i, at := range of {
		if at == 0 {
			continue
		}
		g := s.list[at-1]
		if g.into != nil {
			g = g.into
		}
		if rows[i].amount < 0 {
			g.rows = append(g.rows, int32(i))
		} else {
			g.refunds = append(g.refunds, int32(i))
		}
	}
}

// names says that a key, not before the group's own in sequence, is its name.
func (g *group) names(key string) bool {
	return key == g.key || len(g.key) >= minCut && strings.HasPrefix(key, g.key)
}

// mergeCut joins groups whose keys are one name, cut at different lengths.
func mergeCut(groups []*group) []*group {
	sorted := slices.Clone(groups)
	slices.SortFunc(sorted, func(a, b *group) int {
		switch {
		case a.account != b.account:
			return cmp.Compare(a.account, b.account)
		case a.currency != b.currency:
			return bytes.Compare(a.currency[:], b.currency[:])
		}
		return strings.Compare(a.key, b.key)
	})
	var merged []*group
	for _, g := range sorted {
		if n := len(merged); n > 0 {
			if p := merged[n-1]; p.account == g.account && p.currency == g.currency && p.names(g.key) {
				p.out, p.in, g.into = p.out+g.out, p.in+g.in, p
				p.mandate = p.mandate || g.mandate
				continue
			}
		}
		merged = append(merged, g)
	}
	return merged
}

// mandateOf is the SEPA mandate of a direct debit, from its column or from the
// text.
func mandateOf(r *row) string {
	if r.rare != nil && r.rare.mandate != "" {
		return r.rare.mandate
	}
	i := strings.Index(r.text, "MREF+")
	if i < 0 {
		if i = strings.Index(r.text, "/MARF/"); i < 0 {
			return ""
		}
		i++
	}
	m, _, _ := strings.Cut(r.text[i+5:], " ")
	m, _, _ = strings.Cut(m, "/")
	return m
}

// charges of the group. A debit that failed, so that the bank gave it back and
// the merchant took it again within two weeks, is one charge: on its first day,
// or on its second where again is set. Other refunds change nothing, because a
// month that was refunded is a month of the series all the same.
func (g *group) charges(rows []row, failed map[int]bool, again bool) []charge {
	list := make([]charge, 0, len(g.rows))
	for i, n := range g.rows {
		if again && failed[i] || !again && failed[i-1] {
			continue
		}
		r := &rows[n]
		c := charge{row: n, day: r.day, amount: -r.amount}
		c.original, c.foreign = r.before()
		list = append(list, c)
	}
	return list
}

// explain finds the series of the group.
func (g *group) explain(ctx context.Context, rows []row) ([]series, []charge) {
	failed := g.failed(rows)
	charges := g.charges(rows, failed, false)
	best := explain(ctx, charges)
	if failed != nil && covered(best) < len(charges) {
		if other := explain(ctx, g.charges(rows, failed, true)); covered(other) > covered(best) {
			best = other
		}
	}
	return best, charges
}

// maxBack is how many charges before a refund may be the one that it returns.
const maxBack = 100

// failed marks the charges whose next one takes them again, by their place in
// g.rows.
func (g *group) failed(rows []row) map[int]bool {
	var failed map[int]bool
	for _, n := range g.refunds {
		refund := &rows[n]
		at, _ := slices.BinarySearch(g.rows, n)
		for i := at - 1; i >= max(0, at-maxBack); i-- {
			c := &rows[g.rows[i]]
			if refund.day-c.day > 35 {
				break
			}
			if c.amount != -refund.amount || failed[i] {
				continue
			}
			if i+1 < len(g.rows) {
				if again := &rows[g.rows[i+1]]; again.amount == c.amount && again.day-c.day <= 14 {
					if failed == nil {
						failed = map[int]bool{}
					}
					failed[i] = true
				}
			}
			break
		}
	}
	return failed
}
