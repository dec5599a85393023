package hooks

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

// signedInAs is a browser in which somebody has signed in on a plain page.
func (i *instance) signedInAs(handle string) *visitor {
	i.t.Helper()
	v := &visitor{i: i}
	if code, body, _ := v.do("POST", nodPath, passwordForm(handle, "a long password")); code != 303 || len(v.cookies) != 1 {
		i.t.Fatal(code, body)
	}
	return v
}

func passwordForm(identity, password string) url.Values {
	return url.Values{"do": {doPassword}, "identity": {identity}, "password": {password}}
}

// isIn says that a page knows who reads it.
func isIn(body string) bool { return strings.Contains(body, `value="`+doLeave+`"`) }

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)"`)

// sends is what a form of a page sends unseen.
func sends(body string) url.Values {
	form := url.Values{}
	for _, m := range hiddenInput.FindAllStringSubmatch(body, -1) {
		form.Set(m[1], m[2])
	}
	return form
}

// TestPlainSignIn: by handle or address, to the same page, by a cookie of these
// pages alone; and out again.
func TestPlainSignIn(t *testing.T) {
	i := newInstance(t)
	const card = nodPath + "/abcdefghijklmno"
	for _, identity := range []string{"ann", " Ann ", "ann@example.com"} {
		v := &visitor{i: i}
		code, body, _ := v.do("GET", card, nil)
		if code != 200 || isIn(body) || !strings.Contains(body, `name="password"`) || len(v.cookies) > 0 {
			t.Errorf("%d %s", code, body)
		}
		code, body, h := v.do("POST", card, passwordForm(identity, "a long password"))
		if code != 303 || h.Get("Location") != card {
			t.Fatalf("%q: %d %s %s", identity, code, h.Get("Location"), body)
		}
		c := v.cookies[0]
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != nodPath || c.Secure || c.MaxAge <= 0 || c.MaxAge > 7*24*3600 {
			t.Errorf("the cookie is %+v", c)
		}
		if strings.Count(c.Value, ".") != 1 { // a token of PocketBase has two
			t.Errorf("the cookie holds %s", c.Value)
		}
		if _, body, _ = v.do("GET", nodPath, nil); !isIn(body) || !strings.Contains(body, "Signed in as ann.") {
			t.Errorf("not in: %s", body)
		}
		if code, _, h = v.do("POST", nodPath, url.Values{"do": {doLeave}}); code != 303 || h.Get("Location") != nodPath || len(v.cookies) != 0 {
			t.Errorf("signing out: %d %v", code, v.cookies)
		}
		if _, body, _ = v.do("GET", nodPath, nil); isIn(body) {
			t.Error("still in")
		}
	}
	rows := []struct{ name, identity, password, says string }{
		{"wrong password", "ann", "another password", "Handle, address or password is wrong."},
		{"nobody", "nobody", "a long password", "Handle, address or password is wrong."},
		{"nothing", "", "", "Handle, address or password is wrong."},
		{"a superuser", "root@example.com", "a long password", "Handle, address or password is wrong."},
		{"somebody suspended", "bob", "a long password", "This account is suspended."},
	}
	i.superuser()
	i.stand("bob", "suspended")
	for _, row := range rows {
		v := &visitor{i: i}
		code, body, _ := v.do("POST", card, passwordForm(row.identity, row.password))
		if code < 400 || !strings.Contains(body, row.says) || isIn(body) || len(v.cookies) > 0 {
			t.Errorf("%s: %d %s", row.name, code, body)
		}
		if row.identity != "" && !strings.Contains(body, `value="`+row.identity+`"`) {
			t.Errorf("%s is typed again", row.name)
		}
	}
}

// TestSessionIsOfThesePages: nothing else takes it, and these take nothing else.
func TestSessionIsOfThesePages(t *testing.T) {
	i := newInstance(t)
	v := i.signedInAs("ann")
	value := v.cookies[0].Value
	for _, header := range [][]string{{"Cookie", sessionCookie + "=" + value}, {"Authorization", value}, {"Authorization", "Bearer " + value}} {
		for _, path := range []string{"/me", "/tools", "/audit"} {
			if status, a := i.web("GET", prefix+path, "", "", header...); status != 401 {
				t.Errorf("%s with %s: %d %s", path, header[0], status, a)
			}
		}
		if status, a := i.web("POST", "/api/collections/users/auth-refresh", "", "", header...); status == 200 {
			t.Errorf("refreshed with %s: %s", header[0], a)
		}
	}
	for name, headers := range map[string][]string{
		"a token": {"Authorization", i.token("ann")}, "a token as a cookie": {"Cookie", sessionCookie + "=" + i.token("ann")},
		"a superuser": {"Authorization", i.superuser()}, "a member named": {asHeader, "ann"},
	} {
		if _, body, _ := (&visitor{i: i}).do("GET", nodPath, nil, headers...); isIn(body) {
			t.Errorf("%s is let in", name)
		}
	}
	for name, forged := range map[string]string{
		"of another": i.user("bob").Id + value[15:], "cut": value[:len(value)-2], "longer": value + "A", "of nobody": "." + value[16:], "empty": "", "its id": value[:15] + ".",
	} {
		if _, body, _ := (&visitor{i: i}).do("GET", nodPath, nil, "Cookie", sessionCookie+"="+forged); isIn(body) {
			t.Errorf("a session %s is let in", name)
		}
	}
}

