package accounts

import (
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// The kinds of one-time links.
const (
	First  = "first"  // makes the first operator
	Invite = "invite" // makes a member, approved at once
	Reset  = "reset"  // sets a new password
	Pass   = "pass"   // gives a new waiting pass
)

// LinkPath comes before the secret in the path of a link.
const LinkPath = "/link/"

// lifetime is how long a link of a kind is good for.
func lifetime(kind string) time.Duration {
	if kind == Reset {
		return 24 * time.Hour
	}
	return 7 * 24 * time.Hour
}

// NewLink is what a tool answers that made one: the secret in it is shown once.
type NewLink struct {
	ID      string    `json:"id"`
	Link    string    `json:"link"`
	Expires time.Time `json:"expires"`
	handle  string
}

// Link is one that nobody has used, without its secret.
type Link struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Handle  string    `json:"handle,omitzero"` // whose account it is about
	By      string    `json:"by,omitzero"`     // the operator who made it
	Note    string    `json:"note,omitzero"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

// FillLink makes a new record a link of a kind, and says until when it is good.
func FillLink(rec *core.Record, kind, secret string, now time.Time) (expires time.Time) {
	expires = now.UTC().Add(lifetime(kind)).Truncate(time.Second)
	rec.Set("kind", kind)
	rec.Set("hash", tools.Hash(secret))
	rec.Set("expires", expires)
	return expires
}

// makeLink stores one; account may be nil.
func (p Plugin) makeLink(c *tools.Call, kind, note string, account *core.Record) (NewLink, error) {
	rec, secret := c.New(Links), c.Secret()
	expires := FillLink(rec, kind, secret, c.Now())
	rec.Set("note", note)
	out := NewLink{Link: p.Base + LinkPath + secret, Expires: expires}
	if account != nil {
		rec.Set("account", account.Id)
		out.handle = string(named(account))
	}
	if by, err := c.Find(tools.Members, c.Actor.Person); err == nil {
		rec.Set("by", by.Id)
	} else if tools.KindOf(err) != tools.NotFound { // a superuser is no account
		return NewLink{}, err
	}
	if err := c.Save(rec); err != nil {
		return NewLink{}, err
	}
	out.ID = rec.Id
	return out, nil
}

type linkListIn struct {
	Kind string `json:"kind,omitzero"` // invite, reset or pass
	pageIn
}

// LinkPage is one page of links.
type LinkPage struct {
	Items []Link `json:"items"`
	Next  string `json:"next"`
}

func (p Plugin) linkListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_link_list", Title: "nodkeep.title.link_list", Operator: true, Hidden: hiddenOperator,
		Help: "Lists the one-time links that nobody has used yet: invitations, new passwords, new waiting passes. The secret in a link is shown only when it is made.",
	}, linkList, tools.OneOf("kind", Invite, Reset, Pass))
}

func linkList(r *tools.Reader, in linkListIn) (LinkPage, error) {
	limit, key, id, err := in.page()
	if err != nil {
		return LinkPage{}, err
	}
	q, err := goodLinks(r)
	if err != nil {
		return LinkPage{}, err
	}
	q.Sort, q.Limit = "-created", limit+1
	if id != "" {
		q.Filter += " && (created < {:key} || (created = {:key} && id > {:id}))"
		q.Params["key"], q.Params["id"] = key, id
	}
	if in.Kind != "" {
		q.In["kind"] = []string{in.Kind}
	}
	recs, err := r.List(Links, q)
	if err != nil {
		return LinkPage{}, err
	}
	recs, next := cut(recs, limit, func(rec *core.Record) string { return rec.GetDateTime("created").String() })
	if recs, err = withoutIdle(r, recs); err != nil {
		return LinkPage{}, err
	}
	out := LinkPage{Items: []Link{}, Next: next}
	for _, rec := range recs {
		out.Items = append(out.Items, Link{
			ID: rec.Id, Kind: rec.GetString("kind"), Handle: handleOf(r, rec.GetString("account")), By: handleOf(r, rec.GetString("by")),
			Note: rec.GetString("note"), Created: at(rec, "created"), Expires: at(rec, "expires"),
		})
	}
	return out, nil
}

// withoutIdle leaves out links for a new pass of somebody who has been let in
// since: they are worth nothing. No filter may ask for a hidden status.
func withoutIdle(r *tools.Reader, links []*core.Record) (out []*core.Record, err error) {
	for _, link := range links {
		if link.GetString("kind") == Pass {
			account, err := find(r, link.GetString("account"))
			if err != nil {
				return nil, err
			}
			if !waits(account) {
				continue
			}
		}
		out = append(out, link)
	}
	return out, nil
}

// goodLinks selects the links that are worth something: that have not expired,
// and were made by the machine, a superuser, or who is an operator still.
func goodLinks(r *tools.Reader) (tools.Query, error) {
	makers, err := r.Accounts(operators())
	by := []string{""}
	for _, rec := range makers {
		by = append(by, rec.Id)
	}
	return tools.Query{Filter: "expires > {:now} && kind != 'first'", Params: map[string]any{"now": tools.Stamp(r.Now())}, In: map[string][]string{"by": by}}, err
}

// handleOf is how an account is called, "" for none.
func handleOf(r *tools.Reader, id string) string {
	rec, err := find(r, id)
	if id == "" || err != nil {
		return ""
	}
	return string(named(rec))
}
