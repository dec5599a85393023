package gateway_test

import (
	"context"
	"encoding/base64"
	"encoding/json/jsontext"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// talk is a conversation with one host.
type talk struct {
	t        *testing.T
	host     *fake.Host
	provider gateway.Provider
	meter    *tally
	request  gateway.Request
	slept    []time.Duration
}

// tally counts what attempts were held and settled.
type tally struct {
	mu    sync.Mutex
	holds int
	spent []gateway.Spent
}

func (m *tally) Hold(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.holds++
	return nil
}

func (m *tally) Settle(s gateway.Spent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent = append(m.spent, s)
}

// check finds as many settled as were held, and how many cost nothing.
func (m *tally) check(t *testing.T, holds, unbilled int) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	free := 0
	for _, s := range m.spent {
		if s.Unbilled {
			free++
		}
	}
	if m.holds != holds || len(m.spent) != holds || free != unbilled {
		t.Errorf("%d held, %d settled, %d of them for nothing; want %d and %d", m.holds, len(m.spent), free, holds, unbilled)
	}
}

func newTalk(t *testing.T, k fake.Kind, turns ...fake.Turn) *talk {
	t.Helper()
	return talkTo(t, fake.New(t, k, turns...))
}

func talkTo(t *testing.T, h *fake.Host) *talk {
	t.Helper()
	c := &talk{t: t, host: h, meter: &tally{}}
	c.provider = c.model(h.Model())
	schema := func(s string) jsontext.Value { return jsontext.Value(s) }
	c.request = gateway.Request{
		System: []gateway.Block{{Text: "You look after a household.", Cache: true}, {Text: "Today is Monday."}},
		Tools: []gateway.Tool{
			{Name: "get_item", Description: "One item.", Schema: schema(`{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer","exclusiveMinimum":0}},"required":["id"],"additionalProperties":false}`)},
			{Name: "list_items", Description: "All items.", Schema: schema(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"tags":{"type":"array","items":{"type":"string","const":"x"},"uniqueItems":true}},"additionalProperties":false}`)},
		},
		Person: "p0123456789abcdef", CacheKey: "household-1", MaxOutput: 500, Meter: c.meter,
	}
	return c
}

func (c *talk) model(name string) gateway.Provider {
	c.t.Helper()
	protocol, err := gateway.ParseProtocol(c.host.Protocol())
	if err != nil {
		c.t.Fatal(err)
	}
	p, err := gateway.New(gateway.Config{
		Protocol: protocol, BaseURL: c.host.Base(), Model: name, Key: fake.Key, Transport: c.host.Transport(), Log: slog.New(slog.DiscardHandler),
		Sleep: func(_ context.Context, d time.Duration) error {
			c.slept = append(c.slept, d)
			return nil
		},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

func (c *talk) user(parts ...gateway.Part) {
	c.request.Messages = append(c.request.Messages, gateway.Message{Role: gateway.User, Parts: parts})
}

func said(text string) gateway.Part { return gateway.Part{Media: gateway.Text, Text: text} }

// ask asks, and adds the answer to what was said.
func (c *talk) ask() (gateway.Result, string, error) {
	c.t.Helper()
	var shown strings.Builder
	r, err := c.provider.Stream(c.t.Context(), c.request, func(d gateway.Delta) { shown.WriteString(d.Text) })
	if err == nil {
		c.request.Messages = append(c.request.Messages, gateway.Message{Role: gateway.Assistant, Text: r.Text, Calls: r.Calls, Raw: r.Raw})
	}
	return r, shown.String(), err
}

// must is ask where an answer has to come.
func (c *talk) must(text string, finish gateway.Finish, calls ...string) gateway.Result {
	c.t.Helper()
	r, shown, err := c.ask()
	if err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for _, call := range r.Calls {
		names = append(names, call.Name+string(call.Args))
	}
	if r.Text != text || shown != text || r.Finish != finish || !slices.Equal(names, calls) {
		c.t.Fatalf("%q, shown %q, %s, %q; want %q, %s, %q", r.Text, shown, r.Finish, names, text, finish, calls)
	}
	return r
}

// results are what the tools answered to the calls before.
func (c *talk) results(of gateway.Result, results ...gateway.ToolResult) {
	c.t.Helper()
	for i := range results {
		results[i].Call = of.Calls[i].ID
	}
	c.request.Messages = append(c.request.Messages, gateway.Message{Role: gateway.Tools, Results: results})
}

// calling is a step that calls both tools.
func calling() fake.Step {
	return fake.Calls(fake.Call{Name: "get_item", Args: `{"id":"i1"}`}, fake.Call{Name: "list_items", Args: ""})
}

const get, list = `get_item{"id":"i1"}`, "list_items{}"

// TestConversation goes through two questions with every kind of host, each of
// which refuses whatever its real one does: calls side by side, an error as a
// result, thinking between calls, and a second question after the first.
func TestConversation(t *testing.T) {
	for _, k := range fake.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			c := newTalk(
				t, k,
				fake.Answer(fake.Think("What is there?", "SEAL-ONE").In(5), fake.Say("Ich sehe nach…").In(3), fake.Alive("ping"), calling()),
				fake.Answer(fake.Think("One is missing.", "SEAL-TWO"), fake.Calls(fake.Call{Name: "get_item", Args: `{"id":"i2"}`})),
				fake.Answer(fake.Think("Good.", "SEAL-THREE"), fake.Say("Two items.").In(1)),
				fake.Turn{When: fake.Says("And now?"), Steps: []fake.Step{fake.Say("The same.")}, Whole: true},
			)
			c.request.Effort = gateway.Max
			c.user(said("What do we have?"))
			r := c.must("Ich sehe nach…", gateway.ToolUse, get, list)
			c.results(r, gateway.ToolResult{Text: `{"name":"Rent"}`}, gateway.ToolResult{Text: "no such list", Error: true})
			r = c.must("", gateway.ToolUse, `get_item{"id":"i2"}`)
			if a := c.host.Last(); a.User != "What do we have?" || !slices.Equal(a.Results, []string{`{"name":"Rent"}`, "no such list"}) && !strings.Contains(strings.Join(a.Results, ""), "no such list") {
				t.Errorf("the host understood %+v", a)
			}
			c.results(r, gateway.ToolResult{Text: "two"})
			r = c.must("Two items.", gateway.Stop)
			if r.Usage == nil || *r.Usage != (gateway.Usage{Uncached: 20, Output: 10}) || r.RequestID == "" || r.Model != c.host.Model() || r.Attempts != 1 || r.First <= 0 {
				t.Errorf("%+v, used %+v", r, r.Usage)
			}
			seals(t, c.host, "SEAL-ONE", "SEAL-TWO")
			c.user(said("And now?"))
			c.must("The same.", gateway.Stop)
			seals(t, c.host)
			if raw := string(c.host.Last().Raw); !strings.Contains(raw, "Two items.") || !strings.Contains(raw, "no such list") {
				t.Errorf("what was said before is missing: %s", raw)
			}
			c.meter.check(t, 4, 0)
			if a := c.host.Last(); !slices.Equal(a.Tools, []string{"get_item", "list_items"}) || !strings.Contains(a.System, "household") || !a.Stream {
				t.Errorf("the host understood %+v", a)
			}
		})
	}
}

// seals looks for what seals thinking in the last request of hosts that have
// seals: these, and no others.
func seals(t *testing.T, h *fake.Host, wants ...string) {
	t.Helper()
	raw := string(h.Last().Raw)
	for _, seal := range []string{"SEAL-ONE", "SEAL-TWO", "SEAL-THREE"} {
		has, want := strings.Contains(raw, seal), slices.Contains(wants, seal)
		sealed := slices.Contains([]fake.Kind{fake.Anthropic, fake.OpenAI, fake.XAI, fake.OpenRouter, fake.Gemini}, h.Kind())
		if has != want && (sealed || has) {
			t.Errorf("%s is sent: %v, want %v\n%s", seal, has, want, raw)
		}
	}
}

// TestAnotherModel changes the model in the middle of a question and after it:
// what the first one thought stays with it.
func TestAnotherModel(t *testing.T) {
	others := map[fake.Kind]string{fake.Anthropic: "claude-sonnet-5-5", fake.OpenAI: "gpt-6-luna", fake.XAI: "grok-4.6", fake.OpenRouter: "anthropic/claude-sonnet-5.5", fake.Gemini: "gemini-3.8-flash"}
	for k, other := range others {
		t.Run(string(k), func(t *testing.T) {
			c := newTalk(t, k, fake.Answer(fake.Think("So.", "SEAL-ONE"), calling()), fake.Answer(fake.Think("So.", "SEAL-TWO"), calling()), fake.Answer(fake.Say("Two.")))
			c.user(said("Look."))
			r := c.must("", gateway.ToolUse, get, list)
			c.results(r, gateway.ToolResult{Text: "one"}, gateway.ToolResult{Text: "two"})
			c.provider = c.model(other)
			r = c.must("", gateway.ToolUse, get, list)
			seals(t, c.host)
			c.results(r, gateway.ToolResult{Text: "three"}, gateway.ToolResult{Text: "four"})
			c.must("Two.", gateway.Stop)
			seals(t, c.host, "SEAL-TWO")
		})
	}
}

// TestAnotherHost takes one conversation through all kinds of hosts, each of
// which goes on in the middle of a question that another began.
func TestAnotherHost(t *testing.T) {
	kinds := append(fake.Kinds(), fake.Mistral, fake.Anthropic)
	var messages []gateway.Message
	for i, k := range kinds {
		c := newTalk(t, k, fake.Answer(fake.Think("So.", "SEAL-ONE"), calling()), fake.Answer(fake.Say("Done.")))
		c.request.Messages = messages
		if i > 0 { // the calls of the one before are open
			c.results(gateway.Result{Calls: messages[len(messages)-1].Calls}, gateway.ToolResult{Text: "one"}, gateway.ToolResult{Text: "two", Error: true})
		} else {
			c.user(said("Look."))
		}
		r := c.must("", gateway.ToolUse, get, list)
		c.results(r, gateway.ToolResult{Text: "one"}, gateway.ToolResult{Text: "two"})
		c.must("Done.", gateway.Stop)
		c.host.Then(fake.Answer(fake.Think("So.", "SEAL-THREE"), calling()))
		c.user(said("Look again."))
		c.must("", gateway.ToolUse, get, list)
		messages = slices.Clone(c.request.Messages)
	}
}

// TestMedia shows each kind a picture and a PDF, as far as it takes them.
func TestMedia(t *testing.T) {
	png, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
	if err != nil {
		t.Fatal(err)
	}
	pdf := []byte("%PDF-1.4\n%%EOF\n")
	without := []fake.Kind{fake.Gemini, fake.XAIChat, fake.Local}
	for _, k := range fake.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			c := newTalk(t, k, fake.Answer(fake.Say("A picture.")))
			// As a file is called, which some hosts hold against what it is.
			c.user(gateway.Part{Media: gateway.Image, Type: "image/jpeg", Data: png}, said("What is it?"))
			c.must("A picture.", gateway.Stop)
			if !strings.Contains(string(c.host.Last().Raw), base64.StdEncoding.EncodeToString(png)) {
				t.Error("the picture did not come")
			}
			c.user(gateway.Part{Media: gateway.PDF, Name: "bill.pdf", Data: pdf, Pages: 1}, said("And this?"))
			if slices.Contains(without, k) {
				_, _, err := c.ask()
				if e, ok := errors.AsType[*gateway.Error](err); !ok || e.Kind != gateway.Unsupported || len(c.host.Asked()) != 1 {
					t.Errorf("a PDF gave %v and %d requests", err, len(c.host.Asked()))
				}
				c.meter.check(t, 1, 0)
				return
			}
			c.host.Then(fake.Answer(fake.Say("A bill.")))
			c.must("A bill.", gateway.Stop)
			if raw := string(c.host.Last().Raw); !strings.Contains(raw, base64.StdEncoding.EncodeToString(pdf)) || !strings.Contains(raw, "bill.pdf") {
				t.Errorf("the PDF did not come: %s", raw)
			}
		})
	}
}

// TestEnds tries the ends that are no answer, and those that are.
func TestEnds(t *testing.T) {
	for _, k := range fake.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			ask := func(want gateway.Finish, kind gateway.ErrorKind, steps ...fake.Step) gateway.Result {
				t.Helper()
				c := newTalk(t, k, fake.Answer(steps...))
				c.user(said("Look."))
				r, _, err := c.ask()
				e, _ := errors.AsType[*gateway.Error](err)
				if r.Finish != want || len(r.Calls) > 0 || kind == "" && err != nil || kind != "" && (e == nil || e.Kind != kind || !e.AfterContent) {
					t.Errorf("%s: %+v, %v", fake.Answer(steps...), r, err)
				}
				c.meter.check(t, 1, 0)
				return r
			}
			ask(gateway.MaxTokens, "", fake.Say("A long"), fake.Ceiling())
			ask(gateway.MaxTokens, "", fake.Say("A"), calling(), fake.Ceiling())
			ask(gateway.Refused, "", fake.Say("Well, "), fake.Refuse("I will not."))
			ask(gateway.Failed, gateway.Truncated, fake.Say("A half"), fake.Cut())
			ask(gateway.Failed, gateway.Truncated, fake.Say("A half"), calling(), fake.Fall())
			c := newTalk(t, k, fake.Answer(fake.Say("A half"), fake.Trouble()))
			c.user(said("Look."))
			r, shown, err := c.ask()
			e, ok := errors.AsType[*gateway.Error](err)
			if !ok || !e.Retryable || !e.AfterContent || shown != "A half" || r.Finish != gateway.Failed || (e.Kind != gateway.Overloaded && e.Kind != gateway.Server) {
				t.Errorf("trouble: %+v, %v", r, err)
			}
			c.meter.check(t, 1, 0)
		})
	}
}

// TestRepeats fails before anything is seen: the request is made again, as the
// host says when, and each attempt is held and settled by itself.
func TestRepeats(t *testing.T) {
	for _, k := range fake.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			c := newTalk(t, k, fake.Fail(503, "<html>busy</html>", "Retry-After", "7", "Content-Type", "text/html"), fake.Answer(fake.Cut()), fake.Answer(fake.Say("At last.")))
			c.user(said("Look."))
			if r := c.must("At last.", gateway.Stop); r.Attempts != 3 || len(c.slept) != 2 || c.slept[0] != 7*time.Second {
				t.Errorf("%d attempts, waited %v", r.Attempts, c.slept)
			}
			c.meter.check(t, 3, 1)
			c.host.Then(fake.Fail(500, "{}"), fake.Fail(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), fake.Fail(429, "slow down"))
			c.user(said("Again."))
			r, _, err := c.ask()
			if e, ok := errors.AsType[*gateway.Error](err); !ok || e.Kind != gateway.RateLimit || r.Attempts != 3 || r.Finish != gateway.Failed || e.RequestID == "" {
				t.Errorf("%+v, %v", r, err)
			}
			c.meter.check(t, 6, 4)
		})
	}
}

// TestKey asks every host that wants a key without the right one: once.
func TestKey(t *testing.T) {
	for _, k := range fake.Kinds() {
		if k == fake.Local {
			continue
		}
		t.Run(string(k), func(t *testing.T) {
			for _, key := range []string{"", "sk-wrong-key-of-somebody"} {
				h := fake.New(t, k).MayRefuse()
				protocol, err := gateway.ParseProtocol(h.Protocol())
				if err != nil {
					t.Fatal(err)
				}
				p, err := gateway.New(gateway.Config{Protocol: protocol, BaseURL: h.Base(), Model: h.Model(), Key: key, Transport: h.Transport(), Log: slog.New(slog.DiscardHandler)})
				if err != nil {
					t.Fatal(err)
				}
				meter := &tally{}
				_, err = p.Stream(t.Context(), gateway.Request{Meter: meter, Messages: []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{said("Look.")}}}}, func(gateway.Delta) {})
				if e, ok := errors.AsType[*gateway.Error](err); !ok || e.Kind != gateway.Auth || len(h.Asked()) != 1 || strings.Contains(e.Error(), "somebody") {
					t.Errorf("key %q: %v after %d", key, err, len(h.Asked()))
				}
				meter.check(t, 1, 1)
			}
		})
	}
}

// TestRepair asks hosts that know less than their kind: what they refuse is left
// out or renamed, once, and from then on.
func TestRepair(t *testing.T) {
	rows := []struct {
		kind         fake.Kind
		field, words string
		after        string // that stands in its place
	}{
		{fake.Local, "stream_options", "Unknown parameter: 'stream_options'.", ""},
		{fake.Local, "max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_completion_tokens"},
		{fake.OpenAI, "safety_identifier", "", ""},
		{fake.OpenAI, "prompt_cache_key", "", ""},
		{fake.OpenAIChat, "store", "", ""},
		{fake.Mistral, "prompt_cache_key", "", ""},
		{fake.Gemini, "stream_options", "", ""},
		{fake.XAIChat, "user", "", ""},
		{fake.Anthropic, "metadata", "", ""},
	}
	for _, row := range rows {
		t.Run(string(row.kind)+"/"+row.field, func(t *testing.T) {
			c := talkTo(t, fake.New(t, row.kind, fake.Turn{Times: 2, Steps: []fake.Step{fake.Say("Yes.")}}).Without(row.field, row.words))
			c.user(said("Look."))
			r := c.must("Yes.", gateway.Stop)
			c.user(said("Again."))
			c.must("Yes.", gateway.Stop)
			asked := c.host.Asked()
			if len(asked) != 3 || asked[0].Refused == "" && row.words != "" || len(c.slept) != 0 || r.Attempts != 2 {
				t.Fatalf("%d requests, waited %v, %d attempts", len(asked), c.slept, r.Attempts)
			}
			for _, a := range asked[1:] {
				if _, ok := a.Body[row.field]; ok || row.after != "" && a.Body[row.after] == nil {
					t.Errorf("sent again: %s", a.Raw)
				}
			}
			c.meter.check(t, 3, 1)
		})
	}
}

// TestSlow waits for the first piece and between two, and counts what came when
// the person leaves.
func TestSlow(t *testing.T) {
	c := newTalk(t, fake.Anthropic, fake.Turn{Steps: []fake.Step{fake.Say("One"), fake.Pause(time.Hour), fake.Say("two")}})
	c.user(said("Look."))
	ctx, leave := context.WithCancel(t.Context())
	r, err := c.provider.Stream(ctx, c.request, func(d gateway.Delta) { leave() })
	if !errors.Is(err, context.Canceled) || r.Finish != gateway.Failed || r.Text != "One" {
		t.Errorf("%+v, %v", r, err)
	}
	c.meter.check(t, 1, 0)
}

// TestUsage counts what hosts report in their own ways.
func TestUsage(t *testing.T) {
	usage := fake.Usage{Uncached: 7, CacheRead: 5, Output: 11, Reasoning: 2}
	for _, k := range fake.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			for _, whole := range []bool{false, true} {
				c := newTalk(t, k, fake.Turn{Usage: &usage, Steps: []fake.Step{fake.Say("Yes.")}}, fake.Turn{Mute: true, Steps: []fake.Step{fake.Say("No.")}})
				c.request.Whole = whole
				c.user(said("Look."))
				want := &gateway.Usage{Uncached: 7, CacheRead: 5, Output: 11, Reasoning: 2}
				if k == fake.Local {
					want = &gateway.Usage{Uncached: 12, Output: 11}
				}
				if diff := cmp.Diff(want, c.must("Yes.", gateway.Stop).Usage); diff != "" {
					t.Errorf("whole %v (-want +got):\n%s", whole, diff)
				}
				c.user(said("Again."))
				if r := c.must("No.", gateway.Stop); r.Usage != nil {
					t.Errorf("nothing was reported, and %+v is counted", r.Usage)
				}
				if c.host.Last().Stream == whole {
					t.Error("it was not asked for as it is wanted")
				}
			}
		})
	}
}

// TestLostCalls gives calls that may not run: to a tool that is none, with
// arguments that are no JSON; the model is told, and no host minds.
func TestLostCalls(t *testing.T) {
	for _, k := range fake.Kinds() {
		t.Run(string(k), func(t *testing.T) {
			c := newTalk(t, k, fake.Answer(fake.Think("So.", "SEAL-ONE"), fake.Calls(fake.Call{Name: "fly", Args: `{"to":1}`}, fake.Call{Name: "get_item", Args: `{"id":`})), fake.Answer(fake.Say("Sorry.")))
			c.user(said("Fly."))
			r, _, err := c.ask()
			if err != nil || len(r.Calls) != 2 || r.Calls[0].Name != "fly" || !r.Calls[1].Invalid || r.Calls[1].Args != nil {
				t.Fatalf("%+v, %v", r, err)
			}
			c.results(r, gateway.ToolResult{Text: "there is no tool fly", Error: true}, gateway.ToolResult{Text: "the arguments are no JSON", Error: true})
			c.must("Sorry.", gateway.Stop)
		})
	}
}
