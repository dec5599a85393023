package accounts

import (
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

type addIn struct {
	Handle   tools.Personal `json:"handle"`
	Email    tools.Personal `json:"email,omitzero"`
	Password tools.Secret   `json:"password,omitzero"` // one is made and shown once unless given
	Operator bool           `json:"operator,omitzero"`
	Language string         `json:"language,omitzero"` // en, de or es
}

// Added is a new account, with its password where that was made for it.
type Added struct {
	Account
	Password string `json:"password,omitzero"`
}

func accountAddTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_account_add", Title: "nodkeep.title.account_add", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Makes an account that is approved at once. nodkeep_account_suspend takes it back.",
	}, accountAdd, tools.WithCard(func(_ *tools.Reader, in addIn, out Added, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("nodkeep.card.account_add", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.account_add_then", out.Handle)}}
		if in.Email != "" {
			card.Lines = append(card.Lines, tools.T("nodkeep.card.account_add_email", string(in.Email)))
		}
		if in.Operator {
			card.Lines = append(card.Lines, tools.T("nodkeep.card.operator_add_then"))
		}
		return card, nil
	}))
}

func accountAdd(c *tools.Call, in addIn) (Added, error) {
	handle, err := Handle(string(in.Handle))
	if err != nil {
		return Added{}, err
	}
	if err := free(c.HasAccount, handle, string(in.Email)); err != nil {
		return Added{}, err
	}
	password := string(in.Password)
	if password == "" {
		password = c.Secret()[:20]
	}
	rec := c.New(tools.Members)
	rec.Set("handle", handle)
	rec.Set("status", tools.Approved)
	rec.Set("operator", in.Operator)
	if err := SetLanguage(rec, in.Language); err != nil {
		return Added{}, err
	}
	rec.SetEmail(strings.TrimSpace(string(in.Email)))
	rec.SetPassword(password)
	if err := c.Save(rec); err != nil {
		return Added{}, Problem(err)
	}
	out := Added{Account: Plugin{}.account(&c.Reader, rec)}
	if in.Password == "" {
		out.Password = password
	}
	return out, nil
}
