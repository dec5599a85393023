package assistant

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"strings"
	"sync"
)

// record keeps the events of a turn, so that whoever follows it may begin
// anywhere. The pieces of the answer are places in one text: there are many.
type record struct {
	mu     sync.Mutex
	events []kept
	text   strings.Builder
	more   chan struct{} // closed with the next event
	over   bool

	// instead: these are other events than the ones that a client has seen, for a
	// turn that a server did not write down, and are told from the first on.
	instead bool
}

// kept is one event: a piece of the answer, or data.
type kept struct {
	Kind EventKind      `json:"k,omitzero"` // "" for a piece
	Data jsontext.Value `json:"d,omitempty"`
	End  int            `json:"e,omitzero"` // of a piece, in the text
}

func newRecord() *record { return &record{more: make(chan struct{})} }

func (r *record) add(kind EventKind, data jsontext.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.events = append(r.events, kept{Kind: kind, Data: data})
	r.wake()
}

// say adds a piece of the answer.
func (r *record) say(text string) {
	if text == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.text.WriteString(text)
	r.events = append(r.events, kept{End: r.text.Len()})
	r.wake()
}

// wake tells who waits; the lock is held.
func (r *record) wake() {
	close(r.more)
	r.more = make(chan struct{})
}

// end says that no event follows.
func (r *record) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.wake()
}

// said is the answer so far.
func (r *record) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// after gives the events after a number, and what tells of the next one. Who has
// seen more than there is has seen a turn that a killed server left: what became of
// it is told from the first event on.
func (r *record) after(n int) (events []Event, more <-chan struct{}, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n = max(n, 0); r.over && (n > len(r.events) || r.instead) {
		n = 0
	}
	text, from := r.text.String(), 0
	for i := min(n, len(r.events)) - 1; i >= 0; i-- { // not from the first: there are many
		if r.events[i].Kind == "" {
			from = r.events[i].End
			break
		}
	}
	for i := n; i < len(r.events); i++ {
		e := r.events[i]
		if e.Kind != "" {
			events = append(events, Event{i + 1, e.Kind, e.Data})
			continue
		}
		events = append(events, Event{i + 1, EventDelta, deltaOf(text[from:e.End])})
		from = e.End
	}
	return events, r.more, r.over
}

func deltaOf(text string) jsontext.Value {
	b, err := json.Marshal(Delta{text})
	if err != nil { // a string that is no UTF-8 does not get here
		return jsontext.Value(`{"text":""}`)
	}
	return b
}

// stored is a record as it is kept once the turn is over.
type stored struct {
	Events []kept `json:"events"`
	Text   string `json:"text"`
}

func (r *record) store() stored {
	r.mu.Lock()
	defer r.mu.Unlock()
	return stored{r.events, r.text.String()}
}

// restored is a record that is over.
func restored(s stored) *record {
	r := newRecord()
	r.events, r.over = s.Events, true
	r.text.WriteString(s.Text)
	return r
}
