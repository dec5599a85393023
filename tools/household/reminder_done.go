package household

import (
	"slices"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

type reminderDoneIn struct {
	Kind         string `json:"kind"`
	Subscription string `json:"subscription"`
	On           string `json:"on" jsonschema:"the day that it is about, YYYY-MM-DD"`
	Said         bool   `json:"said,omitzero" jsonschema:"true where it was said, false to dismiss it unsaid"`
}

func reminderDoneTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_reminder_done", Title: "household.title.reminder_done", Effect: tools.EffectWrite,
		Help: "Notes that a reminder of household_reminder_list was said to you or is dismissed, so that it is not said again. A second time is a conflict.",
	}, reminderDone, tools.OneOf("kind", reminderKinds()...),
		tools.WithCard(func(_ *tools.Reader, _ reminderDoneIn, out Reminder, _ []tools.Change) (tools.Card, error) {
			return tools.Card{Title: tools.T("household.card.reminder_done", out.Subscription.Name, tools.T("household.reminder."+out.Kind), out.On)}, nil
		}))
}

// reminderDone stores that a reminder was said. That it happens once is the
// unique index's to say, whoever comes at the same time.
func reminderDone(c *tools.Call, in reminderDoneIn) (out Reminder, err error) {
	sub, err := find(&c.Reader, subscriptions, "subscription", in.Subscription)
	if err != nil {
		return Reminder{}, err
	}
	defer naming(&err, sub.GetString("name"))
	on, err := parseDate("on", in.On)
	if err != nil {
		return Reminder{}, err
	}
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Reminder{}, err
	}
	list, err := remindersOf(&c.Reader, h, h.today.AddDays(maxRemindAhead), sub.Id)
	if err != nil {
		return Reminder{}, err
	}
	want := reminderKey{in.Kind, sub.Id, on.String()}
	i := slices.IndexFunc(list, func(m reminder) bool { return m.key() == want })
	if i < 0 {
		return Reminder{}, tools.Fail(tools.NotFound, "household.error.no_reminder", sub.GetString("name"), on)
	}
	m := list[i]
	if m.said != "" {
		return Reminder{}, tools.Fail(tools.Conflict, "household.error.reminded", sub.GetString("name"), on)
	}
	rec := c.New(reminders)
	rec.Set("person", c.Actor.Person)
	rec.Set("subscription", sub.Id)
	rec.Set("kind", in.Kind)
	rec.Set("on", on.String())
	m.said = setAside
	if in.Said {
		m.said = c.Now().Format(time.RFC3339)
		rec.Set("said", m.said)
	}
	return m.shown(), c.Save(rec)
}
