package accounts

import (
	"cmp"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// hiddenToken is why no model is offered what these tools do.
const hiddenToken = "An agent that makes or changes tokens could give itself what its person did not."

type tokenCreateIn struct {
	Name        string   `json:"name,omitzero"`    // what it is for, as cards and the audit say it
	Mode        string   `json:"mode,omitzero"`    // read, ask, write or trusted; ask unless given
	Tools       string   `json:"tools,omitzero"`   // core or all; core unless given
	Plugins     []string `json:"plugins,omitzero"` // all unless given
	OwnSurfaces bool     `json:"own_surfaces,omitzero"`
	Expires     string   `json:"expires,omitzero"` // a day, a time, or days as 90d; never unless given
	DailyWrites *int     `json:"daily_writes,omitempty"`
}

func (p Plugin) tokenCreateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_token_create", Title: "nodkeep.title.token_create", Effect: tools.EffectWrite, SignedIn: true, Hidden: hiddenToken,
		Help: "Makes a token by which an agent acts for its person: in the mode read, ask, write or trusted, with the core tools or all, of some plugins or all, until a day (expires: YYYY-MM-DD, a time, or days as 90d). own_surfaces: only the person's own screens may nod. The secret is shown once. nodkeep_token_revoke takes it back.",
	}, p.tokenCreate, oneMode(), oneSet(), tools.WithCard(func(r *tools.Reader, _ tokenCreateIn, out NewToken, _ []tools.Change) (tools.Card, error) {
		lines := append(tokenLines(r, out.Token), tools.T("nodkeep.card.token_secret"), tools.T("nodkeep.card.token_then"))
		return tools.Card{Title: tools.T("nodkeep.card.token_create", out.Name), Lines: lines}, nil
	}))
}

func (p Plugin) tokenCreate(c *tools.Call, in tokenCreateIn) (NewToken, error) {
	if err := noAgent(&c.Reader); err != nil {
		return NewToken{}, err
	}
	if err := mayHaveMore(&c.Reader); err != nil {
		return NewToken{}, err
	}
	rec := c.New(Tokens)
	name := in.Name
	if strings.TrimSpace(name) == "" {
		name = "Token " + c.Now().In(c.Zone()).Format(time.DateOnly)
	}
	mode, set, writes := cmp.Or(in.Mode, "ask"), cmp.Or(in.Tools, "core"), dailyWrites
	if in.DailyWrites != nil {
		writes = *in.DailyWrites
	}
	plugins := append([]string{}, in.Plugins...)
	err := p.set(rec, terms{name: &name, mode: &mode, tools: &set, expires: &in.Expires, plugins: &plugins, own: &in.OwnSurfaces, writes: &writes}, c.Now())
	if err != nil {
		return NewToken{}, err
	}
	rec.Set("person", c.Actor.Person)
	return newSecret(c, rec)
}

// newSecret gives a token the one that it is good by from now on.
func newSecret(c *tools.Call, rec *core.Record) (NewToken, error) {
	secret := tools.TokenPrefix + c.Secret()
	rec.Set("hash", tools.Hash(secret))
	if err := c.Save(rec); err != nil {
		return NewToken{}, err
	}
	return NewToken{tokenOf(rec, c.Now()), secret}, nil
}

// tokenLines say what a token may.
func tokenLines(r *tools.Reader, t Token) []tools.Text {
	lines := []tools.Text{tools.T("nodkeep.card.token_mode." + t.Mode)}
	if t.OwnSurfaces {
		lines = append(lines, tools.T("nodkeep.card.token_own"))
	}
	if t.Expires.IsZero() {
		return append(lines, tools.T("nodkeep.card.token_for_ever"))
	}
	return append(lines, tools.T("nodkeep.card.token_until", tools.Moment(t.Expires, r.Zone())))
}
