package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type bulkCancelIn struct {
	IDs     []string `json:"ids"`
	LastDay string   `json:"last_day,omitzero" jsonschema:"by default for each as trial, terms or what is paid allow"`
}

// BulkCancelled is what ends, and when.
type BulkCancelled struct {
	BulkSaved
	First    tools.Date `json:"first" jsonschema:"the first last day"`
	Last     tools.Date `json:"last" jsonschema:"the last one"`
	Notices  int        `json:"notices,omitzero" jsonschema:"how many need notice"`
	NoticeBy tools.Date `json:"notice_by,omitzero" jsonschema:"when the first of those must be given"`
}

func bulkCancelTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscriptions_bulk_cancel", Title: "household.title.bulk_cancel", Effect: tools.EffectDestroy,
		Help: "Cancels up to 500 subscriptions at once, all or none, as household_subscription_cancel does one.",
	}, bulkCancel, most("ids", maxIDs), tools.WithCard(func(_ *tools.Reader, _ bulkCancelIn, out BulkCancelled, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("household.card.bulk_cancel", out.Count, out.month.monthly(), names(out.names()))}
		if out.First == out.Last {
			card.Lines = append(card.Lines, tools.T("household.card.last_day", out.First))
		} else {
			card.Lines = append(card.Lines, tools.T("household.card.last_days", out.First, out.Last))
		}
		if out.Notices > 0 {
			card.Lines = append(card.Lines, tools.T("household.card.notices", out.Notices, out.NoticeBy))
		}
		return card, nil
	}))
}

func bulkCancel(c *tools.Call, in bulkCancelIn) (BulkCancelled, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return BulkCancelled{}, err
	}
	recs, err := allOf(c, in.IDs)
	if err != nil {
		return BulkCancelled{}, err
	}
	out := BulkCancelled{BulkSaved: savedOf(recs)}
	err = eachSchedule(c, recs, func(rec *core.Record, s *schedule) error {
		t, err := s.cancel(c, h, rec, in.LastDay, "")
		if err != nil {
			return err
		}
		out.add(*s, s.saving(rec, h.today))
		out.ends(*s, t)
		return nil
	})
	return out, err
}

// ends counts one more last day, and the notice that it needs.
func (b *BulkCancelled) ends(s schedule, t terms) {
	if b.First.IsZero() || s.ends.Before(b.First) {
		b.First = s.ends
	}
	b.Last = later(b.Last, s.ends)
	if by := s.unnoticed(t); !by.IsZero() {
		b.Notices++
		if b.NoticeBy.IsZero() || by.Before(b.NoticeBy) {
			b.NoticeBy = by
		}
	}
}
