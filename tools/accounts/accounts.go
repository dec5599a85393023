// Package accounts is the plugin that is always there: the tools by which
// operators look after who is a member, and members after their own account.
// Signing up is no tool, as nobody acts yet: hooks does it.
package accounts

import (
	"embed"
	"io/fs"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// The collections besides the accounts.
const (
	Passes = "nodkeep_passes" // waiting passes, as hashes
	Links  = "nodkeep_links"  // one-time links, as hashes
)

// The standings of an account besides tools.Approved.
const (
	Waiting   = "waiting"
	Refused   = "refused"
	Suspended = "suspended"
)

// Plugin registers the tools on accounts.
type Plugin struct {
	// Base is the address before the path of a link; "" leaves the path alone.
	Base string
	// Words are the four words of an account that waits, none where it has none.
	Words func(*core.Record) []string
	// Plugins are the names of those that are loaded besides: a token may be
	// narrowed to some of them.
	Plugins []string
}

var (
	_ tools.Plugin     = Plugin{}
	_ tools.Ruler      = Plugin{}
	_ tools.Translator = Plugin{}
	_ tools.Volatiler  = Plugin{}
	_ tools.Presenter  = Plugin{}
)

// Name is the prefix of tools and collections.
func (Plugin) Name() string { return tools.Core }

// Tools lists the use cases.
func (p Plugin) Tools() []tools.Tool {
	return []tools.Tool{
		overviewTool(),
		p.waitingListTool(), approveTool(), refuseTool(),
		p.accountListTool(), accountAddTool(), suspendTool(), restoreTool(),
		p.operatorListTool(), operatorAddTool(), operatorRemoveTool(),
		p.linkListTool(), p.inviteCreateTool(), p.resetCreateTool(), p.passCreateTool(), linkRevokeTool(),
		meUpdateTool(), mePasswordTool(), meDeleteTool(),
		p.tokenCreateTool(), tokenListTool(), p.tokenUpdateTool(), p.tokenRotateTool(), tokenRevokeTool(),
	}
}

// Volatile fields are times that a preview cannot know, and what the gate notes
// of a token meanwhile.
func (Plugin) Volatile() map[string][]string {
	return map[string][]string{tools.Members: {"approved"}, Links: {"expires"}, Tokens: {"revoked", "used", "tainted", "taint"}}
}

// ChangeRules say who may change what: operators all of it, members their own
// account and tokens. What an operator may do with an account is for the tools
// to say.
func (Plugin) ChangeRules() map[string]tools.Rule {
	const operator = "@request.auth.status = 'approved' && @request.auth.operator = true"
	const token = "person = @request.auth.id && @request.auth.status = 'approved'"
	const own = "id = @request.auth.id || (" + operator + ")"
	return map[string]tools.Rule{
		tools.Members: {Was: own, Becomes: own},
		Passes:        {Was: operator, Becomes: operator},
		Links:         {Was: operator, Becomes: operator},
		Tokens:        {Was: token, Becomes: token},
	}
}

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func (Plugin) Locales() fs.FS { return tools.LocalesIn(locales) }

// Why no model is offered what these tools do.
const (
	hiddenOperator = "Who may be here is for people to decide, never for a model."
	hiddenOwn      = "A person's own account, password and data are never a model's to change."
)

func invalid(key string, args ...any) error  { return tools.Fail(tools.Invalid, key, args...) }
func conflict(key string, args ...any) error { return tools.Fail(tools.Conflict, key, args...) }
