package migrations

import (
	"errors"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// agentsUp makes what agents need: tokens by which they speak for a member,
// the proposals that wait for a nod, and files that were given for a tool.
// Proposals and files are books: written by the core alone, without hooks.
func agentsUp(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	text := func(names ...string) (fields []core.Field) {
		for _, n := range names {
			fields = append(fields, &core.TextField{Id: "nodkeep_" + n, Name: n})
		}
		return fields
	}
	choice := func(name string, values ...string) core.Field {
		return &core.SelectField{Id: "nodkeep_" + name, Name: name, Required: true, MaxSelect: 1, Values: values}
	}
	date := func(name string, hidden bool) core.Field {
		return &core.DateField{Id: "nodkeep_" + name, Name: name, Hidden: hidden}
	}

	tokens := core.NewBaseCollection("nodkeep_tokens")
	tokens.Fields.Add(
		&core.RelationField{Id: "nodkeep_person", Name: "person", Required: true, CollectionId: users.Id, CascadeDelete: true, MaxSelect: 1},
		&core.TextField{Id: "nodkeep_name", Name: "name", Required: true, Max: 80},
		choice("mode", "read", "ask", "write", "trusted"),
		choice("tools", "core", "all"),
		&core.JSONField{Id: "nodkeep_plugins", Name: "plugins", MaxSize: 4000}, // none: all of them
		&core.BoolField{Id: "nodkeep_own_surfaces", Name: "own_surfaces"},
		&core.NumberField{Id: "nodkeep_daily_writes", Name: "daily_writes", OnlyInt: true},
		date("expires", false), // empty: never
		date("revoked", false),
		date("used", false),
		&core.TextField{Id: "nodkeep_hash", Name: "hash", Hidden: true}, // empty once revoked
		date("tainted", true), // until when it counts as having read foreign text
		&core.JSONField{Id: "nodkeep_taint", Name: "taint", Hidden: true, MaxSize: 20000},
		&core.AutodateField{Id: "nodkeep_created", Name: "created", OnCreate: true},
	)
	tokens.AddIndex("idx_nodkeep_tokens_hash", true, "hash", "hash != ''")
	tokens.AddIndex("idx_nodkeep_tokens_person", false, "person, created", "")
	const own = "person = @request.auth.id && @request.auth.status = 'approved'"
	tokens.ListRule, tokens.ViewRule = types.Pointer(own), types.Pointer(own)

	proposals := core.NewBaseCollection("nodkeep_proposals")
	proposals.Fields.Add(text("person", "agent", "agent_name", "model", "door", "token", "state", "items", "shown", "digest", "form",
		"expires", "created", "decided", "by", "keep", "audit", "undo_until", "reason", "replaced_by")...)
	proposals.AddIndex("idx_nodkeep_proposals_person", false, "person, created", "")
	proposals.AddIndex("idx_nodkeep_proposals_state", false, "state, expires", "")
	proposals.AddIndex("idx_nodkeep_proposals_agent", false, "agent, state", "")

	uploads := core.NewBaseCollection("nodkeep_uploads")
	uploads.Fields.Add(text("person", "token", "hash", "name", "type", "state", "expires", "created")...)
	uploads.Fields.Add(&core.NumberField{Id: "nodkeep_size", Name: "size", OnlyInt: true})
	uploads.AddIndex("idx_nodkeep_uploads_hash", true, "hash", "hash != ''")
	uploads.AddIndex("idx_nodkeep_uploads_person", false, "person, created", "")

	for _, col := range []*core.Collection{tokens, proposals, uploads} {
		if err := app.Save(col); err != nil {
			return err
		}
	}
	return nil
}

func agentsDown(app core.App) error {
	var failed []error
	for _, name := range []string{"nodkeep_uploads", "nodkeep_proposals", "nodkeep_tokens"} {
		if col, err := app.FindCollectionByNameOrId(name); err == nil {
			failed = append(failed, app.Delete(col))
		}
	}
	return errors.Join(failed...)
}
