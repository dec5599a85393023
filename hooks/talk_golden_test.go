package hooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json/jsontext"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// updating says that what is expected is written anew: toolstest has the flag.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// TestConversations plays the conversations of testdata/talk: what people do and
// what the model answers is written there, what comes of it is expected there.
// They are to be read: -update writes anew what is expected, and a person then
// reads the difference as whoever asked would.
//
// A file is a txtar archive, its sections in the order in which things happen:
//
//	instance       mode: of the assistant; host: anthropic or local, one more, by that id; env: a setting
//	ann does       one tool a line, its arguments, and "as NAME" for what it makes
//	ann asks       options, one a line, then the words; scenes of the model follow
//	model          its answers, with --- between: think, say, call, finish, refuse, fail, trouble
//	ann confirms   the last card, or "card NAME"; "keep 0 2" for a part
//	ann discards   the last card, and why
//	ann edits      the last card: one tool a line, as it is to be
//	ann undoes     the last receipt, or audit entries by name
//	wait           how long
//
// Ids have names by what they are of; in what is written they are ${NAME}.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/talk/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			is := archiveOf(b)
			got := performed(t, is).format()
			if updating() {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if is := diff.Diff(strings.Split(string(b), "\n"), strings.Split(string(got), "\n")); is != "" {
				t.Errorf("%s: -update writes it anew\n%s", file, is)
			}
		})
	}
}

// conversing is a conversation of a file as it is played.
type conversing struct {
	*talk
	names names
	clock atomic.Int64
	host  *fake.Host
	other string // the assistant that is asked at that host

	last      happened
	card      string
	receipt   []string
	language  string
	out       archive
	conversed string
}

// expected are the sections that are written, and not read.
var expected = []string{"events", "the model is given", "then", "records"}

func performed(t *testing.T, in archive) archive {
	c := &conversing{names: names{}, language: "en"}
	c.clock.Store(time.Date(2027, 3, 10, 9, 0, 0, 0, time.UTC).UnixNano())
	c.out.prose = in.prose
	sections := slices.DeleteFunc(slices.Clone(in.sections), func(s section) bool { return slices.Contains(expected, s.name) })
	var mode gate.Mode
	var env []string
	if len(sections) > 0 && sections[0].name == "instance" {
		for _, l := range scriptLines(sections[0].text) {
			key, value, _ := strings.Cut(l, ": ")
			switch key {
			case "mode":
				mode = gate.Mode(value)
			case "env":
				env = append(env, value)
			case "host":
				c.host, c.other = fake.New(t, fake.Kind(value)), value
				id := "ASSISTANT_" + strings.ToUpper(value) + "_"
				env = append(env, "ASSISTANTS="+value, id+"NAME="+strings.ToUpper(value[:1])+value[1:], id+"PROTOCOL="+c.host.Protocol(), id+"BASE_URL="+c.host.Base(), id+"MODEL="+c.host.Model())
				if value != "local" {
					env = append(env, id+"KEY="+fake.Key)
				}
			default:
				t.Fatalf("instance: %q", l)
			}
		}
	}
	c.start(t, mode, env)
	for i := 0; i < len(sections); i++ {
		s := sections[i]
		c.out.add(s.name, s.text)
		who, does, _ := strings.Cut(s.name, " ")
		switch {
		case s.name == "instance":
		case does == "does":
			c.do(who, s.text)
		case does == "asks":
			var scenes string
			if i+1 < len(sections) && sections[i+1].name == "model" {
				i++
				scenes = sections[i].text
				c.out.add("model", scenes)
			}
			c.asks(who, s.text, scenes)
		case does == "confirms":
			c.confirms(who, s.text)
		case does == "discards":
			c.decide(who, "discard", map[string]any{"reason": strings.TrimSpace(s.text)})
		case does == "edits":
			c.edits(who, s.text)
		case does == "undoes":
			c.undoes(who, s.text)
		case s.name == "wait":
			d, err := time.ParseDuration(strings.TrimSpace(s.text))
			if err != nil {
				t.Fatal(err)
			}
			c.clock.Add(int64(d))
		default:
			t.Fatalf("there is no section %q", s.name)
		}
		c.clock.Add(int64(time.Minute))
	}
	if n := c.script.Left(); n > 0 {
		t.Errorf("%d scenes were not played", n)
	}
	c.out.add("records", c.records())
	return c.out
}

