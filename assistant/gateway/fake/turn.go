package fake

import (
	"fmt"
	"strings"
	"time"
)

// Turn is one answer of the script.
type Turn struct {
	When  func(Asked) bool // which requests it is for; nil: the next one
	Times int              // how many it is for: 0 is one, less is as many as come
	Steps []Step
	Usage *Usage // what the host reports; nil: 20 in, 10 out
	Mute  bool   // it reports no usage
	Whole bool   // JSON, also where a stream was asked for

	First   time.Duration // before the first byte
	Between time.Duration // after each event

	// Status other than 0 is answered instead, with these.
	Status int
	Header map[string]string
	Body   string
}

// String is the turn in short.
func (t Turn) String() string {
	if t.Status != 0 {
		return fmt.Sprintf("%d %s", t.Status, t.Body)
	}
	words := make([]string, len(t.Steps))
	for i, s := range t.Steps {
		words[i] = fmt.Sprintf("%s %s", s.kind, s.text)
		for _, c := range s.calls {
			words[i] += c.Name + c.Args
		}
	}
	return strings.Join(words, ", ")
}

// Usage is what a host counts, as gateway.Usage.
type Usage struct{ Uncached, CacheRead, CacheWrite, Output, Reasoning int64 }

type stepKind string

const (
	say      stepKind = "say"
	think    stepKind = "think"
	call     stepKind = "call"
	refuse   stepKind = "refuse"
	ceiling  stepKind = "stop at the ceiling"
	trouble  stepKind = "fail"
	cut      stepKind = "cut"
	fall     stepKind = "fall silent"
	pause    stepKind = "pause"
	alive    stepKind = "comment"
	verbatim stepKind = "verbatim"
)

// Step is a piece of an answer.
type Step struct {
	kind   stepKind
	text   string
	seal   string
	runes  int
	calls  []Call
	pause  time.Duration
	hidden bool
}

// Call is a tool that the model calls. Args is what it writes, sent as it
// stands; an ID is made where none is given.
type Call struct{ ID, Name, Args string }

// Say is text.
func Say(text string) Step { return Step{kind: say, text: text} }

// In makes text or thinking come in pieces of n runes.
func (s Step) In(n int) Step {
	s.runes = n
	return s
}

// Think is thinking, with what the host seals it with: a signature, or its
// encrypted content.
func Think(text, seal string) Step { return Step{kind: think, text: text, seal: seal} }

// Redacted is thinking of which only the seal is shown.
func Redacted(seal string) Step { return Step{kind: think, seal: seal, hidden: true} }

// Calls calls tools, all at once.
func Calls(calls ...Call) Step { return Step{kind: call, calls: calls} }

// Refuse ends the answer because the model will not go on.
func Refuse(text string) Step { return Step{kind: refuse, text: text} }

// Ceiling ends the answer because it is as long as was allowed.
func Ceiling() Step { return Step{kind: ceiling} }

// Trouble is an error in mid-stream: the host is overloaded.
func Trouble() Step { return Step{kind: trouble} }

// Cut breaks the connection.
func Cut() Step { return Step{kind: cut} }

// Fall ends the stream in good order, without a word that it is the end.
func Fall() Step { return Step{kind: fall} }

// Pause waits.
func Pause(d time.Duration) Step { return Step{kind: pause, pause: d} }

// Alive is a comment of the stream, by which hosts keep connections open.
func Alive(text string) Step { return Step{kind: alive, text: text} }

// Verbatim is sent as it stands.
func Verbatim(text string) Step { return Step{kind: verbatim, text: text} }

// Answer is a turn of steps, for the next request.
func Answer(steps ...Step) Turn { return Turn{Steps: steps} }

// Fail is a turn that answers with a status and a body, and headers as name and
// value by turns.
func Fail(status int, body string, headers ...string) Turn {
	t := Turn{Status: status, Body: body, Header: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		t.Header[headers[i]] = headers[i+1]
	}
	return t
}

// pieces splits a text into n runes each.
func (s Step) pieces() []string {
	if s.runes <= 0 || s.text == "" {
		return []string{s.text}
	}
	var out []string
	r := []rune(s.text)
	for len(r) > 0 {
		n := min(s.runes, len(r))
		out = append(out, string(r[:n]))
		r = r[n:]
	}
	return out
}

// counted is what the turn reports.
func (t Turn) counted() Usage {
	if t.Usage == nil {
		return Usage{Uncached: 20, Output: 10}
	}
	return *t.Usage
}
