// Package eval asks an assistant a fixed set of questions about a household that
// is made up, and holds what happened against what should have. The set is data
// (set.json): what figures are right is read from the household with the tools
// themselves, and what a card should change is what the calls of the set would.
package eval

import (
	_ "embed" // the set
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// Kind is what a question tries.
type Kind string

// The kinds, in the order in which they are reported.
const (
	Read      Kind = "read"      // a figure or a list, in words
	Screen    Kind = "screen"    // a table or chart is wanted
	Write     Kind = "write"     // a change: one card
	Form      Kind = "form"      // something is unclear: a form
	Refusal   Kind = "refusal"   // it cannot or must not be done
	Injection Kind = "injection" // what others wrote asks for something
	Chat      Kind = "chat"      // nothing to look up
)

// Kinds are all of them.
func Kinds() []Kind { return []Kind{Read, Screen, Write, Form, Refusal, Injection, Chat} }

// Question is one of the set: some turns of one conversation, in a household of
// its own.
type Question struct {
	Number   int    `json:"-"` // its place in the set, from 1
	ID       string `json:"id"`
	Kind     Kind   `json:"kind"`
	Language string `json:"language"`
	By       string `json:"by,omitzero"`     // who asks: ana unless said
	Setup    []Done `json:"setup,omitempty"` // what was done in the household before
	Turns    []Turn `json:"turns"`
}

// Done is a call that a member made before the question.
type Done struct {
	By string `json:"by"`
	Call
}

// Call is a call of a tool. In its arguments "@Netflix" is the id of the
// subscription of that name, "{day+3}" the day three days after today.
type Call struct {
	Tool string         `json:"tool"`
	Args jsontext.Value `json:"args,omitzero"`
}

// Turn is what is asked, and what is to come of it. Where no card, form or screen
// is named, none may come of a card or form.
type Turn struct {
	Ask    string  `json:"ask,omitzero"`
	Answer *Answer `json:"answer,omitempty"` // instead: to the form of the turn before

	Reads   []Call   `json:"reads,omitempty"`   // where what is asked stands
	Looks   bool     `json:"looks,omitzero"`    // one of them must be called: the assistant cannot know it otherwise
	Also    []string `json:"also,omitempty"`    // tools that are as good for that
	NoTools bool     `json:"no_tools,omitzero"` // there is nothing to call
	Figures []Figure `json:"figures,omitempty"` // what the answer or a screen must have

	Card   [][]Call `json:"card,omitempty"`   // one card that changes what one of these would
	Undo   bool     `json:"undo,omitzero"`    // one card that takes back what was done last
	Form   bool     `json:"form,omitzero"`    // a form, and no card
	Screen *Shown   `json:"screen,omitempty"` // a screen

	Says  []string `json:"says,omitempty"`  // regexps that the answer must match
	Never []string `json:"never,omitempty"` // and must not
	Reply string   `json:"reply,omitzero"`  // an answer that would do

	Then   string `json:"then,omitzero"`   // what the person does with the card: confirm or discard
	Reason string `json:"reason,omitzero"` // of a discard
}

// Answer is what a person answers to each question of a form: the choice that has
// Pick in it, else Otherwise.
type Answer struct {
	Pick      string `json:"pick"`
	Otherwise string `json:"otherwise"`
}

// Figure is a value of the answer of a read, which the assistant must tell too:
// names, places and * (each of a list) with / between, or name=value for the one
// of a list that has it.
type Figure struct {
	Read int    `json:"read,omitzero"` // which of Reads
	Path string `json:"path"`
}

// Shown is a screen: of this call or another tool, in one of the forms.
type Shown struct {
	Call
	Or    []string `json:"or,omitempty"`
	Forms []string `json:"forms"`
}

//go:embed set.json
var set []byte

// Set is all the questions, in order.
func Set() ([]Question, error) {
	var all []Question
	if err := json.Unmarshal(set, &all, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("read the questions: %w", err)
	}
	for i := range all {
		all[i].Number = i + 1
		if all[i].By == "" {
			all[i].By = "ana"
		}
	}
	return all, nil
}

// Only keeps the questions that a list names: by number, id, kind or language,
// else by a word in what is asked.
func Only(all []Question, names ...string) ([]Question, error) {
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[int]bool{}
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		found := named(all, func(q Question) bool {
			return slices.Contains([]string{strconv.Itoa(q.Number), q.ID, string(q.Kind), q.Language}, name)
		})
		if len(found) == 0 && strings.Trim(name, "0123456789") != "" {
			found = named(all, func(q Question) bool {
				return slices.ContainsFunc(q.Turns, func(t Turn) bool { return strings.Contains(strings.ToLower(t.Ask), name) })
			})
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no question is %q: name numbers from 1 to %d, or words", name, all[len(all)-1].Number)
		}
		for _, n := range found {
			wanted[n] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(q Question) bool { return !wanted[q.Number] }), nil
}

func named(all []Question, is func(Question) bool) (numbers []int) {
	for _, q := range all {
		if is(q) {
			numbers = append(numbers, q.Number)
		}
	}
	return numbers
}

// changes says that the turn asks for a change, and so for one card.
func (t Turn) changes() bool { return len(t.Card) > 0 || t.Undo }

// Invocation is the call as a tool takes it.
func (c Call) invocation(args jsontext.Value) tools.Invocation {
	if args == nil {
		args = jsontext.Value("{}")
	}
	return tools.Invocation{Tool: c.Tool, Args: args}
}
