package hooks

import (
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/tools"
)

// mcpPath is the one door for agents' tokens.
const mcpPath = client.Path

// tokenRoutes let members look after their own tokens.
func (a *App) tokenRoutes() []route {
	return []route{
		{"GET", "/tokens", false, a.listBy("nodkeep_token_list", nil)},
		{"POST", "/tokens", false, a.actBy("nodkeep_token_create")},
		{"POST", "/tokens/{id}", false, a.actBy("nodkeep_token_update")},
		{"POST", "/tokens/{id}/rotate", false, a.actBy("nodkeep_token_rotate")},
		{"POST", "/tokens/{id}/revoke", false, a.actBy("nodkeep_token_revoke")},
		{"DELETE", "/tokens/{id}", false, a.actBy("nodkeep_token_revoke")},
	}
}

// refuseAgents refuses an agent's token wherever it is not at its own door.
// PocketBase would take who brings it for a guest, for whom much may be open.
func refuseAgents(e *core.RequestEvent) error {
	if !within(e.Request.URL.Path, mcpPath) && bringsToken(e) {
		return tools.Fail(tools.Unauthorized, "http.agent_token", mcpPath)
	}
	return nil
}

// bringsToken says that a request has an agent's token where PocketBase, or
// whoever wrote the request, would have a session's.
func bringsToken(e *core.RequestEvent) bool {
	for _, said := range e.Request.Header.Values("Authorization") {
		for part := range strings.FieldsSeq(said) {
			if tools.IsToken(part) {
				return true
			}
		}
	}
	if e.Request.URL.RawQuery == "" {
		return false
	}
	return tools.IsToken(e.Request.URL.Query().Get("token")) // of a file
}
