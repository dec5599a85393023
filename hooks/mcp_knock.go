package hooks

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools"
)

// What browsers may send and read of the door, and how it is asked.
const (
	mcpMethods = "GET, POST, DELETE"
	mcpSent    = "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name"
	mcpExposed = "WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version"
)

// mcpKnock looks at what comes before any question of who asks: a page of
// another site, or one that has made its name point here, must not get an answer.
// done says that the request was answered.
func (a *App) mcpKnock(e *core.RequestEvent) (done bool, err error) {
	h := e.Response.Header()
	h.Add("Vary", "Origin")
	if !isLocal(e.Request) {
		if !a.ownHost(e.Request.Host) {
			return true, a.mcpRefuse(e, tools.Fail(tools.Forbidden, "mcp.host"))
		}
		origin := e.Request.Header.Get("Origin")
		if !a.knownOrigin(origin, e.Request.Host) {
			return true, a.mcpRefuse(e, tools.Fail(tools.Forbidden, "mcp.origin"))
		}
		if origin != "" {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", mcpExposed)
		}
		if e.Request.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", mcpMethods)
			// What a tool's arguments may mirror into headers has names of its own.
			sent := mcpSent
			for name := range strings.SplitSeq(e.Request.Header.Get("Access-Control-Request-Headers"), ",") {
				if name = strings.TrimSpace(name); strings.HasPrefix(strings.ToLower(name), "mcp-param-") && isToken(name) {
					sent += ", " + name
				}
			}
			h.Set("Access-Control-Allow-Headers", sent)
			h.Set("Access-Control-Max-Age", "600")
			h.Add("Vary", "Access-Control-Request-Headers")
			return true, e.NoContent(http.StatusNoContent)
		}
	}
	switch e.Request.Method {
	case http.MethodGet, http.MethodPost, http.MethodDelete:
		return false, nil
	}
	h.Set("Allow", mcpMethods)
	text := tools.T("mcp.method", mcpMethods)
	return true, a.answer(e, http.StatusMethodNotAllowed, fault{http.StatusMethodNotAllowed, tools.Words(text), faultData{Kind: tools.Invalid, Text: text}})
}

// isToken says that a header's name is made of letters, digits and strokes.
func isToken(name string) bool {
	return len(name) < 100 && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// ownHost says whether a request means this instance: by an address, which no
// name can be made to point to, or by a name that is known for it.
func (a *App) ownHost(host string) bool {
	name := hostOf(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	known := append([]string{"localhost"}, a.domains...)
	if u, err := url.Parse(a.settings.URL); err == nil && u.Host != "" {
		known = append(known, u.Hostname())
	}
	return slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
}

// hostOf is a host without its port, and without the brackets of an address.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// knownOrigin says whether a page may call: one of this instance, of a program
// on the reader's own machine, or of a site that the operator named. What is no
// browser sends none.
func (a *App) knownOrigin(origin, host string) bool {
	if origin == "" || slices.ContainsFunc(a.otherOrigins(), func(o string) bool { return o == anyOrigin || strings.EqualFold(o, origin) }) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Host, host) || (a.settings.URL != "" && strings.EqualFold(origin, originOf(a.settings.URL))) {
		return true
	}
	if strings.EqualFold(u.Hostname(), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return err == nil && addr.IsLoopback()
}

// originOf is the origin of an address.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// mcpAgent is the agent of a request by its bearer token, which is none of
// PocketBase's. Nil is a request that was answered.
func (a *App) mcpAgent(e *core.RequestEvent) (*mcp.Visitor, error) {
	scheme, secret, _ := strings.Cut(strings.TrimSpace(e.Request.Header.Get("Authorization")), " ")
	if secret = strings.TrimSpace(secret); !strings.EqualFold(scheme, "Bearer") || secret == "" {
		// Without error: some clients take one for the end of all attempts.
		e.Response.Header().Set("WWW-Authenticate", `Bearer realm="nodkeep"`)
		return nil, a.mcpRefuse(e, tools.Fail(tools.Unauthorized, "mcp.sign_in"))
	}
	err := error(tools.Fail(tools.Unauthorized, "mcp.no_token"))
	if strings.Count(secret, ".") == 2 {
		err = tools.Fail(tools.Unauthorized, "mcp.session")
	}
	if tools.IsToken(secret) {
		var v mcp.Visitor
		if v, err = a.visitor(e.Request.Context(), secret); err == nil {
			return &v, nil
		}
	}
	return nil, a.mcpRefuse(e, err)
}

// mcpRefuse answers an error at once, also while the body is still coming, and
// then lets some more of it come: a client that is sending does not listen yet.
func (a *App) mcpRefuse(e *core.RequestEvent, err error) error {
	h := e.Response.Header()
	if tools.KindOf(err) == tools.Unauthorized && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", `Bearer realm="nodkeep", error="invalid_token", error_description="The token is unknown, revoked or expired."`)
	}
	if e.Request.ContentLength == 0 {
		return a.fail(e, err)
	}
	c := http.NewResponseController(e.Response)
	_ = c.EnableFullDuplex() // HTTP/2 is so anyway
	h.Set("Connection", "close")
	failed := a.fail(e, err)
	_ = c.Flush()
	_ = c.SetReadDeadline(time.Now().Add(mcpDraining))
	_, _ = io.CopyN(io.Discard, rawBody(e), mcpDrain)
	return failed
}

const (
	// mcpDrain and mcpDraining bound what is still read of a refused request.
	mcpDrain    = 128 << 20
	mcpDraining = 5 * time.Second
	// mcpAhead is how much room is made for a body before it comes.
	mcpAhead = 64 << 10
)

// mcpBody reads the body, so that one that is too large is told so.
func (a *App) mcpBody(e *core.RequestEvent) error {
	if e.Request.Method != http.MethodPost {
		// A stream is open for as long as somebody listens.
		_ = http.NewResponseController(e.Response).SetReadDeadline(time.Time{})
		return nil
	}
	if e.Request.ContentLength > mcp.MaxBody {
		return tools.Fail(tools.TooLarge, "mcp.too_large", mcp.MaxBody)
	}
	// What is announced and does not come must not take the room of what does.
	var b bytes.Buffer
	b.Grow(int(min(max(e.Request.ContentLength, 0), mcpAhead)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(rawBody(e), mcp.MaxBody+1))
	switch {
	case err != nil:
		return tools.Fail(tools.Invalid, "http.body").Because(err)
	case n > mcp.MaxBody:
		return tools.Fail(tools.TooLarge, "mcp.too_large", mcp.MaxBody)
	case mcp.Messages(b.Bytes()) > mcp.MaxBatch:
		return tools.Fail(tools.TooLarge, "mcp.batch", mcp.MaxBatch)
	}
	_ = http.NewResponseController(e.Response).SetReadDeadline(time.Time{})
	e.Request.Body = &router.RereadableReadCloser{ReadCloser: io.NopCloser(bytes.NewReader(b.Bytes()))}
	return nil
}
