package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type bulkResumeIn struct {
	IDs []string `json:"ids"`
	On  string   `json:"on,omitzero" jsonschema:"the day they go on; today by default"`
}

func bulkResumeTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscriptions_bulk_resume", Title: "household.title.bulk_resume", Effect: tools.EffectWrite,
		Help: "Resumes up to 500 paused subscriptions at once, all or none, as household_subscription_resume does one.",
	}, bulkResume, most("ids", maxIDs), tools.WithCard(func(_ *tools.Reader, _ bulkResumeIn, out BulkSaved, changes []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.bulk_resume", out.Count, out.month.monthly(), names(out.names()))}
		n := count(changes, tools.OpDelete, pauses)
		if n < out.Count {
			card.Lines = append(card.Lines, tools.T("household.card.bulk_resumes", out.Count, out.day))
		}
		if n > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.pauses_removed", n))
		}
		return card, nil
	}))
}

func bulkResume(c *tools.Call, in bulkResumeIn) (BulkSaved, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return BulkSaved{}, err
	}
	recs, err := allOf(c, in.IDs)
	if err != nil {
		return BulkSaved{}, err
	}
	on, err := parseResume(h, in.On)
	if err != nil {
		return BulkSaved{}, about(err, namesOf(recs))
	}
	out := savedOf(recs)
	out.day = on
	err = eachSchedule(c, recs, func(rec *core.Record, s *schedule) error {
		out.add(*s, s.on(on))
		_, _, err := s.resume(c, rec, on, h.today)
		return err
	})
	return out, err
}
