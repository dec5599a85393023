package hooks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json/v2"
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

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/document"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// gated is a model that says what a test gives it, as it is given.
type gated struct {
	say chan string // a closed one ends the answer

	mu    sync.Mutex
	asked []gateway.Request
}

func (g *gated) Stream(ctx context.Context, r gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
	g.mu.Lock()
	g.asked = append(g.asked, r)
	g.mu.Unlock()
	res := gateway.Result{Model: "gated", Attempts: 1, Finish: gateway.Stop, Usage: &gateway.Usage{Uncached: 1, Output: 1}}
	if err := r.Meter.Hold(ctx); err != nil {
		return gateway.Result{Finish: gateway.Failed}, err
	}
	defer func() { r.Meter.Settle(gateway.Spent{Usage: res.Usage}) }()
	for {
		select {
		case text, ok := <-g.say:
			if !ok {
				return res, nil
			}
			res.Text += text
			show(gateway.Delta{Text: text})
		case <-ctx.Done():
			res.Finish = gateway.Failed
			return res, context.Cause(ctx)
		}
	}
}

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

// begins is the turn of a stream whose first event comes.
func (s *told) begins(t *testing.T) string {
	t.Helper()
	data, ok := strings.CutPrefix(s.next(t), "1 start ")
	var start assistant.Start
	if err := json.Unmarshal([]byte(data), &start); !ok || err != nil || start.Turn == "" || start.Assistant.ID != "model" || !start.Assistant.Scripted {
		t.Fatalf("%s begins with %q, %v", s.Status, data, err)
	}
	return start.Turn
}

// stops hears that the person stopped it, and no more.
func (s *told) stops(t *testing.T, id int) {
	t.Helper()
	if e := s.next(t); !strings.HasPrefix(e, strconv.Itoa(id)+" turn ") || !strings.Contains(e, `"finish":"stopped"`) {
		t.Fatalf("got %q", e)
	}
	s.hears(t, "")
}

// TestAskStreams: events come one by one as they happen; who lost the connection
// reads on from where they were; who goes away ends nothing, and stop does.
func TestAskStreams(t *testing.T) {
	for _, two := range []bool{false, true} {
		t.Run(fmt.Sprintf("HTTP/2 %t", two), func(t *testing.T) {
			g := &gated{say: make(chan string)}
			k := newTalk(t)
			k.scripts[0].Provider = g
			s := httptest.NewUnstartedServer(k.handler)
			s.EnableHTTP2 = two
			s.StartTLS()
			defer func() { s.CloseClientConnections(); s.Close() }()
			ann, at := k.token("ann"), s.URL+prefix+"/ask"
			question := `{"client_id":"a:1","text":"Hello?","scope":{"of":"ticked","records":[{"collection":"household_subscriptions","id":"` + k.subscription("ann", "Netflix", "15.99") + `"}]},"effort":"low"}`
			first := k.opens(s.Client(), "POST", at, ann, question, "Accept-Language", "de")
			h := first.Header
			if (first.ProtoMajor == 2) != two || first.StatusCode != 200 || h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" {
				t.Error(first.Proto, first.Status, h)
			}
			turn := first.begins(t)
			one, two, three := `2 delta {"text":"One "}`, `3 delta {"text":"two "}`, `4 delta {"text":"three "}`
			g.say <- "One "
			first.hears(t, one)
			first.leave()
			if said := lastSaid(g.asked[0]); g.asked[0].Effort != gateway.Low || !strings.Contains(said, "Hello?") || !strings.Contains(said, "The person reads: de.") || !strings.Contains(said, ": Netflix") || !strings.Contains(said, "you find no others") {
				t.Errorf("effort %s, %s", g.asked[0].Effort, said)
			}
			g.say <- "two "

			again := k.opens(s.Client(), "POST", at, ann, question, "Accept-Language", "de")
			if again.begins(t) != turn {
				t.Error("the same question is another turn")
			}
			again.hears(t, one, two)
			same := k.opens(s.Client(), "POST", at, ann, question, "Accept-Language", "de", lastHeader, "2")
			same.hears(t, two)
			rest := k.opens(s.Client(), "GET", at+"/"+turn+"?after=1", ann, "")
			rest.hears(t, one, two)
			late := k.opens(s.Client(), "GET", at+"/"+turn+"?after=1", ann, "", lastHeader, "2")
			late.hears(t, two)
			g.say <- "three "
			for _, all := range []*told{again, same, rest, late} {
				all.hears(t, three)
			}
			if _, a := k.web("GET", prefix+"/conversations", ann, ""); a.str("items", "0", "running") != turn || a.str("items", "0", "question") != "Hello?" {
				t.Errorf("under way: %s", a)
			}
			if bob := k.opens(s.Client(), "GET", at+"/"+turn, k.token("bob"), ""); bob.StatusCode != 404 {
				t.Error("somebody else is told: ", bob.Status)
			}
			if bob := k.opens(s.Client(), "POST", at+"/"+turn+"/stop", k.token("bob"), ""); bob.StatusCode != 404 {
				t.Error("somebody else stops it: ", bob.Status)
			}
			if stop := k.opens(s.Client(), "POST", at+"/"+turn+"/stop", ann, ""); stop.StatusCode != 200 {
				t.Error(stop.Status)
			}
			again.stops(t, 5)
			rest.stops(t, 5)
			k.opens(s.Client(), "GET", at+"/"+turn+"?after=4", ann, "").stops(t, 5)
			if len(g.asked) != 1 {
				t.Errorf("the model was asked %d times", len(g.asked))
			}
		})
	}
}

