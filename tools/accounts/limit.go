package accounts

import (
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Limits are what members set themselves, below what they are given.
const Limits = "nodkeep_limits"

type limitSetIn struct {
	amountsIn
	Seen *string `json:"seen,omitempty"` // updated, as one had it; empty: there was none
}

// OwnLimit is what a member set themselves.
type OwnLimit struct {
	Amounts
	Currency string    `json:"currency"`
	Updated  time.Time `json:"updated,omitzero"`
	lines    []tools.Text
}

func (p Plugin) limitSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_limit_set", Title: "nodkeep.title.limit_set", Effect: tools.EffectWrite, Hidden: hiddenConsent,
		Help: "Sets own limits on what assistants may cost: day_cost and month_cost as decimals of the currency, day_tokens and month_tokens as whole numbers. What is not given stays, empty is no limit, 0 is a limit. The lower of these and of what one is given counts. Setting it anew takes it back.",
	}, p.limitSet, tools.WithCard(func(_ *tools.Reader, _ limitSetIn, out OwnLimit, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.limit_set"), Lines: append(out.lines, tools.T("nodkeep.card.limit_then"))}, nil
	}))
}

func (p Plugin) limitSet(c *tools.Call, in limitSetIn) (OwnLimit, error) {
	if err := noModel(&c.Reader); err != nil {
		return OwnLimit{}, err
	}
	if in.none() {
		return OwnLimit{}, invalid("nodkeep.error.nothing")
	}
	rec, err := theirs(&c.Reader, Limits, c.Actor.Person, nil)
	if err != nil {
		return OwnLimit{}, err
	}
	now := []tools.Text{tools.T("nodkeep.now.nothing")}
	if rec != nil {
		now = p.amountLines(rec)
	}
	if err := unseen(in.Seen, rec, now); err != nil {
		return OwnLimit{}, err
	}
	if rec == nil {
		rec = c.New(Limits)
		rec.Set("person", c.Actor.Person)
	}
	if err := in.set(rec, p.Currency); err != nil {
		return OwnLimit{}, err
	}
	if err := c.Save(rec); err != nil {
		return OwnLimit{}, err
	}
	out := OwnLimitOf(rec, p.Currency)
	out.lines = p.amountLines(rec)
	return out, nil
}

// OwnLimitOf gives what a member set themselves; rec may be nil.
func OwnLimitOf(rec *core.Record, currency string) OwnLimit {
	if rec == nil {
		return OwnLimit{Currency: currency}
	}
	return OwnLimit{Amounts: amountsOf(rec), Currency: currency, Updated: at(rec, "updated")}
}