func (c *conversing) start(t *testing.T, mode gate.Mode, env []string) {
	s := gateway.NewScript()
	c.talk = &talk{script: s}
	if mode == "" {
		mode = gate.ModeAsk
	}
	c.instance = newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.scripts, a.badge.pause = []roster.Script{{ID: "model", Name: "Model", Mode: mode, Provider: resolving{s, c.names}}}, 0
		a.now = func() time.Time { return time.Unix(0, c.clock.Load()).UTC() }
		if c.host != nil {
			a.asked = c.host.Transport()
		}
	}, env...)
	c.makeOperator("ann")
	c.names.learn(c)
	for _, id := range slices.DeleteFunc([]string{"model", c.other}, func(s string) bool { return s == "" }) {
		c.must("/operator/grants", c.token("ann"), `{"assistant":"`+id+`","allow":true,"everybody":true}`)
	}
	if c.other != "" {
		c.must("/me/consents", c.token("ann"), `{"assistant":"`+c.other+`"}`)
	}
}

// resolving is a script whose calls name what there was none of when it was
// written: files that came with the question.
type resolving struct {
	*gateway.Script
	names names
}

var attached = regexp.MustCompile(`(?m)^(\S+), .*upload ([a-z0-9]{15})`)

// Stream plays the next scene.
func (s resolving) Stream(ctx context.Context, r gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
	for _, p := range r.Messages[len(r.Messages)-1].Parts {
		for _, m := range attached.FindAllStringSubmatch(p.Text, -1) {
			s.names.give(m[2], m[1])
		}
	}
	res, err := s.Script.Stream(ctx, r, show)
	for i, c := range res.Calls {
		res.Calls[i].Args = jsontext.Value(s.names.ids(string(c.Args)))
	}
	return res, err
}

// toolLine is a tool, its arguments, and the name of what it makes.
var toolLine = regexp.MustCompile(`^(\w+)(?: (\{.*\}))?(?: as (\w+))?$`)

func (c *conversing) toolOf(l string) (tool, args, as string) {
	m := toolLine.FindStringSubmatch(l)
	if m == nil {
		c.t.Fatalf("no tool: %q", l)
	}
	if m[2] == "" {
		m[2] = "{}"
	}
	return m[1], c.names.ids(m[2]), m[3]
}

// do has a member use tools themselves, with a card where one must be seen.
func (c *conversing) do(handle, text string) {
	c.t.Helper()
	for _, l := range scriptLines(text) {
		tool, args, as := c.toolOf(l)
		status, a := c.nod("/tools/"+tool, c.token(handle), args)
		want(c.t, status, a, 200, "")
		if id := a.str("output", "id"); as != "" {
			c.names[id] = as
			c.names[a.str("receipt", "audit", "0")] = as + ".audit"
		}
		c.names.learn(c)
	}
}

