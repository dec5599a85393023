package mcp

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/tools"
)

const (
	// olderVersion is the last of the protocol that knows sessions.
	olderVersion = "2025-11-25"
	// maxProbe is how long a probe may take in one generation.
	maxProbe = 20 * time.Second
)

// Probe connects as a client does, to see what one sees.
type Probe struct {
	URL       string // with its path
	Token     string
	Transport http.RoundTripper // http.DefaultTransport unless given
}

// Seen is what a client sees.
type Seen struct {
	Protocols []Spoken   `json:"protocols"`
	Says      []string   `json:"says"` // who the agent acts for, and what it may do
	Tools     []SeenTool `json:"tools"`
	Resources []SeenName `json:"resources"`
	Templates []SeenName `json:"templates"`
	Prompts   []SeenName `json:"prompts"`
}

// Spoken is a generation of the protocol, and how much there is in it.
type Spoken struct {
	Protocol  string `json:"protocol"`
	Server    string `json:"server"`
	Version   string `json:"version"`
	Tools     int    `json:"tools"`
	Resources int    `json:"resources"`
	Templates int    `json:"templates"`
	Prompts   int    `json:"prompts"`
}

// SeenTool is a tool as its annotations say.
type SeenTool struct {
	Name   string       `json:"name"`
	Title  string       `json:"title"`
	Effect tools.Effect `json:"effect"`
	Asks   string       `json:"asks,omitzero"` // never, always or money: where that is known
}

// SeenName is a resource, by its address, or a prompt.
type SeenName struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Run connects in both generations. An error says what a person can do about it.
func (p Probe) Run(ctx context.Context) (Seen, error) {
	var seen Seen
	for _, version := range []string{modernVersion, olderVersion} {
		now, spoken, err := p.in(ctx, version)
		if err != nil {
			return seen, err
		}
		if spoken.Protocol != version {
			return seen, tools.Fail(tools.Unavailable, "connect.error.protocol", version, spoken.Protocol)
		}
		now.Protocols = append(seen.Protocols, spoken)
		seen = now
	}
	if a, b := seen.Protocols[0], seen.Protocols[1]; a.Tools != b.Tools || a.Resources != b.Resources || a.Templates != b.Templates || a.Prompts != b.Prompts {
		return seen, tools.Fail(tools.Unavailable, "connect.error.differs")
	}
	return seen, nil
}

// in connects in one generation.
func (p Probe) in(ctx context.Context, version string) (seen Seen, spoken Spoken, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxProbe)
	defer cancel()
	heard := &ear{next: p.Transport, token: p.Token}
	if heard.next == nil {
		heard.next = http.DefaultTransport
	}
	transport := &mcp.StreamableClientTransport{Endpoint: p.URL, HTTPClient: &http.Client{Transport: heard, CheckRedirect: stay}, MaxRetries: -1, DisableStandaloneSSE: true}
	own := mcp.NewClient(&mcp.Implementation{Name: "nodkeep-connect", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := own.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return seen, spoken, heard.problem(p.URL, err)
	}
	defer func() { _ = session.Close() }() // what it saw stands
	if seen, err = look(ctx, session); err != nil {
		return seen, spoken, heard.problem(p.URL, err)
	}
	is := session.InitializeResult()
	spoken = Spoken{Protocol: is.ProtocolVersion, Tools: len(seen.Tools), Resources: len(seen.Resources), Templates: len(seen.Templates), Prompts: len(seen.Prompts)}
	if is.ServerInfo != nil {
		spoken.Server, spoken.Version = is.ServerInfo.Name, is.ServerInfo.Version
	}
	return seen, spoken, nil
}

