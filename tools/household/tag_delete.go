package household

import (
	"slices"

	"github.com/nodkeep/nodkeep/tools"
)

type tagDeleteIn struct {
	Tag string `json:"tag"`
}

// TagDeleted is what household_tag_delete did.
type TagDeleted struct {
	Count int    `json:"count" jsonschema:"how many subscriptions had the tag, of those that you see"`
	Tag   string `json:"tag" jsonschema:"as it was usually written"`
}

// A tag is a word on records, not a record: they are changed, none is deleted,
// and an undo puts every word back where it stood. So this is a write, as
// household_tag_rename is.
func tagDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_tag_delete", Title: "household.title.tag_delete", Effect: tools.EffectWrite,
		Help: "Takes a tag off every subscription that has it and that you see. The subscriptions stay.",
	}, func(c *tools.Call, in tagDeleteIn) (TagDeleted, error) {
		tag, err := parseTag("tag", in.Tag)
		if err != nil {
			return TagDeleted{}, err
		}
		all, err := tagCounts(&c.Reader)
		if err != nil {
			return TagDeleted{}, err
		}
		if i := slices.IndexFunc(all, func(t TagCount) bool { return sameText(t.Tag, tag) }); i >= 0 {
			tag = all[i].Tag // as it is usually written
		}
		n, err := eachTagged(c, "tag", tag, func(tags []string) []string { return withoutTag(tags, tag) })
		return TagDeleted{n, tag}, err
	}, tools.WithCard(func(_ *tools.Reader, _ tagDeleteIn, out TagDeleted, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("household.card.tag_delete", out.Count, out.Tag)}, nil
	}))
}
