package household

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// How long what is looked for is at most, and of how many words.
const maxQuery, maxWords = 120, 8

// The kinds of what is found.
const (
	foundSubscription = "subscription"
	foundCategory     = "category"
	foundMethod       = "payment_method"
	foundCharge       = "charge"
)

type searchIn struct {
	Query string   `json:"query" jsonschema:"words, and amounts such as 15.99; all must be there"`
	In    []string `json:"in,omitempty" jsonschema:"all by default"`
	pageIn
}

// Hit is something found, and where in it.
type Hit struct {
	Kind         string     `json:"kind" jsonschema:"subscription, category, payment_method or charge"`
	ID           string     `json:"id"`
	Name         string     `json:"name" jsonschema:"of a charge, the subscription's"`
	Field        string     `json:"field" jsonschema:"where it was found"`
	Snippet      string     `json:"snippet,omitzero" jsonschema:"that field, or what is around the word; absent for the name"`
	Subscription string     `json:"subscription,omitzero" jsonschema:"of a charge"`
	Date         tools.Date `json:"date,omitzero" jsonschema:"of a charge"`
	rank         int
	booked       charged // of a charge, as far as it matters whose words it has
}

type searchOut struct {
	Items []Hit  `json:"items"`
	Next  string `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func searchTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_search", Title: "household.title.search",
		Help: "Finds words in subscriptions (also notes, tags, account), categories, payment methods and charges, in any case, accents or not. Names first.",
	}, search, tools.OneOf("in", foundSubscription, foundCategory, foundMethod, foundCharge))
}

// search reads through the list rules, so that it finds only what the person
// may see.
func search(r *tools.Reader, in searchIn) (searchOut, error) {
	p, err := in.page()
	if err != nil {
		return searchOut{}, err
	}
	words, err := parseWords("query", in.Query)
	if err != nil {
		return searchOut{}, err
	}
	wants := func(kind string) bool { return len(in.In) == 0 || slices.Contains(in.In, kind) }
	s, err := searched(r, words, wants)
	if err != nil {
		return searchOut{}, err
	}
	var out searchOut
	out.Items = s.hits[min(p.offset, len(s.hits)):]
	if more := p.limit + 1 - len(out.Items); more > 0 && wants(foundCharge) {
		booked, err := s.charges(r, max(0, p.offset-len(s.hits)), more)
		if err != nil {
			return searchOut{}, err
		}
		out.Items = append(out.Items, booked...)
	}
	out.Items, out.Next = cut(p, out.Items)
	heard := voicesIn(r)
	for _, h := range out.Items {
		s.hear(heard, h)
	}
	return out, heard.tell()
}

// parseWords takes apart what is looked for.
func parseWords(field, query string) ([]string, error) {
	line, err := parseName(field, query, maxQuery)
	if err != nil {
		return nil, err
	}
	var words []string
	for _, word := range strings.Fields(bare(line)) {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) > maxWords {
		return nil, invalid("household.error.words", field, maxWords)
	}
	return words, nil
}

// finding is one search.
type finding struct {
	words []string
	names map[string]string // of the subscriptions that the person sees
	rows  map[string]tools.Row
	hits  []Hit // but charges, the best first
}

// searched finds all but charges: of these there are few enough to read all.
func searched(r *tools.Reader, words []string, wants func(kind string) bool) (*finding, error) {
	s := &finding{words: words, names: map[string]string{}, rows: map[string]tools.Row{}}
	named := map[string]map[string]string{} // by kind
	for kind, n := range map[string]noun{foundCategory: categoryNoun(), foundMethod: methodNoun()} {
		names, err := n.names(r)
		if err != nil {
			return nil, err
		}
		named[kind] = names
		for id, name := range names {
			if wants(kind) {
				s.look(Hit{Kind: kind, ID: id, Name: name}, nil)
			}
		}
	}
	rows, err := r.Rows(subscriptions, tools.Query{}, "name", "owner", "merchant", "tags", "category", "payment_method", "account", "url", "notes", "amount", "currency")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		id := row.GetString("id")
		s.names[id], s.rows[id] = row.GetString("name"), row
		if !wants(foundSubscription) {
			continue
		}
		s.look(Hit{Kind: foundSubscription, ID: id, Name: s.names[id]}, []place{
			{field: "merchant", text: row.GetString("merchant")},
			{field: "tags", text: strings.Join(tagsOf(row), ", ")},
			{field: "category", text: named[foundCategory][row.GetString("category")]},
			{field: "payment_method", text: named[foundMethod][row.GetString("payment_method")]},
			{field: "account", text: row.GetString("account")},
			{field: "url", text: row.GetString("url")},
			{field: "notes", text: row.GetString("notes")},
			{field: "amount", money: tools.Money{Minor: amountOf(row), Currency: row.GetString("currency")}},
		})
	}
	slices.SortFunc(s.hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(fold(a.Name), fold(b.Name)), -strings.Compare(a.Kind, b.Kind), strings.Compare(a.ID, b.ID))
	})
	return s, nil
}

// hear notes whose words a hit has.
func (s *finding) hear(v *voices, h Hit) {
	switch {
	case h.Kind == foundCharge && h.Field == "text":
		v.booked(h.booked, s.rows[h.Subscription].GetString("owner"))
	case h.Kind == foundSubscription && slices.Contains([]string{"account", "url", "notes"}, h.Field):
		v.whole(s.rows[h.ID])
	}
}
