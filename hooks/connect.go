package hooks

import (
	"cmp"
	"os"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/tools"
)

// connectable is what clients are told to connect to this instance.
type connectable struct {
	Address string          `json:"address"` // of the instance, "" where it is not known
	Items   []client.Client `json:"items"`
	Next    string          `json:"next"`
	Plugins []string        `json:"plugins,omitzero"` // to whose tools a token can be narrowed
}

// connect answers what each client is to be told. Where program and data lie on
// the machine is for operators: to others it says nothing that they could use.
func (a *App) connect(e *core.RequestEvent) (any, error) {
	f := client.Facts{Address: a.reachedAt()}
	if !isLocal(e.Request) {
		if _, err := a.member(e); err != nil {
			return nil, err
		}
	}
	if isLocal(e.Request) || operates(e.Auth) {
		f.Binary, f.Dir = a.program(), a.dir
	}
	out, err := connections(f, e.Request.URL.Query().Get("client"))
	out.Plugins = append([]string{}, a.settings.Plugins...)
	return out, err
}

// connections are those of all clients, or of the one that is named.
func connections(f client.Facts, name string) (connectable, error) {
	all := client.All(f)
	if name != "" {
		ids := client.Named(name)
		switch len(ids) {
		case 1:
		case 0:
			return connectable{}, tools.Fail(tools.NotFound, "connect.error.client", tools.Quoted(name, 60), strings.Join(client.IDs(), ", "))
		default:
			return connectable{}, tools.Fail(tools.NotFound, "connect.error.several", tools.Quoted(name, 60), strings.Join(ids, ", "))
		}
		all = client.Only(all, ids)
	}
	return connectable{Address: f.Address, Items: all}, nil
}

// reachedAt is the address under which clients reach the instance, as far as is
// known.
func (a *App) reachedAt() string { return cmp.Or(a.settings.URL, ownAddress(a.base)) }

// program is the path of what runs.
func (a *App) program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}
