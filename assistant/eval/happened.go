package eval

import (
	"encoding/json/v2"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// Happened is what came of a turn, by its events.
type Happened struct {
	Text         string
	Finish       assistant.Finish
	Conversation string
	Called       []string // tools that answered, in the order in which they did
	Failed       []string // tools that did not
	Cards        []Card
	Screens      []Drawn
	Form         *assistant.Form
	Problem      *Problem
	Usage        assistant.Usage
}

// Card is a proposal that a turn made, or a change that ran without one.
type Card struct {
	ID     string     `json:"id"`
	State  gate.State `json:"state"`
	Digest string     `json:"digest"`
	Items  []struct {
		Tool    string   `json:"tool"`
		Changes []Change `json:"changes"`
	} `json:"items"`
}

// Tools are those that the card would call.
func (c Card) Tools() (all []string) {
	for _, it := range c.Items {
		all = append(all, it.Tool)
	}
	return all
}

func (c Card) changes() (all []Change) {
	for _, it := range c.Items {
		all = append(all, it.Changes...)
	}
	return all
}

// Drawn is a screen as a person sees it.
type Drawn struct {
	Title words  `json:"title"`
	Form  string `json:"form"`
	Rows  [][]struct {
		Text string `json:"text"`
	} `json:"rows"`
}

// Problem is why a turn ended before its time.
type Problem struct {
	Kind tools.Kind `json:"kind"`
	Text struct {
		Text string `json:"text"`
		Key  string `json:"key"`
	} `json:"text"`
}

// add takes in an event.
func (h *Happened) add(e assistant.Event) error {
	read := func(v any) error { return json.Unmarshal(e.Data, v) }
	switch e.Kind {
	case assistant.EventTool:
		var t struct {
			Name  string              `json:"name"`
			State assistant.ToolState `json:"state"`
		}
		err := read(&t)
		switch t.State {
		case assistant.Done:
			h.Called = append(h.Called, t.Name)
		case assistant.Failed:
			h.Failed = append(h.Failed, t.Name)
		}
		return err
	case assistant.EventProposal:
		var c Card
		err := read(&c)
		if !slices.ContainsFunc(h.Cards, func(o Card) bool { return o.ID != "" && o.ID == c.ID }) {
			h.Cards = append(h.Cards, c)
		}
		return err
	case assistant.EventScreen:
		var d Drawn
		err := read(&d)
		h.Screens = append(h.Screens, d)
		return err
	case assistant.EventForm:
		return read(&h.Form)
	case assistant.EventError:
		return read(&h.Problem)
	case assistant.EventTurn:
		var end assistant.Ended
		err := read(&end)
		h.Text, h.Finish, h.Usage = end.Text, end.Finish, end.Usage
		return err
	case assistant.EventStart:
		var s struct {
			Conversation string `json:"conversation"`
		}
		err := read(&s)
		h.Conversation = s.Conversation
		return err
	}
	return nil
}

// shown is all that the person read of it: the answer, and what is on screens.
func (h Happened) shown() string {
	var b strings.Builder
	b.WriteString(h.Text)
	for _, s := range h.Screens {
		for _, row := range s.Rows {
			for _, cell := range row {
				b.WriteString("\n" + cell.Text)
			}
		}
	}
	return b.String()
}

// answers to a form, each the choice that fits.
func (a Answer) to(f assistant.Form) map[string]string {
	all := map[string]string{}
	for _, q := range f.Questions {
		all[q.ID] = a.Otherwise
		for _, c := range q.Choices {
			if strings.Contains(strings.ToLower(c), strings.ToLower(a.Pick)) {
				all[q.ID] = c
				break
			}
		}
	}
	return all
}
