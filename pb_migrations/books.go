package migrations

import (
	"errors"

	"github.com/pocketbase/pocketbase/core"
)

// booksUp makes the engine's own books: the audit and its steps, the digests
// that were used, the outbox, and the files that wait to be deleted. They are
// written by the engine alone; nobody but a superuser can look at them.
func booksUp(app core.App) error {
	text := func(names ...string) (fields []core.Field) {
		for _, n := range names {
			fields = append(fields, &core.TextField{Id: "nodkeep_" + n, Name: n})
		}
		return fields
	}
	number := func(name string) core.Field {
		return &core.NumberField{Id: "nodkeep_" + name, Name: name, OnlyInt: true}
	}

	audit := core.NewBaseCollection("nodkeep_audit")
	audit.Fields.Add(number("seq"))
	audit.Fields.Add(text("at", "kind", "state", "person", "door", "agent", "agent_name", "model", "token", "tool", "effect",
		"args", "digest", "proposal", "reason", "undoes", "salt", "commitment", "mac")...)
	audit.AddIndex("idx_nodkeep_audit_seq", true, "seq", "")
	audit.AddIndex("idx_nodkeep_audit_person", false, "person, seq", "")
	audit.AddIndex("idx_nodkeep_audit_agent", false, "agent, seq", "agent != ''")
	audit.AddIndex("idx_nodkeep_audit_undoes", false, "seq, undoes", "undoes != ''")

	steps := core.NewBaseCollection("nodkeep_steps")
	steps.Fields.Add(number("n"))
	steps.Fields.Add(text("entry", "op", "collection", "record", "before", "after", "files")...)
	steps.AddIndex("idx_nodkeep_steps_entry", true, "entry, n", "")
	steps.AddIndex("idx_nodkeep_steps_record", false, "collection, record", "")

	nonces := core.NewBaseCollection("nodkeep_nonces")
	nonces.Fields.Add(text("nonce", "person", "audit", "expires")...)
	nonces.AddIndex("idx_nodkeep_nonces_nonce", true, "nonce", "")

	outbox := core.NewBaseCollection("nodkeep_outbox")
	outbox.Fields.Add(text("kind", "payload", "state", "created")...)
	outbox.AddIndex("idx_nodkeep_outbox_state", false, "state, created", "")

	files := core.NewBaseCollection("nodkeep_files")
	files.Fields.Add(text("collection", "record", "file", "created")...)
	files.AddIndex("idx_nodkeep_files_created", false, "created", "")

	for _, col := range []*core.Collection{audit, steps, nonces, outbox, files} {
		if err := app.Save(col); err != nil {
			return err
		}
	}
	return nil
}

func booksDown(app core.App) error {
	var failed []error
	for _, name := range []string{"nodkeep_files", "nodkeep_outbox", "nodkeep_nonces", "nodkeep_steps", "nodkeep_audit"} {
		if col, err := app.FindCollectionByNameOrId(name); err == nil {
			failed = append(failed, app.Delete(col))
		}
	}
	return errors.Join(failed...)
}
