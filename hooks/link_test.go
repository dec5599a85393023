package hooks

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// visitor is a browser without scripts: it keeps cookies and follows nothing.
type visitor struct {
	i       *instance
	cookies []*http.Cookie
}

func (v *visitor) do(method, path string, form url.Values, headers ...string) (int, string, http.Header) {
	v.i.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	for _, c := range v.cookies {
		if strings.HasPrefix(r.URL.Path, c.Path) {
			r.AddCookie(c)
		}
	}
	w := httptest.NewRecorder()
	v.i.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		v.cookies = nil
		if c.MaxAge > 0 {
			v.cookies = append(v.cookies, c)
		}
	}
	return w.Code, w.Body.String(), w.Header()
}

func newcomerForm(handle string) url.Values {
	return url.Values{"handle": {handle}, "password": {"a long password"}, "email": {""}}
}

// invite makes a link as an operator does and gives its path.
func (i *instance) invite(by string) string {
	i.t.Helper()
	status, a := i.web("POST", prefix+"/operator/invites", i.token(by), `{"note":"for cy"}`)
	want(i.t, status, a, 200, "")
	return a.str("output", "link")
}

// TestInvitePage: one account, approved at once, by whoever has the link.
func TestInvitePage(t *testing.T) {
	i := newInstance(t, "NODKEEP_SIGN_UP=closed")
	i.makeOperator("ann")
	link := i.invite("ann")
	v := &visitor{i: i}
	for range 2 { // a look uses nothing up
		if code, body, _ := v.do("GET", link, nil); code != 200 || !strings.Contains(body, `name="handle"`) {
			t.Fatalf("%d %s", code, body)
		}
	}
	if code, body, _ := v.do("POST", link, newcomerForm("ANN")); code != 409 || !strings.Contains(body, `value="ANN"`) {
		t.Errorf("%d %s", code, body)
	}
	if code, _, _ := v.do("POST", link, newcomerForm("cy"), "Sec-Fetch-Site", "cross-site"); code != 403 {
		t.Errorf("another site may use the link: %d", code)
	}
	more := newcomerForm("cy") // of which nothing but that is read
	for _, name := range []string{"operator", "operator+", "status", "verified", "role", "tokenKey", "words"} {
		more.Set(name, "true")
	}
	code, body, h := v.do("POST", link, more)
	if code != 200 || !strings.Contains(body, "cy") || h.Get("Referrer-Policy") != "no-referrer" {
		t.Fatalf("%d %s", code, body)
	}
	if cy := i.user("cy"); cy.GetString("status") != tools.Approved || cy.GetBool("operator") || cy.Verified() || cy.TokenKey() == "true" || cy.GetString("words") != "" {
		t.Errorf("%v", cy.FieldsData())
	}
	for _, method := range []string{"GET", "POST"} {
		if code, _, _ := v.do(method, link, newcomerForm("dee")); code != 410 {
			t.Errorf("%s after its use: %d", method, code)
		}
	}
}

// TestLinkOnce: of many who use a link at once, one has an account.
func TestLinkOnce(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	link := i.invite("ann")
	var wg sync.WaitGroup
	for _, h := range []string{"cy1", "cy2", "cy3", "cy4", "cy5", "cy6"} {
		wg.Go(func() { (&visitor{i: i}).do("POST", link, newcomerForm(h)) })
	}
	wg.Wait()
	if n := i.count(users); n != 3 {
		t.Errorf("%d accounts", n)
	}
}

// TestLinkOfNoOperator: a link is worth what its maker is.
func TestLinkOfNoOperator(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	i.makeOperator("bob")
	byAnn, byBob := i.invite("ann"), i.invite("bob")
	v := &visitor{i: i}
	status, a := i.local("POST", "/operator/operators/ann/remove", "", "")
	want(t, status, a, 200, "")
	if code, _, _ := v.do("POST", byAnn, newcomerForm("cy")); code != 410 {
		t.Errorf("of one whose role was taken: %d", code)
	}
	i.makeOperator("ann")
	rec := i.user("bob")
	rec.Set("status", accounts.Suspended)
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := v.do("POST", byBob, newcomerForm("cy")); code != 410 {
		t.Errorf("of one who is suspended: %d", code)
	}
	late := i.invite("ann")
	if _, err := i.pb.NonconcurrentDB().NewQuery("UPDATE nodkeep_links SET expires = '" + time.Now().UTC().Add(-time.Second).Format("2006-01-02 15:04:05.000Z") + "'").Execute(); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{late, accounts.LinkPath + "x", accounts.LinkPath + tools.NewSecret()} {
		if code, _, _ := v.do("GET", link, nil); code != 410 {
			t.Errorf("%s: %d", link, code)
		}
	}
	if err := i.clear(time.Now()); err != nil || i.count(accounts.Links) != 0 {
		t.Errorf("%v, %d links are left", err, i.count(accounts.Links))
	}
}

