package demo

import (
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
)

// decision is what a person said to a proposal.
type decision struct {
	title, reason string
	yes           bool
}

// decisions reads what was told.
func decisions(told string) (all []decision) {
	for line := range strings.Lines(told) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, assistant.ToldNo); ok {
			all = append(all, decision{title: title})
		} else if title, ok := strings.CutPrefix(line, assistant.ToldYes); ok {
			all = append(all, decision{title: title, yes: true})
		} else if why, ok := strings.CutPrefix(line, assistant.ToldWhy); ok && len(all) > 0 {
			all[len(all)-1].reason = why
		}
	}
	return all
}

// latest is the last decision that the conversation tells of.
func (t *turn) latest() (decision, bool) {
	for _, m := range slices.Backward(t.r.Messages) {
		if m.Role != gateway.User {
			continue
		}
		for _, p := range m.Parts {
			if !strings.HasPrefix(p.Text, assistant.ToldDecisions) {
				continue
			}
			if all := decisions(p.Text); len(all) > 0 {
				return all[len(all)-1], true
			}
		}
	}
	return decision{}, false
}

// heard says that a decision was heard of, whatever is asked next.
func (t *turn) heard() string {
	var text string
	for _, d := range decisions(t.told) {
		switch {
		case d.yes:
			text += t.sentence("demo.heard.yes") + "\n"
		case d.reason != "":
			text += t.sentence("demo.heard.why", d.reason) + "\n"
		default:
			text += t.sentence("demo.heard.no") + "\n"
		}
	}
	return text
}

// now goes by what the person said to the last proposal: after a no, by its
// reason.
func now(t *turn) reply {
	last, ok := t.latest()
	if !ok {
		return t.replies("demo.now.none")
	}
	switch {
	case last.yes && t.told != "":
		return t.replies("demo.now.yes", t.sentence("demo.try.undo"))
	case last.yes:
		return t.replies("demo.now.nothing")
	}
	all, look, ok := t.running()
	if !ok {
		return look
	}
	subject, known := t.refused(all)
	why := offer.Plain(last.reason)
	rests := has(why, "pause*") || has(why, "pausier*") || has(why, "pausa*")
	switch {
	case !known || !rests:
		return t.replies("demo.now.no")
	case len(t.steps) == 1:
		return t.rest(subject, number(why, 2))
	}
	return t.proposed("demo.pause", number(why, 2), subject.Name)
}

// refused is the subscription that the last proposal was about, if the person said
// no to that.
func (t *turn) refused(all []priced) (priced, bool) {
	last, ok := t.latest()
	title := offer.Plain(last.title)
	at := slices.IndexFunc(all, func(p priced) bool { return names(title, p.Name) })
	if !ok || last.yes || at < 0 {
		return priced{}, false
	}
	return all[at], true
}

// done is an entry of what was done.
type done struct {
	ID       string         `json:"id"`
	State    string         `json:"state"`
	Tool     string         `json:"tool"`
	UndoneBy string         `json:"undone_by"`
	Undoes   []string       `json:"undoes"`
	Proposal string         `json:"proposal"`
	Args     map[string]any `json:"args"` // of one's own
	Changes  []changed      `json:"changes"`
}

// changed is a record that an entry changed.
type changed struct {
	Label  string `json:"label"`
	Fields []struct {
		Name  string `json:"name"`
		After string `json:"after"`
	} `json:"fields"`
}

// what names the record, and the subscription that it belongs to.
func (c changed) what() string {
	for _, f := range c.Fields {
		if f.Name == "subscription" && f.After != "" {
			return f.After + ", " + c.Label
		}
	}
	return c.Label
}

// stands says that it holds, and is no undo itself.
func (d done) stands() bool {
	return d.State == "applied" && d.UndoneBy == "" && len(d.Undoes) == 0 && len(d.Changes) > 0
}

type deeds struct {
	Items []done `json:"items"`
}

// takeBack undoes what was done last by the script, all that was on one card.
func takeBack(t *turn) reply {
	got, ok := got[deeds](t, offer.ActivityName)
	if !ok {
		return t.one(offer.ActivityName, map[string]any{"limit": 50})
	}
	at := slices.IndexFunc(got.Items, func(d done) bool { return d.stands() && d.Args != nil })
	if at < 0 {
		return t.replies("demo.undo.none")
	}
	if len(t.steps) > 1 {
		return t.proposed("demo.undo", got.Items[at].Changes[0].what())
	}
	var ids []string
	for _, d := range got.Items {
		same := d.ID == got.Items[at].ID || d.Proposal != "" && d.Proposal == got.Items[at].Proposal
		if same && d.stands() && d.Args != nil {
			ids = append(ids, d.ID)
		}
	}
	return t.one(offer.UndoName, map[string]any{"audit": ids})
}

// tellDone lists what was done.
func tellDone(t *turn) reply {
	got, ok := got[deeds](t, offer.ActivityName)
	if !ok {
		return t.one(offer.ActivityName, map[string]any{"limit": 10})
	}
	var text string
	for _, d := range got.Items {
		if !d.stands() {
			continue
		}
		for _, c := range d.Changes {
			text += "\n- " + c.what()
		}
	}
	if text == "" {
		return t.replies("demo.did.none")
	}
	return reply{text: t.sentence("demo.did") + text + "\n" + t.sentence("demo.did.back", t.sentence("demo.try.undo"))}
}
