package assistant

import (
	"encoding/json/jsontext"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/tools"
)

// Event is something that happened in a turn, numbered from 1. Its Data is JSON
// in the language of the person.
type Event struct {
	ID   int
	Kind EventKind
	Data jsontext.Value
}

// EventKind is the sort of an Event.
type EventKind string

// The events, as docs/reference/http.md promises them.
const (
	EventStart    EventKind = "start"    // the first
	EventDelta    EventKind = "delta"    // a piece of the answer
	EventTool     EventKind = "tool"     // a tool begins or ended
	EventProposal EventKind = "proposal" // a card waits, or was applied
	EventScreen   EventKind = "screen"   // a table or chart
	EventForm     EventKind = "form"     // questions back to the person
	EventError    EventKind = "error"    // why the turn ended before its time
	EventTurn     EventKind = "turn"     // the last: all that came of it
)

// Start begins a turn.
type Start struct {
	Turn         string `json:"turn"`
	Conversation string `json:"conversation"`
	Assistant    Asked  `json:"assistant"`
	// Warning says to whom private records go, where that is not this machine.
	Warning *tools.Text `json:"warning,omitempty"`
}

// Asked is the assistant of a turn, as a person sees it.
type Asked struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Model    string `json:"model"`
	Local    bool   `json:"local"`              // it is on this machine
	Scripted bool   `json:"scripted,omitempty"` // it is no model: its answers are fixed
}

// Delta is a piece of the answer.
type Delta struct {
	Text string `json:"text"`
}

// ToolEvent tells of a tool that is at work.
type ToolEvent struct {
	Name  string     `json:"name"`
	Title tools.Text `json:"title"`
	State ToolState  `json:"state"`
}

// ToolState is how far a tool is.
type ToolState string

// The states of a tool.
const (
	Started ToolState = "started"
	Done    ToolState = "done"
	Failed  ToolState = "failed"
)

// Form is questions of the model to the person. It decides nothing: what is
// answered is a part of the next question.
type Form struct {
	ID        string         `json:"id"`
	Questions []FormQuestion `json:"questions"`
}

// FormQuestion is one of them. Without choices any text answers it.
type FormQuestion struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
}

// Problem is why a turn ended before its time.
type Problem struct {
	Kind       tools.Kind `json:"kind"`
	Text       tools.Text `json:"text"`
	RetryAfter int        `json:"retry_after,omitzero"` // seconds
}

// Ended is the end of a turn, and the whole of it.
type Ended struct {
	ID           string   `json:"id"`
	Conversation string   `json:"conversation"`
	Text         string   `json:"text"`
	Finish       Finish   `json:"finish"`
	Usage        Usage    `json:"usage"`
	Proposals    []string `json:"proposals"`
}

// Finish is why a turn ended.
type Finish string

// The ways in which a turn ends.
const (
	Answered    Finish = "stop"        // the answer is whole
	AskedBack   Finish = "form"        // the person is asked
	Stopped     Finish = "stopped"     // by the person
	Limited     Finish = "limit"       // of time, calls, tokens or money
	Refusal     Finish = "refusal"     // the model would not answer
	Broken      Finish = "error"       // something failed
	Interrupted Finish = "interrupted" // the server ended in the middle
)

// Usage is what a turn used of models, in the shape that all usage has.
type Usage struct {
	Day       string `json:"day"`
	Person    string `json:"person"`
	Assistant string `json:"assistant"`
	Counts
}

// Counts are what requests to models used together.
type Counts struct {
	Requests   int64  `json:"requests"`
	Uncached   int64  `json:"input_uncached"`
	CacheRead  int64  `json:"cache_read"`
	CacheWrite int64  `json:"cache_write"`
	Output     int64  `json:"output"`
	Cost       *int64 `json:"cost_micros"` // nil: nobody knows its price
	Currency   string `json:"currency"`
}

// CountsOf are those of a tally, whose costs are in a currency.
func CountsOf(s budget.Sums, currency string) Counts {
	c := Counts{
		Requests: s.Requests, Uncached: s.Usage.Uncached, CacheRead: s.Usage.CacheRead, CacheWrite: s.Usage.CacheWrite, Output: s.Usage.Output, Currency: currency,
	}
	if s.Unpriced == 0 {
		c.Cost = &s.Cost
	}
	return c
}