// TestSessionEnds with whatever ends tokens, and after a while.
func TestSessionEnds(t *testing.T) {
	rows := map[string]func(i *instance, v *visitor){
		"suspended": func(i *instance, _ *visitor) { i.stand("ann", "suspended") },
		"suspended and restored": func(i *instance, _ *visitor) {
			i.stand("ann", "suspended")
			i.stand("ann", "approved")
		},
		"another password": func(i *instance, _ *visitor) {
			rec := i.user("ann")
			rec.SetPassword("another password")
			if err := i.pb.Save(rec); err != nil {
				i.t.Fatal(err)
			}
		},
		"deleted": func(i *instance, _ *visitor) {
			if err := i.pb.Delete(i.user("ann")); err != nil {
				i.t.Fatal(err)
			}
		},
		"over": func(i *instance, v *visitor) {
			rec := i.user("ann")
			rec.Collection().AuthToken.Duration = -1 // of this record alone
			value, _, err := i.newSession(rec)
			if err != nil {
				i.t.Fatal(err)
			}
			v.cookies[0].Value = value
		},
	}
	for name, end := range rows {
		t.Run(name, func(t *testing.T) {
			i := newInstance(t)
			v := i.signedInAs("ann")
			if _, body, _ := v.do("GET", nodPath, nil); !isIn(body) {
				t.Fatal("not in")
			}
			end(i, v)
			held := *v.cookies[0]
			code, body, _ := v.do("POST", nodPath+"/abcdefghijklmno", url.Values{"do": {"confirm"}})
			if code != 401 || isIn(body) || !strings.Contains(body, `name="password"`) || len(v.cookies) > 0 {
				t.Errorf("%d %s", code, body)
			}
			i.longAgo()
			v.cookies = append(v.cookies, &held)
			if _, body, _ = v.do("GET", nodPath, nil); isIn(body) {
				t.Errorf("in again: %s", body)
			}
		})
	}
}

// TestPlainSecondFactor: a code by mail after the password, and a password after
// the code.
func TestPlainSecondFactor(t *testing.T) {
	w := newWays(t, true)
	s := w.pb.Settings()
	s.SMTP.Enabled, s.SMTP.Host, s.SMTP.Port = true, "127.0.0.1", 1
	if err := w.pb.Save(s); err != nil {
		t.Fatal(err)
	}
	v := &visitor{i: w.instance}
	code, body, _ := v.do("POST", nodPath, passwordForm("ann", "a long password"))
	form := sends(body)
	if code != 200 || len(v.cookies) > 0 || form.Get("mfa") == "" || form.Get("otp") == "" || !strings.Contains(body, `name="code"`) {
		t.Fatal(code, body)
	}
	form.Set("do", doCode)
	form.Set("code", "00000000")
	if code, body, _ = v.do("POST", nodPath, form); code != 400 || len(v.cookies) > 0 || sends(body).Get("otp") != form.Get("otp") {
		t.Errorf("a wrong code: %d %s", code, body)
	}
	mailed := w.mailed(t, "ann@example.com")
	form.Set("code", " "+mailed+" ") // as it is pasted
	if code, body, _ = v.do("POST", nodPath, form); code != 303 || len(v.cookies) != 1 {
		t.Errorf("the right code: %d %s", code, body)
	}
	// The other way round.
	v = &visitor{i: w.instance}
	_, body, _ = v.do("POST", nodPath, url.Values{"do": {doMail}, "identity": {"bob"}})
	form = sends(body)
	form.Set("do", doCode)
	form.Set("code", w.mailed(t, "bob@example.com"))
	code, body, _ = v.do("POST", nodPath, form)
	if code != 200 || len(v.cookies) > 0 || sends(body).Get("mfa") == "" || !strings.Contains(body, `name="password"`) {
		t.Fatal(code, body)
	}
	form = passwordForm("bob", "a long password")
	form.Set("mfa", sends(body).Get("mfa"))
	if code, body, _ = v.do("POST", nodPath, form); code != 303 || len(v.cookies) != 1 {
		t.Errorf("the password: %d %s", code, body)
	}
	// Who has no account, or no address, is answered as all are.
	for _, identity := range []string{"nobody", "nobody@example.com"} {
		code, body, _ := (&visitor{i: w.instance}).do("POST", nodPath, url.Values{"do": {doMail}, "identity": {identity}})
		if code != 200 || sends(body).Get("otp") == "" || !strings.Contains(body, "If the account has an e-mail address") {
			t.Errorf("%s: %d %s", identity, code, body)
		}
	}
	w.local("POST", "/operator/accounts", "", `{"handle":"cy","password":"a long password"}`)
	code, body, _ = (&visitor{i: w.instance}).do("POST", nodPath, passwordForm("cy", "a long password"))
	if code != 400 || !strings.Contains(body, "has no e-mail address") || sends(body).Get("mfa") != "" {
		t.Errorf("no address: %d %s", code, body)
	}
	for _, mfa := range []string{"aaaaaaaaaaaaaaa", "x"} { // of nobody
		if code, body, _ := (&visitor{i: w.instance}).do("POST", nodPath, url.Values{"do": {doMail}, "mfa": {mfa}}); code != 410 || !strings.Contains(body, `name="password"`) {
			t.Errorf("%d %s", code, body)
		}
	}
}

