package hooks

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

// withWeb opens an instance whose app serves a single-page app at /.
func withWeb(t *testing.T) *instance {
	t.Helper()
	return webOf(t, newInstance(t))
}

func webOf(t *testing.T, i *instance) *instance {
	t.Helper()
	router, err := apis.NewRouter(i.pb)
	if err != nil {
		t.Fatal(err)
	}
	router.GET("/{path...}", apis.Static(fstest.MapFS{
		"index.html": {Data: []byte("<title>An app</title>")}, "app.js": {Data: []byte("let a")},
	}, true))
	router.GET("/own", func(e *core.RequestEvent) error {
		return plainPage(e, http.StatusOK, "<style>b{}</style><form></form>", "b{}", true)
	})
	if err := i.bindRoutes(router); err != nil {
		t.Fatal(err)
	}
	if i.handler, err = router.BuildMux(); err != nil {
		t.Fatal(err)
	}
	return i
}

func (i *instance) headersOf(method, path string) http.Header {
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Header()
}

// TestHeaders: each answer says what a browser may do with it, whatever sent it.
func TestHeaders(t *testing.T) {
	i := withWeb(t)
	rows := []struct{ path, policy string }{
		{prefix + "/texts/en", dataPolicy},
		{prefix + "/tools", dataPolicy},
		{"/api/health", dataPolicy},
		{"/api/nowhere", dataPolicy},
		{"/", webPolicy},
		{"/app.js", webPolicy},
		{"/some/page", webPolicy},
	}
	for _, row := range rows {
		h := i.headersOf("GET", row.path)
		if got := h.Get("Content-Security-Policy"); got != row.policy {
			t.Errorf("%s: %q", row.path, got)
		}
		for name, want := range map[string]string{
			"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Strict-Transport-Security": "",
			"Permissions-Policy": "camera=(), geolocation=(), microphone=()", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q", row.path, name, got)
			}
		}
	}
	for _, policy := range []string{dataPolicy, webPolicy} {
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Error(policy)
		}
	}
	if h := i.headersOf("GET", "/api/files/users/x/y"); h.Get("Content-Security-Policy") != "" || h.Get("X-Frame-Options") != "SAMEORIGIN" {
		t.Errorf("the dashboard cannot show files: %v", h)
	}
}

// TestPlainPages name their one style by its content, and nothing else.
func TestPlainPages(t *testing.T) {
	own := withWeb(t).headersOf("GET", "/own").Get("Content-Security-Policy")
	if !strings.Contains(own, "form-action 'self'") || !strings.Contains(own, "default-src 'none'") || strings.Contains(own, "script-src") {
		t.Error(own)
	}
	i := newInstance(t)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(w.Body.String())
	if style == nil {
		t.Fatal(w.Body)
	}
	sum := sha256.Sum256([]byte(html.UnescapeString(style[1])))
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") || !strings.Contains(policy, "form-action 'none'") || style[1] != plainCSS {
		t.Errorf("the policy %q does not let the page's style in", policy)
	}
	for _, name := range []string{"X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy"} {
		if w.Header().Get(name) == "" {
			t.Errorf("no %s", name)
		}
	}
}

// TestStrictTransport is said only by a site that is reached by https.
func TestStrictTransport(t *testing.T) {
	for url, want := range map[string]string{"http://nodkeep.example.org": "", "https://nodkeep.example.org": "max-age=31536000"} {
		i := newInstance(t, "NODKEEP_URL="+url)
		for _, path := range []string{"/", "/api/health", prefix + "/texts/en"} {
			if got := i.headersOf("GET", path).Get("Strict-Transport-Security"); got != want {
				t.Errorf("%s%s: %q", url, path, got)
			}
		}
	}
	i := newInstance(t)
	i.tls = true
	if got := webOf(t, i).headersOf("GET", "/").Get("Strict-Transport-Security"); got == "" {
		t.Error("a site with certificates does not say it")
	}
}

// TestHeadersOfRefusals: whatever refuses, PocketBase's first checks included,
// the browser is told.
func TestHeadersOfRefusals(t *testing.T) {
	i := newInstance(t)
	super := i.superuser()
	i.settle(func(s *core.Settings) {
		s.SuperuserIPs, s.RateLimits.Enabled = []string{"10.0.0.1"}, true
		s.RateLimits.Rules = []core.RateLimitRule{{Label: "/api/health", MaxRequests: 1, Duration: 60}}
	})
	for want, ask := range map[int]func(*http.Request){
		403: func(r *http.Request) { r.Header.Set("Authorization", super) },
		429: func(r *http.Request) { i.handler.ServeHTTP(httptest.NewRecorder(), r.Clone(t.Context())) },
	} {
		r := httptest.NewRequest("GET", "/api/health", nil)
		ask(r)
		w := httptest.NewRecorder()
		i.handler.ServeHTTP(w, r)
		if w.Code != want || w.Header().Get("Content-Security-Policy") != dataPolicy || w.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%d: %d %v", want, w.Code, w.Header())
		}
	}
}
