package household

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// maxCategory is how long the name of a category is at most.
const maxCategory = 60

// Category is one of the household's own.
type Category struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// categoryNames reads all categories, by id.
func categoryNames(r *tools.Reader) (map[string]string, error) { return namesOf(r, categories) }

// findCategory takes a name or an id.
func findCategory(r *tools.Reader, field, s string) (string, error) {
	recs, err := r.List(categories, tools.Query{})
	if err != nil {
		return "", err
	}
	if rec := categoryNamed(recs, s); rec != nil {
		return rec.Id, nil
	}
	return "", invalid("household.error.category", field, short(s))
}

func categoryNamed(recs []*core.Record, s string) *core.Record {
	s = strings.TrimSpace(unhidden(s))
	for _, rec := range recs {
		if rec.Id == s || sameText(rec.GetString("name"), s) {
			return rec
		}
	}
	return nil
}

type categoryListIn struct {
	Limit  int    `json:"limit,omitzero" jsonschema:"how many, 50 by default and 200 at most"`
	Cursor string `json:"cursor,omitzero" jsonschema:"next of the page before"`
}

type categoryListOut struct {
	Items []Category `json:"items"`
	Next  string     `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func categoryListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_category_list", Title: "household.title.category_list",
		Help: "Lists the household's categories by name: id and name of each.",
	}, func(r *tools.Reader, in categoryListIn) (categoryListOut, error) {
		p, err := parsePage(in.Limit, in.Cursor)
		if err != nil {
			return categoryListOut{}, err
		}
		recs, err := r.List(categories, tools.Query{Sort: "name", Limit: p.limit + 1, Offset: p.offset})
		if err != nil {
			return categoryListOut{}, err
		}
		out := categoryListOut{Items: make([]Category, 0, len(recs))}
		recs, out.Next = cut(p, recs)
		for _, rec := range recs {
			out.Items = append(out.Items, Category{rec.Id, rec.GetString("name")})
		}
		return out, nil
	})
}

type categoryAddIn struct {
	Name string `json:"name" jsonschema:"such as Streaming"`
}

func categoryAddTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_category_add", Title: "household.title.category_add", Effect: tools.EffectWrite,
		Help: "Adds a category that subscriptions can be given. Names are unique, upper and lower case being the same.",
	}, func(c *tools.Call, in categoryAddIn) (Category, error) {
		name, err := parseName("name", in.Name, maxCategory)
		if err != nil {
			return Category{}, err
		}
		recs, err := c.List(categories, tools.Query{})
		if err != nil {
			return Category{}, err
		}
		if same := categoryNamed(recs, name); same != nil {
			return Category{}, tools.Fail(tools.Conflict, "household.error.category_exists", same.GetString("name"), same.Id)
		}
		rec := c.New(categories)
		rec.Set("name", name)
		if err := c.Save(rec); err != nil {
			return Category{}, err
		}
		return Category{rec.Id, name}, nil
	}, tools.WithCard(func(_ *tools.Reader, _ categoryAddIn, out Category, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("household.card.category_add", out.Name)}, nil
	}))
}
