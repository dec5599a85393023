package household

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nodkeep/nodkeep/tools"
)

// charges finds charges by their text and amount, newest first: it leaves out
// so many and gives as many as wanted. A word may also be in the name of their
// subscription, but not all of them: who looks for a name wants the
// subscription, not its hundred charges.
func (s *finding) charges(r *tools.Reader, skip, want int) ([]Hit, error) {
	query := s.chargeQuery()
	var hits []Hit
	for query.Limit = 4 * (skip + want); ; query.Limit *= 64 {
		rows, err := r.Rows(charges, query, "subscription", "date", "amount", "currency", "text", "state")
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			h, ok := s.charge(row)
			if !ok {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			if hits = append(hits, h); len(hits) == want {
				return hits, nil
			}
		}
		if len(rows) < query.Limit {
			return hits, nil
		}
		query.Offset += len(rows)
	}
}

// chargeQuery lets the database find what may fit: there are too many charges
// to read all. It knows no accents, so it is asked loosely, and charge decides.
func (s *finding) chargeQuery() tools.Query {
	q := tools.Query{Sort: "-date", Params: map[string]any{}}
	var every, own []string
	for i, word := range s.words {
		at := fmt.Sprint("w", i)
		q.Params[at] = loose(word)
		is := fmt.Sprintf("text ~ {:%s}", at)
		for _, currency := range []string{"JPY", "EUR", "KWD", "CLF"} { // of 0, 2, 3 and 4 decimal places
			if m, err := tools.ParseMoney(strings.Replace(word, ",", ".", 1), currency); err == nil {
				place := fmt.Sprintf("%s%s", at, currency)
				q.Params[place] = m.Minor
				is += fmt.Sprintf(" || amount = {:%s}", place)
			}
		}
		own = append(own, is)
		every = append(every, fmt.Sprintf("(%s || subscription.name ~ {:%s})", is, at))
	}
	q.Filter = strings.Join(every, " && ") + " && (" + strings.Join(own, " || ") + ")"
	return q
}

// charge is a hit if every word is in it, and one of them not only in the name
// of its subscription.
func (s *finding) charge(row tools.Row) (Hit, bool) {
	day, _ := tools.ParseDate(row.GetString("date")) // validated when it was stored
	h := Hit{Kind: foundCharge, ID: row.GetString("id"), Subscription: row.GetString("subscription"), Date: day}
	h.Name = s.names[h.Subscription]
	h.booked = charged{text: row.GetString("text"), byHand: row.GetString("state") != ""}
	name := bare(h.Name)
	places := []place{
		{field: "text", text: row.GetString("text")},
		{field: "amount", money: tools.Money{Minor: amountOf(row), Currency: row.GetString("currency")}},
	}
	for _, word := range s.words {
		i := slices.IndexFunc(places, func(p place) bool { return p.has(word) })
		if i < 0 && !strings.Contains(name, word) {
			return Hit{}, false
		}
		if i >= 0 && h.Field == "" {
			h.Field, h.Snippet = places[i].field, places[i].around(word)
		}
	}
	return h, h.Field != ""
}

// loose is a pattern of the database that finds at least what has a bare word.
// Letters that may bear an accent, or have a case that the database does not
// know, stand for any one, and so does an s at either end: it may be half of a
// ß. Two letters that may be written as one stand for anything.
func loose(word string) string {
	var b strings.Builder
	b.WriteByte('%')
	runes := []rune(word)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		edge := i == 0 || i == len(runes)-1
		switch {
		case i+1 < len(runes) && slices.Contains([]string{"ss", "ae", "oe"}, string(runes[i:i+2])):
			b.WriteByte('%')
			i++
		case strings.ContainsRune("aeiouycn", r), r > unicode.MaxASCII, r == 's' && edge:
			b.WriteByte('_')
		case strings.ContainsRune(`%_\`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('%')
	return b.String()
}
