package mcp

import (
	"context"
	"encoding/json/v2"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// lab is a plugin with a tool of each sort, of which one takes its time.
type lab struct{}

func (lab) Name() string { return "lab" }

type labIn struct {
	Text  string `json:"text,omitzero"`
	Times int    `json:"times,omitzero"`
}

type labOut struct {
	Text string `json:"text"`
}

func (lab) Tools() []tools.Tool {
	read := func(name string, run func(*tools.Reader, labIn) (labOut, error)) tools.Tool {
		return tools.NewRead(tools.Def{Name: "lab_" + name, Title: "lab.title", Help: "Says what it was told, some times over.", Core: true}, run)
	}
	return []tools.Tool{
		read("say", func(_ *tools.Reader, in labIn) (labOut, error) {
			return labOut{strings.Repeat(in.Text, max(in.Times, 1))}, nil
		}),
		read("slow", func(r *tools.Reader, _ labIn) (labOut, error) {
			select {
			case <-r.Context().Done():
				return labOut{}, r.Context().Err()
			case <-time.After(2 * patient):
				return labOut{"late"}, nil
			}
		}),
		tools.New(tools.Def{Name: "lab_write", Title: "lab.title", Help: "Changes something that nobody sees.", Effect: tools.EffectWrite, Core: true},
			func(_ *tools.Call, in labIn) (labOut, error) { return labOut{in.Text}, nil }),
	}
}

func (lab) Prompts() []tools.Prompt {
	return []tools.Prompt{{Name: "lab_look", Title: "lab.title", Text: "lab.prompt"}}
}

func (lab) Brief(*tools.Reader) ([]tools.Text, error) { return []tools.Text{tools.T("lab.brief")}, nil }

func (lab) Locales() fs.FS {
	all := fstest.MapFS{}
	for _, lang := range i18n.Languages() {
		all[lang+".json"] = &fstest.MapFile{Data: []byte(`{"lab.title":"Lab","lab.brief":"All is well in the lab","lab.prompt":"Look around the lab."}`)}
	}
	return all
}

// patient is how long a test waits for what must come. It ends what hangs.
const patient = time.Minute

// bench is a door with a gate that lets reads through and asks for the rest.
type bench struct {
	*Door
	*toolstest.App
	agent   gate.Agent
	begun   atomic.Int32 // reads
	ended   atomic.Int32 // of them, those that ended before their time
	decided func(action string, yes bool, reason string) (gate.Answer, error)
	formErr error
}

func newBench(t *testing.T) *bench {
	t.Helper()
	app := toolstest.New(t, lab{})
	catalogue, err := i18n.Load(i18n.Core(), Locales(), gate.Locales(), lab{}.Locales())
	if err != nil {
		t.Fatal(err)
	}
	ann := app.Member("ann")
	b := &bench{App: app, agent: gate.Agent{Actor: tools.Actor{Person: ann.Id, Door: tools.DoorMCP, Agent: "token1", AgentName: "Test", Token: "token1"}, Mode: gate.ModeAsk, Language: "en"}}
	b.Door, err = New(Config{Gate: b, Runner: app.Runner, Registry: app.Registry, Catalogue: catalogue, Slow: 50 * time.Millisecond, Link: func(id string) string { return "https://keep.example/nod/" + id }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func (b *bench) Token(context.Context, string) (gate.Agent, *core.Record, error) {
	return b.agent, nil, nil
}
func (b *bench) Offers(gate.Agent) []tools.Tool { return b.Registry.Tools() }

func (b *bench) Would(a gate.Agent, _ string) tools.Decision {
	if a.Mode == gate.ModeRead {
		return tools.Refuse
	}
	return tools.Ask
}

func (b *bench) Call(ctx context.Context, a gate.Agent, inv tools.Invocation) (gate.Answer, error) {
	if t, _ := b.Registry.Tool(inv.Tool); t.Effect != tools.EffectRead {
		return gate.Answer{Proposal: &gate.Proposal{ID: "proposal1", State: gate.Pending, Card: tools.Card{Title: tools.T("lab.title")}, Items: []gate.Item{{Tool: inv.Tool}}}}, nil
	}
	b.begun.Add(1)
	out, err := b.Runner.Read(ctx, tools.Actor{Person: a.Person, Door: a.Door}, inv)
	if errors.Is(err, context.Canceled) {
		b.ended.Add(1)
	}
	return gate.Answer{Output: out}, err
}

func (b *bench) Status(_ context.Context, _ gate.Agent, id string) (gate.Proposal, error) {
	return gate.Proposal{ID: id, State: gate.Pending, Items: []gate.Item{{Tool: "lab_write"}}}, nil
}

func (b *bench) Form(context.Context, gate.Agent, gate.Proposal, tools.Invocation) (string, error) {
	return "state", b.formErr
}

func (b *bench) Card(_ gate.Agent, p gate.Proposal, _ tools.Invocation) (string, error) {
	return p.ID, nil
}

func (b *bench) CardOf(_ gate.Agent, _ tools.Invocation, state string) (string, error) {
	return state, nil
}

func (b *bench) Answered(_ context.Context, _ gate.Agent, _ tools.Invocation, _, action string, yes bool, reason string) (gate.Answer, error) {
	return b.decided(action, yes, reason)
}

// join connects a client to the agent's server in memory.
func (b *bench) join(t *testing.T, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	s := b.seat(b.agent)
	b.as(t, func(ctx context.Context) {
		if _, err := s.server.Connect(ctx, there, nil); err != nil {
			t.Fatal(err)
		}
	})
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// as runs f as a request of the agent does.
func (b *bench) as(t *testing.T, f func(context.Context)) {
	t.Helper()
	s := b.seat(b.agent)
	defer s.leave(time.Now)
	r := httptest.NewRequest("POST", "/mcp", nil)
	r.Header.Set("Authorization", "Bearer nk_x")
	r = r.WithContext(context.WithValue(r.Context(), visitorKey{}, visitor{Visitor{Agent: b.agent}, s}))
	auth.RequireBearerToken(verified, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		f(context.WithoutCancel(r.Context()))
	})).ServeHTTP(httptest.NewRecorder(), r)
}

func versions() []string { return []string{"2026-07-28", "2025-11-25", "2024-11-05"} }

// TestProgress: a call that takes long says that it goes on, where that is
// wanted, and ends at once when its client wants no more of it.
func TestProgress(t *testing.T) {
	for _, version := range versions() {
		t.Run(version, func(t *testing.T) {
			b := newBench(t)
			var told atomic.Int32
			s := b.join(t, version, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
				if r.Params.ProgressToken == "p1" {
					told.Add(1)
				}
			}})
			ctx, cancel := context.WithCancel(t.Context())
			p := &mcp.CallToolParams{Name: "lab_slow", Arguments: map[string]any{}}
			p.SetProgressToken("p1")
			over := make(chan error, 1)
			go func() {
				_, err := s.CallTool(ctx, p)
				over <- err
			}()
			for deadline := time.Now().Add(patient); told.Load() < 2; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("nothing was told")
				}
			}
			cancel()
			if err := <-over; err == nil {
				t.Error("it was not cancelled")
			}
			for deadline := time.Now().Add(patient); b.ended.Load() != 1; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("the tool goes on")
				}
			}
			before := told.Load()
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab_say", Arguments: map[string]any{"text": "x"}}); err != nil {
				t.Error(err)
			}
			time.Sleep(150 * time.Millisecond)
			if told.Load() > before+1 {
				t.Error("it is told of a call that is over")
			}
		})
	}
}

