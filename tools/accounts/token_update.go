package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

// tokenUpdateIn changes what is given; the rest stays.
type tokenUpdateIn struct {
	ID          string    `json:"id"`
	Name        *string   `json:"name,omitempty"`
	Mode        *string   `json:"mode,omitempty"`
	Tools       *string   `json:"tools,omitempty"`
	Plugins     *[]string `json:"plugins,omitempty"` // none: all
	OwnSurfaces *bool     `json:"own_surfaces,omitempty"`
	Expires     *string   `json:"expires,omitempty"` // empty: never
	DailyWrites *int      `json:"daily_writes,omitempty"`
}

func (p Plugin) tokenUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_token_update", Title: "nodkeep.title.token_update", Effect: tools.EffectWrite, SignedIn: true, Hidden: hiddenToken,
		Help: "Changes what one of the own tokens may: its name, mode, tools, plugins (none: all), own_surfaces, daily_writes, expires (empty: never). What it has under way ends; its secret stays. Updating it again takes it back.",
	}, p.tokenUpdate, oneMode(), oneSet(), tools.WithCard(func(r *tools.Reader, _ tokenUpdateIn, out Token, _ []tools.Change) (tools.Card, error) {
		lines := append(tokenLines(r, out), tools.T("nodkeep.card.token_update_then"))
		return tools.Card{Title: tools.T("nodkeep.card.token_update", out.Name), Lines: lines}, nil
	}))
}

func (p Plugin) tokenUpdate(c *tools.Call, in tokenUpdateIn) (Token, error) {
	rec, err := goodToken(&c.Reader, in.ID, false)
	if err != nil {
		return Token{}, err
	}
	err = p.set(rec, terms{name: in.Name, mode: in.Mode, tools: in.Tools, expires: in.Expires, plugins: in.Plugins, own: in.OwnSurfaces, writes: in.DailyWrites}, c.Now())
	if err != nil {
		return Token{}, err
	}
	return tokenOf(rec, c.Now()), c.Save(rec)
}

type tokenRotateIn struct {
	ID      string  `json:"id"`
	Expires *string `json:"expires,omitempty"` // stays unless given; one that has expired needs it
}

func (p Plugin) tokenRotateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_token_rotate", Title: "nodkeep.title.token_rotate", Effect: tools.EffectWrite, SignedIn: true, Hidden: hiddenToken,
		Help: "Gives one of the own tokens a new secret, which is shown once; the old one is worth nothing from then on. A token that has expired needs a new end too (expires).",
	}, p.tokenRotate, tools.WithCard(func(_ *tools.Reader, _ tokenRotateIn, out NewToken, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.token_rotate", out.Name), Lines: []tools.Text{tools.T("nodkeep.card.token_rotate_then"), tools.T("nodkeep.card.token_secret")}}, nil
	}))
}

func (p Plugin) tokenRotate(c *tools.Call, in tokenRotateIn) (NewToken, error) {
	rec, err := goodToken(&c.Reader, in.ID, in.Expires != nil)
	if err != nil {
		return NewToken{}, err
	}
	if tokenState(rec, c.Now()) != TokenActive { // one more is good by it
		if err := mayHaveMore(&c.Reader); err != nil {
			return NewToken{}, err
		}
	}
	if err := p.set(rec, terms{expires: in.Expires}, c.Now()); err != nil {
		return NewToken{}, err
	}
	return newSecret(c, rec)
}

type tokenRevokeIn struct {
	ID string `json:"id"`
}

func tokenRevokeTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_token_revoke", Title: "nodkeep.title.token_revoke", Effect: tools.EffectWrite, Hidden: hiddenToken,
		Help: "Makes one of the own tokens good for nothing, at once and for good: what it has under way ends, and what it proposed is discarded. What it did stays, and can be undone.",
	}, tokenRevoke, tools.WithCard(func(_ *tools.Reader, _ tokenRevokeIn, out Token, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.token_revoke", out.Name), Lines: []tools.Text{tools.T("nodkeep.card.token_revoke_then")}}, nil
	}))
}

func tokenRevoke(c *tools.Call, in tokenRevokeIn) (Token, error) {
	rec, err := goodToken(&c.Reader, in.ID, true)
	if err != nil {
		return Token{}, err
	}
	rec.Set("revoked", c.Now().UTC())
	rec.Set("hash", "")
	return tokenOf(rec, c.Now()), c.Save(rec)
}
