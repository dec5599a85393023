package reader

import "hash/maphash"

// repeats finds rows that a file holds twice. A bank's id counts only together
// with the rest of the row, because banks use ids again. Without ids, equal rows
// of one export are all real; only where exports were joined is the n-th of
// equal rows the same as the n-th in the other.
type repeats struct {
	seed   maphash.Seed
	ids    map[uint64]int
	before map[uint64][]int32 // lines of equal rows in the exports above
	now    map[uint64]int     // equal rows in this one so far
}

func newRepeats() repeats {
	return repeats{seed: maphash.MakeSeed(), ids: map[uint64]int{}}
}

// join starts another export below the rows of others.
func (p *repeats) join(rows []row) {
	p.before, p.now = make(map[uint64][]int32, len(rows)), map[uint64]int{}
	for i := range rows {
		key := p.hash(&rows[i], nil)
		p.before[key] = append(p.before[key], rows[i].line)
	}
}

// of is the line that the row repeats; 0 for a row that is new.
func (p *repeats) of(r *row, id []byte) int {
	if len(id) > 0 {
		key := p.hash(r, id)
		if first, ok := p.ids[key]; ok {
			return first
		}
		p.ids[key] = int(r.line)
		return 0
	}
	if p.before == nil {
		return 0
	}
	key := p.hash(r, nil)
	n := p.now[key]
	p.now[key] = n + 1
	if lines := p.before[key]; n < len(lines) {
		return int(lines[n])
	}
	return 0
}

func (p *repeats) hash(r *row, id []byte) uint64 {
	type content struct {
		amount   amount
		day      day
		account  uint16
		currency code
	}
	return maphash.Comparable(p.seed, content{r.amount, r.day, r.account, r.currency}) ^
		maphash.String(p.seed, r.text) ^ maphash.Bytes(p.seed, id)*31
}
