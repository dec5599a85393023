package household

import "github.com/nodkeep/nodkeep/tools"

type namedListIn struct {
	pageIn
}

// Counted is a badge and how many subscriptions have it, of those that the
// person sees.
type Counted struct {
	Badge
	Count int `json:"count"`
}

type namedListOut struct {
	Items []Counted `json:"items"`
	Next  string    `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func namedListTool(n noun, def tools.Def) tools.Tool {
	return tools.NewRead(def, func(r *tools.Reader, in namedListIn) (namedListOut, error) {
		p, err := in.page()
		if err != nil {
			return namedListOut{}, err
		}
		recs, err := n.all(r)
		if err != nil {
			return namedListOut{}, err
		}
		counts, err := n.counts(r)
		if err != nil {
			return namedListOut{}, err
		}
		var out namedListOut
		recs, out.Next = cut(p, recs[min(p.offset, len(recs)):])
		out.Items = make([]Counted, len(recs))
		for i, rec := range recs {
			out.Items[i] = Counted{badgeOf(rec), counts[rec.Id]}
		}
		return out, nil
	})
}

// counts says how many subscriptions have each, all in one query.
func (n noun) counts(r *tools.Reader) (map[string]int, error) {
	rows, err := r.Sum(subscriptions, tools.Query{}, []string{n.field}, "count")
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int, len(rows))
	for _, row := range rows {
		id, _ := row[n.field].(string)
		many, _ := row["count"].(int64)
		counts[id] = int(many)
	}
	return counts, nil
}
