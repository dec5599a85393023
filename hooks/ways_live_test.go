package hooks

import (
	"bufio"
	"encoding/json/v2"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
)

func readAll(t testing.TB, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func content(t testing.TB, name, text string) *filesystem.File {
	t.Helper()
	f, err := filesystem.NewFileFromBytes([]byte(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fakeProvider signs everybody in as whoever the code names.
func fakeProvider(t testing.TB) string {
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.MarshalWrite(w, v); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		answer(w, map[string]any{"access_token": r.FormValue("code"), "token_type": "Bearer", "expires_in": 60})
	})
	mux.HandleFunc("GET /user", func(w http.ResponseWriter, r *http.Request) {
		who := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		answer(w, map[string]any{"sub": who, "name": who, "email": who + "@example.com", "email_verified": true})
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func (p *person) oauth2(as string) got {
	return p.send("POST", "/api/collections/users/auth-with-oauth2", as, `{"provider":"oidc","code":"`+p.handle+`","codeVerifier":"x","redirectURL":"http://127.0.0.1/"}`)
}

// listening is a realtime connection over HTTP.
type listening struct {
	id   string
	got  chan string   // what came, by its topic
	over chan struct{} // closed when it ended
	end  func() error
}

func connect(t testing.TB, client *http.Client, base string) *listening {
	t.Helper()
	resp, err := client.Get(base + "/api/realtime")
	if err != nil {
		t.Fatal(err)
	}
	s := &listening{got: make(chan string, 10), over: make(chan struct{}), end: resp.Body.Close}
	t.Cleanup(func() { _ = s.end() })
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id:"); ok && s.id == "" {
			s.id = id
		} else if lines.Text() == "" {
			break
		}
	}
	if s.id == "" {
		t.Fatal("no connection")
	}
	go func() {
		defer close(s.over)
		for lines.Scan() {
			if topic, ok := strings.CutPrefix(lines.Text(), "event:"); ok {
				s.got <- topic
			}
		}
	}()
	return s
}

// post subscribes over HTTP, from where the connection came.
func (s *listening) post(t testing.TB, client *http.Client, base, token, topic string) got {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", base+"/api/realtime", strings.NewReader(`{"clientId":"`+s.id+`","subscriptions":["`+topic+`"]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return got{resp.StatusCode, readAll(t, resp)}
}

// hears makes a paper and says whether a connection is told.
func (p *person) hears(s *listening) (bool, string) {
	col, err := p.pb.FindCollectionByNameOrId("papers")
	if err != nil {
		p.t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Set("title", "news")
	if err := p.pb.Save(rec); err != nil {
		p.t.Fatal(err)
	}
	wait := patient
	if p.record().GetString("status") != "approved" {
		wait = 30 * time.Millisecond // what should not come is not waited for
	}
	select {
	case topic := <-s.got:
		return true, "told of " + topic
	case <-s.over:
		return false, "ended"
	case <-time.After(wait):
		return false, "not told"
	}
}

// realtimeWay subscribes with a token that was made before.
func realtimeWay(p *person) func() (bool, string) {
	token, s := p.token(p.handle), connect(p.t, http.DefaultClient, p.server.URL)
	return func() (bool, string) {
		g := s.post(p.t, http.DefaultClient, p.server.URL, token, "papers/*")
		in, said := p.hears(s)
		return in, fmt.Sprint(g, " ", said)
	}
}

// openRealtimeWay has subscribed before.
func openRealtimeWay(p *person) func() (bool, string) {
	token, s := p.token(p.handle), connect(p.t, http.DefaultClient, p.server.URL)
	g := s.post(p.t, http.DefaultClient, p.server.URL, token, "papers/*")
	return func() (bool, string) {
		if g.is(204) && p.record().GetString("status") != "approved" {
			select {
			case <-s.over:
			case <-time.After(patient):
				return true, "the connection stays open"
			}
		}
		in, said := p.hears(s)
		return in, fmt.Sprint(g, " ", said)
	}
}
