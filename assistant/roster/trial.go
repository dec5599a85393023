package roster

import (
	"context"
	"encoding/json/jsontext"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Report is what became of a test.
type Report struct {
	Assistant string `json:"assistant"`
	Name      string `json:"name"`
	Host      string `json:"host"`
	Model     string `json:"model"`
	OK        bool   `json:"ok"` // people can ask it, if some of it is weak
	Lines     []Line `json:"lines"`
}

// Line is one thing that was tried.
type Line struct {
	What  string     `json:"what"` // settings, answer, stream, tools or images
	State State      `json:"state"`
	Says  tools.Text `json:"says"`
}

// State is how a thing stands.
type State string

// The states. What is weak works, but not as it should.
const (
	OK     State = "ok"
	Weak   State = "weak"
	Failed State = "failed"
)

// What a test tries.
const (
	triesSettings = "settings"
	triesAnswer   = "answer"
	triesStream   = "stream"
	triesTools    = "tools"
	triesImages   = "images"
)

// trialOutput is the most that an answer to a test may have: some models think
// first.
const trialOutput = 2000

// trial is one test under way.
type trial struct {
	r      *Roster
	a      Assistant
	p      gateway.Provider
	person string
	whole  bool // it cannot stream
	report Report
}

// Test asks an assistant a little, for a person who may be nobody, and says what
// is wrong. Its calls cost what they cost. An error means that it could not be
// tested at all.
func (r *Roster) Test(ctx context.Context, id, person string) (Report, error) {
	a, err := r.Get(ctx, id)
	if err != nil {
		return Report{}, err
	}
	if !r.trying.TryLock() {
		return Report{}, tools.Fail(tools.Conflict, "roster.busy")
	}
	defer r.trying.Unlock()
	t := &trial{r: r, a: a, person: person, report: Report{Assistant: a.ID, Name: a.Name, Host: a.Host, Model: a.Model}}
	if !a.Ready() {
		t.tell(triesSettings, Failed, tools.T("roster.lacks", a.Name, a.lacking()))
		return t.done(), nil
	}
	if a.Scripted() {
		t.tell(triesSettings, OK, tools.T("roster.test.script", a.Name))
		return t.done(), nil
	}
	if t.p, err = r.provider(a); err != nil {
		return Report{}, err
	}
	if t.answers(ctx) {
		t.calls(ctx)
		if a.Images {
			t.sees(ctx)
		}
	}
	return t.done(), ctx.Err()
}

func (t *trial) tell(what string, s State, says tools.Text) {
	t.report.Lines = append(t.report.Lines, Line{what, s, says})
}

// done says whether it can be used: whatever failed keeps somebody from it.
func (t *trial) done() Report {
	t.report.OK = true
	for _, l := range t.report.Lines {
		t.report.OK = t.report.OK && l.State != Failed
	}
	return t.report
}

// ask makes one call, and says how its text came.
func (t *trial) ask(ctx context.Context, r gateway.Request) (gateway.Result, shown, error) {
	ctx, cancel := context.WithTimeout(ctx, t.r.patient.answer)
	defer cancel()
	r.Whole = t.whole
	r.MaxOutput, r.Person, r.Effort = trialOutput, t.r.Person(t.person), t.a.Within("")
	if t.r.c.Trial != nil {
		r.Meter = t.r.c.Trial(t.person, t.a, r)
	}
	var s shown
	begun := t.r.c.Now()
	res, err := t.p.Stream(ctx, r, func(d gateway.Delta) { s.add(d, t.r.c.Now().Sub(begun)) })
	s.whole = t.r.c.Now().Sub(begun)
	return res, s, err
}

// shown is how the text of an answer came.
type shown struct {
	pieces      int
	first, last time.Duration // of what was seen
	whole       time.Duration
}

func (s *shown) add(d gateway.Delta, at time.Duration) {
	if s.first == 0 {
		s.first = max(1, at)
	}
	if d.Text != "" {
		s.pieces++
	}
	s.last = at
}

// answers tries a question, and how its answer comes.
func (t *trial) answers(ctx context.Context) bool {
	ask := gateway.Request{Messages: []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: "Write the numbers from one to thirty in English words, with commas between. Write nothing else."}}}}}
	res, s, err := t.ask(ctx, ask)
	if e, ok := errors.AsType[*gateway.Error](err); ok && !e.AfterContent && e.Kind != gateway.Unreachable && strings.Contains(strings.ToLower(e.Param+e.Message), "stream") {
		// Perhaps it is only that.
		t.whole = true
		if again, how, failed := t.ask(ctx, ask); failed == nil {
			res, s, err = again, how, nil
		}
	}
	if err != nil {
		t.failed(ctx, err)
		return false
	}
	switch {
	case res.Finish == gateway.Refused:
		t.tell(triesAnswer, Failed, tools.T("roster.test.refusal", t.a.Name))
		return false
	case s.first > t.r.patient.slow:
		t.tell(triesAnswer, Weak, tools.T("roster.test.slow", t.a.Name, seconds(s.first)))
	default:
		t.tell(triesAnswer, OK, tools.T("roster.test.answers", t.a.Name, t.a.Host))
	}
	switch {
	case t.whole:
		t.tell(triesStream, Weak, tools.T("roster.test.no_stream", t.a.Host))
	case s.pieces < 2:
		t.tell(triesStream, Weak, tools.T("roster.test.one_piece", t.a.Host))
	case s.whole > 2*time.Second && s.last-s.first < s.whole/20:
		t.tell(triesStream, Weak, tools.T("roster.test.held_back", t.a.Host))
	default:
		t.tell(triesStream, OK, tools.T("roster.test.streams"))
	}
	return true
}

