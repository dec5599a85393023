package household

import (
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// How far household_reminder_list looks ahead, in days.
const remindAhead, maxRemindAhead = 14, 366

type reminderListIn struct {
	Days int  `json:"days,omitzero" jsonschema:"how many days ahead, 14 by default and 366 at most"`
	Due  bool `json:"due,omitzero" jsonschema:"only what should have been said by now and was not"`
	pageIn
}

// Reminder is something to be said to the person who asks, once.
type Reminder struct {
	Kind         string      `json:"kind" jsonschema:"charge, trial, notice, price or unusual"`
	Subscription Named       `json:"subscription"`
	On           tools.Date  `json:"on" jsonschema:"the day that it is about"`
	At           string      `json:"at" jsonschema:"when to say it, RFC 3339"`
	Text         tools.Words `json:"text"`
	Said         string      `json:"said,omitzero" jsonschema:"when it was said, or dismissed; absent while open"`
}

type reminderListOut struct {
	Items []Reminder `json:"items"`
	Next  string     `json:"next" jsonschema:"cursor of the next page; empty on the last"`
}

func reminderListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_reminder_list", Title: "household.title.reminder_list",
		Help: "Lists what you are to be reminded of: charges, trials to decide, last days to give notice, price rises, unusual charges.",
	}, reminderList)
}

func reminderList(r *tools.Reader, in reminderListIn) (reminderListOut, error) {
	if in.Days == 0 {
		in.Days = remindAhead
	}
	if in.Days < 1 || in.Days > maxRemindAhead {
		return reminderListOut{}, invalid("household.error.days", in.Days, maxRemindAhead)
	}
	p, err := in.page()
	if err != nil {
		return reminderListOut{}, err
	}
	h, err := homeOf(r)
	if err != nil {
		return reminderListOut{}, err
	}
	list, err := remindersOf(r, h, h.today.AddDays(in.Days), "")
	if err != nil {
		return reminderListOut{}, err
	}
	items := make([]Reminder, 0, len(list))
	for _, m := range list {
		if !in.Due || (m.said == "" && !m.at.After(r.Now())) {
			items = append(items, m.shown())
		}
	}
	var out reminderListOut
	out.Items, out.Next = cut(p, items[min(p.offset, len(items)):])
	return out, nil
}

func (m reminder) shown() Reminder {
	return Reminder{
		Kind: m.kind, Subscription: Named{m.sub.id(), m.sub.name()}, On: m.on,
		At: m.at.Format(time.RFC3339), Text: tools.Words(m.text), Said: m.said,
	}
}
