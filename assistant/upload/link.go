package upload

import (
	"context"
	"errors"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Path comes before the secret in the path of a link.
const Path = "/upload/"

// LinkIn is what a link is asked for with.
type LinkIn struct {
	Name string `json:"name,omitzero" jsonschema:"what the file is called where it brings no name, such as statement.csv"`
}

// Link is a one-time address that takes one file. The secret in it is shown
// only here.
type Link struct {
	Upload  string    `json:"upload" jsonschema:"id by which tools take the file once it is there"`
	Link    string    `json:"link" jsonschema:"the address that the person opens, or to which a program sends the file"`
	Expires time.Time `json:"expires" jsonschema:"until when it can be used"`
}

// LinkDef describes Link to agents; the door offers it.
func LinkDef() tools.Def {
	return tools.Def{
		Name: "upload_link", Title: "uploads.title.link", Effect: tools.EffectWrite, // each call makes a link
		Help: "Makes a one-time address, good for 15 minutes, by which the person gives you a file: they open the link and choose it, or it is sent with curl -T FILE LINK. Give them the link and wait until they say that it is done. The id in upload then stands for the file, for an hour: in import_read for a bank statement, or as {\"upload\": ID} where another tool takes a file.",
	}
}

// Link makes a link for a file of the actor's person.
func (s *Store) Link(ctx context.Context, a tools.Actor, in LinkIn) (Link, error) {
	base := s.c.Base()
	if base == "" {
		return Link{}, tools.Fail(tools.Unavailable, "uploads.no_server")
	}
	secret, expires := tools.NewSecret(), s.c.Now().UTC().Add(LinkTime).Truncate(time.Second)
	r := row{ID: core.GenerateDefaultRandomId(), Person: a.Person, Token: a.Token, Hash: tools.Hash(secret), State: Open, Expires: tools.Stamp(expires)}
	if in.Name != "" {
		r.Name = CleanName(in.Name)
	}
	if err := s.add(ctx, &r); err != nil {
		return Link{}, err
	}
	return Link{r.ID, base + Path + secret, expires}, nil
}

// For says whose file a link takes: the id of an approved member. The error is
// of kind expired, whatever is wrong with the link.
func (s *Store) For(ctx context.Context, secret string) (person string, err error) {
	r, err := s.linked(ctx, s.c.App, secret)
	return r.Person, err
}

// linked finds the row of a link that is good: so must be its person, and the
// token by which it was asked for.
func (s *Store) linked(ctx context.Context, app core.App, secret string) (row, error) {
	r, err := s.find(ctx, dbx.HashExp{"hash": tools.Hash(secret), "state": string(Open)}, errOver())
	if err != nil {
		return row{}, err
	}
	if s.member(app, r.Person) != nil {
		return row{}, errOver()
	}
	if r.Token != "" {
		var n int
		err := app.DB().Select("count(*)").From(tools.TokensTable).
			Where(dbx.And(dbx.HashExp{"id": r.Token, "person": r.Person}, dbx.NewExp("[[hash]] != ''"), dbx.Or(dbx.HashExp{"expires": ""}, s.living()))).
			WithContext(ctx).Row(&n)
		if err != nil {
			return row{}, err
		}
		if n == 0 {
			return row{}, errOver()
		}
	}
	return r, nil
}

// Fill takes the file of a link, as Put does. Of two who send one at once, one
// finds the link: it is used from when the file begins to come, and again open,
// for as long as it would have been, where none came.
func (s *Store) Fill(ctx context.Context, secret string, size int64, body func() (tools.Upload, error)) (Upload, error) {
	r, err := s.linked(ctx, s.c.App, secret)
	if err != nil {
		return Upload{}, err
	}
	open := r
	if r.Size = size; size < 0 {
		r.Size = MaxBytes
	}
	if size > MaxBytes {
		return Upload{}, errLarge()
	}
	err = s.c.App.RunInTransaction(func(tx core.App) error {
		if err := s.room(ctx, tx, &r, MaxFiles); err != nil {
			return err
		}
		done, err := tx.NonconcurrentDB().Update(tools.UploadsTable, dbx.Params{
			"hash": "", "state": string(Coming), "size": r.Size, "expires": tools.Stamp(s.c.Now().Add(comingTime)),
		}, dbx.And(dbx.HashExp{"id": r.ID, "hash": r.Hash, "state": string(Open)}, s.living())).WithContext(ctx).Execute()
		if err != nil {
			return err
		}
		return tools.One(done, errOver())
	})
	if err != nil {
		return Upload{}, err
	}
	up, err := s.take(ctx, r, body)
	if err != nil {
		return Upload{}, errors.Join(err, s.reopen(context.WithoutCancel(ctx), open))
	}
	return up, nil
}

// reopen lets a link be used whose file did not come.
func (s *Store) reopen(ctx context.Context, r row) error {
	_, err := s.c.App.NonconcurrentDB().Update(tools.UploadsTable, dbx.Params{
		"hash": r.Hash, "state": string(Open), "size": 0, "expires": r.Expires,
	}, dbx.HashExp{"id": r.ID, "state": string(Coming)}).WithContext(ctx).Execute()
	return err
}
