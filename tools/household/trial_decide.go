package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type trialDecideIn struct {
	ID       string `json:"id"`
	Decision string `json:"decision"`
}

// Decided is a subscription whose trial was decided about.
type Decided struct {
	Subscription
	FirstCharge *Due   `json:"first_charge,omitempty" jsonschema:"of one that is kept: the first after the trial"`
	Saves       string `json:"saves,omitzero" jsonschema:"of one that is dropped: what is not paid each cycle"`
}

func trialDecideTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_trial_decide", Title: "household.title.trial_decide", Effect: tools.EffectDestroy,
		Help: "Decides about a trial: keep lets charges begin after it, drop ends the subscription with its last day. A second decision changes the first.",
	}, trialDecide, tools.OneOf("decision", keep, lose), tools.WithCard(trialDecideCard))
}

func trialDecide(c *tools.Call, in trialDecideIn) (out Decided, err error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Decided{}, err
	}
	rec, s, err := load(&c.Reader, "id", in.ID)
	if err != nil {
		return Decided{}, err
	}
	name, open := rec.GetString("name"), s.agreed(rec, h.today)
	defer naming(&err, name)
	if s.trial.ends.IsZero() {
		return Decided{}, tools.Fail(tools.Conflict, "household.error.no_trial", name)
	}
	first, charged := open.next(s.trial.ends.AddDays(1))
	switch {
	case s.trial.decided == in.Decision:
		return Decided{}, tools.Fail(tools.Conflict, "household.error.decided", name, tools.T("household.trial."+in.Decision))
	case charged && !first.After(h.today) && s.over(h.today):
		return Decided{}, tools.Fail(tools.Conflict, "household.error.trial_ended", name, s.ends)
	case charged && !first.After(h.today):
		return Decided{}, tools.Fail(tools.Conflict, "household.error.trial_over", name, s.trial.ends, first)
	}
	if in.Decision == keep {
		if rec.GetString("status") == cancelled && s.trial.covers(s.ends) {
			s.goOn(rec, h.today)
		}
		s.trial.decided = keep
		if charged {
			out.FirstCharge = &Due{first, s.money(s.on(first)).Decimal()}
		}
	} else {
		last := s.trial.ends
		if s.over(last) {
			last = s.ends
		}
		s.stop(rec, last, h.today)
		out.Saves = s.money(s.on(s.trial.ends.AddDays(1))).Decimal()
		if charged {
			out.Saves = s.money(s.on(first)).Decimal()
		}
	}
	out.Subscription, err = s.saveShown(c, h, rec)
	return out, err
}

func trialDecideCard(_ *tools.Reader, in trialDecideIn, out Decided, _ []tools.Change) (tools.Card, error) {
	cycle, _ := tools.ParseCycle(out.Cycle)
	switch {
	case in.Decision == lose:
		return tools.Card{
			Title: tools.T("household.card.trial_drop", out.Name, out.EndsOn, perCycle(moneyOf(out.Saves, out.Currency), cycle)),
			Lines: []tools.Text{tools.T("household.card.trial_dropped")},
		}, nil
	case out.FirstCharge == nil:
		return tools.Card{Title: tools.T("household.card.keep", out.Name)}, nil
	}
	return tools.Card{
		Title: tools.T("household.card.trial_keep", out.Name, perCycle(moneyOf(out.FirstCharge.Amount, out.Currency), cycle), out.FirstCharge.Date),
		Lines: out.lastDay(),
	}, nil
}