// TestAsk: what the client answers goes to the gate as it is, and what the gate
// makes of it comes back.
func TestAsk(t *testing.T) {
	type said struct {
		action string
		yes    bool
		reason string
	}
	stale := &gate.Proposal{ID: "proposal1", State: gate.Stale, ReplacedBy: "proposal2"}
	for _, row := range []struct {
		name   string
		answer *mcp.ElicitResult
		want   said
		gives  gate.Answer
		err    error
		status string // "" for a refusal
	}{
		{"yes", &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true}}, said{"accept", true, ""}, gate.Answer{Output: labOut{"x"}, Receipt: &tools.Receipt{Audit: []string{"a"}}}, nil, "done"},
		{"no", &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": false, "reason": "why"}}, said{"accept", false, "why"}, gate.Answer{Proposal: &gate.Proposal{State: gate.Discarded}}, nil, "discarded"},
		{"declined", &mcp.ElicitResult{Action: "decline"}, said{"decline", false, ""}, gate.Answer{Proposal: &gate.Proposal{State: gate.Discarded}}, nil, "discarded"},
		{"something else meanwhile", &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true}}, said{"accept", true, ""}, gate.Answer{Proposal: stale}, tools.Fail(tools.Stale, "error.stale"), "stale"},
		{"refused", &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true}}, said{"accept", true, ""}, gate.Answer{}, tools.Fail(tools.Forbidden, "gate.error.form"), ""},
	} {
		for _, version := range versions()[:2] {
			t.Run(row.name+"/"+version, func(t *testing.T) {
				b := newBench(t)
				var got said
				b.decided = func(action string, yes bool, reason string) (gate.Answer, error) {
					got = said{action, yes, reason}
					return row.gives, row.err
				}
				s := b.join(t, version, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return row.answer, nil }})
				res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab_write", Arguments: map[string]any{"text": "x"}})
				if err != nil {
					t.Fatal(err)
				}
				if got != row.want {
					t.Errorf("the gate heard %v, want %v", got, row.want)
				}
				if res.IsError != (row.status == "") || (res.StructuredContent == nil) != (row.status == "") {
					t.Fatalf("%+v", res)
				}
				if o, _ := res.StructuredContent.(map[string]any); row.status != "" && (o["status"] != row.status || (row.status == "stale" && o["replaced_by"] != "proposal2")) {
					t.Errorf("%v", o)
				}
			})
		}
	}
}

