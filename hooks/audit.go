package hooks

import (
	"net/url"
	"strconv"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// listAudit lists the entries of what the person may see.
func (a *App) listAudit(e *core.RequestEvent) (any, error) {
	actor, err := a.actor(e)
	if err != nil {
		return nil, err
	}
	q, err := activityQuery(e.Request.URL.Query())
	if err != nil {
		return nil, err
	}
	return a.runner.Activity(e.Request.Context(), actor, q)
}

func activityQuery(v url.Values) (tools.ActivityQuery, error) {
	q := tools.ActivityQuery{Agent: v.Get("agent"), Tool: v.Get("tool"), Cursor: v.Get("cursor")}
	if s := v.Get("since"); s != "" {
		at, err := sinceTime(s)
		if err != nil {
			return q, err
		}
		q.Since = at
	}
	if s := v.Get("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 200 {
			return q, tools.Fail(tools.Invalid, "http.limit", 200)
		}
		q.Limit = n
	}
	return q, nil
}

func sinceTime(s string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return at, tools.Fail(tools.Invalid, "http.since")
	}
	return at, nil
}

// verifyAudit walks the chain, for the command.
func (a *App) verifyAudit(e *core.RequestEvent) (any, error) {
	return a.runner.Verify(e.Request.Context())
}

// acceptAudit takes the chain as it stands, because the operator says so.
func (a *App) acceptAudit(e *core.RequestEvent) (any, error) {
	body, err := jsonBody(e)
	if err != nil {
		return nil, err
	}
	var in struct {
		Reason string `json:"reason"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	if in.Reason == "" {
		return nil, tools.Fail(tools.Invalid, "http.reason")
	}
	id, err := a.runner.Accept(e.Request.Context(), tools.Actor{Door: tools.DoorCLI}, in.Reason)
	return struct {
		Audit string `json:"audit"`
	}{id}, err
}
