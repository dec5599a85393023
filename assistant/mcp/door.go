// Package mcp is the door for agents that speak the Model Context Protocol: it
// offers the tools of the registry, what the plugins have to read, and their
// prompts, in the two generations of the protocol behind one address. It decides
// nothing: what runs, and what a person is asked, is the gate's affair.
package mcp

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// Gate decides over calls and keeps what waits for a person. It is gate.Gate.
type Gate interface {
	Token(ctx context.Context, secret string) (gate.Agent, *core.Record, error)
	Offers(a gate.Agent) []tools.Tool
	Would(a gate.Agent, tool string) tools.Decision
	Call(ctx context.Context, a gate.Agent, inv tools.Invocation) (gate.Answer, error)
	Status(ctx context.Context, a gate.Agent, id string) (gate.Proposal, error)
	Form(ctx context.Context, a gate.Agent, p gate.Proposal, inv tools.Invocation) (state string, err error)
	Card(a gate.Agent, p gate.Proposal, inv tools.Invocation) (state string, err error)
	CardOf(a gate.Agent, inv tools.Invocation, state string) (id string, err error)
	Answered(ctx context.Context, a gate.Agent, inv tools.Invocation, state, action string, yes bool, reason string) (gate.Answer, error)
}

// Files says what a tool takes from an agent in place of a file's content, and
// puts the content into the arguments of a call. It is upload.Store.
type Files interface {
	Schema(t tools.Tool) *jsonschema.Schema
	Resolve(ctx context.Context, a tools.Actor, inv tools.Invocation) (tools.Invocation, error)
}

// Config of a Door. Gate, Runner, Registry and Catalogue must be given.
type Config struct {
	Gate      Gate
	Runner    *tools.Runner
	Registry  *tools.Registry
	Catalogue *i18n.Catalogue
	Link      func(proposal string) string // where a person decides over a proposal
	Own       []offer.Own                  // tools of every token beside those of this package
	Files     Files                        // what an agent hands over instead of files; nil takes their content
	Fitting   *Fitting                     // for the conformance suite; nil
	Version   string                       // of the program
	Log       *slog.Logger                 // slog.Default unless given
	Now       func() time.Time             // the clock; time.Now

	Idle   time.Duration // after which an unused session ends; 30 min
	Settle time.Duration // how long changes are collected before they are told; 300 ms
	Slow   time.Duration // after which a call tells that it goes on; 1 s
}

// Door serves MCP. Each token has a server of its own, made when it is first
// seen, so that lists, sessions and notices are those of the token.
type Door struct {
	c      Config
	own    []offer.Own
	inputs map[string]*jsonschema.Schema // what each tool takes from an agent
	front  http.Handler
	said   shapes
	waits  waits
	notice notices

	mu    sync.Mutex
	seats map[string]*seat // by token
	swept time.Time
}

// New makes a Door.
func New(c Config) (*Door, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Link == nil {
		c.Link = func(string) string { return "" }
	}
	c.Idle = cmp.Or(c.Idle, 30*time.Minute)
	c.Settle = cmp.Or(c.Settle, 300*time.Millisecond)
	c.Slow = cmp.Or(c.Slow, time.Second)
	d := &Door{c: c, seats: map[string]*seat{}}
	own, err := d.ownTools()
	if err != nil {
		return nil, err
	}
	d.own, d.inputs = own, map[string]*jsonschema.Schema{}
	for _, t := range c.Registry.Tools() {
		d.inputs[t.Name] = t.Input
		if c.Files != nil {
			d.inputs[t.Name] = c.Files.Schema(t)
		}
	}
	modern := mcp.NewStreamableHTTPHandler(serverOf, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: MaxBody,
	})
	older := mcp.NewStreamableHTTPHandler(serverOf, &mcp.StreamableHTTPOptions{
		SessionTimeout: c.Idle, DisableLocalhostProtection: true, MaxRequestBodyBytes: MaxBody,
	})
	d.front = auth.RequireBearerToken(verified, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(eras{modern, older})
	return d, nil
}

// visitor is who a request is of, as the door found out from its own token.
type visitor struct {
	Visitor
	seat *seat
}

// Visitor is an agent and the person it speaks for, as a door has just read
// both.
type Visitor struct {
	Agent  gate.Agent
	Person *core.Record
}

type visitorKey struct{}

// ServeHTTP serves a request of an agent, whose token the caller has looked at.
// Its body is at most MaxBody: the caller saw to that, and writes by fault what
// the protocol's library would say in plain text.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request, v Visitor, fault func(status int, message string)) {
	s := d.seat(v.Agent)
	defer s.leave(d.c.Now)
	r = r.WithContext(context.WithValue(r.Context(), visitorKey{}, visitor{v, s}))
	out := newAnswer(w, fault)
	defer out.End()
	d.front.ServeHTTP(out, r)
}

// verified tells the SDK what the door knows already. The id of the token is
// what a session belongs to: another token's request in it is refused.
func verified(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
	v, ok := ctx.Value(visitorKey{}).(visitor)
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: v.Agent.Token, Extra: map[string]any{visitorName: v.Visitor}}, nil
}

// visitorName is where a request's token info has who it is of.
const visitorName = "visitor"

func serverOf(r *http.Request) *mcp.Server {
	v, ok := r.Context().Value(visitorKey{}).(visitor)
	if !ok {
		return nil
	}
	return v.seat.server
}

// who is the agent of a request, by the token that came with the request: a
// session may have been opened by another. The reads of the context take the
// person as the door has just read it.
func (s *seat) who(ctx context.Context, extra *mcp.RequestExtra) (context.Context, gate.Agent, error) {
	v := visitorOf(ctx, extra)
	if v.Agent.Token == "" || v.Agent.Token != s.token {
		return ctx, gate.Agent{}, tools.Fail(tools.Unauthorized, "mcp.no_token")
	}
	return tools.Known(ctx, v.Person), v.Agent, nil
}

// visitorOf is who a request is of. Where a request has nothing beside it, it
// is the whole of its connection.
func visitorOf(ctx context.Context, extra *mcp.RequestExtra) Visitor {
	info := auth.TokenInfoFromContext(ctx)
	if extra != nil && extra.TokenInfo != nil {
		info = extra.TokenInfo
	}
	if info == nil {
		return Visitor{}
	}
	v, _ := info.Extra[visitorName].(Visitor)
	return v
}

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
