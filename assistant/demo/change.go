package demo

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// listing is what the tool of subscriptions answers.
type listing struct {
	Items []priced `json:"items"`
}

const listTool = "household_subscription_list"

// running are the subscriptions, once they were looked up; else call that.
func (t *turn) running() (all []priced, look reply, ok bool) {
	got, ok := got[listing](t, listTool)
	if !ok {
		return nil, t.one(listTool, map[string]any{"limit": 200}), false
	}
	return got.Items, reply{}, true
}

// named are those whose names the question has.
func (t *turn) named(all []priced) (found []priced) {
	for _, p := range all {
		if names(t.words, p.Name) {
			found = append(found, p)
		}
	}
	return found
}

// proposed says that something waits, or is done.
func (t *turn) proposed(key string, args ...any) reply {
	text := t.sentence(key, args...)
	if t.waits() {
		return reply{text: text + " " + t.sentence("demo.waits")}
	}
	return reply{text: text + " " + t.sentence("demo.done")}
}

// change does one thing to the one subscription that is named: looks for it, calls
// a tool for it, and says what is proposed. Instead says that it can be meant in the
// place of what the person refused last, and needs no name then.
func (t *turn) change(instead bool, propose func(priced) reply, says func(priced) reply) reply {
	all, look, ok := t.running()
	if !ok {
		return look
	}
	found := t.named(all)
	if len(found) == 0 && instead {
		if subject, ok := t.refused(all); ok {
			found = []priced{subject}
		}
	}
	if len(found) == 0 {
		var names []string
		for _, p := range all[:min(len(all), 12)] {
			names = append(names, p.Name)
		}
		return t.replies("demo.which", strings.Join(names, ", "))
	}
	if len(t.steps) == 1 {
		return propose(found[0])
	}
	return says(found[0])
}

// pause lets a subscription rest for some months.
func pause(t *turn) reply {
	months := number(t.words, 2)
	return t.change(true,
		func(p priced) reply { return t.rest(p, months) },
		func(p priced) reply { return t.proposed("demo.pause", months, p.Name) },
	)
}

// rest asks for a pause from today on. The day is told with the question.
func (t *turn) rest(p priced, months int) reply {
	args := map[string]any{"id": p.ID}
	if today, ok := t.today(); ok {
		month := tools.Cycle{N: months, Unit: tools.Months}
		args["from"], args["resumes"] = today.String(), month.Nth(today, today.Day, 1).String()
	}
	return t.one("household_subscription_pause", args)
}

// today is the day that the question came with.
func (t *turn) today() (tools.Date, bool) {
	for _, m := range slices.Backward(t.r.Messages) {
		for _, p := range m.Parts {
			if _, rest, ok := strings.Cut(p.Text, "Now: "); ok && len(rest) >= len("2006-01-02") {
				d, err := tools.ParseDate(rest[:len("2006-01-02")])
				return d, err == nil
			}
		}
	}
	return tools.Date{}, false
}

// cancel ends a subscription: a card that warns.
func cancel(t *turn) reply {
	return t.change(false,
		func(p priced) reply { return t.one("household_subscription_cancel", map[string]any{"id": p.ID}) },
		func(p priced) reply {
			out := t.proposed("demo.cancel", p.Name)
			out.text += "\n" + t.sentence("demo.cancel.hint", t.sentence("demo.try.now"))
			return out
		},
	)
}

// sortUnder puts those that are named under a category: one card for all.
func sortUnder(t *turn) reply {
	all, look, ok := t.running()
	if !ok {
		return look
	}
	found := t.named(all)
	if len(found) == 0 {
		return t.replies("demo.batch.none")
	}
	found = found[:min(len(found), 5)]
	if len(t.steps) > 1 {
		return t.proposed("demo.batch", len(found))
	}
	calls := t.calls()
	for _, p := range found {
		calls.calls = append(calls.calls, t.call("household_subscription_update", map[string]any{"id": p.ID, "category": "Streaming"}))
	}
	return t.calls(calls.calls...)
}

// endTrial lets the first trial that runs end without being paid for.
func endTrial(t *turn) reply {
	const tool = "household_trial_decide"
	all, look, ok := t.running()
	if !ok {
		return look
	}
	at := slices.IndexFunc(all, func(p priced) bool { return p.Status == "trial" })
	switch {
	case at < 0:
		return t.replies("demo.trial.none")
	case len(t.steps) == 1:
		return t.one(tool, map[string]any{"id": all[at].ID, "decision": "drop"})
	}
	return t.proposed("demo.trial", all[at].Name, all[at].money())
}