// TestResetLink sets a new password and ends every session.
func TestResetLink(t *testing.T) {
	i := newInstance(t)
	old := i.token("bob")
	status, a := i.local("POST", "/operator/resets", "", `{"account":"bob"}`)
	want(t, status, a, 200, "")
	other, link := a.str("output", "link"), ""
	_, a = i.local("POST", "/operator/resets", "", `{"account":"bob"}`)
	link = a.str("output", "link")
	v := &visitor{i: i}
	if code, body, _ := v.do("GET", link, nil); code != 200 || strings.Contains(body, `name="handle"`) || !strings.Contains(body, "bob") {
		t.Errorf("%d %s", code, body)
	}
	if code, body, _ := v.do("POST", link, url.Values{"password": {"short"}}); code != 400 || !strings.Contains(body, "wrong") {
		t.Errorf("%d %s", code, body)
	}
	if code, body, _ := v.do("POST", link, url.Values{"password": {"another password"}}); code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	for _, l := range []string{link, other} {
		if code, _, _ := v.do("POST", l, url.Values{"password": {"yet another one"}}); code != 410 {
			t.Errorf("a link once more: %d", code)
		}
	}
	status, in := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"bob","password":"another password"}`)
	want(t, status, in, 200, "")
	if status, in := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"bob","password":"a long password"}`); status != 400 {
		t.Errorf("%d %s", status, in)
	}
	status, me := i.web("GET", prefix+"/me", old, "")
	want(t, status, me, 401, tools.Unauthorized)
	// Suspended meanwhile: a link gives nobody a way back.
	_, a = i.local("POST", "/operator/resets", "", `{"account":"bob"}`)
	rec := i.user("bob")
	rec.Set("status", accounts.Suspended)
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := v.do("POST", a.str("output", "link"), url.Values{"password": {"another password"}}); code != 410 {
		t.Errorf("of somebody who is suspended: %d", code)
	}
}

