package hooks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// begun is the first event of a turn.
func begun(turn string) string {
	return `1 start {"turn":"` + turn + `","assistant":{"id":"demo","name":"Demo","scripted":true}}`
}

// played is a turn that a test writes.
type played struct {
	mu     sync.Mutex
	person string
	events []assistant.Event
	more   chan struct{}
	over   bool
}

func (p *played) emit(kind assistant.EventKind, data string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.events = append(p.events, assistant.Event{ID: len(p.events) + 1, Kind: kind, Data: jsontext.Value(data)})
	p.over = kind == assistant.EventTurn
	close(p.more)
	p.more = make(chan struct{})
}

func (p *played) Follow(ctx context.Context, after int, f func(assistant.Event) error) error {
	for {
		p.mu.Lock()
		events, more, over := p.events[min(after, len(p.events)):], p.more, p.over
		p.mu.Unlock()
		for _, e := range events {
			if err := f(e); err != nil {
				return err
			}
			after = e.ID
		}
		if over {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// players is a loop that a test plays.
type players struct {
	mu    sync.Mutex
	asked []assistant.Question
	turns map[string]*played
	err   error
	play  func(*played, assistant.Question) // what follows the start; nil: the test does it
}

func (p *players) Ask(_ context.Context, person *core.Record, q assistant.Question) (following, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, q)
	if p.err != nil {
		return nil, p.err
	}
	if p.turns == nil {
		p.turns = map[string]*played{}
	}
	id := "turn-" + q.Client
	if p.turns[id] == nil {
		p.turns[id] = &played{person: person.Id, more: make(chan struct{})}
		p.turns[id].emit(assistant.EventStart, `{"turn":"`+id+`","assistant":{"id":"demo","name":"Demo","scripted":true}}`)
		if p.play != nil {
			go p.play(p.turns[id], q)
		}
	}
	return p.turns[id], nil
}

func (p *players) Turn(_ context.Context, person, id string) (following, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.turns[id]; t != nil && t.person == person {
		return t, nil
	}
	return nil, tools.Fail(tools.NotFound, "http.nowhere")
}

func (p *players) Stop(ctx context.Context, person, id string) error {
	t, err := p.Turn(ctx, person, id)
	if err == nil {
		t.(*played).emit(assistant.EventTurn, `{"finish":"stopped"}`)
	}
	return err
}

func (p *players) Conversations(context.Context, string, int, string) ([]assistant.Conversation, string, error) {
	return nil, "", nil
}

func (p *players) End(person string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.turns {
		if t.person == person {
			t.emit(assistant.EventTurn, `{"finish":"error"}`)
		}
	}
}

func (p *players) Sweep(context.Context) error { return nil }
func (p *players) Close()                      {}

// told is a stream of an answer as its client reads it.
type told struct {
	*http.Response
	lines *bufio.Reader
	leave context.CancelFunc
}

// opens sends a question, or asks for the rest of a turn.
func (i *instance) opens(client *http.Client, method, url, token, body string, headers ...string) *told {
	i.t.Helper()
	ctx, leave := context.WithCancel(context.Background())
	i.t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	r.Header.Set("Authorization", token)
	r.Header.Set("Content-Type", "application/json")
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(func() { _ = resp.Body.Close() })
	return &told{resp, bufio.NewReader(resp.Body), leave}
}

// next is the next event as "number kind data"; "" at the end.
func (s *told) next(t *testing.T) string {
	t.Helper()
	type result struct {
		event string
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var parts []string
		for {
			line, err := s.lines.ReadString('\n')
			if err != nil {
				done <- result{"", err}
				return
			}
			switch line = strings.TrimSuffix(line, "\n"); {
			case line == "" && len(parts) > 0:
				done <- result{strings.Join(parts, " "), nil}
				return
			case line == "", strings.HasPrefix(line, ":"):
			default:
				_, value, _ := strings.Cut(line, ": ")
				parts = append(parts, value)
			}
		}
	}()
	select {
	case r := <-done:
		if r.err != nil && !errors.Is(r.err, io.EOF) {
			t.Error(r.err)
		}
		return r.event
	case <-time.After(patient):
		t.Fatal("nothing comes")
		return ""
	}
}

func (s *told) hears(t *testing.T, events ...string) {
	t.Helper()
	for _, want := range events {
		if got := s.next(t); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

// player is an instance whose questions a test answers.
func player(t *testing.T) (*instance, *players) {
	p := &players{}
	i := newInstance(t)
	i.loop = p
	return i, p
}

// TestAskStreams: events come one by one as they happen; who lost the connection
// reads on from where they were; who goes away ends nothing, and stop does.
func TestAskStreams(t *testing.T) {
	for _, two := range []bool{false, true} {
		t.Run(fmt.Sprintf("HTTP/2 %t", two), func(t *testing.T) {
			i, p := player(t)
			s := httptest.NewUnstartedServer(i.handler)
			s.EnableHTTP2 = two
			s.StartTLS()
			defer func() { s.CloseClientConnections(); s.Close() }()
			ann, at := i.token("ann"), s.URL+prefix+"/ask"
			first := i.opens(s.Client(), "POST", at, ann, `{"client_id":"a:1","text":"Hello?","scope":{"of":"ticked","records":[{"collection":"c","id":"x"}]},"effort":"low"}`, "Accept-Language", "de")
			h := first.Header
			if (first.ProtoMajor == 2) != two || first.StatusCode != 200 || h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" {
				t.Error(first.Proto, first.Status, h)
			}
			first.hears(t, begun("turn-a:1"))
			q := p.asked[0]
			if q.Client != "a:1" || q.Text != "Hello?" || q.Scope.Of != assistant.Ticked || q.Scope.Records[0] != (tools.Ref{Collection: "c", ID: "x"}) || q.Effort != "low" || q.Language != "de" || q.Door != "" {
				t.Errorf("%+v", q)
			}
			turn := p.turns["turn-a:1"]
			turn.emit(assistant.EventDelta, "{\"text\":\r\n\"Hel\"}")
			first.hears(t, `2 delta {"text": "Hel"}`)
			first.leave()
			turn.emit(assistant.EventDelta, `{"text":"lo"}`)

			again := i.opens(s.Client(), "POST", at, ann, `{"client_id":"a:1","text":"Hello?"}`)
			again.hears(t, begun("turn-a:1"), `2 delta {"text": "Hel"}`, `3 delta {"text":"lo"}`)
			same := i.opens(s.Client(), "POST", at, ann, `{"client_id":"a:1","text":"Hello?"}`, "Last-Event-ID", "2")
			same.hears(t, `3 delta {"text":"lo"}`)
			rest := i.opens(s.Client(), "GET", at+"/turn-a:1?after=1", ann, "")
			rest.hears(t, `2 delta {"text": "Hel"}`)
			late := i.opens(s.Client(), "GET", at+"/turn-a:1?after=1", ann, "", "Last-Event-ID", "2")
			late.hears(t, `3 delta {"text":"lo"}`)
			if bob := i.opens(s.Client(), "GET", at+"/turn-a:1", i.token("bob"), ""); bob.StatusCode != 404 {
				t.Error("somebody else is told: ", bob.Status)
			}
			if bob := i.opens(s.Client(), "POST", at+"/turn-a:1/stop", i.token("bob"), ""); bob.StatusCode != 404 {
				t.Error("somebody else stops it: ", bob.Status)
			}
			if stop := i.opens(s.Client(), "POST", at+"/turn-a:1/stop", ann, ""); stop.StatusCode != 200 {
				t.Error(stop.Status)
			}
			again.hears(t, `4 turn {"finish":"stopped"}`, "")
			rest.hears(t, `3 delta {"text":"lo"}`, `4 turn {"finish":"stopped"}`, "")
			over := i.opens(s.Client(), "GET", at+"/turn-a:1?after=3", ann, "")
			over.hears(t, `4 turn {"finish":"stopped"}`, "")
		})
	}
}

// TestAskedStreamsStayOpen: how long a question may take to come does not bound
// the answer.
func TestAskedStreamsStayOpen(t *testing.T) {
	i, _ := player(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	on := noting{l, make(chan *noted, 10)}
	s := &http.Server{Handler: i.handler}
	go func() { _ = s.Serve(on) }()
	t.Cleanup(func() { _ = s.Close() })
	body, media := askForm(t, `{"client_id":"2","text":"x"}`, "a.txt", "one")
	for _, row := range [][3]string{{"POST", "/ask", `{"client_id":"1","text":"x"}`}, {"POST", "/ask", body}, {"GET", "/ask/turn-1", ""}} {
		kind := "application/json"
		if row[2] == body {
			kind = media
		}
		r := i.opens(&http.Client{Transport: &http.Transport{}}, row[0], "http://"+l.Addr().String()+prefix+row[1], i.token("ann"), row[2], "Content-Type", kind)
		if r.next(t) == "" {
			t.Fatal(r.Status)
		}
		c := <-on.last
		c.mu.Lock()
		until := c.until
		c.mu.Unlock()
		if !until.IsZero() {
			t.Errorf("%v: the stream ends in %s", row, time.Until(until))
		}
	}
}

// TestAskRefusals: before the first event an error is one like any other.
func TestAskRefusals(t *testing.T) {
	i, p := player(t)
	ann := i.token("ann")
	ask := func(token, body string, headers ...string) (int, answer) {
		t.Helper()
		return i.web("POST", prefix+"/ask", token, body, headers...)
	}
	const fine = `{"client_id":"1","text":"Hello?"}`
	for _, row := range []struct {
		name, token, body string
		status            int
		kind              tools.Kind
		headers           []string
	}{
		{"nobody", "", fine, 401, tools.Unauthorized, nil},
		{"a superuser", i.superuser(), fine, 403, tools.Forbidden, nil},
		{"an agent", "nk_" + strings.Repeat("x", 40), fine, 401, tools.Unauthorized, nil},
		{"no JSON", ann, `{"client_id":`, 400, tools.Invalid, nil},
		{"no such field", ann, `{"client_id":"1","prompt":"x"}`, 400, tools.Invalid, nil},
		{"no number", ann, fine, 400, tools.Invalid, []string{"Last-Event-ID", "x"}},
		{"a number that is none", ann, fine, 400, tools.Invalid, []string{"Last-Event-ID", "-1"}},
		{"another type", ann, fine, 400, tools.Invalid, []string{"Content-Type", "text/plain"}},
		{"too much", ann, `{"client_id":"1","text":"` + strings.Repeat("x", maxQuestion) + `"}`, 413, tools.TooLarge, nil},
		{"a file that there is none of", ann, `{"client_id":"1","text":"x","show":["a.pdf"]}`, 400, tools.Invalid, nil},
	} {
		status, a := ask(row.token, row.body, row.headers...)
		if t.Run(row.name, func(t *testing.T) { want(t, status, a, row.status, row.kind) }); len(p.asked) > 0 {
			t.Fatalf("%s: it was asked", row.name)
		}
	}
	static, err := i.user("ann").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	status, a := ask(static, fine)
	if want(t, status, a, 403, tools.Forbidden); a.str("data", "text", "key") != "ask.static_token" {
		t.Errorf("%s", a)
	}
	status, a = i.web("POST", prefix+"/ask/x/stop", static, "")
	want(t, status, a, 403, tools.Forbidden)
	status, a = i.web("GET", prefix+"/conversations", static, "") // it may read
	want(t, status, a, 200, "")
	status, a = i.web("GET", prefix+"/conversations?limit=0", ann, "")
	want(t, status, a, 400, tools.Invalid)

	// What the loop says is passed on.
	p.err = tools.Fail(tools.Limit, "limit.busy").In(1500 * time.Millisecond)
	r := httptest.NewRequest("POST", prefix+"/ask", strings.NewReader(fine))
	r.Header.Set("Authorization", ann)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	if w.Code != 429 || w.Header().Get("Retry-After") != "2" {
		t.Error(w.Code, w.Header())
	}
}

// TestAskStreamsAreBounded: of one person, and only theirs; who leaves makes room.
func TestAskStreamsAreBounded(t *testing.T) {
	i, _ := player(t)
	s := httptest.NewServer(i.handler)
	defer func() { s.CloseClientConnections(); s.Close() }()
	var open []*told
	for n := range askStreams {
		open = append(open, i.opens(s.Client(), "POST", s.URL+prefix+"/ask", i.token("ann"), `{"client_id":"`+strconv.Itoa(n)+`","text":"x"}`))
		open[n].hears(t, fmt.Sprintf(begun("turn-%d"), n))
	}
	for _, at := range []string{"/ask/turn-1", "/ask"} {
		method := map[string]string{"/ask": "POST"}[at]
		if status, a := i.web(method, prefix+at, i.token("ann"), `{"client_id":"x","text":"x"}`); status != 429 {
			t.Errorf("%d %s", status, a)
		}
	}
	bob := i.opens(s.Client(), "POST", s.URL+prefix+"/ask", i.token("bob"), `{"client_id":"b","text":"x"}`)
	bob.hears(t, begun("turn-b"))
	open[0].leave()
	for end := time.Now().Add(patient); ; time.Sleep(10 * time.Millisecond) {
		again := i.opens(s.Client(), "GET", s.URL+prefix+"/ask/turn-0", i.token("ann"), "")
		if again.StatusCode == 200 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("there is no room again: ", again.Status)
		}
	}
}

// askForm is a question with files, as browsers send one.
func askForm(t *testing.T, question string, files ...string) (body, media string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for n := 0; n+1 < len(files); n += 2 {
		part, err := w.CreateFormFile("file", files[n])
		if err == nil {
			_, err = io.WriteString(part, files[n+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if question != "" {
		if err := w.WriteField("question", question); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

// TestAskWithFiles: what is shown is what was named, and no more than there may be.
func TestAskWithFiles(t *testing.T) {
	i, p := player(t)
	ann := i.token("ann")
	p.err = tools.Fail(tools.Conflict, "limit.busy") // it is enough to see what comes
	send := func(wantStatus int, kind tools.Kind, question string, files ...string) {
		t.Helper()
		body, media := askForm(t, question, files...)
		status, a := i.web("POST", prefix+"/ask", ann, body, "Content-Type", media)
		want(t, status, a, wantStatus, kind)
	}
	send(409, tools.Conflict, `{"client_id":"1","text":"x","show":["b.txt"]}`, "a.txt", "one", "b.txt", "two")
	files := p.asked[0].Files
	if len(files) != 2 || files[0].Name != "a.txt" || string(files[0].Data) != "one" || files[0].Show || files[1].Name != "b.txt" || !files[1].Show {
		t.Errorf("%+v", files)
	}
	const fine = `{"client_id":"1","text":"x"}`
	send(400, tools.Invalid, "", "a.txt", "one")
	send(400, tools.Invalid, `{"client_id":"1","text":"x","show":["c.txt"]}`, "a.txt", "one")
	send(400, tools.Invalid, fine, "a.txt", "one", "a.txt", "two")
	send(400, tools.Invalid, `[]`, "a.txt", "one")
	send(413, tools.TooLarge, fine, "a.bin", strings.Repeat("x", 10<<20+1))
	send(413, tools.TooLarge, fine, "a.bin", strings.Repeat("x", 8<<20), "b.bin", strings.Repeat("x", 8<<20), "c.bin", strings.Repeat("x", 8<<20))
	var many []string
	for n := range askFiles + 1 {
		many = append(many, strconv.Itoa(n), "x")
	}
	send(413, tools.TooLarge, fine, many...)
	if len(p.asked) != 1 {
		t.Errorf("%d were asked", len(p.asked))
	}
	if n := i.carried.all; n != 0 {
		t.Errorf("%d are still counted", n)
	}
}

// TestASuspensionEndsAnswers: at once, with their turns.
func TestASuspensionEndsAnswers(t *testing.T) {
	i, p := player(t)
	s := httptest.NewServer(i.handler)
	defer func() { s.CloseClientConnections(); s.Close() }()
	bob := i.opens(s.Client(), "POST", s.URL+prefix+"/ask", i.token("bob"), `{"client_id":"b","text":"x"}`)
	ann := i.opens(s.Client(), "POST", s.URL+prefix+"/ask", i.token("ann"), `{"client_id":"a","text":"x"}`)
	bob.hears(t, begun("turn-b"))
	ann.hears(t, begun("turn-a"))
	i.stand("bob", "suspended")
	for bob.next(t) != "" {
	}
	if !p.turns["turn-b"].over || p.turns["turn-a"].over {
		t.Error("the turns are over: ", p.turns["turn-b"].over, p.turns["turn-a"].over)
	}
	p.turns["turn-a"].emit(assistant.EventDelta, `{"text":"x"}`)
	ann.hears(t, `2 delta {"text":"x"}`)
}