// asks has a member ask, and the model answer.
func (c *conversing) asks(handle, text, scenes string) {
	c.t.Helper()
	q := assistant.Question{Conversation: c.conversed, Language: c.language}
	history, whole := false, false
	rest := text
	for rest != "" {
		l, more, _ := strings.Cut(rest, "\n")
		key, value, ok := strings.Cut(l, ": ")
		value = c.names.ids(value)
		switch {
		case ok && key == "language":
			q.Language, c.language = value, value
		case ok && key == "conversation":
			if q.Conversation = value; value == "new" {
				q.Conversation = ""
			}
		case ok && key == "assistant":
			q.Assistant = value
		case ok && key == "scope":
			all := strings.Fields(value)
			q.Scope.Of = assistant.Of(all[0])
			for _, r := range all[1:] {
				collection, id, _ := strings.Cut(r, "/")
				q.Scope.Records = append(q.Scope.Records, tools.Ref{Collection: collection, ID: id})
			}
		case ok && key == "private":
			q.Scope.Private = value == "true"
		case ok && key == "show":
			history, whole = strings.Contains(value, "history"), strings.Contains(value, "whole")
		case ok && (key == "file" || key == "shown file"):
			name, content, _ := strings.Cut(value, " ")
			content = strings.ReplaceAll(content, `\n`, "\n")
			q.Files = append(q.Files, assistant.File{Upload: tools.Upload{Name: name, Data: []byte(content)}, Show: key == "shown file"})
		case ok && strings.HasPrefix(key, "answer "):
			if q.Answers == nil {
				q.Answers = map[string]string{}
			}
			q.Answers[strings.TrimPrefix(key, "answer ")] = value
		default:
			ok = false
		}
		if !ok {
			break
		}
		rest = more
	}
	q.Text = strings.TrimSpace(rest)
	c.play(q.Assistant, scenes)
	before := len(c.script.Asked())
	t, err := c.begin(handle, q)
	if err != nil {
		e := tools.Fail(tools.Internal, "")
		if own, ok := errors.AsType[*tools.Error](err); ok {
			e = own
		}
		c.out.add("events", string(e.Kind)+": "+c.names.said(c.catalogue.Say(q.Language, e.Text))+"\n")
		return
	}
	c.last = c.follow(t)
	c.conversed = c.last.start.Conversation
	c.names.hear(c.last.events)
	c.names.learn(c)
	for _, p := range c.last.of(assistant.EventProposal) {
		if id := p.str("id"); id != "" {
			c.card = id
		}
		if n := p.len("receipt", "audit"); n > 0 {
			c.receipt = nil
			for i := range n {
				c.receipt = append(c.receipt, p.str("receipt", "audit", strconv.Itoa(i)))
			}
		}
	}
	c.out.add("events", c.names.said(eventsText(c.last.events, whole)))
	switch asked := c.script.Asked(); {
	case len(asked) > before:
		first, last := asked[before].Messages, asked[len(asked)-1].Messages
		from := len(first) - 1
		if history {
			from = 0
		}
		c.out.add("the model is given", c.names.said(messagesText(last, from, whole)))
	case c.host != nil && q.Assistant == c.other:
		b := c.host.Last()
		c.out.add("the model is given", c.names.said(hostText(b, whole)))
	}
}

// play makes the scenes of a file those of the model.
func (c *conversing) play(who, text string) {
	for _, one := range strings.Split("\n"+text, "\n---\n") {
		var s gateway.Scene
		var steps []fake.Step
		played := fake.Turn{}
		for _, l := range joinedLines(one) {
			word, value, _ := strings.Cut(l, " ")
			value = c.names.ids(value)
			switch word {
			case "think":
				s.Think = value
			case "say":
				s.Say = value
				steps = append(steps, fake.Say(value))
			case "call":
				name, args, _ := strings.Cut(value, " ")
				call := gateway.Call{Name: name}
				switch is := jsontext.Value(args); {
				case is.IsValid():
					call.Args = is
				default: // none is {}
					call.Invalid = args != ""
				}
				s.Calls = append(s.Calls, call)
				steps = append(steps, fake.Calls(fake.Call{Name: name, Args: cmp.Or(args, "{}")}))
			case "finish":
				s.Finish = gateway.Finish(value)
				if s.Finish == gateway.MaxTokens {
					steps = append(steps, fake.Ceiling())
				}
			case "refuse":
				s.Refusal = &gateway.Refusal{Message: value}
				steps = append(steps, fake.Refuse(value))
			case "trouble":
				steps = append(steps, fake.Trouble())
			case "fail":
				status, body, _ := strings.Cut(value, " ")
				n, err := strconv.Atoi(status)
				if err != nil {
					c.t.Fatal(err)
				}
				played.Status, played.Body = n, body
			default:
				c.t.Fatalf("model: %q", l)
			}
		}
		if c.host != nil && who == c.other {
			played.Steps = steps
			c.host.Then(played)
		} else if strings.TrimSpace(one) != "" {
			c.script.Then(s)
		}
	}
}

