package assistant

import (
	"context"
	"strings"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// Conversation is one that can be gone on with.
type Conversation struct {
	ID        string     `json:"id"`
	Title     string     `json:"title"` // how its first question begins
	Assistant string     `json:"assistant"`
	Created   time.Time  `json:"created"`
	Used      time.Time  `json:"used"`
	Expires   time.Time  `json:"expires"`           // unless it is gone on with
	Turns     []PastTurn `json:"turns"`             // as far as they are remembered, the oldest first
	Running   string     `json:"running"`           // the turn that is under way
	Question  string     `json:"question,omitzero"` // and its words
	Form      *Form      `json:"form,omitempty"`
}

// PastTurn is a question and its answer.
type PastTurn struct {
	Turn   string `json:"turn"`
	Text   string `json:"text"`
	Answer string `json:"answer"`
	Finish Finish `json:"finish"`
}

// cursorTime begins a cursor: when the last conversation of its page was used, to
// the millisecond as that is stored. Its id follows, since several may be as old.
const cursorTime = "20060102T150405.000"

// Conversations lists those of a person, the last used first, and the cursor of
// the next page. Limit is 50 unless given, 200 at most.
func (l *Loop) Conversations(ctx context.Context, person string, limit int, cursor string) (items []Conversation, next string, err error) {
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, 200)
	which := []dbx.Expression{dbx.HashExp{"person": person}, l.living("used")}
	if cursor != "" {
		used, id, ok := strings.Cut(cursor, "_")
		at, err := time.Parse(cursorTime, used)
		if !ok || err != nil {
			return nil, "", l.c.Runner.Told(tools.Fail(tools.Invalid, "error.cursor"))
		}
		which = append(which, dbx.NewExp("([[used]] < {:at} OR ([[used]] = {:at} AND [[id]] > {:after}))", dbx.Params{"at": tools.Stamp(at), "after": id}))
	}
	var rows []conversationRow
	err = l.c.App.DB().Select("*").From(tools.ConversationsTable).Where(dbx.And(which...)).OrderBy("used DESC", "id").Limit(int64(limit) + 1).
		WithContext(ctx).All(&rows)
	if err != nil {
		return nil, "", l.c.Runner.Told(err)
	}
	items = []Conversation{}
	for i, row := range rows {
		if i == limit {
			last := rows[limit-1]
			next = tools.ParseStamp(last.Used).Format(cursorTime) + "_" + last.ID
			break
		}
		c, err := l.open(row)
		if err != nil {
			return nil, "", l.c.Runner.Told(err)
		}
		items = append(items, l.listed(row, c))
	}
	return items, next, nil
}

func (l *Loop) listed(row conversationRow, c conversation) Conversation {
	used := tools.ParseStamp(row.Used)
	out := Conversation{
		ID: row.ID, Assistant: row.Assistant, Created: tools.ParseStamp(row.Created), Used: used, Expires: used.Add(keptFor), Turns: []PastTurn{}, Form: c.Form,
	}
	for _, p := range c.Past {
		if out.Title == "" {
			out.Title = tools.Quoted(p.Asked, 80)
		}
		out.Turns = append(out.Turns, PastTurn{p.Turn, p.Asked, p.Answer, p.Finish})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.running {
		if t.conversation == row.ID {
			out.Running, out.Question = t.id, t.asked
		}
	}
	return out
}
