package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type logoSetIn struct {
	ID    string       `json:"id"`
	Logo  tools.Upload `json:"logo,omitzero"`
	Clear bool         `json:"clear,omitzero"`
}

func logoSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_logo_set", Title: "household.title.logo_set", Effect: tools.EffectWrite,
		Help: "Gives a subscription a picture, or clears it: PNG, JPEG, WebP or GIF, at most 512 kB. Nothing is fetched from anywhere.",
	}, logoSet, tools.WithCard(func(_ *tools.Reader, in logoSetIn, out Subscription, _ []tools.Change) (tools.Card, error) {
		if in.Clear {
			return tools.Card{Title: tools.T("household.card.logo_clear", out.Name)}, nil
		}
		return tools.Card{Title: tools.T("household.card.logo_set", out.Name)}, nil
	}))
}

func logoSet(c *tools.Call, in logoSetIn) (out Subscription, err error) {
	given := in.Logo.Name != "" || len(in.Logo.Data) > 0
	if !given && !in.Clear {
		return Subscription{}, invalid("household.error.nothing")
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Subscription{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Subscription{}, err
	}
	defer naming(&err, rec.GetString("name"))
	if given && in.Clear {
		return Subscription{}, invalid("household.error.set_and_clear", "logo")
	}
	if in.Clear {
		if rec.GetString("logo") == "" {
			return Subscription{}, tools.Fail(tools.Conflict, "household.error.no_logo", rec.GetString("name"))
		}
		rec.Set("logo", "")
	} else if err := c.Attach(rec, "logo", in.Logo); err != nil {
		return Subscription{}, err
	}
	if err := c.Save(rec); err != nil {
		return Subscription{}, err
	}
	return showOne(&c.Reader, h, rec, s)
}
