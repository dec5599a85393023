package migrations

import (
	"errors"

	"github.com/pocketbase/pocketbase/core"
)

// conversationsUp makes what an assistant needs to remember for half an hour:
// what was said, sealed, and each turn, so that a client that asks the same again
// is given the same turn. Both are books: written by the core alone. A proposal
// keeps the scope of the question that it came from.
func conversationsUp(app core.App) error {
	text := func(names ...string) (fields []core.Field) {
		for _, n := range names {
			fields = append(fields, &core.TextField{Id: "nodkeep_" + n, Name: n})
		}
		return fields
	}
	conversations := core.NewBaseCollection("nodkeep_conversations")
	conversations.Fields.Add(text("person", "assistant", "said", "created", "used")...)
	conversations.AddIndex("idx_nodkeep_conversations_person", false, "person, used", "")
	conversations.AddIndex("idx_nodkeep_conversations_used", false, "used", "")

	turns := core.NewBaseCollection("nodkeep_turns")
	turns.Fields.Add(text("person", "conversation", "client", "asked", "assistant", "state", "events", "created", "ended")...)
	turns.AddIndex("idx_nodkeep_turns_client", true, "person, client", "")
	turns.AddIndex("idx_nodkeep_turns_created", false, "created", "")
	turns.AddIndex("idx_nodkeep_turns_conversation", false, "conversation, created", "")

	for _, col := range []*core.Collection{conversations, turns} {
		if err := app.Save(col); err != nil {
			return err
		}
	}
	proposals, err := app.FindCollectionByNameOrId("nodkeep_proposals")
	if err != nil {
		return err
	}
	proposals.Fields.Add(text("scope")...)
	return app.Save(proposals)
}

func conversationsDown(app core.App) error {
	var failed []error
	for _, name := range []string{"nodkeep_turns", "nodkeep_conversations"} {
		if col, err := app.FindCollectionByNameOrId(name); err == nil {
			failed = append(failed, app.Delete(col))
		}
	}
	if proposals, err := app.FindCollectionByNameOrId("nodkeep_proposals"); err == nil {
		proposals.Fields.RemoveByName("scope")
		failed = append(failed, app.Save(proposals))
	}
	return errors.Join(failed...)
}
