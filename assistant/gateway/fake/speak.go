package fake

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// teller puts a turn in the words of a protocol.
type teller interface {
	// begin, step and end are events of a stream, each as it is sent.
	begin() []string
	step(Step) []string
	end() []string
	whole() string
	// gave is the answer as the host will know it again.
	gave() []any
}

// given is an answer that the host gave.
type given struct {
	model string
	items []any
}

// obj is an object of JSON.
type obj map[string]any

// write is JSON with sorted names: the same turn gives the same bytes.
func write(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err) // a script cannot make one
	}
	return string(b)
}

// value is what v is after it was written and read.
func value(v any) (out any) {
	if err := json.Unmarshal([]byte(write(v)), &out); err != nil {
		panic(err)
	}
	return out
}

// event is one of a stream.
func event(name string, v any) string {
	s := "data: " + write(v) + "\n\n"
	if name != "" {
		return "event: " + name + "\n" + s
	}
	return s
}

// object is what a model wrote as arguments, where it is an object; else, as the
// protocol's documentation has it, an object that holds it.
func object(args string) jsontext.Value {
	v := jsontext.Value(args)
	switch {
	case strings.TrimSpace(args) == "":
		return jsontext.Value("{}")
	case !v.IsValid() || v.Kind() != '{':
		return jsontext.Value(write(obj{"INVALID_JSON": args}))
	}
	return v
}

// plain answers with what the turn says.
func (h *Host) plain(w http.ResponseWriter, r *http.Request, turn Turn) {
	if !wait(r, turn.First) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	for name, v := range turn.Header {
		w.Header().Set(name, v)
	}
	w.WriteHeader(turn.Status)
	fmt.Fprint(w, turn.Body)
}

// speak sends an answer, as a stream if one was asked for.
func (h *Host) speak(w http.ResponseWriter, r *http.Request, turn Turn, out teller, stream bool) {
	if !wait(r, turn.First) {
		return
	}
	for name, v := range turn.Header {
		w.Header().Set(name, v)
	}
	if !stream || turn.Whole {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, out.whole())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(events []string) bool {
		for _, e := range events {
			if _, err := io.WriteString(w, e); err != nil {
				return false
			}
			if http.NewResponseController(w).Flush() != nil {
				return false
			}
			if !wait(r, turn.Between) {
				return false
			}
		}
		return true
	}
	if !send(out.begin()) {
		return
	}
	for _, s := range turn.Steps {
		switch s.kind {
		case cut:
			panic(http.ErrAbortHandler)
		case fall:
			return
		case pause:
			if !wait(r, s.pause) {
				return
			}
		case alive:
			send([]string{": " + s.text + "\n\n"})
		case verbatim:
			send([]string{s.text})
		default:
			if !send(out.step(s)) {
				return
			}
			if s.kind == trouble {
				return
			}
		}
	}
	send(out.end())
}

// wait says whether somebody still listens after d.
func wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return r.Context().Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.Context().Done():
		return false
	case <-timer.C:
		return true
	}
}
