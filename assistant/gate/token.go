package gate

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

// Agent is who acts for a member, by a token or as an assistant in a turn, and
// within which bounds.
type Agent struct {
	tools.Actor
	Mode        Mode
	All         bool     // is offered all tools of its plugins, not only the core ones
	Plugins     []string // none stands for all
	OwnSurfaces bool     // what its client answers for the person does not count
	DailyWrites int
	Expires     time.Time // zero: never
	Language    string    // of the person

	Scope *tools.Scope // what its question is about; nil is all that the person may see

	tainted time.Time
	taint   []tools.Text
	turn    *Turn // of an assistant
}

// tokenRow is a token as the database holds it.
type tokenRow struct {
	ID          string         `db:"id"`
	Person      string         `db:"person"`
	Name        string         `db:"name"`
	Mode        string         `db:"mode"`
	Tools       string         `db:"tools"`
	Plugins     sql.NullString `db:"plugins"`
	OwnSurfaces bool           `db:"own_surfaces"`
	DailyWrites int            `db:"daily_writes"`
	Expires     string         `db:"expires"`
	Revoked     string         `db:"revoked"`
	Used        string         `db:"used"`
	Tainted     string         `db:"tainted"`
	Taint       sql.NullString `db:"taint"`
}

// Token finds the agent of a token's secret, and the member it speaks for. What
// is no token, or is worth nothing any more, is Unauthorized.
func (g *Gate) Token(ctx context.Context, secret string) (Agent, *core.Record, error) {
	if !tools.IsToken(secret) || len(secret) > 200 {
		return Agent{}, nil, tools.Fail(tools.Unauthorized, "gate.error.no_token")
	}
	a, row, err := g.agent(ctx, g.app, dbx.HashExp{"hash": tools.Hash(secret)})
	if err != nil {
		return Agent{}, nil, err
	}
	person, err := g.app.FindRecordById(tools.Members, a.Person)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Agent{}, nil, err
	}
	if err != nil || person.GetString("status") != tools.Approved {
		return Agent{}, nil, tools.Fail(tools.Unauthorized, "gate.error.token_person")
	}
	a.Language = person.GetString("language")
	g.used(ctx, row)
	return a, person, nil
}

// agent reads a token as it is now.
func (g *Gate) agent(ctx context.Context, app core.App, which dbx.HashExp) (Agent, tokenRow, error) {
	var row tokenRow
	err := app.DB().Select("*").From(tools.TokensTable).Where(which).WithContext(ctx).One(&row)
	if errors.Is(err, sql.ErrNoRows) {
		return Agent{}, row, tools.Fail(tools.Unauthorized, "gate.error.no_token")
	}
	if err != nil {
		return Agent{}, row, err
	}
	a := Agent{
		Actor: tools.Actor{Person: row.Person, Door: tools.DoorMCP, Agent: row.ID, AgentName: row.Name, Token: row.ID},
		Mode:  Mode(row.Mode), All: row.Tools == "all", OwnSurfaces: row.OwnSurfaces, DailyWrites: row.DailyWrites,
		Expires: tools.ParseStamp(row.Expires), tainted: tools.ParseStamp(row.Tainted),
	}
	switch {
	case row.Revoked != "":
		return Agent{}, row, tools.Fail(tools.Unauthorized, "gate.error.token_revoked")
	case !a.Expires.IsZero() && !g.now().Before(a.Expires):
		return Agent{}, row, tools.Fail(tools.Unauthorized, "gate.error.token_expired")
	}
	// What bounds a token must be read, or it is worth nothing.
	if row.Plugins.String != "" {
		if err := json.Unmarshal([]byte(row.Plugins.String), &a.Plugins); err != nil {
			return Agent{}, row, err
		}
	}
	if a.tainted.After(g.now()) && row.Taint.String != "" {
		if err := tools.Restore([]byte(row.Taint.String), &a.taint); err != nil {
			return Agent{}, row, err
		}
	}
	return a, row, nil
}

// used notes when a token was last used, to the minute. Nothing waits for it:
// while somebody writes, the note is left for the next call.
func (g *Gate) used(ctx context.Context, row tokenRow) {
	if g.now().Sub(tools.ParseStamp(row.Used)) < time.Minute {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	_, err := g.app.NonconcurrentDB().Update(tools.TokensTable, dbx.Params{"used": tools.Stamp(g.now())}, dbx.HashExp{"id": row.ID}).WithContext(ctx).Execute()
	if err != nil && ctx.Err() == nil {
		g.c.Log.Warn("the last use of a token was not noted", "error", err)
	}
}