// TestAskedStreamsStayOpen: how long a question may take to come does not bound
// the answer.
func TestAskedStreamsStayOpen(t *testing.T) {
	k := newTalk(t)
	k.script.Then(gateway.Scene{Always: true, Wait: time.Hour})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	on := noting{l, make(chan *noted, 10)}
	s := &http.Server{Handler: k.handler}
	go func() { _ = s.Serve(on) }()
	t.Cleanup(func() { _ = s.Close() })
	body, media := askForm(t, `{"client_id":"2","text":"x"}`, "a.txt", "one")
	turn := ""
	for _, row := range [][3]string{{"POST", "/ask", `{"client_id":"1","text":"x"}`}, {"POST", "/ask", body}, {"GET", "/ask/", ""}} {
		kind := "application/json"
		if row[2] == body {
			kind = media
		}
		at := row[1]
		if row[0] == "GET" {
			at += turn
		}
		r := k.opens(&http.Client{Transport: &http.Transport{}}, row[0], "http://"+l.Addr().String()+prefix+at, k.token("ann"), row[2], "Content-Type", kind)
		turn = r.begins(t)
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
	k, at := overHTTP(t)
	k.script.Then(gateway.Scene{Always: true, Say: "Yes."})
	ann := k.token("ann")
	ask := func(token, body string, headers ...string) (int, answer) {
		t.Helper()
		return k.web("POST", prefix+"/ask", token, body, headers...)
	}
	const fine = `{"client_id":"1","text":"Hello?"}`
	for _, row := range []struct {
		name, token, body string
		status            int
		kind              tools.Kind
		headers           []string
	}{
		{"nobody", "", fine, 401, tools.Unauthorized, nil},
		{"a superuser", k.superuser(), fine, 403, tools.Forbidden, nil},
		{"an agent", "nk_" + strings.Repeat("x", 40), fine, 401, tools.Unauthorized, nil},
		{"no JSON", ann, `{"client_id":`, 400, tools.Invalid, nil},
		{"no such field", ann, `{"client_id":"1","prompt":"x"}`, 400, tools.Invalid, nil},
		{"a door of its own", ann, `{"client_id":"1","text":"x","door":"cli"}`, 400, tools.Invalid, nil},
		{"no number", ann, fine, 400, tools.Invalid, []string{"Last-Event-ID", "x"}},
		{"a number that is none", ann, fine, 400, tools.Invalid, []string{"Last-Event-ID", "-1"}},
		{"another type", ann, fine, 400, tools.Invalid, []string{"Content-Type", "text/plain"}},
		{"too much", ann, `{"client_id":"1","text":"` + strings.Repeat("x", maxQuestion) + `"}`, 413, tools.TooLarge, nil},
		{"a file that there is none of", ann, `{"client_id":"1","text":"x","show":["a.pdf"]}`, 400, tools.Invalid, nil},
	} {
		status, a := ask(row.token, row.body, row.headers...)
		if t.Run(row.name, func(t *testing.T) { want(t, status, a, row.status, row.kind) }); len(k.script.Asked()) > 0 || k.rows(tools.TurnsTable) > 0 {
			t.Fatalf("%s: it was asked", row.name)
		}
	}
	static, err := k.user("ann").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	status, a := ask(static, fine)
	if want(t, status, a, 403, tools.Forbidden); a.str("data", "text", "key") != "ask.static_token" {
		t.Errorf("%s", a)
	}
	status, a = k.web("POST", prefix+"/ask/x/stop", static, "")
	want(t, status, a, 403, tools.Forbidden)
	status, a = k.web("GET", prefix+"/conversations", static, "") // it may read
	want(t, status, a, 200, "")
	status, a = k.web("GET", prefix+"/conversations?limit=0", ann, "")
	want(t, status, a, 400, tools.Invalid)
	if all := k.opens(http.DefaultClient, "POST", at, ann, fine).rest(t); len(k.script.Asked()) != 1 {
		t.Errorf("what is fine is not asked: %s", all)
	}
}

// TestAskStreamsAreBounded: of one person, and only theirs; who leaves makes room.
func TestAskStreamsAreBounded(t *testing.T) {
	k, at := overHTTP(t)
	k.script.Then(gateway.Scene{Always: true, Wait: time.Hour})
	ann, bob := k.token("ann"), k.token("bob")
	first := k.opens(http.DefaultClient, "POST", at, ann, `{"client_id":"a","text":"x"}`)
	turn := first.begins(t)
	for range askStreams - 1 {
		k.opens(http.DefaultClient, "GET", at+"/"+turn, ann, "").begins(t)
	}
	for _, row := range [][2]string{{"GET", "/ask/" + turn}, {"POST", "/ask"}} {
		status, a := k.web(row[0], prefix+row[1], ann, `{"client_id":"x","text":"x"}`)
		if want(t, status, a, 429, tools.Limit); a.str("data", "text", "key") != "ask.streams" {
			t.Errorf("%s", a)
		}
	}
	k.opens(http.DefaultClient, "POST", at, bob, `{"client_id":"b","text":"x"}`).begins(t)
	first.leave()
	for end := time.Now().Add(patient); ; time.Sleep(10 * time.Millisecond) {
		again := k.opens(http.DefaultClient, "GET", at+"/"+turn, ann, "")
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
	k, at := overHTTP(t)
	k.script.Then(gateway.Scene{Say: "Yes."})
	ann := k.token("ann")
	send := func(wantStatus int, kind tools.Kind, key, question string, files ...string) {
		t.Helper()
		body, media := askForm(t, question, files...)
		status, a := k.web("POST", prefix+"/ask", ann, body, "Content-Type", media)
		if want(t, status, a, wantStatus, kind); a.str("data", "text", "key") != key {
			t.Errorf("%s, want %s", a, key)
		}
	}
	body, media := askForm(t, `{"client_id":"1","text":"x","show":["b.txt"]}`, "a.txt", "hushed", "b.txt", "seen")
	k.opens(http.DefaultClient, "POST", at, ann, body, "Content-Type", media).rest(t)
	if said := lastSaid(k.script.Asked()[0]); strings.Contains(said, "hushed") || !strings.Contains(said, "seen") || !strings.Contains(said, "a.txt, text/plain, 6 bytes") {
		t.Errorf("the model is given %s", said)
	}
	const fine = `{"client_id":"2","text":"x"}`
	send(400, tools.Invalid, "ask.form", "", "a.txt", "one")
	send(400, tools.Invalid, "ask.show", `{"client_id":"2","text":"x","show":["c.txt"]}`, "a.txt", "one")
	send(400, tools.Invalid, "ask.file_twice", fine, "a.txt", "one", "a.txt", "two")
	send(400, tools.Invalid, "error.arguments", `[]`, "a.txt", "one")
	send(413, tools.TooLarge, "document.large", fine, "a.bin", strings.Repeat("x", document.MaxBytes+1))
	half := strings.Repeat("x", document.MaxBytes/2+1)
	send(413, tools.TooLarge, "document.large", fine, "a.bin", half, "b.bin", half)
	send(413, tools.TooLarge, "document.many", fine, "1", "x", "2", "x", "3", "x", "4", "x", "5", "x")
	if n := len(k.script.Asked()); n != 1 {
		t.Errorf("%d were asked", n)
	}
	if n := k.carried.all; n != 0 {
		t.Errorf("%d are still counted", n)
	}
}
