package hooks

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/router"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// plainPages are all that there are, as far as they need no instance.
func plainPages() map[string]plain {
	wrong := tools.Fail(tools.Conflict, "nodkeep.error.taken", "ana")
	return map[string]plain{
		"sign-up": signUpPage("approval", "", "", nil), "sign-up-open": signUpPage("open", "", "", nil),
		"sign-up-wrong": signUpPage("approval", `a"><script>`, "ana@example.com", wrong),
		"join":          joinPage(false, "", "", nil), "join-first": joinPage(true, "", "", nil), "joined": joinedPage("ana", false, "/#/?as=ana"), "joined-first": joinedPage("ana", true, ""),
		"upload": uploadPage("ana", nil), "upload-wrong": uploadPage("ana", tools.Fail(tools.TooLarge, "uploads.large", 10)), "uploaded": uploadedPage(),
		"password": passwordPage("ana", nil), "password-set": passwordSetPage("ana", "/#/?as=ana"), "pass": newPassPage("ana", nil),
		"waiting": waitingPage(waitingView{"ana-maria.del-monte", []string{"acoustic", "business", "umbrella", "zoo"}, 14}),
		"delete":  deletePage("ana"), "deleted": deletedPage(), "forgotten": forgottenPage(),
		"approved": approvedPage("ana", "/#/?as=ana"), "refused": refusedPage(), "unknown": unknownPassPage(), "gone": linkGonePage(),
		"closed": closedPage(), "often": tooOftenPage(90 * time.Second), "error": refusedFormPage(wrong),
	}
}

// shown is a page as it is sent.
func (i *instance) shown(p plain, lang string) *httptest.ResponseRecorder {
	i.t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Language", lang)
	if err := i.show(&core.RequestEvent{App: i.pb, Event: router.Event{Request: r, Response: w}}, p); err != nil {
		i.t.Fatal(err)
	}
	return w
}

var (
	styled  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	inputs  = regexp.MustCompile(`<input id="(\w+)"`)
	refers  = regexp.MustCompile(`(?:aria-describedby|for)="([\w-]+)"`)
	aKey    = regexp.MustCompile(`[^.\w](?:plain|page|nodkeep|nod|gate|card|value|limit|privacy)\.\w`)
	posting = regexp.MustCompile(`<form method="post"`)
)

// TestPagesOfThreeLanguages: each is whole in three languages, without a script, and with
// a policy that names its style and lets it send forms only where it has one.
func TestPagesOfThreeLanguages(t *testing.T) {
	i := newInstance(t)
	for name, p := range plainPages() {
		seen := map[string]string{}
		for _, lang := range i18n.Languages() {
			w := i.shown(p, lang)
			body := w.Body.String()
			if other := seen[body]; other != "" {
				t.Errorf("%s is the same in %s and %s", name, other, lang)
			}
			seen[body] = lang
			whole(t, name, lang, w)
		}
	}
}

// whole fails where a page as it was sent is not what each of ours is.
func whole(t *testing.T, name, lang string, w *httptest.ResponseRecorder) {
	t.Helper()
	body := w.Body.String()
	for _, part := range []string{`<html lang="` + lang + `">`, "<h1>", "<main>", "width=device-width", `href="/privacy"`, "</html>"} {
		if !strings.Contains(body, part) {
			t.Errorf("%s %s has no %s", name, lang, part)
		}
	}
	for _, part := range []string{"<script", "javascript:", ` style="`, "onclick", "http://", "https://", "ZgotmplZ", "{0}"} {
		if strings.Contains(body, part) {
			t.Errorf("%s %s has %s", name, lang, part)
		}
	}
	if key := aKey.FindString(body); key != "" {
		t.Errorf("%s %s shows a key: %s", name, lang, key)
	}
	for _, m := range append(inputs.FindAllStringSubmatch(body, -1), refers.FindAllStringSubmatch(body, -1)...) {
		if !strings.Contains(body, `id="`+m[1]+`"`) || (strings.HasPrefix(m[0], "<input") && !strings.Contains(body, `<label for="`+m[1]+`"`)) {
			t.Errorf("%s: %s leads nowhere", name, m[0])
		}
	}
	style := styled.FindStringSubmatch(body)
	sum := sha256.Sum256([]byte(style[1]))
	policy, to := w.Header().Get("Content-Security-Policy"), "form-action 'none'"
	if posting.MatchString(body) {
		to = "form-action 'self'"
	}
	for _, part := range []string{"default-src 'none'", "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", to, "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("%s: the policy has no %s: %s", name, part, policy)
		}
	}
	if w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%s may be stored", name)
	}
}

