package hooks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/pocketbase/pocketbase/core"
)

// page asks for a plain page as a browser does, and gives the session that came.
func (p *person) page(held string, form url.Values) (g got, session string) {
	p.t.Helper()
	method := "GET"
	if form != nil {
		method = "POST"
	}
	r := httptest.NewRequest(method, nodPath, strings.NewReader(form.Encode()))
	if p.wire {
		r.URL.Scheme, r.URL.Host, r.RequestURI = "http", strings.TrimPrefix(p.server.URL, "http://"), ""
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if held != "" {
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: held})
	}
	var resp *http.Response
	if p.wire {
		resp = must[*http.Response](p)(http.DefaultTransport.RoundTrip(r))
	} else {
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		resp = w.Result()
	}
	for _, c := range resp.Cookies() {
		if c.Name == sessionCookie && c.MaxAge > 0 {
			session = c.Value
		}
	}
	return got{resp.StatusCode, readAll(p.t, resp)}, session
}

// entersPage says whether a session that a page gave is one.
func (p *person) entersPage(g got, session string) (bool, string) {
	if session == "" {
		return false, fmt.Sprint(g)
	}
	now, _ := p.page(session, nil)
	return true, fmt.Sprint("a session; with it: ", isIn(now.body)) // itself more than they may have
}

// waysOfPages are those by the plain pages.
func waysOfPages() []way {
	return []way{
		{"password on a page", func(p *person) func() (bool, string) {
			return func() (bool, string) {
				return p.entersPage(p.page("", passwordForm(p.handle, "a long password")))
			}
		}},
		{"code on a page", func(p *person) func() (bool, string) {
			id := p.code()
			return func() (bool, string) {
				return p.entersPage(p.page("", url.Values{"do": {doCode}, "otp": {id}, "code": {"123456"}}))
			}
		}},
		{"session of the pages", func(p *person) func() (bool, string) {
			held, _, err := p.newSession(p.record())
			if err != nil {
				p.t.Fatal(err)
			}
			return func() (bool, string) {
				g, _ := p.page(held, nil)
				return isIn(g.body), fmt.Sprint(g)
			}
		}},
		{"session of the pages, used", func(p *person) func() (bool, string) {
			held, _, err := p.newSession(p.record())
			if err != nil {
				p.t.Fatal(err)
			}
			return func() (bool, string) {
				g, _ := p.page(held, url.Values{"do": {"discard-all"}, "agent": {"aaaaaaaaaaaaaaa"}})
				return g.is(200) || g.is(303), fmt.Sprint(g)
			}
		}},
	}
}

// waysOfPagesMFA are those with two factors.
func waysOfPagesMFA() []way {
	return []way{
		{"first of two factors on a page", func(p *person) func() (bool, string) {
			return func() (bool, string) {
				g, session := p.page("", passwordForm(p.handle, "a long password"))
				return session != "" || sends(g.body).Get("mfa") != "", fmt.Sprint(g)
			}
		}},
		{"second of two factors on a page", func(p *person) func() (bool, string) {
			mfa := core.NewMFA(p.pb)
			mfa.SetCollectionRef(p.record().Collection().Id)
			mfa.SetRecordRef(p.record().Id)
			mfa.SetMethod(core.MFAMethodPassword)
			if err := p.pb.Save(mfa); err != nil {
				p.t.Fatal(err)
			}
			code := p.code()
			return func() (bool, string) {
				return p.entersPage(p.page("", url.Values{"do": {doCode}, "otp": {code}, "mfa": {mfa.Id}, "code": {"123456"}}))
			}
		}},
	}
}