// mailed waits for the code that was sent to an address.
func (w *ways) mailed(t *testing.T, address string) string {
	t.Helper()
	for end := time.Now().Add(patient); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		w.mu.Lock()
		mail := w.mails[address]
		w.mu.Unlock()
		if mail != nil {
			code, _ := mail["password"].(string)
			return code
		}
	}
	t.Fatal("no code came to ", address)
	return ""
}

// TestPlainSignInElsewhere tells who has no password here what to do.
func TestPlainSignInElsewhere(t *testing.T) {
	w := newWays(t, false)
	_, body, _ := (&visitor{i: w.instance}).do("GET", nodPath, nil)
	if !strings.Contains(body, "Do you usually sign in with ") || !strings.Contains(body, "Ask an operator for a link") {
		t.Error(body)
	}
	w.change(users, func(c *core.Collection) { c.PasswordAuth.Enabled, c.OTP.Enabled = false, false })
	_, body, _ = (&visitor{i: w.instance}).do("GET", nodPath, nil)
	if strings.Contains(body, `name="password"`) || !strings.Contains(body, "switched off here") {
		t.Error(body)
	}
	if code, body, _ := (&visitor{i: w.instance}).do("POST", nodPath, passwordForm("ann", "a long password")); code != 403 || isIn(body) {
		t.Error(code, body)
	}
}

// TestPlainSignInIsGuarded: what is asked inside is asked from where the person
// is, and waits its turn as all do.
func TestPlainSignInIsGuarded(t *testing.T) {
	i := newInstance(t, "NODKEEP_TRUSTED_PROXY=X-Real-Ip")
	var from, by []string
	i.pb.OnRecordAuthWithPasswordRequest(users).BindFunc(func(e *core.RecordAuthWithPasswordRequestEvent) error {
		from, by = append(from, e.RealIP()), append(by, e.Request.Header.Get("Cookie")+e.Request.Header.Get("Authorization"))
		return e.Next()
	})
	v := i.signedInAs("bob")
	v.cookies[0].Value = "x"
	v.do("POST", nodPath, passwordForm("ann", "wrong"), "X-Real-Ip", "203.0.113.9", "Authorization", i.superuser())
	if len(from) != 2 || from[1] != "203.0.113.9" || by[1] != "" {
		t.Errorf("asked from %v with %v", from, by)
	}
	i.checking = newQueue(0, 0)
	code, body, _ := (&visitor{i: i}).do("POST", nodPath, passwordForm("ann", "a long password"), "Accept-Language", "de")
	if code != 503 || !strings.Contains(body, "Gerade kommen zu viele auf einmal.") {
		t.Error(code, body)
	}
	if code, _, _ := (&visitor{i: i}).do("POST", nodPath, passwordForm("ann", "a long password"), "Sec-Fetch-Site", "cross-site"); code != 403 {
		t.Error("another site signs people in: ", code)
	}
}

// TestPlainSignInLeadsNowhereElse, whatever is sent.
func TestPlainSignInLeadsNowhereElse(t *testing.T) {
	i := newInstance(t)
	for _, path := range []string{"/nod/%2Fevil.example", "/nod/..%2F..%2Fevil", "/nod/https:%2F%2Fevil.example", "/nod/" + strings.Repeat("a", 16), "/nod/a%0d%0aX:y"} {
		form := passwordForm("ann", "a long password")
		for _, name := range []string{"to", "next", "return", "redirect"} {
			form.Set(name, "https://evil.example/")
		}
		r := httptest.NewRequest("POST", path+"?to=https://evil.example", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		i.handler.ServeHTTP(w, r)
		if to := w.Header().Get("Location"); w.Code != 303 || to != nodPath {
			t.Errorf("%s: %d %q", path, w.Code, to)
		}
	}
}
