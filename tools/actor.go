package tools

// Door is where a call came in. It follows from the kind of credential, never
// from what a caller says.
type Door string

// The doors. Dashboard and hook are writers that are not ours: they pass the
// same record hooks and are journaled. What comes from a source that the
// operator has switched on has the door hook too: nobody stands at it.
const (
	DoorWeb       Door = "web"
	DoorMCP       Door = "mcp"
	DoorAssistant Door = "assistant"
	DoorTelegram  Door = "telegram"
	DoorSlack     Door = "slack"
	DoorCLI       Door = "cli"
	DoorDashboard Door = "dashboard"
	DoorHook      Door = "hook"
)

// Actor is who acts: a member, the agent that speaks for them, if any, and the
// door. The member is read again inside every run, so an Actor may be kept.
type Actor struct {
	Person    string `json:"person"` // id of the member
	Door      Door   `json:"door"`
	Agent     string `json:"agent"` // id of a token or an assistant
	AgentName string `json:"agent_name"`
	Model     string `json:"model"`
	Token     string `json:"-"` // id of the token that was shown, for the audit
}
