package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type handOverIn struct {
	To  string   `json:"to" jsonschema:"handle or id of the member they pass to"`
	IDs []string `json:"ids,omitempty" jsonschema:"only these"`
}

// HandedOver is what passed to another member, and how many subscriptions stay.
type HandedOver struct {
	BulkSaved
	To      tools.Member `json:"to"`
	Private int          `json:"private" jsonschema:"your private ones: they stay yours and go with your account"`
}

// handOverTool is for who leaves: what is shared would be nobody's once the
// account is gone. Shares stay as they are: who pays is another question.
func handOverTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_hand_over", Title: "household.title.hand_over", Effect: tools.EffectWrite,
		Help: "Passes your shared subscriptions to another member, before you leave or just so. Private ones and shares stay as they are.",
	}, handOver, most("ids", maxIDs), tools.WithCard(func(_ *tools.Reader, _ handOverIn, out HandedOver, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.hand_over", out.Count, out.To.Handle, names(out.names()))}
		if len(out.PerMonth) > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.they_cost", out.Count, out.month.monthly()))
		}
		if out.Private > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.private_stay", out.Private))
		}
		return card, nil
	}))
}

func handOver(c *tools.Call, in handOverIn) (out HandedOver, err error) {
	if out.To.ID, err = findMember(&c.Reader, "to", in.To); err != nil {
		return out, err
	}
	me := c.Actor.Person
	if out.To.ID == me {
		return out, invalid("household.error.hand_over_self")
	}
	if _, out.To.Handle, err = c.Member(out.To.ID); err != nil {
		return out, err
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return out, err
	}
	mine, err := c.List(subscriptions, tools.Query{Filter: "owner = {:me}", Params: map[string]any{"me": me}, Sort: "name"})
	if err != nil {
		return out, err
	}
	recs := []*core.Record{}
	for _, rec := range mine {
		if rec.GetBool("private") {
			out.Private++
		} else {
			recs = append(recs, rec)
		}
	}
	if len(in.IDs) > 0 {
		if recs, err = allOf(c, in.IDs); err != nil {
			return out, err
		}
	}
	if len(recs) == 0 {
		return out, tools.Fail(tools.Conflict, "household.error.hand_over_none")
	}
	out.BulkSaved = savedOf(recs)
	err = eachSchedule(c, recs, func(rec *core.Record, s *schedule) error {
		switch {
		case rec.GetString("owner") != me:
			return tools.Fail(tools.Forbidden, "household.error.hand_over_other", rec.GetString("name"))
		case rec.GetBool("private"):
			return invalid("household.error.hand_over_private", rec.GetString("name"))
		}
		if !s.over(h.today) {
			out.add(*s, s.on(h.today))
		}
		rec.Set("owner", out.To.ID)
		return c.Save(rec)
	})
	return out, err
}