func (c *conversing) confirms(handle, text string) {
	body := map[string]any{}
	digest := ""
	for _, l := range scriptLines(text) {
		word, value, _ := strings.Cut(l, " ")
		switch word {
		case "card":
			c.card = c.names.ids("${" + value + "}")
		case "keep":
			var keep []int
			for _, f := range strings.Fields(value) {
				n, err := strconv.Atoi(f)
				if err != nil {
					c.t.Fatal(err)
				}
				keep = append(keep, n)
			}
			body["keep"] = keep
			status, a := c.web("POST", prefix+"/proposals/"+c.card+"/preview", c.token(handle), compact(map[string]any{"keep": keep}))
			want(c.t, status, a, 200, "")
			digest = a.str("digest")
		default:
			c.t.Fatalf("confirms: %q", l)
		}
	}
	if digest == "" {
		for _, p := range c.last.of(assistant.EventProposal) {
			if p.str("id") == c.card {
				digest = p.str("digest")
			}
		}
	}
	if digest == "" { // another card than the last answer's: as the inbox shows it
		digest = c.see("/proposals/"+c.card, c.token(handle)).str("digest")
	}
	body["digest"] = digest
	c.decide(handle, "confirm", body)
}

func (c *conversing) edits(handle, text string) {
	items := []map[string]any{}
	for _, l := range scriptLines(text) {
		tool, args, _ := c.toolOf(l)
		items = append(items, map[string]any{"tool": tool, "args": jsontext.Value(args)})
	}
	c.decide(handle, "edit", map[string]any{"items": items})
}

func (c *conversing) decide(handle, act string, body any) {
	c.t.Helper()
	status, a := c.web("POST", prefix+"/proposals/"+c.card+"/"+act, c.token(handle), compact(body), "Accept-Language", c.language)
	if id := a.str("id"); id != "" {
		c.card = id
	}
	if id := a.str("data", "proposal", "id"); id != "" {
		c.card = id // what took its place
	}
	c.answered(status, a)
}

func (c *conversing) undoes(handle, text string) {
	audit := c.receipt
	if named := strings.Fields(c.names.ids(text)); len(named) > 0 {
		audit = named
	}
	status, a := c.nod("/undo", c.token(handle), compact(map[string]any{"audit": audit}))
	c.answered(status, a)
}

// answered writes what a person is answered.
func (c *conversing) answered(status int, a answer) {
	raw := jsontext.Value(compact(a.any))
	c.names.walk(a.any, "")
	c.names.learn(c)
	if n := a.len("receipt", "audit"); n > 0 {
		c.receipt = nil
		for i := range n {
			c.receipt = append(c.receipt, a.str("receipt", "audit", strconv.Itoa(i)))
		}
	}
	says := flow(slim(raw, false), "")
	if status != 200 {
		says = strconv.Itoa(status) + " " + says
	}
	c.out.add("then", c.names.said(says)+"\n")
}

func scriptLines(text string) (all []string) {
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			all = append(all, l)
		}
	}
	return all
}

// joinedLines are lines, those that are indented added to the one before.
func joinedLines(text string) (all []string) {
	for _, l := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(l) == "":
		case strings.HasPrefix(l, "  ") && len(all) > 0:
			all[len(all)-1] += "\n" + strings.TrimPrefix(l, "  ")
		default:
			all = append(all, l)
		}
	}
	return all
}

// section is one of an archive.
type section struct{ name, text string }

// archive is a txtar file: prose, then sections by name.
type archive struct {
	prose    string
	sections []section
}

func (a *archive) add(name, text string) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	a.sections = append(a.sections, section{name, text})
}

var sectionMark = regexp.MustCompile(`(?m)^-- (.+) --\n`)

func archiveOf(b []byte) (a archive) {
	at := sectionMark.FindAllSubmatchIndex(b, -1)
	if len(at) == 0 {
		return archive{prose: string(b)}
	}
	a.prose = string(b[:at[0][0]])
	for i, m := range at {
		end := len(b)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		a.sections = append(a.sections, section{string(b[m[2]:m[3]]), string(b[m[1]:end])})
	}
	return a
}

func (a archive) format() []byte {
	var b bytes.Buffer
	b.WriteString(a.prose)
	for _, s := range a.sections {
		b.WriteString("-- " + s.name + " --\n" + s.text)
	}
	return b.Bytes()
}
