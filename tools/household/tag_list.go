package household

import (
	"cmp"
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

type tagListIn struct {
	pageIn
}

// TagCount is a tag as it is mostly written, and how many subscriptions have
// it, of those that the person sees.
type TagCount struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

type tagListOut struct {
	Items []TagCount `json:"items"`
	Next  string     `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func tagListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_tag_list", Title: "household.title.tag_list",
		Help: "Lists tags by name with count: the subscriptions with it that you see, ended ones too. Gives {items, next}.",
	}, func(r *tools.Reader, in tagListIn) (tagListOut, error) {
		p, err := in.page()
		if err != nil {
			return tagListOut{}, err
		}
		all, err := tagCounts(r)
		if err != nil {
			return tagListOut{}, err
		}
		var out tagListOut
		out.Items, out.Next = cut(p, all[min(p.offset, len(all)):])
		return out, nil
	})
}

// tagCounts counts the tags by name. Few lists of tags differ, so it is those
// that the database counts.
func tagCounts(r *tools.Reader) ([]TagCount, error) {
	rows, err := r.Sum(subscriptions, tools.Query{}, []string{"tags"}, "count")
	if err != nil {
		return nil, err
	}
	written := map[string]map[string]int{} // how often in which writing, by folded tag
	for _, row := range rows {
		for _, tag := range tagsOf(row) {
			key := fold(tag)
			if written[key] == nil {
				written[key] = map[string]int{}
			}
			written[key][tag] += row.GetInt("count")
		}
	}
	all := make([]TagCount, 0, len(written))
	for _, writings := range written {
		t, most := TagCount{}, 0
		for tag, n := range writings {
			t.Count += n
			if n > most || (n == most && tag < t.Tag) {
				t.Tag, most = tag, n
			}
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b TagCount) int { return cmp.Compare(fold(a.Tag), fold(b.Tag)) })
	return all, nil
}
