package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

const (
	jsonType = "application/json"
	textType = "text/plain"
)

// addResources lists what can be read by address: the context, the parts of
// large answers, and of each plugin what a tool of the token's list answers.
// The seat's lock is held.
func (s *seat) addResources(a gate.Agent) {
	d := s.door
	s.server.AddResource(&mcp.Resource{
		URI: contextURI, Name: "context", Title: d.say(a, tools.T("mcp.context.title")), MIMEType: textType,
		Description: "Who you act for, what you may do, what day it is, and what is going on: in words, as the person sees it.",
	}, s.readContext)
	s.server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: partTemplate, Name: "answer_part", Title: d.say(a, tools.T("mcp.part.title")), MIMEType: textType,
		Description: "A part of an answer that was too large for one message, as that message named it.",
	}, s.readPart)
	now := map[string]bool{}
	for _, r := range d.c.Registry.Resources() {
		if !s.tools[r.Tool] {
			continue
		}
		now[r.URI] = true
		title, about := d.say(a, tools.T(r.Title)), "What "+r.Tool+" answers."
		if strings.Contains(r.URI, "{") {
			s.server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: title, Description: about, MIMEType: jsonType}, s.readResource)
		} else {
			s.server.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Title: title, Description: about, MIMEType: jsonType}, s.readResource)
		}
	}
	for uri := range s.resources {
		if !now[uri] {
			s.server.RemoveResources(uri)
			s.server.RemoveResourceTemplates(uri)
		}
	}
	s.resources = now
}

// readResource answers an address by the read tool behind it, as the person.
// What is somebody else's is not there.
func (s *seat) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ctx, a, err := s.who(ctx, req.Extra)
	if err != nil {
		return nil, s.door.protocol(err)
	}
	raw, err := s.lookUp(ctx, a, req.Params.URI)
	if err != nil {
		return nil, s.door.missing(req.Params.URI, err)
	}
	return contents(req.Params.URI, jsonType, string(raw)), nil
}

// lookUp is the answer under an address.
func (s *seat) lookUp(ctx context.Context, a gate.Agent, uri string) ([]byte, error) {
	inv, ok := s.door.c.Registry.Resource(uri)
	if !ok {
		return nil, tools.Fail(tools.NotFound, "error.no_resource", tools.Quoted(uri, 200))
	}
	leave, err := s.work(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	got, err := s.door.c.Gate.Call(ctx, a, inv)
	if err != nil {
		return nil, err
	}
	return s.door.write(a, got.Output)
}

func contents(uri, mime, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}
}

// missing is the protocol's error for what is not there, or not for this
// person; other errors stay what they are.
func (d *Door) missing(uri string, err error) error {
	if kind := tools.KindOf(err); slices.Contains([]tools.Kind{tools.NotFound, tools.Forbidden, tools.Invalid}, kind) {
		// The library writes the address into JSON as Go would quote it.
		return mcp.ResourceNotFoundError(strings.ToValidUTF8(strings.Map(printable, uri), ""))
	}
	return d.protocol(err)
}

// printable drops what is written differently in Go and in JSON.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r > '~' {
		return '?'
	}
	return r
}

// protocol is an error of ours as one of the protocol, where no result can say it.
func (d *Door) protocol(err error) error {
	code := int64(jsonrpc.CodeInvalidParams)
	if kind := tools.KindOf(err); kind == tools.Internal || kind == tools.Unavailable || kind == tools.Limit {
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: d.sentence(err)}
}
