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

// getAudit gives one entry, as the person may see it.
func (a *App) getAudit(e *core.RequestEvent) (any, error) {
	actor, err := a.actor(e)
	if err != nil {
		return nil, err
	}
	return a.runner.Entry(e.Request.Context(), actor, e.Request.PathValue("id"))
}

func activityQuery(v url.Values) (tools.ActivityQuery, error) {
	q := tools.ActivityQuery{
		Agent: v.Get("agent"), Tool: v.Get("tool"), Cursor: v.Get("cursor"), State: v.Get("state"), Person: v.Get("person"), Records: v["record"],
	}
	for name, at := range map[string]*time.Time{"since": &q.Since, "until": &q.Until} {
		if s := v.Get(name); s != "" {
			var err error
			if *at, err = sinceTime(s); err != nil {
				return q, err
			}
		}
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

// auditState is what operators are told of the chain: how it stands, and not what
// is in it. The command says what is wrong, on the machine.
type auditState struct {
	OK       bool  `json:"ok"`
	Entries  int64 `json:"entries"`
	Erased   int64 `json:"erased"`
	Beyond   int64 `json:"beyond"`
	HeadOnly bool  `json:"head_only"`
}

// checkChain walks the chain, one walk at a time.
func (a *App) checkChain(e *core.RequestEvent) (any, error) {
	if _, err := a.operatorOf(e); err != nil {
		return nil, err
	}
	a.walking.Lock()
	defer a.walking.Unlock()
	v, err := a.runner.Verify(e.Request.Context())
	return auditState{v.OK, v.Entries, v.Erased, v.Beyond, v.HeadOnly}, err
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