// TestWaitingPages: a person without scripts signs up, waits and learns.
func TestWaitingPages(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	v := &visitor{i: i}
	if code, body, _ := v.do("GET", signUpPath, nil); code != 200 || !strings.Contains(body, privacyPath) {
		t.Errorf("%d %s", code, body)
	}
	if code, body, _ := v.do("POST", signUpPath, newcomerForm("ann")); code != 409 || !strings.Contains(body, "taken") {
		t.Errorf("%d %s", code, body)
	}
	code, _, h := v.do("POST", signUpPath, newcomerForm("cy"))
	if code != 303 || h.Get("Location") != waitingPath || len(v.cookies) != 1 {
		t.Fatalf("%d %v", code, h)
	}
	c := v.cookies[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != waitingPath || c.MaxAge != int(passTime.Seconds()) {
		t.Errorf("%+v", c)
	}
	cy := i.user("cy")
	code, body, _ := v.do("GET", waitingPath, nil)
	for _, w := range i.words(cy) {
		if code != 200 || !strings.Contains(body, ">"+w+"<") {
			t.Errorf("%d: %s is not shown", code, w)
		}
	}
	if code, body, _ := v.do("GET", waitingPath+"?delete=1", nil); code != 200 || !strings.Contains(body, `value="delete"`) {
		t.Errorf("%d %s", code, body)
	}
	if code, _, _ := v.do("POST", waitingPath, url.Values{"do": {"delete"}}, "Sec-Fetch-Site", "cross-site"); code != 403 || i.count(users) != 3 {
		t.Errorf("another site may delete: %d", code)
	}
	// On another device: a new pass by a link.
	_, l := i.local("POST", "/operator/waiting/cy/pass", "", "")
	phone := &visitor{i: i}
	if code, _, _ := phone.do("GET", l.str("output", "link"), nil); code != 200 {
		t.Errorf("%d", code)
	}
	if code, _, _ := phone.do("POST", l.str("output", "link"), url.Values{}); code != 303 || len(phone.cookies) != 1 {
		t.Errorf("%d", code)
	}
	if code, body, _ := phone.do("GET", waitingPath, nil); code != 200 || !strings.Contains(body, i.words(cy)[0]) {
		t.Errorf("%d", code)
	}
	if code, _, _ := phone.do("POST", waitingPath, url.Values{"do": {"forget"}}); code != 200 || len(phone.cookies) != 0 {
		t.Errorf("%d %v", code, phone.cookies)
	}
	if code, _, _ := phone.do("GET", waitingPath, nil); code != 404 {
		t.Errorf("%d", code)
	}
	_, unused := i.local("POST", "/operator/waiting/cy/pass", "", "")
	status, a := i.web("POST", prefix+"/operator/waiting/"+cy.Id+"/approve", i.token("ann"), "")
	want(t, status, a, 200, "")
	passes := i.count(accounts.Passes)
	for _, method := range []string{"GET", "POST"} { // who is in needs no pass
		if code, _, _ := phone.do(method, unused.str("output", "link"), url.Values{}); code != 410 || i.count(accounts.Passes) != passes {
			t.Errorf("%s of a link to a pass after the approval: %d", method, code)
		}
	}
	if code, body, _ := v.do("GET", waitingPath, nil); code != 200 || !strings.Contains(body, "cy") || len(v.cookies) != 0 {
		t.Errorf("%d %s", code, body)
	}
	if code, _, _ := v.do("GET", waitingPath, nil); code != 404 {
		t.Errorf("%d", code)
	}
}

// TestFirstLink makes the first operator, and only the first.
func TestFirstLink(t *testing.T) {
	i := newInstance(t)
	for _, h := range []string{"ann", "bob"} {
		if err := i.pb.Delete(i.user(h)); err != nil {
			t.Fatal(err)
		}
	}
	old, err := i.firstLink()
	if err != nil {
		t.Fatal(err)
	}
	link, err := i.firstLink()
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{i: i}
	if code, _, _ := v.do("GET", old, nil); code != 410 {
		t.Errorf("the link of an earlier start: %d", code)
	}
	if code, body, _ := v.do("POST", link, newcomerForm("root")); code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	if rec := i.user("root"); !rec.GetBool("operator") || rec.GetString("status") != tools.Approved {
		t.Errorf("%v", rec.FieldsData())
	}
	late, err := i.firstLink()
	if err != nil {
		t.Fatal(err)
	}
	if code, _, _ := v.do("POST", late, newcomerForm("second")); code != 410 || i.count(users) != 1 {
		t.Errorf("a second first operator: %d", code)
	}
}

// TestSecretsOfLinksAreNotLogged: what is in an address would stand in the
// request log.
func TestSecretsOfLinksAreNotLogged(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	link := i.invite("ann")
	v := &visitor{i: i}
	v.do("GET", link, nil)
	v.do("POST", link, newcomerForm("cy"))
	v.do("GET", link, nil)
	secret := strings.TrimPrefix(link, accounts.LinkPath)
	// Nor of one that is mistyped, and so as good as ever.
	for _, path := range []string{link + "/", link + "/x", "/Link/" + secret, "/api" + link, "/x" + link, "/link%2F" + secret} {
		v.do("GET", path, nil)
	}
	for _, method := range []string{"PUT", "DELETE", "TRACE"} {
		v.do(method, link, nil)
	}
	// What PocketBase has in addresses.
	const given = "a-token-in-an-address"
	for _, path := range []string{"/api/files/users/x/y?thumb=1&token=" + given, "/api/files/users/x/y?%74oken=" + given, "/api/oauth2-redirect?state=x&code=" + given} {
		v.do("GET", path, nil)
	}
	for _, table := range []string{"users", "nodkeep_links", "nodkeep_audit", "nodkeep_steps"} {
		if strings.Contains(i.dump(table), secret) {
			t.Errorf("%s has it", table)
		}
	}
	i.pb.Logger().Info("the last line")
	deadline := time.Now().Add(patient)
	for {
		var logs []string
		if err := i.pb.AuxDB().NewQuery("SELECT message || data FROM _logs").Column(&logs); err != nil {
			t.Fatal(err)
		}
		all := strings.Join(logs, "\n")
		if strings.Contains(all, secret) || strings.Contains(all, given) {
			t.Fatal("the log has it")
		}
		if strings.Contains(all, "the last line") {
			if !strings.Contains(all, "thumb=1") {
				t.Error("the rest of an address is not logged")
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was logged")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// TestNothingIsLostToABusyDatabase: what cannot be read is not gone. A device
// keeps its pass, and nobody is told that a link is over.
func TestNothingIsLostToABusyDatabase(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	link := i.invite("ann")
	v := &visitor{i: i}
	if code, _, _ := v.do("POST", signUpPath, newcomerForm("cy")); code != 303 {
		t.Fatalf("%d", code)
	}
	rename := func(from, to string) {
		t.Helper()
		if _, err := i.pb.NonconcurrentDB().NewQuery("ALTER TABLE " + from + " RENAME TO " + to).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	for table, path := range map[string]string{accounts.Passes: waitingPath, accounts.Links: link} {
		rename(table, "away")
		code, _, _ := v.do("GET", path, nil)
		rename("away", table)
		if code != 500 || len(v.cookies) != 1 {
			t.Errorf("%s: %d, %d cookies", table, code, len(v.cookies))
		}
		if code, _, _ := v.do("GET", path, nil); code != 200 {
			t.Errorf("%s afterwards: %d", table, code)
		}
	}
}
