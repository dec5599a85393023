package client

import (
	"encoding/base64"
	"encoding/json/v2"
	"flag"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

var update = flag.Bool("update", false, "write testdata anew")

func catalogue(t *testing.T) *i18n.Catalogue {
	t.Helper()
	c, err := i18n.Load(Locales(), i18n.Core())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestClients shows what each is told, as people see it.
func TestClients(t *testing.T) {
	c := catalogue(t)
	var b strings.Builder
	say := func(texts []tools.Text) {
		for _, s := range texts {
			fmt.Fprintf(&b, "  - %s\n", c.Say("en", s))
		}
	}
	for _, cl := range All(Facts{Address: "https://nodkeep.example.org", Binary: "/opt/nodkeep/nodkeep", Dir: "/srv/our data"}) {
		for _, w := range cl.Ways {
			fmt.Fprintf(&b, "== %s (%s) over %s\n", cl.Name, cl.ID, w.Transport)
			say(w.Steps)
			say(w.Notes)
			for _, f := range w.Files {
				fmt.Fprintf(&b, "file %s %s\n", f.System, f.Path)
			}
			fmt.Fprintf(&b, "%s\n%s", w.Format, w.Snippet)
			for _, s := range []string{w.Command, w.Link} {
				if s != "" {
					fmt.Fprintln(&b, s)
				}
			}
		}
	}
	const golden = "testdata/clients.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}

// hard are facts that no pasting of strings would get right.
func hard() Facts {
	return Facts{
		Address: "https://nodkeep.example.org/a%20b?\"c'=d&e", Binary: `C:\Program Files\Ana's "new"\nodkeep.exe`,
		Dir: "/srv/ünsere Daten/$HOME `x` \\ # = ]\n!", Token: "nk_" + strings.Repeat("a-_9", 11),
	}
}

// server reads back what a snippet says of our server.
func server(t *testing.T, id string, w Way) map[string]any {
	t.Helper()
	if w.Format == "toml" {
		return fromTOML(t, w.Snippet)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(w.Snippet), &v); err != nil {
		t.Fatalf("%s: %v in %s", id, err, w.Snippet)
	}
	servers, _ := v[map[string]string{"vscode": "servers", "zed": "context_servers"}[id]].(map[string]any)
	if servers == nil {
		servers, _ = v["mcpServers"].(map[string]any)
	}
	e, _ := servers[Server].(map[string]any)
	if len(servers) != 1 || e == nil {
		t.Fatalf("%s: %s", id, w.Snippet)
	}
	return e
}

// fromTOML reads a snippet as a client does.
func fromTOML(t *testing.T, s string) map[string]any {
	t.Helper()
	var v map[string]map[string]map[string]any
	if _, err := toml.Decode(s, &v); err != nil {
		t.Fatalf("%v in %s", err, s)
	}
	if len(v) != 1 || len(v["mcp_servers"]) != 1 {
		t.Fatalf("more than one server in %s", s)
	}
	return v["mcp_servers"][Server]
}

// TestSnippetsAreRead by what reads such files, and say just what is so, also
// where paths and addresses are odd.
func TestSnippetsAreRead(t *testing.T) {
	for _, given := range []Facts{hard(), {}, {Address: "http://192.168.1.7:8090"}} {
		f := given.whole()
		for _, c := range All(given) {
			token := f.Token
			for _, w := range c.Ways {
				switch c.ID {
				case "vscode":
					token = "${input:nodkeep-token}"
				case "claude-code":
					token = "${NODKEEP_TOKEN}"
				}
				e := server(t, c.ID, w)
				var got, want any
				if w.Transport == Stdio {
					got = []any{e["command"], e["args"], e["env"]}
					want = []any{f.Binary, []any{"mcp", "--dir", f.Dir}, map[string]any{"NODKEEP_TOKEN": token}}
				} else {
					field := "url"
					switch c.ID {
					case "windsurf":
						field = "serverUrl"
					case "gemini-cli":
						field = "httpUrl"
					}
					got, want = []any{e[field], e["headers"]}, []any{f.Address + "/mcp", map[string]any{"Authorization": "Bearer " + token}}
					switch c.ID {
					case "codex": // the token stands nowhere in it
						got, want = []any{e["url"], e["bearer_token_env_var"], strings.Contains(w.Snippet, token)}, []any{f.Address + "/mcp", "NODKEEP_TOKEN", false}
					case "claude-desktop":
						got = []any{e["command"], e["args"], e["env"]}
						args := []any{"-y", "mcp-remote", f.Address + "/mcp", "--header", "Authorization:${AUTH}"}
						if given.Address == "http://192.168.1.7:8090" {
							args = append(args, "--allow-http") // it would not go there else
						}
						want = []any{"npx", args, map[string]any{"AUTH": "Bearer " + token}}
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s over %s: %s", c.ID, w.Transport, d)
				}
				wantType := any(nil)
				if slices.Contains([]string{"claude-code", "vscode", "generic"}, c.ID) {
					wantType = string(w.Transport)
				}
				if e["type"] != wantType {
					t.Errorf("%s over %s: its type is %v", c.ID, w.Transport, e["type"])
				}
			}
		}
	}
}

// TestLinks hold the same entry as the snippet.
func TestLinks(t *testing.T) {
	linked := 0
	for _, c := range All(hard()) {
		for _, w := range c.Ways {
			if w.Link == "" {
				continue
			}
			linked++
			u, err := url.Parse(w.Link)
			if err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			var got map[string]any
			raw, err := url.PathUnescape(u.RawQuery)
			want := server(t, c.ID, w)
			if c.ID == "vscode" {
				want["name"], want["inputs"] = Server, []any{map[string]any{"type": "promptString", "id": "nodkeep-token", "description": "The token of nodkeep", "password": true}}
			} else {
				var b []byte
				b, err = base64.StdEncoding.DecodeString(u.Query().Get("config"))
				raw = string(b)
				if u.Query().Get("name") != Server {
					t.Errorf("%s: %s", c.ID, w.Link)
				}
			}
			if err == nil {
				err = json.Unmarshal([]byte(raw), &got)
			}
			if d := cmp.Diff(want, got); err != nil || d != "" {
				t.Errorf("%s over %s: %v %s", c.ID, w.Transport, err, d)
			}
		}
	}
	if linked != 6 {
		t.Errorf("%d links", linked)
	}
}

// TestNoTokenIsShown unless it was given.
func TestNoTokenIsShown(t *testing.T) {
	said := fmt.Sprint(All(Facts{Address: "https://x.example"}))
	if strings.Contains(said, tools.TokenPrefix) || !strings.Contains(said, noToken) {
		t.Error(said)
	}
	said = fmt.Sprint(All(Facts{Address: "https://x.example", Token: "nk_given"}))
	if !strings.Contains(said, "nk_given") || strings.Contains(said, noToken) {
		t.Error("a token that was given is not placed")
	}
}

// TestNotes warn of what is not so.
func TestNotes(t *testing.T) {
	c := catalogue(t)
	for _, row := range []struct {
		f    Facts
		t    Transport
		says string
	}{
		{Facts{Address: "https://x.example"}, HTTP, ""},
		{Facts{Address: "http://127.0.0.1:8090"}, HTTP, ""},
		{Facts{Address: "http://localhost:8090"}, HTTP, ""},
		{Facts{Address: "http://[::1]:8090"}, HTTP, ""},
		{Facts{Address: "http://192.168.1.7:8090"}, HTTP, "not encrypted"},
		{Facts{}, HTTP, "not known here"},
		{Facts{Binary: "/usr/bin/nodkeep"}, Stdio, "as a user who may read it"},
		{Facts{}, Stdio, "put the path of the program"},
	} {
		for _, cl := range Only(All(row.f), []string{"cursor"}) {
			for _, w := range cl.Ways {
				if w.Transport != row.t {
					continue
				}
				var said []string
				for _, n := range w.Notes {
					said = append(said, c.Say("en", n))
				}
				if all := strings.Join(said, " "); (row.says == "") != (all == "") || !strings.Contains(all, row.says) {
					t.Errorf("%+v: %q, want %q", row.f, all, row.says)
				}
			}
		}
	}
}

// TestNamed finds who is meant.
func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"cursor": "cursor", "LM Studio": "lm-studio", "lmstudio": "lm-studio", "Gemini": "gemini-cli", "vs code": "vscode",
		"claude": "claude-desktop claude-code", "claude code": "claude-code", "c": "claude-desktop claude-code cursor codex gemini-cli", "code": "claude-code codex", "desktop": "claude-desktop", "laude": "",
		"studio": "lm-studio", "": "", "-": "", "emacs": "",
	} {
		if got := strings.Join(Named(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
