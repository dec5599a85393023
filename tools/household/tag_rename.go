package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type tagRenameIn struct {
	From string `json:"from"`
	To   string `json:"to" jsonschema:"where a subscription has this tag already, the two become one"`
}

// TagRenamed is what household_tag_rename did.
type TagRenamed struct {
	Count int    `json:"count" jsonschema:"how many subscriptions had the tag, of those that you see"`
	From  string `json:"from"`
	To    string `json:"to"`
}

func tagRenameTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_tag_rename", Title: "household.title.tag_rename", Effect: tools.EffectWrite,
		Help: "Renames a tag on every subscription that has it and that you see. Renaming to a tag that exists merges the two.",
	}, tagRename, tools.WithCard(func(_ *tools.Reader, _ tagRenameIn, out TagRenamed, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("household.card.tag_rename", out.Count, out.From, out.To)}, nil
	}))
}

func tagRename(c *tools.Call, in tagRenameIn) (TagRenamed, error) {
	from, err := parseTag("from", in.From)
	if err != nil {
		return TagRenamed{}, err
	}
	to, err := parseTag("to", in.To)
	if err != nil {
		return TagRenamed{}, err
	}
	if from == to {
		return TagRenamed{}, invalid("household.error.same_tag", to)
	}
	n, err := eachTagged(c, "from", from, func(tags []string) []string { return renamed(tags, from, to) })
	return TagRenamed{n, from, to}, err
}

// eachTagged changes the tags of every subscription that has a tag and that the
// person sees, and counts them. There must be one.
func eachTagged(c *tools.Call, field, tag string, change func(tags []string) []string) (n int, err error) {
	recs, err := c.List(subscriptions, tools.Query{Sort: "name"})
	if err != nil {
		return 0, err
	}
	for _, rec := range recs {
		tags := tagsOf(rec)
		if !hasTag(tags, tag) {
			continue
		}
		setTags(rec, change(tags))
		if err := c.Save(rec); err != nil {
			return 0, about(err, rec.GetString("name"))
		}
		n++
	}
	if n == 0 {
		return 0, tools.Fail(tools.NotFound, "household.error.no_tag", field, tag)
	}
	return n, nil
}

// renamed puts to in the place of from, once.
func renamed(tags []string, from, to string) []string {
	var out []string
	for _, t := range tags {
		if hasTag([]string{t}, from) {
			t = to
		}
		if hasTag([]string{t}, to) {
			t = to
		}
		if !hasTag(out, t) {
			out = append(out, t)
		}
	}
	return out
}
