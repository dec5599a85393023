package assistant

import (
	"context"
	"time"
)

// Observer sees turns from outside: how long, how much, which tools; never what
// was said. It may be nil.
type Observer interface {
	// Turn is called as one begins; what it returns, once it is over.
	Turn(context.Context, Info) (context.Context, func(Facts))
	// Tool is called before a tool is, within its turn. The name is of one that there
	// is, never what a model made up.
	Tool(ctx context.Context, name, call string) (context.Context, func(error))
}

// Info is what is known of a turn before it begins.
type Info struct {
	Turn, Conversation, Assistant, Model, Host string
}

// Facts are what a turn came to, without a word of it.
type Facts struct {
	Turn, Conversation string
	Model              string
	Finish             Finish
	Usage              Usage
	Tools              []ToolUse
	Changes            int // calls that changed something, or wait to
	Proposals          []string
	Took               time.Duration
}

// ToolUse is how often a tool was called in a turn, and failed.
type ToolUse struct {
	Name   string `json:"name"`
	Calls  int    `json:"calls"`
	Failed int    `json:"failed,omitzero"`
}
