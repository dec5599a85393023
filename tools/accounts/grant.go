package accounts

import (
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Grants say who may use which assistant.
const Grants = "nodkeep_grants"

// Grant lets one member, or everybody, use an assistant.
type Grant struct {
	ID        string    `json:"id"`
	Assistant string    `json:"assistant"`
	Account   string    `json:"account,omitzero"`
	Handle    string    `json:"handle,omitzero"`
	Everybody bool      `json:"everybody"`
	Created   time.Time `json:"created"`
}

// GrantPage is one page of grants.
type GrantPage struct {
	Items []Grant `json:"items"`
	Next  string  `json:"next"`
}

type grantListIn struct {
	Assistant string         `json:"assistant,omitzero"`
	Account   tools.Personal `json:"account,omitzero"` // its id or handle
	pageIn
}

func grantListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_grant_list", Title: "nodkeep.title.grant_list", Operator: true, Hidden: hiddenAssistant,
		Help: "Lists who may use which assistant, oldest first; of one assistant or one account if that is given.",
	}, grantList)
}

func grantList(r *tools.Reader, in grantListIn) (GrantPage, error) {
	q, limit, err := in.query()
	if err != nil {
		return GrantPage{}, err
	}
	if in.Assistant != "" {
		q.In["assistant"] = []string{in.Assistant}
	}
	if err := ofAccount(r, &q, in.Account); err != nil {
		return GrantPage{}, err
	}
	recs, err := r.List(Grants, q)
	if err != nil {
		return GrantPage{}, err
	}
	recs, next := cut(recs, limit, created)
	out := GrantPage{Items: []Grant{}, Next: next}
	for _, rec := range recs {
		out.Items = append(out.Items, Grant{
			ID: rec.Id, Assistant: rec.GetString("assistant"), Account: rec.GetString("person"), Handle: handleOf(r, rec.GetString("person")),
			Everybody: rec.GetBool("everybody"), Created: at(rec, "created"),
		})
	}
	return out, nil
}

// created is where a record stands among the oldest first.
func created(rec *core.Record) string { return rec.GetDateTime("created").String() }

// query is that of a page, oldest first, with one more than it holds.
func (in pageIn) query() (q tools.Query, limit int, err error) {
	limit, key, id, err := in.page()
	if err != nil {
		return q, 0, err
	}
	q = tools.Query{Sort: "created", Limit: limit + 1, In: map[string][]string{}, Params: map[string]any{}}
	if id != "" {
		q.Filter = "(created > {:key} || (created = {:key} && id > {:id}))"
		q.Params["key"], q.Params["id"] = key, id
	}
	return q, limit, nil
}

// ofAccount narrows a list to one account, if one is named.
func ofAccount(r *tools.Reader, q *tools.Query, name tools.Personal) error {
	if name == "" {
		return nil
	}
	rec, err := anybody(r, string(name))
	if err == nil {
		q.In["person"] = []string{rec.Id}
	}
	return err
}

type grantSetIn struct {
	Assistant string `json:"assistant"`
	Allow     bool   `json:"allow"` // else it is taken away
	whoIn
}

// GrantSet is what became of grants.
type GrantSet struct {
	Assistant string   `json:"assistant"`
	Allow     bool     `json:"allow"`
	People    []string `json:"people"` // their handles; none where it is for everybody
	Everybody bool     `json:"everybody"`
	Changed   int      `json:"changed"` // grants that were made or taken away
	still     bool     // everybody may still, and so they
}

func (p Plugin) grantSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_grant_set", Title: "nodkeep.title.grant_set", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenAssistant,
		Help: "Lets members (accounts, at most 200 at once) or everybody use an assistant (allow: true), or takes that away (allow: false), which wants a nod. Setting it the other way takes it back.",
	}, p.grantSet, tools.WithCard(func(_ *tools.Reader, _ grantSetIn, out GrantSet, _ []tools.Change) (tools.Card, error) {
		key := "nodkeep.card.grant_take"
		if out.Allow {
			key = "nodkeep.card.grant_give"
		}
		card := tools.Card{Title: whoText(key, out.People, out.Assistant), Lines: []tools.Text{tools.T(key + "_then")}}
		if out.still {
			card.Lines = append(card.Lines, tools.T("nodkeep.card.grant_still"))
		}
		return card, nil
	}))
}

func (p Plugin) grantSet(c *tools.Call, in grantSetIn) (GrantSet, error) {
	if in.Allow { // what is left of one that is gone can be taken away
		if err := p.hasAssistant(&c.Reader, in.Assistant); err != nil {
			return GrantSet{}, err
		}
	}
	all, err := in.targets(&c.Reader)
	if err != nil {
		return GrantSet{}, err
	}
	out := GrantSet{Assistant: in.Assistant, Allow: in.Allow, People: handles(all), Everybody: in.Everybody}
	of := map[string]string{"assistant": in.Assistant}
	for _, t := range all {
		rec, err := theirs(&c.Reader, Grants, t.id, of)
		if err != nil {
			return GrantSet{}, err
		}
		switch {
		case in.Allow && rec == nil:
			err = grant(c, in.Assistant, t.id)
		case !in.Allow && rec != nil:
			err = c.Delete(rec)
		default:
			continue
		}
		if err != nil {
			return GrantSet{}, err
		}
		out.Changed++
	}
	if !in.Allow && !in.Everybody {
		wide, err := theirs(&c.Reader, Grants, "", of)
		if err != nil {
			return GrantSet{}, err
		}
		out.still = wide != nil
	}
	return out, nil
}

// grant lets a person use an assistant, or everybody where none is named.
func grant(c *tools.Call, assistant, person string) error {
	rec := c.New(Grants)
	rec.Set("assistant", assistant)
	rec.Set("person", person)
	rec.Set("everybody", person == "")
	return c.Save(rec)
}

// maxNamed is how many people a sentence names.
const maxNamed = 5

// whoText is a sentence about people, or everybody: of the key with ".everybody",
// ".some" or ".many".
func whoText(key string, people []string, args ...any) tools.Text {
	switch n := len(people); {
	case n == 0:
		return tools.T(key+".everybody", args...)
	case n <= maxNamed:
		return tools.T(key+".some", append([]any{strings.Join(people, ", ")}, args...)...)
	default:
		return tools.T(key+".many", append([]any{strings.Join(people[:maxNamed], ", "), n - maxNamed}, args...)...)
	}
}