// TestNoForm: where the gate wants no form the card is opened, and where the
// gate fails nothing is made of it.
func TestNoForm(t *testing.T) {
	b := newBench(t)
	b.formErr = tools.Fail(tools.Unavailable, "error.went_away")
	s := b.join(t, "2026-07-28", &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		t.Error("the client was asked")
		return nil, errors.New("no")
	}})
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab_write", Arguments: map[string]any{}})
	if err != nil || !res.IsError {
		t.Errorf("%v %v", res, err)
	}
}

// TestFormBeforeAddress: a client that can do both shows the form; where the
// gate wants none, it opens the card.
func TestFormBeforeAddress(t *testing.T) {
	for _, version := range versions()[:2] {
		for mode, formErr := range map[string]error{"form": nil, "url": tools.Fail(tools.Forbidden, "gate.error.own_surfaces")} {
			b := newBench(t)
			b.formErr = formErr
			b.decided = func(string, bool, string) (gate.Answer, error) {
				return gate.Answer{Proposal: &gate.Proposal{State: gate.Discarded}}, nil
			}
			var asked []string
			s := b.join(t, version, &mcp.ClientOptions{
				Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}},
				ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked = append(asked, r.Params.Mode)
					return &mcp.ElicitResult{Action: "decline"}, nil
				},
			})
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab_write", Arguments: map[string]any{"text": "x"}}); err != nil || !slices.Equal(asked, []string{mode}) {
				t.Errorf("%s: asked by %v, want %s; %v", version, asked, mode, err)
			}
		}
	}
}

// TestOtherPlugins: a token of other plugins is shown no prompt of this one, and
// its context says what it reaches.
func TestOtherPlugins(t *testing.T) {
	b := newBench(t)
	for plugin, n := range map[string]int{"lab": 1, "other": 0} {
		b.agent.Plugins = []string{plugin}
		s := b.join(t, "2026-07-28", nil)
		list, err := s.ListPrompts(t.Context(), nil)
		if err != nil || len(list.Prompts) != n {
			t.Errorf("%s: %+v %v", plugin, list, err)
		}
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: contextURI})
		if err != nil {
			t.Fatal(err)
		}
		if says := got.Contents[0].Text; !strings.Contains(says, "The token reaches: "+plugin) || strings.Contains(says, "All is well in the lab") != (n == 1) {
			t.Errorf("%s: %s", plugin, says)
		}
	}
}

