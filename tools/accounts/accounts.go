// Package accounts is the plugin that is always there: the tools by which
// operators look after who is a member, and members after their own account.
// Signing up is no tool, as nobody acts yet: hooks does it.
package accounts

import (
	"context"
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
	// Currency is what costs are counted in.
	Currency string
	// Seal encrypts the key of an assistant for its record, and for the protocol
	// and address by which it is asked: it opens nowhere else.
	Seal func(record, protocol, address string, key []byte) (string, error)
	// IsAssistant says that an assistant can be called so.
	IsAssistant func(id string) bool
	// Clean gives the value of a field of an assistant as it is kept, or an error
	// where it cannot have that.
	Clean func(field, value string) (string, error)
	// Fixed is what only the environment says of its assistants, by id and field:
	// "" where it leaves the field out, and of a key only that there is one.
	Fixed func() map[string]map[string]string
	// Known are the assistants as they are used. It reads what is committed.
	Known func(context.Context) ([]Known, error)
	// Would is an assistant as it is used where operators say just this of it.
	Would func(id string, said map[string]string) Known
	// Reached are the amounts of a person's budget that are used up.
	Reached func(ctx context.Context, person string) ([]string, error)
	// Settings are those of the instance, without what operators said.
	Settings func() []Setting
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
		meUpdateTool(), mePasswordTool(), meSignOutTool(), meDeleteTool(),
		p.tokenCreateTool(), tokenListTool(), p.tokenUpdateTool(), p.tokenRotateTool(), tokenRevokeTool(),
		p.assistantListTool(), p.assistantSetTool(), p.assistantRemoveTool(), grantListTool(), p.grantSetTool(),
		p.budgetListTool(), p.budgetSetTool(), p.limitSetTool(),
		p.consentListTool(), p.consentGiveTool(), consentWithdrawTool(),
		p.moreListTool(), p.moreOwnTool(), p.moreAskTool(), p.moreApproveTool(), p.moreRefuseTool(),
		p.settingListTool(), p.settingSetTool(),
	}
}

// Volatile fields are times that a preview cannot know, what the gate notes of a
// token meanwhile, and a key that is sealed otherwise each time.
func (Plugin) Volatile() map[string][]string {
	return map[string][]string{
		tools.Members: {"approved"}, Links: {"expires"}, Tokens: {"revoked", "used", "tainted", "taint"},
		Assistants: {"key"}, Requests: {"decided"},
	}
}

// ChangeRules say who may change what: operators all of it, members their own
// account and tokens, what they agree to and how much they want to spend. What an
// operator may do with an account, and who decides a request, is for the tools to
// say.
func (Plugin) ChangeRules() map[string]tools.Rule {
	const operator = "@request.auth.status = 'approved' && @request.auth.operator = true"
	const token = "person = @request.auth.id && @request.auth.status = 'approved'"
	const own = "id = @request.auth.id || (" + operator + ")"
	const asks = "(" + token + ") || (" + operator + ")"
	return map[string]tools.Rule{
		tools.Members: {Was: own, Becomes: own},
		Passes:        {Was: operator, Becomes: operator},
		Links:         {Was: operator, Becomes: operator},
		Tokens:        {Was: token, Becomes: token},
		Assistants:    {Was: operator, Becomes: operator},
		Grants:        {Was: operator, Becomes: operator},
		Budgets:       {Was: operator, Becomes: operator},
		Settings:      {Was: operator, Becomes: operator},
		Consents:      {Was: token, Becomes: token},
		Limits:        {Was: token, Becomes: token},
		Requests:      {Was: asks, Becomes: asks},
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
