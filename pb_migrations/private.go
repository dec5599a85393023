package migrations

import (
	"errors"
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// operator is the rule by which operators see what only they look after.
const operator = "@request.auth.collectionName = 'users' && @request.auth.status = 'approved' && @request.auth.operator = true"

// privateUp makes a private instance of what was one without sign-up: whoever
// signs up waits, with a pass to look after it and four words to be known by,
// and operators see the accounts and give links.
func privateUp(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	users.Fields.Add(
		&core.DateField{Id: "nodkeep_user_approved", Name: "approved", Hidden: true}, // first; empty means never
		&core.TextField{Id: "nodkeep_user_words", Name: "words", Hidden: true},       // sealed, while it waits
	)
	users.AddIndex("idx_nodkeep_users_status", false, "status, created", "")
	// Who may sign up is for the hooks to say, by the settings.
	users.CreateRule = types.Pointer("")
	users.ListRule, users.ViewRule = seen(users.ListRule), seen(users.ViewRule)
	if err := app.Save(users); err != nil {
		return err
	}
	// Whoever is suspended was let in before.
	if _, err := app.DB().NewQuery("UPDATE {{users}} SET [[approved]] = [[created]] WHERE [[status]] IN ('approved', 'suspended')").Execute(); err != nil {
		return err
	}

	account := func(name string, cascade bool) core.Field {
		return &core.RelationField{Id: "nodkeep_" + name, Name: name, CollectionId: users.Id, CascadeDelete: cascade, MaxSelect: 1}
	}
	hash := &core.TextField{Id: "nodkeep_hash", Name: "hash", Hidden: true, Required: true}
	expires := &core.DateField{Id: "nodkeep_expires", Name: "expires", Required: true}
	created := &core.AutodateField{Id: "nodkeep_created", Name: "created", OnCreate: true}

	// A pass outlives the account of somebody who was refused, to say so.
	passes := core.NewBaseCollection("nodkeep_passes")
	passes.Fields.Add(hash, account("account", false),
		&core.SelectField{Id: "nodkeep_outcome", Name: "outcome", MaxSelect: 1, Values: []string{"refused"}}, expires, created)
	passes.AddIndex("idx_nodkeep_passes_hash", true, "hash", "")
	passes.AddIndex("idx_nodkeep_passes_account", false, "account", "")

	links := core.NewBaseCollection("nodkeep_links")
	links.Fields.Add(
		&core.SelectField{Id: "nodkeep_kind", Name: "kind", Required: true, MaxSelect: 1, Values: []string{"first", "invite", "reset", "pass"}},
		hash, account("account", true), account("by", true), &core.TextField{Id: "nodkeep_note", Name: "note", Max: 80}, expires, created,
	)
	links.AddIndex("idx_nodkeep_links_hash", true, "hash", "")
	links.AddIndex("idx_nodkeep_links_account", false, "account", "account != ''")

	for _, col := range []*core.Collection{passes, links} {
		col.ListRule, col.ViewRule = types.Pointer(operator), types.Pointer(operator)
		if err := app.Save(col); err != nil {
			return err
		}
	}
	return nil
}

// seen lets operators see what rule lets others see. An empty rule lets
// everybody already.
func seen(rule *string) *string {
	switch {
	case rule == nil:
		return types.Pointer(operator)
	case *rule == "":
		return rule
	}
	return types.Pointer("(" + *rule + also)
}

// also ends a rule that operators were added to. It begins a line: the rule of
// an app that was there before may end in a comment.
const also = "\n) || (" + operator + ")"

// unseen gives the rule that seen was given.
func unseen(rule *string) *string {
	if rule == nil || *rule == operator {
		return nil
	}
	if was, ok := strings.CutSuffix(*rule, also); ok {
		return types.Pointer(strings.TrimPrefix(was, "("))
	}
	return rule // an operator of the server changed it since
}

func privateDown(app core.App) error {
	var failed []error
	for _, name := range []string{"nodkeep_links", "nodkeep_passes"} {
		if col, err := app.FindCollectionByNameOrId(name); err == nil {
			failed = append(failed, app.Delete(col))
		}
	}
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return errors.Join(append(failed, err)...)
	}
	users.RemoveIndex("idx_nodkeep_users_status")
	users.Fields.RemoveByName("approved")
	users.Fields.RemoveByName("words")
	users.CreateRule = nil
	users.ListRule, users.ViewRule = unseen(users.ListRule), unseen(users.ViewRule)
	return errors.Join(append(failed, app.Save(users))...)
}