// look lists what there is. What a server does not have it need not list.
func look(ctx context.Context, s *mcp.ClientSession) (Seen, error) {
	seen := Seen{Says: []string{}, Tools: []SeenTool{}, Resources: []SeenName{}, Templates: []SeenName{}, Prompts: []SeenName{}}
	has := s.InitializeResult().Capabilities
	if has == nil {
		has = &mcp.ServerCapabilities{}
	}
	if has.Tools != nil {
		for t, err := range s.Tools(ctx, nil) {
			if err != nil {
				return seen, err
			}
			seen.Tools = append(seen.Tools, SeenTool{Name: t.Name, Title: cmp.Or(t.Title, t.Name), Effect: effectOf(t.Annotations)})
		}
	}
	if has.Resources != nil {
		for r, err := range s.Resources(ctx, nil) {
			if err != nil {
				return seen, err
			}
			seen.Resources = append(seen.Resources, SeenName{r.URI, cmp.Or(r.Title, r.Name)})
			if r.URI != contextURI {
				continue
			}
			if seen.Says, err = firstLines(ctx, s); err != nil {
				return seen, err
			}
		}
		for r, err := range s.ResourceTemplates(ctx, nil) {
			if err != nil {
				return seen, err
			}
			seen.Templates = append(seen.Templates, SeenName{r.URITemplate, cmp.Or(r.Title, r.Name)})
		}
	}
	if has.Prompts != nil {
		for p, err := range s.Prompts(ctx, nil) {
			if err != nil {
				return seen, err
			}
			seen.Prompts = append(seen.Prompts, SeenName{p.Name, cmp.Or(p.Title, p.Name)})
		}
	}
	return seen, nil
}

// firstLines reads the first ones of the context: who the agent acts for, and
// what it may do. What goes on in the instance is not for a test.
func firstLines(ctx context.Context, s *mcp.ClientSession) (lines []string, err error) {
	read, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: contextURI})
	if err != nil {
		return nil, err
	}
	for _, c := range read.Contents {
		for line := range strings.Lines(c.Text) {
			if len(lines) < 2 {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return lines, nil
}

// effectOf is what annotations say of a tool; what they leave open is the worst.
func effectOf(a *mcp.ToolAnnotations) tools.Effect {
	switch {
	case a != nil && a.ReadOnlyHint:
		return tools.EffectRead
	case a == nil || a.OpenWorldHint == nil || *a.OpenWorldHint:
		return tools.EffectSend
	case a.DestructiveHint == nil || *a.DestructiveHint:
		return tools.EffectDestroy
	}
	return tools.EffectWrite
}

// stay follows no redirection: the token is for one address.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// ear puts the token into each request, and notes how the last was answered: of
// that the library's errors say little.
type ear struct {
	next   http.RoundTripper
	token  string
	status atomic.Int64 // 0 where nothing answered
	mcp    atomic.Bool  // some answer was one of MCP
}

// RoundTrip sends a request.
func (h *ear) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+h.token)
	resp, err := h.next.RoundTrip(r)
	if err != nil {
		h.status.Store(0)
		return nil, err
	}
	h.status.Store(int64(resp.StatusCode))
	media := resp.Header.Get("Content-Type")
	h.mcp.Store(h.mcp.Load() || resp.StatusCode == http.StatusOK && (strings.HasPrefix(media, "text/event-stream") || strings.HasPrefix(media, "application/json")))
	return resp, nil
}

// problem says what is in the way.
func (h *ear) problem(url string, err error) error {
	switch status := int(h.status.Load()); {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return tools.Fail(tools.Limit, "connect.error.slow", url).Because(err)
	case status == 0:
		return tools.Fail(tools.Unavailable, "connect.error.nobody", url).Because(err)
	case status == http.StatusUnauthorized:
		return tools.Fail(tools.Unauthorized, "connect.error.token").Because(err)
	case status == http.StatusForbidden:
		return tools.Fail(tools.Forbidden, "connect.error.forbidden", url).Because(err)
	case status >= 300 && status < 400:
		return tools.Fail(tools.NotFound, "connect.error.moved", url).Because(err)
	case !h.mcp.Load():
		return tools.Fail(tools.NotFound, "connect.error.no_mcp", url, status).Because(err)
	}
	return tools.Fail(tools.Unavailable, "connect.error.broken", url).Because(err)
}
