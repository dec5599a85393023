package accounts

import (
	"github.com/nodkeep/nodkeep/tools"
)

type linkRevokeIn struct {
	ID string `json:"id"`
}

// Revoked names a link that is good for nothing any more.
type Revoked struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	handle string
	note   string
}

func linkRevokeTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_link_revoke", Title: "nodkeep.title.link_revoke", Effect: tools.EffectDestroy, Operator: true, Hidden: hiddenOperator,
		Help: "Makes a one-time link that nobody has used good for nothing.",
	}, linkRevoke, tools.WithCard(func(_ *tools.Reader, _ linkRevokeIn, out Revoked, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("nodkeep.card.link_revoke."+out.Kind, out.handle), Lines: []tools.Text{tools.T("nodkeep.card.link_revoke_then")}}
		if out.note != "" {
			card.Lines = append(card.Lines, tools.T("nodkeep.card.link_note", out.note))
		}
		return card, nil
	}))
}

func linkRevoke(c *tools.Call, in linkRevokeIn) (Revoked, error) {
	rec, err := c.Find(Links, in.ID)
	if tools.KindOf(err) == tools.NotFound {
		return Revoked{}, tools.Fail(tools.NotFound, "nodkeep.error.no_link", tools.Quoted(in.ID, 60))
	}
	if err != nil {
		return Revoked{}, err
	}
	out := Revoked{rec.Id, rec.GetString("kind"), handleOf(&c.Reader, rec.GetString("account")), rec.GetString("note")}
	return out, c.Delete(rec)
}