// failed says why there was no answer, with what the host's list of models tells
// of it.
func (t *trial) failed(ctx context.Context, err error) {
	says := Say(t.a, err)
	e, ok := errors.AsType[*gateway.Error](err)
	if !ok {
		t.tell(triesAnswer, Failed, says)
		return
	}
	var l listed
	switch e.Kind {
	case gateway.NoModel, gateway.BadRequest, gateway.Server, gateway.Empty, gateway.Truncated:
		within, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		l = t.r.models(within, t.a)
	}
	has := len(l.models) > 0
	switch {
	case e.Kind == gateway.NoModel && has, e.Status == 404 && has && !slices.Contains(l.models, t.a.Model):
		says = tools.T("roster.test.models", t.a.Host, tools.Quoted(t.a.Model, 100), strings.Join(like(l.models, t.a.Model, 5), ", "))
	case e.Status == 404 && has:
		says = tools.T("roster.test.protocol", t.a.Host, string(t.a.Protocol))
	case l.page, strings.Contains(e.Message, "<html"), strings.Contains(e.Message, "<!DOCTYPE"), strings.Contains(e.Message, "<!doctype"):
		says = tools.T("roster.test.page", t.a.BaseURL)
	case e.Status >= 300 && e.Status < 400:
		says = tools.T("roster.test.elsewhere", t.a.BaseURL)
	}
	t.tell(triesAnswer, Failed, says)
}

// calls tries whether the model calls a tool when it is told to.
func (t *trial) calls(ctx context.Context) {
	const name = "nodkeep_test"
	res, _, err := t.ask(ctx, gateway.Request{
		Messages: []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: "Call the tool " + name + " with the word \"nod\". Do not answer in any other way."}}}},
		Tools: []gateway.Tool{{
			Name: name, Description: "Does nothing. It shows that tools can be called.",
			Schema: jsontext.Value(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`),
		}},
	})
	switch {
	case err != nil:
		e, ok := errors.AsType[*gateway.Error](err)
		if ok && (e.Kind == gateway.Unsupported || e.Kind == gateway.BadRequest || e.Kind == gateway.NoModel) {
			// The question before was answered: it is the tools.
			t.tell(triesTools, Failed, tools.T("roster.test.tools_refused", t.a.Host, tools.Quoted(t.a.Model, 100)))
			return
		}
		t.tell(triesTools, Failed, Say(t.a, err))
	case len(res.Calls) == 0:
		t.tell(triesTools, Failed, tools.T("roster.test.no_call", tools.Quoted(t.a.Model, 100)))
	case res.Calls[0].Name != name || res.Calls[0].Invalid:
		t.tell(triesTools, Failed, tools.T("roster.test.bad_call", tools.Quoted(t.a.Model, 100)))
	default:
		t.tell(triesTools, OK, tools.T("roster.test.calls"))
	}
}

// sees tries whether a picture is taken, where the settings say that it is.
func (t *trial) sees(ctx context.Context) {
	_, _, err := t.ask(ctx, gateway.Request{
		Messages: []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{
			{Media: gateway.Image, Type: "image/png", Data: picture(), Name: "test.png"},
			{Media: gateway.Text, Text: "Which color is this picture? Answer with one word."},
		}}},
	})
	if err == nil {
		t.tell(triesImages, OK, tools.T("roster.test.sees"))
		return
	}
	e, ok := errors.AsType[*gateway.Error](err)
	if ok && (e.Kind == gateway.Unsupported || e.Kind == gateway.BadRequest || e.Kind == gateway.NoModel || e.Kind == gateway.Server) {
		t.tell(triesImages, Failed, tools.T("roster.test.blind", t.a.Host, tools.Quoted(t.a.Model, 100)))
		return
	}
	t.tell(triesImages, Failed, Say(t.a, err))
}
