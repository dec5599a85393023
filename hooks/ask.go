package hooks

import (
	"net/http"
	"strconv"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/stream"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	// askAlive is how often a stream of an answer says that it is there.
	askAlive = 15 * time.Second
	// askStreams is how many a person may have: more than they have devices and
	// conversations open.
	askStreams = 20
)

// lastHeader is where a client that reads a stream again says what it has seen.
const lastHeader = "Last-Event-ID"

// askRoutes are how a person asks an assistant.
func (a *App) askRoutes() []route {
	return []route{
		{"POST", "/ask", false, a.ask},
		{"GET", "/ask", false, usePost},
		{"GET", "/ask/{turn}", false, a.followTurn},
		{"POST", "/ask/{turn}/stop", false, a.stopTurn},
		{"GET", "/ask/{turn}/stop", false, usePost},
		{"GET", "/conversations", false, a.listConversations},
	}
}

// written is the answer of an endpoint that has written it itself.
type written struct{}

// ask begins a turn, or finds the one that the client began before, and tells
// what happens in it. The turn goes on without whoever asked; only stop ends it.
func (a *App) ask(e *core.RequestEvent) (any, error) {
	if _, err := a.whoAsks(e); err != nil {
		return nil, err
	}
	return a.telling(e, func() (*assistant.Turn, error) {
		q, done, err := a.readQuestion(e)
		defer done()
		if err != nil {
			return nil, err
		}
		return a.loop.Ask(e.Request.Context(), e.Auth, q)
	})
}

// followTurn tells what happens in a turn after an event, or from the first on.
func (a *App) followTurn(e *core.RequestEvent) (any, error) {
	who, err := a.member(e)
	if err != nil {
		return nil, err
	}
	return a.telling(e, func() (*assistant.Turn, error) {
		return a.loop.Turn(e.Request.Context(), who.Person, e.Request.PathValue("turn"))
	})
}

// telling finds a turn, and tells it after what the client has seen.
func (a *App) telling(e *core.RequestEvent, find func() (*assistant.Turn, error)) (any, error) {
	after, err := afterEvent(e)
	if err != nil {
		return nil, err
	}
	leave, err := a.enterStream(e)
	if err != nil {
		return nil, err
	}
	defer leave()
	t, err := find()
	if err != nil {
		return nil, err
	}
	return a.tellTurn(e, t, after)
}

func (a *App) stopTurn(e *core.RequestEvent) (any, error) {
	who, err := a.whoAsks(e)
	if err != nil {
		return nil, err
	}
	return struct{}{}, a.loop.Stop(e.Request.Context(), who.Person, e.Request.PathValue("turn"))
}

func (a *App) listConversations(e *core.RequestEvent) (any, error) {
	who, err := a.member(e)
	if err != nil {
		return nil, err
	}
	limit := 0
	v := e.Request.URL.Query()
	if s := v.Get("limit"); s != "" {
		if limit, err = strconv.Atoi(s); err != nil || limit < 1 || limit > 200 {
			return nil, tools.Fail(tools.Invalid, "http.limit", 200)
		}
	}
	items, next, err := a.loop.Conversations(e.Request.Context(), who.Person, limit, v.Get("cursor"))
	return list[assistant.Conversation]{items, next}, err
}

// whoAsks is who asks. What they ask may change something, where their assistant
// needs no nod for that, and it spends what is theirs: a token that nobody signed
// in for asks nothing, or a script could have a model speak for the person.
func (a *App) whoAsks(e *core.RequestEvent) (tools.Actor, error) {
	who, err := a.member(e)
	if err == nil && mayConfirm(e) != nil {
		err = tools.Fail(tools.Forbidden, "ask.static_token")
	}
	return who, err
}

// afterEvent is the number of the last event that a client has seen; 0 for none.
func afterEvent(e *core.RequestEvent) (after int, err error) {
	for _, s := range []string{e.Request.URL.Query().Get("after"), e.Request.Header.Get(lastHeader)} {
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return 0, tools.Fail(tools.Invalid, "ask.after")
		}
		after = max(after, n) // a client that lost its stream repeats its address
	}
	return after, nil
}

// tellTurn writes the events of a turn as they come, until it is over or the
// client is gone, who may then ask for the rest.
func (a *App) tellTurn(e *core.RequestEvent, t *assistant.Turn, after int) (any, error) {
	stream.Head(e.Response.Header())
	e.Response.Header().Set("Content-Type", "text/event-stream")
	// How long a request may take to come, and an answer to be written, is over.
	rc := http.NewResponseController(e.Response)
	_ = rc.SetReadDeadline(time.Time{})
	out := stream.New(e.Response, askAlive)
	defer out.End()
	e.Response.WriteHeader(http.StatusOK)
	if out.Flush() != nil {
		return written{}, nil
	}
	out.Begin()
	var gone error
	err := t.Follow(e.Request.Context(), after, func(event assistant.Event) error {
		gone = out.Event(event.ID, string(event.Kind), event.Data)
		return gone
	})
	if err != nil && gone == nil && e.Request.Context().Err() == nil {
		a.pb.Logger().Error("a turn could not be told to the end", "error", err)
	}
	return written{}, nil
}
