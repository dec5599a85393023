package tools

import (
	"cmp"
	"slices"
)

// Card is what a person reads before a nod or after a change. The server
// writes it from what a preview really did.
type Card struct {
	Title Text   `json:"title"`
	Lines []Text `json:"lines"`
	Grave bool   `json:"grave"` // destroys or sends
	Sends []Text `json:"sends"`
	Taint []Text `json:"taint"`
}

// maxLines bounds the changes that a card lists one by one; fewer where the
// tool has said them in its own words.
const (
	maxLines      = 12
	maxLinesAdded = 3
)

// makeCard writes the card of a call: the tool's own sentence where it has one,
// then what changed, record by record, as the preview saw it.
func (r *Reader) makeCard(c call, out any, changes []Change, unseen int, sends []string, effect Effect) (Card, error) {
	card := Card{}
	if c.tool != nil && c.tool.card != nil {
		var err error
		if card, err = c.tool.card(r, c.Args, out, changes); err != nil {
			return Card{}, err
		}
	}
	if card.Title.Key == "" {
		card.Title = c.title
	}
	if len(card.Sends) == 0 {
		for _, kind := range sends {
			card.Sends = append(card.Sends, T("card.send", kind))
		}
	}
	// What goes comes first: it must not be what is left out.
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(gone(a), gone(b)) })
	if len(card.Lines) > 0 {
		// What is all hidden says nothing beside the tool's own words.
		changes = slices.DeleteFunc(changes, func(ch Change) bool { return ch.Op == OpUpdate && len(ch.Fields) == 0 && ch.Hidden > 0 })
	}
	if len(card.Lines) > 0 && len(changes) > maxLinesAdded {
		card.Lines = append(card.Lines, T("card.all", len(changes)))
		// The rest the tool has said, but not that a write deletes.
		changes = slices.DeleteFunc(changes, func(ch Change) bool { return ch.Op != OpDelete || c.effect != EffectWrite })
	}
	for i, ch := range changes {
		if i == maxLines {
			card.Lines = append(card.Lines, T("card.more", len(changes)-maxLines))
			break
		}
		card.Lines = append(card.Lines, ch.line())
	}
	if unseen > 0 {
		card.Lines = append(card.Lines, T("card.unseen", unseen))
	}
	if card.Sends == nil {
		card.Sends = []Text{}
	}
	if card.Lines == nil {
		card.Lines = []Text{}
	}
	card.Taint = []Text{}
	card.Grave = effect.Grave()
	return card, nil
}

// OrNone keeps an empty value from reading like a gap.
func OrNone(w Words) Text {
	if w.Key == "" && (len(w.Args) == 0 || len(w.Args) == 1 && w.Args[0] == "") {
		return T("value.none")
	}
	return Text(w)
}

func gone(c Change) int {
	if c.Op == OpDelete {
		return 0
	}
	return 1
}

// line is one change in a sentence: "Change Netflix: Amount 13.99 EUR → 15.99 EUR".
func (c Change) line() Text {
	label := Text(c.Label)
	if c.Op == OpDelete {
		return T("card.delete", label)
	}
	fields := make([]Text, 0, len(c.Fields)+1)
	for _, f := range c.Fields {
		if c.Op == OpCreate {
			fields = append(fields, T("card.value", Text(f.Label), Text(f.After)))
		} else {
			fields = append(fields, T("card.field", Text(f.Label), OrNone(f.Before), OrNone(f.After)))
		}
	}
	if c.Hidden > 0 {
		fields = append(fields, T("card.hidden", c.Hidden))
	}
	if c.Op == OpCreate {
		return T("card.create", label, fields)
	}
	return T("card.update", label, fields)
}
