package hooks

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// ask sends a request to a living server, and gives the answer with its body.
func ask(t *testing.T, method, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// TestOrigins: only sites that are named may call the API from a browser. The
// instance's own pages, and what is no browser, go on as ever.
func TestOrigins(t *testing.T) {
	const foreign = "https://evil.example"
	rows := []struct {
		name string
		env  []string
		args []string
		want map[string]string // what an origin is allowed
	}{
		{name: "nothing said", want: map[string]string{foreign: "", "null": ""}},
		{name: "the setting", env: []string{"NODKEEP_ORIGINS=https://app.example.org"}, want: map[string]string{foreign: "", "null": "", "https://app.example.org": "https://app.example.org", "https://app.example.org.evil.example": "", "http://app.example.org": ""}},
		{name: "the flag wins", env: []string{"NODKEEP_ORIGINS=https://app.example.org"}, args: []string{"--origins", "https://other.example"}, want: map[string]string{foreign: "", "https://app.example.org": "", "https://other.example": "https://other.example"}},
		{name: "all", args: []string{"--origins", "*"}, want: map[string]string{foreign: "*"}},
		{name: "the flag takes all back", env: []string{"NODKEEP_ORIGINS=*"}, args: []string{"--origins", ""}, want: map[string]string{foreign: ""}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m := newMachine(t)
			m.env = row.env
			live := m.serve(row.args...)
			row.want[live.base] = row.want["*"] // the own one needs no leave
			if row.want[foreign] == "*" {
				row.want[live.base] = "*"
			}
			for origin, allowed := range row.want {
				for _, path := range []string{"/api/health", prefix + "/texts/en", "/api/collections/users/auth-with-password"} {
					for _, method := range []string{"OPTIONS", "GET"} {
						resp, _ := ask(t, method, live.base+path, "Origin", origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization")
						if got := resp.Header.Get("Access-Control-Allow-Origin"); got != allowed {
							t.Errorf("%s %s from %s: %q is allowed, want %q", method, path, origin, got, allowed)
						}
						if resp.Header.Get("Content-Security-Policy") != dataPolicy {
							t.Errorf("%s %s: %v", method, path, resp.Header)
						}
						if got := resp.Header.Get("Access-Control-Allow-Headers"); (got != "") != (allowed != "" && method == "OPTIONS") {
							t.Errorf("%s %s from %s: the headers %q are allowed", method, path, origin, got)
						}
					}
				}
			}
			if resp, _ := ask(t, "GET", live.base+prefix+"/texts/en", "Origin", live.base); resp.StatusCode != 200 {
				t.Errorf("the own page gets %d", resp.StatusCode)
			}
		})
	}
}

// TestDashboard works as PocketBase made it: its policy is its own, and what it
// loads is there.
func TestDashboard(t *testing.T) {
	live := newMachine(t).serve()
	resp, html := ask(t, "GET", live.base+"/_/")
	policy := resp.Header.Get("Content-Security-Policy")
	if resp.StatusCode != 200 || !strings.Contains(policy, "script-src 'self'") || !strings.Contains(policy, "style-src 'self' 'unsafe-inline'") {
		t.Fatalf("%d %q", resp.StatusCode, policy)
	}
	for _, name := range []string{"Referrer-Policy", "Permissions-Policy"} {
		if got := resp.Header.Get(name); got != "" {
			t.Errorf("the dashboard is told %s: %s", name, got)
		}
	}
	scripts := 0
	for part := range strings.SplitSeq(html, `src="`) {
		src, _, ok := strings.Cut(part, `"`)
		if !ok || !strings.HasSuffix(src, ".js") {
			continue
		}
		scripts++
		if resp, _ := ask(t, "GET", live.base+"/_/"+strings.TrimPrefix(strings.TrimPrefix(src, "/_"), "./")); resp.StatusCode != 200 || !strings.Contains(resp.Header.Get("Content-Type"), "javascript") {
			t.Errorf("%s: %d %s", src, resp.StatusCode, resp.Header.Get("Content-Type"))
		}
	}
	if scripts == 0 {
		t.Errorf("no scripts in %.300s", html)
	}
	if resp, _ := ask(t, "GET", live.base+"/_/extensions.js"); resp.StatusCode != 200 {
		t.Errorf("its extensions: %d", resp.StatusCode)
	}
}
