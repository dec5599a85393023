package hooks

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// pageIn is a page in a language, as the browser of a visitor gets it.
func (v *visitor) pageIn(lang, path string, form url.Values) *httptest.ResponseRecorder {
	method := "GET"
	if form != nil {
		method = "POST"
	}
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Accept-Language", lang)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range v.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	v.i.handler.ServeHTTP(w, r)
	return w
}

// TestNodPagesOfThreeLanguages: each is whole in each, whatever an agent calls
// itself and what it writes.
func TestNodPagesOfThreeLanguages(t *testing.T) {
	i := newInstance(t)
	const hostile = `</h1><script>alert(1)</script>\" onload=\"x`
	id, _ := i.add(i.token("ann"), hostile, "")
	claude := i.agent("ann", hostile, "ask")
	who := tools.Actor{Person: claude.Person, Door: tools.DoorCLI}
	del := []string{"household_subscription_delete", `{"id":"` + id + `"}`}
	add := []string{"household_category_add", `{"name":"` + hostile + `"}`}
	made := map[string]gate.Proposal{
		"grave": i.asks(claude, del...), "many": i.asks(claude, append(add, del...)...), "applied": i.asks(claude, add...),
		"discarded": i.asks(claude, add...), "failed": i.asks(claude, "household_category_add", `{"name":"Films"}`), "expired": i.asks(claude, add...),
	}
	if _, err := i.gate.Confirm(t.Context(), who, made["applied"].ID, made["applied"].Digest, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := i.gate.Discard(t.Context(), who, made["discarded"].ID, `<script>"`); err != nil {
		t.Fatal(err)
	}
	for set, id := range map[string]string{
		"state = 'failed', decided = created, reason = '<script>'": made["failed"].ID, "expires = '2026-01-01 00:00:00.000Z'": made["expired"].ID,
	} {
		if _, err := i.pb.DB().NewQuery("UPDATE nodkeep_proposals SET " + set + " WHERE id = {:id}").Bind(map[string]any{"id": id}).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	v, stranger := i.signedInAs("ann"), &visitor{i: i}
	pages := map[string]func(lang string) *httptest.ResponseRecorder{
		"list":      func(lang string) *httptest.ResponseRecorder { return v.pageIn(lang, nodPath, nil) },
		"empty":     func(lang string) *httptest.ResponseRecorder { return i.signedInAs("bob").pageIn(lang, nodPath, nil) },
		"gone":      func(lang string) *httptest.ResponseRecorder { return v.pageIn(lang, nodPath+"/x", nil) },
		"signed in": func(lang string) *httptest.ResponseRecorder { return stranger.pageIn(lang, nodPath, nil) },
		"wrong": func(lang string) *httptest.ResponseRecorder {
			return stranger.pageIn(lang, nodPath, passwordForm(`"><script>`, "wrong"))
		},
		"code": func(lang string) *httptest.ResponseRecorder {
			return i.shown(i.codePage(signing{Identity: `"><script>`, MFA: `"><script>`, OTP: `"><script>`}, nil), lang)
		},
		"second": func(lang string) *httptest.ResponseRecorder {
			return i.shown(i.signInPage(signing{MFA: `"><script>`}, nil), lang)
		},
		"undo": func(lang string) *httptest.ResponseRecorder {
			return v.pageIn(lang, nodPath+"/"+made["applied"].ID, url.Values{"do": {doUndo}})
		},
		"chosen": func(lang string) *httptest.ResponseRecorder {
			return v.pageIn(lang, nodPath+"/"+made["many"].ID, url.Values{"do": {doLook}, "keep_0": {"1"}})
		},
		"said": func(lang string) *httptest.ResponseRecorder {
			return v.pageIn(lang, nodPath+"/"+made["grave"].ID+"?said=changed", nil)
		},
	}
	for name, p := range made {
		pages[name] = func(lang string) *httptest.ResponseRecorder { return v.pageIn(lang, nodPath+"/"+p.ID, nil) }
	}
	for name, page := range pages {
		seen := map[string]string{}
		for _, lang := range i18n.Languages() {
			w := page(lang)
			body := w.Body.String()
			if other := seen[body]; other != "" {
				t.Errorf("%s is the same in %s and %s", name, other, lang)
			}
			seen[body] = lang
			whole(t, name, lang, w)
			if strings.Contains(body, `onload="`) {
				t.Errorf("%s %s lets an attribute in", name, lang)
			}
		}
	}
	// What the address says is never shown.
	if body := v.pageIn("en", nodPath+"?said=%3Cb%3Eyou%20won", nil).Body.String(); strings.Contains(body, "you won") {
		t.Error(body)
	}
}
