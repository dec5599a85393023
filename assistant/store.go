package assistant

import (
	"context"
	"database/sql"
	"encoding/json/v2"
	"errors"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// keptFor is how long words are kept after they were last used.
const keptFor = 30 * time.Minute

// conversationRow is a conversation as the database holds it.
type conversationRow struct {
	ID        string `db:"id"`
	Person    string `db:"person"`
	Assistant string `db:"assistant"`
	Said      string `db:"said"` // sealed
	Created   string `db:"created"`
	Used      string `db:"used"`
}

// turnRow is a turn as the database holds it.
type turnRow struct {
	ID           string `db:"id"`
	Person       string `db:"person"`
	Conversation string `db:"conversation"`
	Client       string `db:"client"`
	Asked        string `db:"asked"` // a hash of the question
	Assistant    string `db:"assistant"`
	State        string `db:"state"`
	Events       string `db:"events"` // sealed, once it is over
	Created      string `db:"created"`
	Ended        string `db:"ended"`
}

// The states of a turn.
const (
	running = "running"
	over    = "over"
)

func (l *Loop) owner(table, id, field string) tools.Owner {
	return tools.Owner{Collection: table, Record: id, Field: field}
}

// living is what is not too old to be kept.
func (l *Loop) living(column string) dbx.Expression {
	return dbx.NewExp("[["+column+"]] > {:then}", dbx.Params{"then": tools.Stamp(l.now().Add(-keptFor))})
}

// conversation reads one of a person's; ok is false where there is none, or none
// any more.
func (l *Loop) conversation(ctx context.Context, person, id string) (row conversationRow, c conversation, ok bool, err error) {
	err = l.c.App.DB().Select("*").From(tools.ConversationsTable).
		Where(dbx.And(dbx.HashExp{"id": id, "person": person}, l.living("used"))).WithContext(ctx).One(&row)
	if errors.Is(err, sql.ErrNoRows) {
		return row, c, false, nil
	}
	if err == nil {
		c, err = l.open(row)
	}
	return row, c, err == nil, err
}

// open reads what was said.
func (l *Loop) open(row conversationRow) (c conversation, err error) {
	if row.Said == "" {
		return c, nil
	}
	said, err := l.c.Keys.Open(l.owner(tools.ConversationsTable, row.ID, "said"), row.Said)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(said, &c)
}

// turnOf finds a person's turn; ok is false where there is none.
func (l *Loop) turnOf(ctx context.Context, which dbx.HashExp) (row turnRow, ok bool, err error) {
	err = l.c.App.DB().Select("*").From(tools.TurnsTable).Where(dbx.And(which, dbx.Or(dbx.HashExp{"state": running}, l.living("ended")))).
		WithContext(ctx).One(&row)
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	return row, err == nil, err
}

// begin writes a turn down before anything is done for it, if its person is still
// there. A conversation that has gone on since it was read, in another window, is a
// conflict: what was said there would be lost.
func (l *Loop) begin(ctx context.Context, t turnRow, c conversationRow, fresh bool) error {
	return l.c.App.RunInTransaction(func(tx core.App) error {
		var there int
		err := tx.NonconcurrentDB().Select("count(*)").From(tools.Members).Where(dbx.HashExp{"id": t.Person}).WithContext(ctx).Row(&there)
		if err == nil && there == 0 {
			err = tools.Fail(tools.Forbidden, "error.not_approved")
		}
		if err != nil {
			return err
		}
		_, err = tx.NonconcurrentDB().Delete(tools.TurnsTable, dbx.And(dbx.HashExp{"person": t.Person, "client": t.Client, "state": over}, dbx.Not(l.living("ended")))).
			WithContext(ctx).Execute()
		if err != nil {
			return err
		}
		if fresh {
			_, err = tx.NonconcurrentDB().Insert(tools.ConversationsTable, dbx.Params{
				"id": c.ID, "person": c.Person, "assistant": c.Assistant, "created": c.Created, "used": t.Created,
			}).WithContext(ctx).Execute()
		} else {
			var res sql.Result
			res, err = tx.NonconcurrentDB().Update(tools.ConversationsTable, dbx.Params{"used": t.Created},
				dbx.HashExp{"id": c.ID, "person": c.Person, "said": c.Said}).WithContext(ctx).Execute()
			if err == nil {
				err = tools.One(res, tools.Fail(tools.Conflict, "assistant.error.under_way"))
			}
		}
		if err != nil {
			return err
		}
		_, err = tx.NonconcurrentDB().Insert(tools.TurnsTable, dbx.Params{
			"id": t.ID, "person": t.Person, "conversation": t.Conversation, "client": t.Client, "asked": t.Asked, "assistant": t.Assistant,
			"state": running, "created": t.Created,
		}).WithContext(ctx).Execute()
		return err
	})
}

// finish keeps what a turn came to, sealed: its events for who comes back, and
// what was said for the next question.
func (l *Loop) finish(t turnRow, c conversation, events stored) error {
	said, err := json.Marshal(c)
	if err != nil {
		return err
	}
	happened, err := json.Marshal(events)
	if err != nil {
		return err
	}
	sealedSaid, err := l.c.Keys.Seal(l.owner(tools.ConversationsTable, t.Conversation, "said"), said)
	if err != nil {
		return err
	}
	sealedEvents, err := l.c.Keys.Seal(l.owner(tools.TurnsTable, t.ID, "events"), happened)
	if err != nil {
		return err
	}
	now := tools.Stamp(l.now())
	return l.c.App.RunInTransaction(func(tx core.App) error {
		// Rows that are gone went with the account, and stay so.
		_, err := tx.NonconcurrentDB().Update(tools.TurnsTable, dbx.Params{"state": over, "ended": now, "events": sealedEvents}, dbx.HashExp{"id": t.ID}).Execute()
		if err == nil {
			_, err = tx.NonconcurrentDB().Update(tools.ConversationsTable, dbx.Params{"said": sealedSaid, "used": now, "assistant": t.Assistant},
				dbx.HashExp{"id": t.Conversation, "person": t.Person}).Execute()
		}
		return err
	})
}

// Recover ends what a server that was killed left in the middle: nothing of it
// is done again.
func (l *Loop) Recover(ctx context.Context) error {
	var left []turnRow
	err := l.c.App.DB().Select("*").From(tools.TurnsTable).Where(dbx.HashExp{"state": running}).WithContext(ctx).All(&left)
	if err != nil || len(left) == 0 {
		return err
	}
	_, err = l.c.App.NonconcurrentDB().Update(tools.TurnsTable, dbx.Params{"state": over, "ended": tools.Stamp(l.now())}, dbx.HashExp{"state": running}).
		WithContext(ctx).Execute()
	for _, row := range left {
		if err != nil || l.c.Asked == nil {
			break
		}
		who := tools.Actor{Person: row.Person, Door: tools.DoorAssistant, Agent: row.Assistant, AgentName: row.Assistant}
		l.c.Asked(ctx, who, Facts{
			Turn: row.ID, Conversation: row.Conversation, Finish: Interrupted, Usage: Usage{Assistant: row.Assistant, Counts: Counts{Currency: l.c.Currency}},
		})
	}
	return err
}

// Sweep forgets what nobody has used for a while.
func (l *Loop) Sweep(ctx context.Context) error {
	if err := l.overdue(ctx); err != nil {
		return err
	}
	old := func(column string) dbx.Expression { return dbx.Not(l.living(column)) }
	_, err := l.c.App.NonconcurrentDB().Delete(tools.TurnsTable, dbx.And(dbx.HashExp{"state": over}, old("ended"))).WithContext(ctx).Execute()
	if err != nil {
		return err
	}
	_, err = l.c.App.NonconcurrentDB().Delete(tools.ConversationsTable, dbx.And(old("used"), dbx.NewExp("[[id]] NOT IN (SELECT [[conversation]] FROM {{"+tools.TurnsTable+"}} WHERE [[state]] = 'running')"))).
		WithContext(ctx).Execute()
	return err
}

// overdue ends turns that could not be written down when they ended: as long as
// they seem to go on, their words would be kept.
func (l *Loop) overdue(ctx context.Context) error {
	var ids []string
	err := l.c.App.DB().Select("id").From(tools.TurnsTable).Where(dbx.HashExp{"state": running}).WithContext(ctx).Column(&ids)
	for _, id := range ids {
		if err == nil && l.live(id) == nil {
			_, err = l.c.App.NonconcurrentDB().Update(tools.TurnsTable, dbx.Params{"state": over, "ended": tools.Stamp(l.now())}, dbx.HashExp{"id": id, "state": running}).
				WithContext(ctx).Execute()
		}
	}
	return err
}