func TestPlainPageSays(t *testing.T) {
	i := newInstance(t)
	rows := []struct {
		page, lang string
		status     int
		want       []string
	}{
		{"sign-up", "en", 200, []string{`name="handle"`, `name="password"`, `name="email"`, "An operator looks at each new account", "lower case letters from a to z", "Without an address nobody can"}},
		{"sign-up-open", "en", 200, []string{"at once"}},
		{"sign-up-wrong", "de", 409, []string{`role="alert" tabindex="-1" autofocus>Das Kürzel ana ist vergeben.`, `value="a&#34;&gt;&lt;script&gt;"`, `value="ana@example.com"`}},
		{"waiting", "en", 200, []string{"ana-maria.del-monte", "<li>acoustic</li><li>business</li><li>umbrella</li><li>zoo</li>", "Do you see these words", "Nobody ever asks for these words to be read out", "14 days", `value="forget"`, "?delete=1"}},
		{"waiting", "de", 200, []string{"Niemand bittet jemals", `lang="en" translate="no"`}},
		{"waiting", "es", 200, []string{"Nadie pide nunca"}},
		{"upload", "en", 200, []string{"account ana", `enctype="multipart/form-data"`, `name="file" type="file" required`, "At most 10 MB", "close the page"}},
		{"upload-wrong", "de", 413, []string{`role="alert"`, "größer als 10 MB", `type="file"`}},
		{"delete", "en", 200, []string{"ana", `value="delete"`}},
		{"often", "en", 429, []string{"in 2 minutes"}},
		{"gone", "en", 410, nil},
		{"unknown", "en", 404, []string{"let you in already"}},
		{"joined-first", "en", 200, []string{"ana can be used", "nodkeep account waiting"}},
		{"password", "en", 200, []string{`<input value="ana" autocomplete="username" hidden`, "[hidden] { display: none; }"}},
		{"closed", "en", 403, nil},
	}
	for _, row := range rows {
		w := i.shown(plainPages()[row.page], row.lang)
		if w.Code != row.status {
			t.Errorf("%s: %d, want %d", row.page, w.Code, row.status)
		}
		for _, part := range row.want {
			if !strings.Contains(w.Body.String(), part) {
				t.Errorf("%s %s has no %s", row.page, row.lang, part)
			}
		}
	}
}

func TestForm(t *testing.T) {
	i := newInstance(t, "NODKEEP_URL=https://nodkeep.example.org")
	long := url.Values{"handle": {strings.Repeat("a", 16<<10)}}.Encode()
	rows := []struct {
		name, body string
		headers    []string
		kind       tools.Kind // "" when it is read
	}{
		{"from this page", "handle=ana&password=a+b", []string{"Sec-Fetch-Site", "same-origin"}, ""},
		{"from another site", "handle=ana", []string{"Sec-Fetch-Site", "cross-site"}, tools.Forbidden},
		{"from a neighbour", "handle=ana", []string{"Sec-Fetch-Site", "same-site"}, tools.Forbidden},
		{"by an old browser", "handle=ana&password=a+b", []string{"Origin", "http://example.com"}, ""},
		{"by an old browser behind a proxy", "handle=ana&password=a+b", []string{"Origin", "https://nodkeep.example.org"}, ""},
		{"by an old browser from another site", "handle=ana", []string{"Origin", "http://evil.example"}, tools.Forbidden},
		{"of no origin", "handle=ana", []string{"Origin", "null"}, tools.Forbidden},
		{"without a browser", "handle=ana&password=a+b", nil, ""},
		{"too large", long, nil, tools.TooLarge},
		{"a field twice", "handle=ana&handle=bob", nil, tools.Invalid},
		{"no form", "%zz", nil, tools.Invalid},
	}
	for _, row := range rows {
		r := httptest.NewRequest("POST", "/sign-up?handle=query", strings.NewReader(row.body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for n := 0; n+1 < len(row.headers); n += 2 {
			r.Header.Set(row.headers[n], row.headers[n+1])
		}
		got, err := i.form(&core.RequestEvent{App: i.pb, Event: router.Event{Request: r, Response: httptest.NewRecorder()}})
		if row.kind == "" {
			if err != nil || got["handle"] != "ana" || got["password"] != "a b" {
				t.Errorf("%s: %v, %v", row.name, got, err)
			}
		} else if err == nil || tools.KindOf(err) != row.kind {
			t.Errorf("%s: %v, want %s", row.name, err, row.kind)
		}
	}
}

func TestCookie(t *testing.T) {
	for address, secure := range map[string]bool{"": false, "http://box.example": false, "https://nodkeep.example.org": true} {
		i := newInstance(t, "NODKEEP_URL="+address)
		w := httptest.NewRecorder()
		i.setCookie(&core.RequestEvent{App: i.pb, Event: router.Event{Request: httptest.NewRequest("GET", "/", nil), Response: w}}, "pass", "x", "/waiting", 60, http.SameSiteStrictMode)
		got := w.Header().Get("Set-Cookie")
		if !strings.Contains(got, "HttpOnly") || !strings.Contains(got, "SameSite=Strict") || strings.Contains(got, "Secure") != secure {
			t.Errorf("%q: %s", address, got)
		}
	}
}

// TestPlainColours: the plain pages have the colours and measures of the front end.
func TestPlainColours(t *testing.T) {
	theme, err := os.ReadFile(filepath.Join("..", "pb_public", "css", "theme.css"))
	if err != nil {
		t.Fatal(err)
	}
	own := cssNames.FindAllString(plainCSS, -1)
	if len(own) < 10 {
		t.Fatalf("the plain pages name %d colours and measures", len(own))
	}
	for _, one := range own {
		if !strings.Contains(string(theme), one) {
			t.Errorf("theme.css does not have: %s", one)
		}
	}
}

var cssNames = regexp.MustCompile(`(?m)^\t--[a-z-]+: .*;$`)
