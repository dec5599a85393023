package household

import (
	"strconv"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type bulkUpdateIn struct {
	IDs        []string `json:"ids" jsonschema:"1 to 500; one that is not there stops all"`
	Category   string   `json:"category,omitzero" jsonschema:"name or id"`
	Method     string   `json:"payment_method,omitzero" jsonschema:"name or id"`
	AddTags    []string `json:"add_tags,omitempty"`
	RemoveTags []string `json:"remove_tags,omitempty"`
	Private    *bool    `json:"private,omitempty"`
	Owner      string   `json:"owner,omitzero" jsonschema:"handle or id"`
	RemindDays *int     `json:"remind_days,omitempty" jsonschema:"before charges; -1 never"`
	Clear      []string `json:"clear,omitempty" jsonschema:"fields to empty"`
}

// Bulk is what a bulk tool did.
type Bulk struct {
	Count int       `json:"count"`
	Items []Deleted `json:"items" jsonschema:"id and name of each"`
}

func (b Bulk) names() []string {
	names := make([]string, len(b.Items))
	for i, item := range b.Items {
		names[i] = item.Name
	}
	return names
}

func bulkUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscriptions_bulk_update", Title: "household.title.bulk_update", Effect: tools.EffectWrite,
		Help: "Changes up to 500 subscriptions at once, all or none. Gives id and name of each.",
	}, bulkUpdate, most("ids", maxIDs),
		tools.WithCard(func(_ *tools.Reader, _ bulkUpdateIn, out Bulk, _ []tools.Change) (tools.Card, error) {
			return tools.Card{Title: tools.T("household.card.bulk_update", out.Count, names(out.names()))}, nil
		}))
}

func bulkUpdate(c *tools.Call, in bulkUpdateIn) (Bulk, error) {
	set := map[string]bool{
		"category": in.Category != "", "payment_method": in.Method != "", "tags": len(in.AddTags)+len(in.RemoveTags) > 0,
		"private": in.Private != nil, "owner": in.Owner != "", "remind_days": in.RemindDays != nil,
	}
	if len(in.Clear) == 0 && !anySet(set) {
		return Bulk{}, invalid("household.error.nothing")
	}
	recs, err := allOf(c, in.IDs)
	if err != nil {
		return Bulk{}, err
	}
	if err := in.parse(&c.Reader, set); err != nil {
		return Bulk{}, about(err, namesOf(recs))
	}
	return forEach(recs, func(rec *core.Record) error {
		empty(rec, nil, in.Clear)
		for field, id := range map[string]string{"category": in.Category, "payment_method": in.Method} {
			if id != "" {
				rec.Set(field, id)
			}
		}
		if in.RemindDays != nil {
			rec.Set("remind_days", strconv.Itoa(*in.RemindDays))
		}
		if err := retag(rec, in.AddTags, in.RemoveTags); err != nil {
			return err
		}
		if err := belong(&c.Reader, rec, in.Private, in.Owner); err != nil {
			return err
		}
		return c.Save(rec)
	})
}

// parse checks what is said about all, once, and puts ids for names.
func (in *bulkUpdateIn) parse(r *tools.Reader, set map[string]bool) (err error) {
	if err := parseClear(in.Clear, set, "category", "payment_method", "remind_days", "tags"); err != nil {
		return err
	}
	if in.AddTags, err = parseTags("add_tags", in.AddTags); err != nil {
		return err
	}
	if in.RemoveTags, err = parseEach("remove_tags", in.RemoveTags, parseTag); err != nil {
		return err
	}
	if in.RemindDays != nil {
		if err := parseRemind(*in.RemindDays); err != nil {
			return err
		}
	}
	if in.Category != "" {
		if in.Category, err = categoryNoun().find(r, "category", in.Category); err != nil {
			return err
		}
	}
	if in.Method != "" {
		if in.Method, err = methodNoun().find(r, "payment_method", in.Method); err != nil {
			return err
		}
	}
	if in.Owner != "" {
		in.Owner, err = findMember(r, "owner", in.Owner)
	}
	return err
}

// retag adds and removes tags of one record.
func retag(rec *core.Record, add, remove []string) error {
	if len(add)+len(remove) == 0 {
		return nil
	}
	tags := tagsOf(rec)
	for _, t := range remove {
		tags = withoutTag(tags, t)
	}
	for _, t := range add {
		if !hasTag(tags, t) {
			tags = append(tags, t)
		}
	}
	if len(tags) > maxTags {
		return invalid("household.error.tags_of", rec.GetString("name"), maxTags)
	}
	setTags(rec, tags)
	return nil
}

// forEach does something with every subscription of a list.
func forEach(recs []*core.Record, do func(*core.Record) error) (Bulk, error) {
	for _, rec := range recs {
		name := rec.GetString("name")
		if err := do(rec); err != nil {
			return Bulk{}, about(err, name)
		}
	}
	return bulkOf(recs), nil
}

// allOf reads the subscriptions of a list at once, in its order. One that is
// not there stops all.
func allOf(c *tools.Call, ids []string) ([]*core.Record, error) {
	if err := parseIDs(ids); err != nil {
		return nil, err
	}
	found, err := c.List(subscriptions, tools.Query{In: map[string][]string{"id": ids}})
	if err != nil {
		return nil, err
	}
	by := make(map[string]*core.Record, len(found))
	for _, rec := range found {
		by[rec.Id] = rec
	}
	recs := make([]*core.Record, len(ids))
	for i, id := range ids {
		if recs[i] = by[id]; recs[i] == nil {
			return nil, missing("ids", i, id)
		}
	}
	return recs, nil
}

// missing says which of a list of subscriptions is not there.
func missing(field string, i int, id string) error {
	return tools.Fail(tools.NotFound, "household.error.no_subscription", item(field, i), short(id))
}

// namesOf lists records by name.
func namesOf(recs []*core.Record) tools.Text { return names(bulkOf(recs).names()) }

// bulkOf names records.
func bulkOf(recs []*core.Record) Bulk {
	out := Bulk{Count: len(recs), Items: make([]Deleted, len(recs))}
	for i, rec := range recs {
		out.Items[i] = Deleted{rec.Id, rec.GetString("name")}
	}
	return out
}
