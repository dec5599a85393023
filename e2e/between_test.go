package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// gateway is what stands between a browser and the server, as a proxy, a wall or a page
// to sign in to a network does: answer answers in the server's stead, and says whether it did.
type gateway struct {
	*instance
	pass   *httputil.ReverseProxy
	answer atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func (i *instance) between() *gateway {
	i.t.Helper()
	to, err := url.Parse(i.base)
	if err != nil {
		i.t.Fatal(err)
	}
	own := *i
	g := &gateway{instance: &own, pass: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}, FlushInterval: -1, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { errorPage(w, http.StatusBadGateway) }}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := g.answer.Load(); answer == nil || !(*answer)(w, r) {
			g.pass.ServeHTTP(w, r)
		}
	}))
	i.t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	own.base = server.URL
	return g
}

// instead has the gateway answer from now on; nil lets all through.
func (g *gateway) instead(answer func(http.ResponseWriter, *http.Request) bool) {
	if answer == nil {
		g.answer.Store(nil)
		return
	}
	g.answer.Store(&answer)
}

// errorPage is an error as a proxy says it.
func errorPage(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<html><title>%d</title><h1>%d</h1></html>", status, status)
}

// TestBetween: what a proxy says is not what the server says. A change whose answer it
// swallowed happens once, and nobody is signed out by it.
func TestBetween(t *testing.T) {
	i := demo(t, "en")
	g := i.between()
	w := g.signIn("ana", desktop)
	w.allow("Failed to load resource", "ERR_INCOMPLETE_CHUNKED_ENCODING")
	w.settled()
	counted := func(name string) (n int) {
		items, _ := i.tool("ana", "household_subscription_list", map[string]any{})["items"].([]any)
		return strings.Count(fmt.Sprint(items), name)
	}
	swallow := func(part string, status int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, part) || r.URL.Query().Has("preview") {
				return false
			}
			g.pass.ServeHTTP(httptest.NewRecorder(), r)
			errorPage(w, status)
			return true
		}
	}
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout} {
		name := fmt.Sprintf("Magazine %d", status)
		script := `import("/parts/act.js").then((m) => m.tryAct(` + quote(fmt.Sprintf(`{"tool":"household_subscription_add","args":{"name":%q,"amount":"9.90","currency":"EUR","cycle":"P1M","first_date":"2026-01-01"}}`, name)) + `.length && JSON.parse(` + quote(fmt.Sprintf(`{"tool":"household_subscription_add","args":{"name":%q,"amount":"9.90","currency":"EUR","cycle":"P1M","first_date":"2026-01-01"}}`, name)) + `)))`
		g.instead(swallow("household_subscription_add", status))
		w.run(script)
		w.see("The server was not reached.")
		g.instead(nil)
		w.run(script) // once more, as people do
		if n := counted(name); n != 1 {
			t.Errorf("%d: it was done %d times", status, n)
		}
	}

	id := i.agent("ana", "Claude", "ask").asks("household_subscription_add", subscription("Newspaper"))
	w.visit("#/inbox/" + id)
	g.instead(swallow("/confirm", http.StatusGatewayTimeout))
	w.press("Yes, do this")
	w.see("The answer had got lost, but it was done: once.", "Done")
	g.instead(nil)
	if n := counted("Newspaper"); n != 1 {
		t.Errorf("it was done %d times", n)
	}

	// A page of a wall, where the API was: the session is still one, and what is shown are the last lists.
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		g.instead(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, "/api/") || strings.Contains(r.URL.Path, "/texts/") {
				return false
			}
			errorPage(w, status)
			return true
		})
		w.visit(fmt.Sprintf("/?n=%d&worker=no#/subscriptions", status))
		w.see("Offline")
		w.until("ana, still", `document.querySelector("nav.nav") && JSON.parse(localStorage.nodkeep_auth).token`)
		g.instead(nil)
		w.see("Netflix")
		w.miss("Offline")
	}

	// Errors, and none of the server's own.
	for _, row := range []struct {
		status     int
		body, says string
	}{
		{http.StatusTooManyRequests, `{"data":{},"message":"Too Many Requests.","status":429}`, "That was tried too often from your network. Try again in a minute."}, // PocketBase's limit
		{http.StatusInternalServerError, "null", "The server was not reached."},
	} {
		g.instead(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/proposals") {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(row.status)
			_, _ = w.Write([]byte(row.body))
			return true
		})
		w.visit("#/more")
		w.visit("#/inbox")
		w.see(row.says)
	}
}

// TestBetweenBegins: the network swallows what a page begins with. It waits, and is whole in the end.
func TestBetweenBegins(t *testing.T) {
	i := demo(t, "en")
	for _, lost := range []string{"/api/nodkeep/texts/", "/api/nodkeep/", "/pages/signin.js", "/ext/household/main.js"} {
		t.Run(strings.Trim(strings.ReplaceAll(lost, "/", "_"), "_"), func(t *testing.T) {
			g := i.on(t).between()
			var n atomic.Int32
			g.instead(func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, lost) || lost == "/api/nodkeep/" && r.URL.Path != lost || n.Add(1) > 2 {
					return false
				}
				errorPage(w, http.StatusBadGateway)
				return true
			})
			w := open(t, g.base, phone)
			w.allow("Failed to load resource", "Failed to load module script")
			w.visit("/?worker=no#/subscriptions")
			w.signs("ana", password)
			w.see("Netflix")
			if key := eval[string](w, `(document.body.innerText.match(/\b(web|household\.web)\.[a-z_.]+/) || [""])[0]`); key != "" {
				t.Errorf("the page says the key %s", key)
			}
		})
	}
}
