package hooks

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// mcpReading is how long a request may take to come.
	mcpReading = time.Minute
	// mcpCalls is how many requests a token may have under way: more than wait for
	// a decision, and few enough that their bodies and answers take no others' room.
	mcpCalls = 50
)

// bindMCP mounts the door for agents. What PocketBase does to every request is
// left out where it would misread this one: its token is none of PocketBase's,
// its body has its own limit, and other sites may call it by its own rule.
func (a *App) bindMCP(r *router.Router[*core.RequestEvent]) {
	// One by one: beside a page that an app serves for every address, a route for
	// any method ends the start in a panic.
	for _, method := range [...]string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodPut, http.MethodPatch, http.MethodTrace} {
		r.Route(method, mcpPath, a.mcp).Unbind(apis.DefaultBodyLimitMiddlewareId, apis.DefaultLoadAuthTokenMiddlewareId, apis.DefaultCorsMiddlewareId)
	}
}

// mcp lets a request through to the door once it is known whose it is.
func (a *App) mcp(e *core.RequestEvent) error {
	// Nothing is asked in the address, so a token that somebody put there, which
	// counts for nothing, does not get into the log either.
	e.Request.URL.RawQuery = ""
	if done, err := a.mcpKnock(e); done || err != nil {
		return err
	}
	v, err := a.mcpAgent(e)
	if v == nil || err != nil {
		return err
	}
	key := agentCalls{v.Agent.Token, e.Request.Method == http.MethodGet}
	most := mcpCalls
	if key.streams {
		most = mcp.MaxSessions // each has one
	}
	if !a.calls.enter(key, math.MaxInt, most) {
		return a.mcpRefuse(e, tools.Fail(tools.Limit, "mcp.busy", most))
	}
	defer a.calls.leave(key)
	visits, err := a.enterAgent(e, v)
	if err != nil {
		return a.mcpRefuse(e, err)
	}
	defer visits.leave()
	if err := a.mcpBody(e); err != nil {
		return a.mcpRefuse(e, err)
	}
	// The log would say of each call no more than that there was one.
	if err := apis.SkipSuccessActivityLog().Func(e); err != nil {
		return err
	}
	a.door.ServeHTTP(e.Response, e.Request, *v, func(status int, message string) {
		_ = a.answer(e, status, mcpFault(status, message)) // whoever asked may be gone
	})
	if e.Status() == 0 && e.Request.Context().Err() != nil {
		return a.mcpRefuse(e, tools.Fail(tools.Unauthorized, "mcp.no_token"))
	}
	return nil
}

// mcpFault is an error of the protocol's library in the form of ours.
func mcpFault(code int, message string) fault {
	kind := tools.Invalid
	for _, k := range [...]tools.Kind{tools.Unauthorized, tools.Forbidden, tools.NotFound, tools.Conflict, tools.TooLarge, tools.Unavailable, tools.Internal} {
		if status(k) == code {
			kind = k
		}
	}
	text := tools.T("mcp.protocol", message)
	return fault{code, tools.Words(text), faultData{Kind: kind, Text: text}}
}

// agentVisits are a request of an agent, by its account and by its token: it
// ends with either.
type agentVisits struct {
	live *live
	of   [2]*visit
}

func (v agentVisits) leave() {
	for _, one := range v.of {
		v.live.leave(one)
	}
}

// agentCalls are the requests that a token has under way; streams are counted
// apart.
type agentCalls struct {
	token   string
	streams bool
}

// enterAgent notes a request until leave, and asks again who it is of where the
// account or the token ended a moment ago: what is known of it may be older, and
// wider, than what it is now.
func (a *App) enterAgent(e *core.RequestEvent, v *mcp.Visitor) (agentVisits, error) {
	// Before it is noted: what ends it sets deadlines of its own.
	c := http.NewResponseController(e.Response)
	_ = c.SetWriteDeadline(time.Time{}) // not every connection has one
	_ = c.SetReadDeadline(time.Now().Add(mcpReading))
	visits := agentVisits{live: &a.visits}
	var late [2]bool
	for i, key := range [...]string{v.Agent.Person, tokenVisit(v.Agent.Token)} {
		e.Request, visits.of[i], late[i] = a.visits.enter(key, e.Response, e.Request)
	}
	if late[0] || late[1] {
		var err error
		if v.Agent, v.Person, err = a.gate.Token(e.Request.Context(), bearer(e)); err != nil {
			visits.leave()
			return agentVisits{}, err
		}
	}
	return visits, nil
}

// bindAgents forgets what is remembered of a member who is another from now on.
func (a *App) bindAgents() {
	a.pb.OnModelAfterUpdateSuccess(users).Bind(&hook.Handler[*core.ModelEvent]{Id: "nodkeepAgents", Priority: early, Func: func(e *core.ModelEvent) error {
		if id, ok := e.Model.PK().(string); ok {
			a.agents.forget(id)
		}
		return e.Next()
	}})
}

// openDoor makes the door, once the gate is there.
func (a *App) openDoor() (err error) {
	a.door, err = mcp.New(mcp.Config{
		Gate: a.gate, Runner: a.runner, Registry: a.registry, Catalogue: a.catalogue, Link: a.nodLink, Now: a.now, Version: version(), Log: a.pb.Logger(),
		Own: a.uploadTools(), Files: a.uploads, Fitting: a.fitting,
	})
	a.tokenEnded = func(id string) {
		a.agents.forget(id)
		a.door.Drop(id)
	}
	return err
}

// proposalTold is told of each proposal that is new or was decided.
func (a *App) proposalTold(person, proposal string) {
	a.tellOfProposal(person, proposal)
	if a.door != nil {
		a.door.Told(proposal)
	}
}

// committed is told of each audit entry that changed records.
func (a *App) committed(entry string) {
	if a.door != nil {
		a.door.Committed(entry)
	}
}

// foreign is told that an agent was given what others wrote. What is remembered
// of its token does not know of it.
func (a *App) foreign(ctx context.Context, who tools.Actor, from []tools.Text) error {
	err := a.gate.Foreign(ctx, who, from)
	a.agents.forget(who.Token)
	return err
}
