package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type subscriptionTermsIn struct {
	ID        string   `json:"id"`
	From      string   `json:"from,omitzero" jsonschema:"when the contract began; its first date by default"`
	MinTerm   string   `json:"min_term,omitzero" jsonschema:"P24M, P1Y, P90D"`
	Extension string   `json:"extension,omitzero" jsonschema:"by how much it goes on; its cycle by default"`
	Notice    string   `json:"notice,omitzero" jsonschema:"before the end of a term"`
	Clear     []string `json:"clear,omitempty"`
}

func subscriptionTermsTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_terms", Title: "household.title.subscription_terms", Effect: tools.EffectWrite,
		Help: "Sets when a contract can end: minimum term, extension, notice. Gives the subscription with the last day to give notice and the end.",
	}, subscriptionTerms, tools.WithCard(subscriptionTermsCard))
}

func subscriptionTerms(c *tools.Call, in subscriptionTermsIn) (out Subscription, err error) {
	set := map[string]bool{"from": in.From != "", "min_term": in.MinTerm != "", "extension": in.Extension != "", "notice": in.Notice != ""}
	if len(in.Clear) == 0 && !anySet(set) {
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
	if err := parseClear(in.Clear, set, "from", "min_term", "extension", "notice"); err != nil {
		return Subscription{}, err
	}
	if err := in.agree(rec, s, h.today); err != nil {
		return Subscription{}, err
	}
	if err := c.Save(rec); err != nil {
		return Subscription{}, err
	}
	return showOne(&c.Reader, h, rec, s)
}

// agree puts the terms into a record. Of terms that say nothing alone it
// refuses those.
func (in subscriptionTermsIn) agree(rec *core.Record, s schedule, today tools.Date) error {
	for _, f := range in.Clear {
		if f == "from" {
			f = "term_from"
		}
		rec.Set(f, "")
	}
	if in.From != "" {
		from, err := parseDate("from", in.From)
		if err == nil {
			err = between("from", rec.GetString("name"), from, firstDate(), later(s.first, today).AddDays(maxDays))
		}
		if err != nil {
			return err
		}
		rec.Set("term_from", from.String())
	}
	for _, f := range []struct{ field, value string }{{"min_term", in.MinTerm}, {"extension", in.Extension}, {"notice", in.Notice}} {
		if f.value == "" {
			continue
		}
		p, err := parsePeriod(f.field, f.value)
		if err != nil {
			return err
		}
		rec.Set(f.field, p.String())
	}
	t, err := termsOf(rec)
	switch {
	case err != nil || !t.none():
		return err
	case !t.extension.isZero():
		return invalid("household.error.terms_none", "extension", rec.GetString("name"))
	case !t.from.IsZero():
		return invalid("household.error.terms_none", "from", rec.GetString("name"))
	}
	return nil
}

func subscriptionTermsCard(_ *tools.Reader, _ subscriptionTermsIn, out Subscription, _ []tools.Change) (tools.Card, error) {
	card := tools.Card{Title: tools.T("household.card.terms", out.Name)}
	if t := out.Terms; t == nil {
		card.Title = tools.T("household.card.terms_none", out.Name)
	} else if !t.NoticeBy.IsZero() {
		card.Lines = append(card.Lines, tools.T("household.card.terms_end", t.NoticeBy, t.EndsOn))
	}
	return card, nil
}
