package hooks

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// byProvider signs in with what a provider says: code is who they are there.
func (w *ways) byProvider(code, more string) (int, answer) {
	w.t.Helper()
	return w.web("POST", "/api/collections/users/auth-with-oauth2", "", `{"provider":"oidc","code":"`+code+`","codeVerifier":"x","redirectURL":"http://127.0.0.1/"`+more+`}`)
}

// TestSignUpByProvider: whom a provider knows waits like anybody, with a pass.
func TestSignUpByProvider(t *testing.T) {
	w := newWays(t, false)
	status, a := w.byProvider("cy", "")
	if status != 202 || a.len("waiting", "words") != 4 || a.str("status") != accounts.Waiting || a.at("token") != nil {
		t.Fatalf("%d %s", status, a)
	}
	if status, l := w.look(a.str("waiting", "pass")); status != 200 || l.str("status") != "waiting" || l.str("handle") == "" {
		t.Errorf("%d %s", status, l)
	}
	status, again := w.byProvider("cy", "")
	if status != 403 || again.str("data", "text", "key") != "admit.waiting" {
		t.Errorf("%d %s", status, again)
	}
	// What comes along with it gives nobody more.
	for _, more := range []string{`"status":"approved"`, `"operator":true`, `"status+":"approved"`, `"approved":"2026-01-01 00:00:00Z"`} {
		w.onceMore()
		code := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, more)
		status, a := w.byProvider(code, `,"createData":{`+more+`}`)
		if status == 200 || a.at("token") != nil {
			t.Errorf("%s: %d %s", more, status, a)
		}
	}
	// Nor does an id: that of somebody who is gone still stands in the audit.
	w.onceMore()
	status, gone := w.byProvider("fay", `,"createData":{"id":"abcdefghijklmno"}`)
	if _, err := w.pb.FindRecordById(users, "abcdefghijklmno"); err == nil || status != 400 {
		t.Errorf("an id was chosen: %d %s", status, gone)
	}
	w.makeOperator("ann")
	id := w.user(a.str("handle")).Id
	status, ok := w.web("POST", prefix+"/operator/waiting/"+id+"/approve", w.token("ann"), "")
	want(t, status, ok, 200, "")
	if status, in := w.byProvider("cy", ""); status != 200 || in.str("token") == "" {
		t.Errorf("%d %s", status, in)
	}

	before := w.count(users)
	w.settings.Waiting = 0
	status, full := w.byProvider("eve", "")
	if status != 429 || w.count(users) != before {
		t.Errorf("%d %s", status, full)
	}
	w.settings.SignUp = signUpClosed
	status, closed := w.byProvider("eve", "")
	if status != 403 || w.count(users) != before {
		t.Errorf("%d %s", status, closed)
	}
	w.settings.SignUp = signUpOpen
	status, open := w.byProvider("eve", "")
	if status != 200 || open.str("token") == "" || w.count(users) != before+1 {
		t.Errorf("%d %s", status, open)
	}
}

// TestSignUpByMail: where mail can be sent, an address is enough to be known
// by, and with codes by mail it is enough altogether.
func TestSignUpByMail(t *testing.T) {
	w := newWays(t, false)
	s := w.pb.Settings()
	s.SMTP.Enabled, s.SMTP.Host, s.SMTP.Port = true, "127.0.0.1", 25
	if err := w.pb.Save(s); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	sent := map[string]int{}
	w.pb.OnMailerRecordVerificationSend().BindFunc(func(e *core.MailerRecordEvent) error {
		mu.Lock()
		defer mu.Unlock()
		sent[e.Record.Email()]++
		return nil
	})
	for _, row := range []struct {
		body, handle string
		kind         tools.Kind
	}{
		{body: `{"email":"Cy.Twombly@example.com","password":"a long password"}`, handle: "cy-twombly"},
		{body: `{"email":"cy-twombly@other.example"}`, handle: "cy-twombly-2"},
		{body: `{"email":"none","password":"a long password"}`, kind: tools.Invalid},
		{body: `{"email":"1@example.com","password":"a long password"}`, handle: "member"},
		{body: `{"handle":"dee","email":"dee@example.com"}`, handle: "dee"},
		{body: `{"handle":"eve"}`, kind: tools.Invalid},
		{body: `{"email":"CY.twombly@example.com","password":"a long password"}`, kind: tools.Conflict},
	} {
		w.onceMore()
		status, a := w.web("POST", prefix+"/signup", "", row.body)
		if a.str("data", "kind") != string(row.kind) || a.str("handle") != row.handle || (row.kind == "" && status != 202) {
			t.Errorf("%s: %d %s", row.body, status, a)
		}
	}
	wanted := map[string]int{"Cy.Twombly@example.com": 1, "cy-twombly@other.example": 1, "1@example.com": 1, "dee@example.com": 1}
	deadline := time.Now().Add(patient)
	for {
		mu.Lock()
		n := len(sent)
		mu.Unlock()
		if n >= len(wanted) || time.Now().After(deadline) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	mu.Lock()
	defer mu.Unlock()
	for address, n := range wanted {
		if sent[address] != n {
			t.Errorf("%s got %d mails", address, sent[address])
		}
	}
	if w.user("dee").Verified() {
		t.Error("an address that nobody confirmed counts as verified")
	}
}

// TestSignUpWithoutPassword: who gave an address alone is let in like anybody,
// and signs in by a code from then on.
func TestSignUpWithoutPassword(t *testing.T) {
	w := newWays(t, false)
	w.settle(func(s *core.Settings) { s.SMTP.Enabled, s.SMTP.Host, s.SMTP.Port = true, "127.0.0.1", 25 })
	status, a := w.web("POST", prefix+"/signup", "", `{"email":"dee@example.com"}`)
	if status != 202 {
		t.Fatalf("%d %s", status, a)
	}
	p := &person{ways: w, handle: "dee", email: "dee@example.com"}
	ask := func() got {
		w.send("POST", "/api/collections/users/request-otp", "", `{"email":"dee@example.com"}`)
		return p.mailedCode()
	}
	if in, said := p.enters(ask()); in {
		t.Errorf("in while waiting: %s", said)
	}
	w.makeOperator("ann")
	status, ok := w.web("POST", prefix+"/operator/waiting/"+p.record().Id+"/approve", w.token("ann"), "")
	want(t, status, ok, 200, "")
	if status, l := w.look(a.str("waiting", "pass")); status != 200 || l.str("status") != tools.Approved {
		t.Errorf("%d %s", status, l)
	}
	if in, said := p.enters(ask()); !in {
		t.Errorf("not in though approved: %s", said)
	}
}
