package hooks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// ways is an instance with every way in that PocketBase has, switched on, and a
// person who tries them.
type ways struct {
	*instance
	server *httptest.Server
	wire   bool // requests go through the server, not straight to the handler
	paper  string
	file   string // of the paper, protected

	mu    sync.Mutex
	mails map[string]map[string]any // what was sent to an address last
}

// person tries a way.
type person struct {
	*ways
	handle, email string
}

func newWays(t *testing.T, mfa bool) *ways {
	w := &ways{instance: newInstance(t), mails: map[string]map[string]any{}}
	w.evenly = 5 * time.Millisecond // alike_test.go looks at it
	w.server = httptest.NewServer(w.handler)
	t.Cleanup(w.server.Close)
	w.openUsers(mfa)
	w.openPapers()
	s := w.pb.Settings()
	s.Batch.Enabled, s.Batch.MaxRequests, s.Batch.Timeout = true, 10, 3
	if err := w.pb.Save(s); err != nil {
		t.Fatal(err)
	}
	// Nothing is sent: what would be is kept.
	w.pb.OnMailerRecordOTPSend().BindFunc(func(e *core.MailerRecordEvent) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.mails[e.Record.Email()] = e.Meta
		return nil
	})
	w.pb.OnMailerSend().BindFunc(func(*core.MailerEvent) error { return nil })
	return w
}

// openUsers lets accounts in by password, code and OAuth2.
func (w *ways) openUsers(mfa bool) {
	w.t.Helper()
	col, err := w.pb.FindCollectionByNameOrId(users)
	if err != nil {
		w.t.Fatal(err)
	}
	col.OTP.Enabled, col.MFA.Enabled = true, mfa
	provider := fakeProvider(w.t)
	col.OAuth2.Enabled = true
	col.OAuth2.Providers = []core.OAuth2ProviderConfig{{
		Name: "oidc", ClientId: "x", ClientSecret: "x", AuthURL: provider + "/auth", TokenURL: provider + "/token", UserInfoURL: provider + "/user",
	}}
	if err := w.pb.Save(col); err != nil {
		w.t.Fatal(err)
	}
}

// openPapers makes a collection for whoever has a session, with a paper.
func (w *ways) openPapers() {
	w.t.Helper()
	col := core.NewBaseCollection("papers")
	signedIn := "@request.auth.id != ''"
	col.ListRule, col.ViewRule, col.CreateRule = &signedIn, &signedIn, &signedIn
	col.Fields.Add(&core.TextField{Name: "title"}, &core.FileField{Name: "file", Protected: true, MaxSelect: 1})
	if err := w.pb.Save(col); err != nil {
		w.t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Set("title", "a paper")
	rec.Set("file", content(w.t, "secret.txt", "what it says"))
	if err := w.pb.Save(rec); err != nil {
		w.t.Fatal(err)
	}
	w.paper, w.file = rec.Id, rec.GetString("file")
}

// got is an answer of any form.
type got struct {
	status int
	body   string
}

func (g got) is(status int) bool { return g.status == status }

// token is the session in the answer, if it is one.
func (g got) token() string {
	_, rest, _ := strings.Cut(g.body, `"token":"`)
	token, _, _ := strings.Cut(rest, `"`)
	return token
}

func (w *ways) send(method, path, token, body string) got {
	w.t.Helper()
	var r *http.Request
	if w.wire {
		var err error
		if r, err = http.NewRequestWithContext(w.t.Context(), method, w.server.URL+path, strings.NewReader(body)); err != nil {
			w.t.Fatal(err)
		}
	} else {
		r = httptest.NewRequest(method, path, strings.NewReader(body))
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	if !w.wire {
		rec := httptest.NewRecorder()
		w.handler.ServeHTTP(rec, r)
		return got{rec.Code, rec.Body.String()}
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	return got{resp.StatusCode, readAll(w.t, resp)}
}

// enters says whether a session that somebody was given is worth something.
func (p *person) enters(g got) (bool, string) {
	token := g.token()
	if token == "" {
		return false, fmt.Sprintf("%d %s", g.status, g.body)
	}
	// The token itself is already more than they may have.
	return true, fmt.Sprintf("a session; with it: %d", p.send("GET", prefix+"/me", token, "").status)
}

// longAgo forgets that accounts ended a moment ago, when each request is asked
// anew: what holds must hold later too.
func (i *instance) longAgo() {
	i.visits.mu.Lock()
	defer i.visits.mu.Unlock()
	clear(i.visits.ended)
}

// signsIn tries the password.
func (p *person) signsIn(identity, password string) (bool, string) {
	return p.enters(p.send("POST", "/api/collections/users/auth-with-password", "", fmt.Sprintf(`{"identity":%q,"password":%q}`, identity, password)))
}

func (p *person) record() *core.Record { return p.user(p.handle) }

func must[T any](p *person) func(T, error) T {
	return func(v T, err error) T {
		p.t.Helper()
		if err != nil {
			p.t.Fatal(err)
		}
		return v
	}
}

// way is one way in: open is done before, what it gives is tried after.
type way struct {
	name string
	open func(p *person) (use func() (in bool, said string))
}

// TestNoWayIn runs every way in with an account of every status: with
// credentials that are made for it as it is, and with those that it had while
// it was approved. The approved one shows that each is a way at all.
func TestNoWayIn(t *testing.T) {
	for _, mfa := range []bool{false, true} {
		all := waysIn()
		if mfa {
			all = waysOfMFA()
		}
		w := newWays(t, mfa)
		n := 0
		try := func(t *testing.T, status, when string, way way) {
			n++
			p := &person{ways: w, handle: fmt.Sprintf("p%d", n)}
			p.email = p.handle + "@example.com"
			p.member(p.handle)
			w.t = t
			if when == "before" {
				p.stand(p.handle, status)
				w.longAgo()
			}
			use := way.open(p)
			if when == "between" && status != "approved" {
				p.stand(p.handle, status)
			}
			was := p.record()
			in, said := use()
			if in != (status == "approved") {
				t.Errorf("in: %t; %s", in, said)
			}
			if now := p.record(); now.GetString("status") != status {
				t.Errorf("became %s", now.GetString("status"))
			} else if status != "approved" && !slices.Contains([]string{"confirmed password reset", "confirmed e-mail address", "confirmed change of address"}, way.name) {
				if now.Verified() != was.Verified() || !now.ValidatePassword("a long password") {
					t.Errorf("the account was changed: verified %t, password kept %t", now.Verified(), now.ValidatePassword("a long password"))
				}
			}
		}
		for _, wire := range []bool{false, true} {
			w.wire = wire
			for _, way := range all {
				for _, status := range []string{"approved", "waiting", "refused", "suspended", ""} {
					for _, when := range []string{"before", "between"} {
						if wire && ((when == "before") != (status == "waiting") || status == "refused" || status == "") {
							continue // as for another
						}
						t.Run(fmt.Sprintf("%s/status=%s/%s/mfa=%t/wire=%t", way.name, status, when, mfa, wire), func(t *testing.T) { try(t, status, when, way) })
					}
				}
			}
		}
		w.wire = false
		// Where somebody has taken the collection's own rule away.
		col, err := w.pb.FindCollectionByNameOrId(users)
		if err != nil {
			t.Fatal(err)
		}
		open := ""
		col.AuthRule = &open
		if err := w.pb.Save(col); err != nil {
			t.Fatal(err)
		}
		for _, way := range all {
			t.Run(fmt.Sprintf("%s/without rule/mfa=%t", way.name, mfa), func(t *testing.T) { try(t, "suspended", "before", way) })
		}
	}
}
