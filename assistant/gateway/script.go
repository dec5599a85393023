package gateway

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Script is a Provider without a host: it answers with what was written for it,
// and is as strict as one about the order of messages.
type Script struct {
	mu    sync.Mutex
	scene []Scene
	asked []Request
}

// Scene is one answer of a Script: it thinks, says, and calls, in this order, and
// ends as these let it, unless another end is given.
type Scene struct {
	When   func(Request) bool // which requests it is for; nil: the next one
	Always bool               // it stays for more

	Think, Say string
	Runes      int    // how many come at a time; 0: all
	Calls      []Call // an ID is made where none is given
	Finish     Finish
	Refusal    *Refusal
	Err        error // an *Error or another, after what was said

	Usage *Usage // what is reported; nil: 20 in, 10 out
	Mute  bool   // nothing is reported
	Cost  *int64

	Wait, Between time.Duration // before the first piece, and after each
}

// Scripted is no protocol: what answers is in the program, and no model.
const Scripted Protocol = "script"

// ofScript says where a Script's answers are from.
const ofScript = string(Scripted)

// NewScript makes one that plays the scenes, each once and in order.
func NewScript(scenes ...Scene) *Script { return &Script{scene: scenes} }

// Then adds scenes.
func (s *Script) Then(scenes ...Scene) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scene = append(s.scene, scenes...)
}

// Asked are the requests so far.
func (s *Script) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Left is how many scenes were not played, but for those that stay.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, scene := range s.scene {
		if !scene.Always {
			n++
		}
	}
	return n
}

// Stream plays the next scene that is for the request.
func (s *Script) Stream(ctx context.Context, r Request, show func(Delta)) (Result, error) {
	scene, n, err := s.next(r)
	res := Result{Model: ofScript, RequestID: "script-" + strconv.Itoa(n), Attempts: 1}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		res.Finish = Failed
		return res, err
	}
	if r.Meter != nil {
		if err := r.Meter.Hold(ctx); err != nil {
			res.Finish = Failed
			return res, err
		}
	}
	spent := Spent{Usage: scene.Usage, Cost: scene.Cost}
	if scene.Usage == nil && !scene.Mute {
		spent.Usage = &Usage{Uncached: 20, Output: 10}
	}
	defer func() {
		if r.Meter != nil {
			r.Meter.Settle(spent)
		}
	}()
	if err := scene.play(ctx, &res, show); err != nil {
		res.Finish = Failed
		spent = Spent{Cut: true}
		if e, ok := errors.AsType[*Error](err); ok {
			told := *e // the scene may be played again
			told.AfterContent = res.Text != "" || res.Reasoning != ""
			spent = Spent{Unbilled: !told.AfterContent && e.Kind != Truncated, Cut: true}
			return res, &told
		}
		return res, err
	}
	res.Finish, res.Usage, res.Refusal = scene.Finish, spent.Usage, scene.Refusal
	switch {
	case res.Finish == "" && scene.Refusal != nil:
		res.Finish = Refused
	case res.Finish == "" && len(scene.Calls) > 0:
		res.Finish = ToolUse
	case res.Finish == "":
		res.Finish = Stop
	}
	if res.Finish == ToolUse {
		res.Calls = scene.calls(n)
	}
	if scene.Think != "" && (res.Finish == Stop || res.Finish == ToolUse) {
		thought, err := json.Marshal(scene.Think)
		if err != nil {
			return res, err
		}
		res.Raw = &Raw{Protocol: Scripted, Host: ofScript, Model: ofScript, Items: []jsontext.Value{thought}}
	}
	return res, nil
}

// next takes the scene for a request, and its number.
func (s *Script) next(r Request) (Scene, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	n := len(s.asked)
	if err := orderly(r.Messages); err != nil {
		return Scene{}, n, err
	}
	for i, scene := range s.scene {
		if scene.When != nil && !scene.When(r) {
			continue
		}
		if !scene.Always {
			s.scene = slices.Delete(slices.Clone(s.scene), i, i+1)
		}
		return scene, n, nil
	}
	return Scene{}, n, &Error{Kind: BadRequest, Message: "the script has no answer to this request"}
}

// orderly says what no host takes: a conversation that no user began, an answer
// last, or calls without just their results right after them.
func orderly(all []Message) error {
	wrong := func(n int, what string) error {
		return &Error{Kind: BadRequest, Status: 400, Message: fmt.Sprintf("message %d %s", n, what)}
	}
	var open []Call
	for n, m := range all {
		if m.Role != Tools && len(open) > 0 {
			return wrong(n, "comes before the results of the calls before it")
		}
		switch m.Role {
		case User:
			if len(m.Parts) == 0 {
				return wrong(n, "says nothing")
			}
		case Assistant:
			open = m.Calls
		case Tools:
			same := slices.EqualFunc(open, m.Results, func(c Call, r ToolResult) bool { return c.ID == r.Call })
			if !same || len(open) == 0 {
				return wrong(n, "has other results than there were calls")
			}
			open = nil
		default:
			return wrong(n, "is of nobody")
		}
	}
	switch {
	case len(all) == 0:
		return wrong(0, "is missing")
	case all[0].Role != User:
		return wrong(0, "is no user's")
	case all[len(all)-1].Role == Assistant:
		return wrong(len(all)-1, "is an answer, and nothing was asked after it")
	}
	return nil
}

// play shows what is to be seen.
func (s Scene) play(ctx context.Context, res *Result, show func(Delta)) error {
	begun := time.Now()
	if err := s.pause(ctx, s.Wait); err != nil {
		return err
	}
	piece := func(text string, to *string, delta func(string) Delta) error {
		all := []rune(text)
		for len(all) > 0 {
			n := len(all)
			if s.Runes > 0 {
				n = min(n, s.Runes)
			}
			if res.First == 0 {
				res.First = max(1, time.Since(begun))
			}
			*to += string(all[:n])
			show(delta(string(all[:n])))
			if err := s.pause(ctx, s.Between); err != nil {
				return err
			}
			all = all[n:]
		}
		return nil
	}
	if err := piece(s.Think, &res.Reasoning, func(p string) Delta { return Delta{Reasoning: p} }); err != nil {
		return err
	}
	if err := piece(s.Say, &res.Text, func(p string) Delta { return Delta{Text: p} }); err != nil {
		return err
	}
	return s.Err
}

func (s Scene) pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	return sleep(ctx, d)
}

// calls are those of the scene as the request with this number.
func (s Scene) calls(request int) []Call {
	out := slices.Clone(s.Calls)
	for i := range out {
		if out[i].ID == "" {
			out[i].ID = fmt.Sprintf("script_%d_%d", request, i+1)
		}
		if out[i].Args == nil && !out[i].Invalid {
			out[i].Args = jsontext.Value("{}")
		}
	}
	return out
}
