package hooks

import (
	"context"
	"encoding/json/v2"
	"net"
	"net/http"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// wayPath is where one that wants the folder for itself asks the one that has it.
const wayPath = "/local/way"

// giving is whether who answers on the folder gives it up when asked.
type giving struct {
	Gives bool `json:"gives"`
}

// getWay says whether this process would give the folder up. A server does not:
// people are there.
func (a *App) getWay(*core.RequestEvent) (any, error) { return giving{a.yield != nil}, nil }

// giveWay gives it up, for somebody who takes it at once.
func (a *App) giveWay(*core.RequestEvent) (any, error) {
	if a.yield == nil {
		return nil, tools.Fail(tools.Conflict, "http.no_way")
	}
	a.yield()
	return giving{true}, nil
}

// givesWay asks what answers on the folder whether it gives it up (GET), or to
// do so (POST). What goes away meanwhile has given it up.
func (a *App) givesWay(ctx context.Context, method string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience/2)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://nodkeep"+prefix+wayPath, nil)
	if err != nil {
		return false
	}
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return a.dial(ctx) }, DisableKeepAlives: true}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return ctx.Err() == nil
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	var g giving
	return resp.StatusCode == http.StatusOK && json.UnmarshalRead(resp.Body, &g) == nil && g.Gives
}

// takeFolder takes the folder for a process that needs it for itself. A command
// that has it is soon done, and a nodkeep mcp gives way; a server is neither
// waited for nor asked, and refused says so.
func (a *App) takeFolder(ctx context.Context, refused func() error) error {
	return a.wait(ctx, func() (bool, error) {
		if a.answers() {
			if !a.givesWay(ctx, http.MethodPost) {
				return false, refused()
			}
			return false, nil
		}
		return a.tryLock()
	})
}