// TestParts: the parts of a large answer are the whole, without a torn letter.
func TestParts(t *testing.T) {
	b := newBench(t)
	s := b.join(t, "2026-07-28", nil)
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab_say", Arguments: map[string]any{"text": "größer als ein Teil – ", "times": 9000}})
	if err != nil || !res.IsError || res.StructuredContent != nil {
		t.Fatal(err, res)
	}
	var whole strings.Builder
	for _, c := range res.Content[1:] {
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: c.(*mcp.ResourceLink).URI})
		if err != nil {
			t.Fatal(err)
		}
		if text := got.Contents[0].Text; len(text) > partSize || strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("a part of %d bytes", len(text))
		}
		whole.WriteString(got.Contents[0].Text)
	}
	var out labOut
	if err := json.Unmarshal([]byte(whole.String()), &out); err != nil || out.Text != strings.Repeat("größer als ein Teil – ", 9000) {
		t.Errorf("%v, %d bytes", err, whole.Len())
	}
	if res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "lab_say", Arguments: map[string]any{"text": "x", "times": 99000}}); err != nil || res.IsError {
		t.Error("what fits is refused", err)
	}
}

// TestSeats: the server of a token lasts while somebody uses it, and no longer.
func TestSeats(t *testing.T) {
	b := newBench(t)
	now := time.Now()
	b.c.Now = func() time.Time { return now }
	first := b.seat(b.agent)
	first.leave(b.c.Now)
	if b.seat(b.agent) != first {
		t.Error("a token has two servers")
	}
	first.leave(b.c.Now)
	other := b.agent
	other.Token = "token2"
	now = now.Add(31 * time.Minute)
	b.seat(other).leave(b.c.Now)
	if b.seats["token1"] != nil || b.seats["token2"] == nil {
		t.Error("one that nobody uses is kept")
	}
	// One with a session is.
	s := b.join(t, "2025-11-25", nil)
	now = now.Add(time.Hour)
	third := b.agent
	third.Token = "token3"
	b.seat(third).leave(b.c.Now)
	if b.seats["token1"] == nil {
		t.Error("one with a session is forgotten")
	}
	b.Drop("token1")
	if err := s.Wait(); err != nil && !strings.Contains(err.Error(), "closed") {
		t.Log(err)
	}
	if b.seats["token1"] != nil {
		t.Error("one that was dropped is kept")
	}
}

// TestOffersFollow: a token that may do less has other lists from then on.
func TestOffersFollow(t *testing.T) {
	b := newBench(t)
	s := b.join(t, "2025-11-25", nil)
	names := func() (all []string) {
		for tool, err := range s.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, tool.Name)
		}
		return all
	}
	if got := names(); !slices.Contains(got, "undo") || !slices.Contains(got, "lab_write") || !slices.IsSorted(got) {
		t.Error(got)
	}
	b.agent.Mode = gate.ModeRead
	b.seat(b.agent).leave(time.Now)
	if got := names(); slices.Contains(got, "undo") {
		t.Error(got)
	}
}

// TestStrangerInASession: a request of another token gets nothing of a server.
func TestStrangerInASession(t *testing.T) {
	b := newBench(t)
	s := b.seat(b.agent)
	defer s.leave(time.Now)
	other := b.agent
	other.Token = "token2"
	for _, extra := range []*mcp.RequestExtra{nil, {}, {TokenInfo: &auth.TokenInfo{}}, {TokenInfo: &auth.TokenInfo{Extra: map[string]any{visitorName: Visitor{Agent: other}}}}} {
		if _, _, err := s.who(t.Context(), extra); tools.KindOf(err) != tools.Unauthorized {
			t.Errorf("%v: %v", extra, err)
		}
	}
}
