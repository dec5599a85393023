package hooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/assistant/mcp"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// tryClient connects as a client does and prints what it sees: to an address, or
// to the instance of the data folder, which then needs no server.
func (a *App) tryClient(ctx context.Context, at, token string) error {
	if token == "" {
		return failure{fmt.Errorf("%s is not set: a client connects by a token. Make one, and put it there:\n  %s", client.Variable, a.makeToken())}
	}
	var b []byte
	var err error
	if at == "" {
		b, err = a.tryHere(ctx, token)
	} else {
		b, err = tryThere(ctx, at, token)
	}
	if err != nil {
		return err
	}
	var saw saidSight
	if err := json.Unmarshal(b, &saw); err != nil {
		return failed(err)
	}
	switch {
	case !saw.OK && a.reads():
		fmt.Fprintln(a.Stderr, visible(saw.Problem.Text))
		return errSaid
	case !saw.OK:
		return a.refuse(b)
	case !a.reads():
		return a.print(b)
	}
	return a.say("%s", visible(saw.String()))
}

// tryHere has the instance of the folder try itself.
func (a *App) tryHere(ctx context.Context, token string) ([]byte, error) {
	if err := a.needsFolder(); err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]string{"token": token})
	if err != nil {
		return nil, failed(err)
	}
	status, b, err := a.send(ctx, request{method: "POST", path: "/connect/test", body: bytes.NewReader(body)})
	if err == nil && status != http.StatusOK {
		err = a.refuse(b)
	}
	return b, err
}

// tryThere tries an address, which may lack the path.
func tryThere(ctx context.Context, at, token string) ([]byte, error) {
	u, err := url.Parse(at)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, failure{errors.New("--url is an address such as https://nodkeep.example.org")}
	}
	if !strings.HasSuffix(u.Path, client.Path) {
		u = u.JoinPath(client.Path)
	}
	catalogue, err := i18n.Load(i18n.Core(), client.Locales())
	if err != nil {
		return nil, failed(err)
	}
	saw, err := probed(ctx, mcp.Probe{URL: u.String(), Token: token}, func(*mcp.Seen) {})
	if err != nil {
		return nil, failed(err)
	}
	b, err := json.Marshal(saw, json.WithMarshalers(catalogue.Marshalers("en")), json.Deterministic(true))
	return b, failed(err)
}

// saidSight is what a client sees, as a command reads it.
type saidSight struct {
	OK      bool `json:"ok"`
	Problem said `json:"problem"`
	mcp.Seen
}

// String says it to a person.
func (s saidSight) String() string {
	var b strings.Builder
	for _, line := range s.Says {
		fmt.Fprintln(&b, line)
	}
	for _, p := range s.Protocols {
		fmt.Fprintf(&b, "%s %s over MCP %s: %d tools, %d resources, %d prompts\n", cmp.Or(p.Server, "A server"), p.Version, p.Protocol, p.Tools, p.Resources+p.Templates, p.Prompts)
	}
	for _, effect := range []struct{ is, says string }{{"read", "reads"}, {"write", "changes what can be undone"}, {"destroy", "deletes, cancels or suspends"}, {"send", "leaves the instance"}} {
		byAsks := map[string][]string{}
		for _, t := range s.Tools {
			if string(t.Effect) == effect.is {
				byAsks[t.Asks] = append(byAsks[t.Asks], t.Name)
			}
		}
		for _, asks := range []struct{ is, says string }{{"never", ""}, {"money", ", waits for a nod where money is in it"}, {"always", ", waits for a nod"}, {"", ""}} {
			if names := byAsks[asks.is]; len(names) > 0 {
				fmt.Fprintf(&b, "\n%s%s:\n  %s\n", effect.says, asks.says, strings.Join(names, "\n  "))
			}
		}
	}
	for _, list := range []struct {
		says  string
		names []mcp.SeenName
	}{{"resources", append(s.Resources, s.Templates...)}, {"prompts", s.Prompts}} {
		if len(list.names) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", list.says)
		for _, n := range list.names {
			fmt.Fprintf(&b, "  %s  %s\n", n.Name, n.Title)
		}
	}
	return b.String()
}
