package hooks

import (
	"encoding/json/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/client"
	"github.com/nodkeep/nodkeep/tools"
)

// TestConnectEndpoint tells members what to put where, and where program and
// data lie only those who look after the instance.
func TestConnectEndpoint(t *testing.T) {
	i := newInstance(t, "NODKEEP_URL=https://nodkeep.example.org/")
	i.makeOperator("ann")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		token string
		knows bool
	}{{i.token("bob"), false}, {i.token("ann"), true}} {
		status, a := i.web("GET", prefix+"/connect", row.token, "", "Accept-Language", "de")
		want(t, status, a, 200, "")
		if a.str("address") != "https://nodkeep.example.org" || a.len("items") != len(client.IDs()) || a.len("items", "0", "ways") != 2 || a.str("next") != "" || a.str("plugins", "0") != "household" {
			t.Errorf("%.400s", a)
		}
		said := a.String()
		if knows := strings.Contains(said, i.dir) && strings.Contains(said, program); knows != row.knows || strings.Contains(said, i.dir) != row.knows {
			t.Errorf("is told where things lie: %v", knows)
		}
		if !strings.Contains(said, "Ein Token erstellen") || strings.Contains(said, tools.TokenPrefix+"\"") {
			t.Errorf("%.400s", said)
		}
		status, a = i.web("GET", prefix+"/connect?client=Claude%20Code", row.token, "")
		want(t, status, a, 200, "")
		if a.len("items") != 1 || a.str("items", "0", "id") != "claude-code" || !strings.Contains(a.str("items", "0", "ways", "0", "snippet"), "https://nodkeep.example.org/mcp") {
			t.Errorf("%s", a)
		}
		for _, name := range []string{"emacs", "claude"} { // one is not there, the other not clear
			status, a = i.web("GET", prefix+"/connect?client="+name, row.token, "")
			want(t, status, a, 404, tools.NotFound)
			if !strings.Contains(a.str("message"), "claude-desktop, claude-code") || strings.Contains(a.str("message"), "cursor") == (name == "claude") {
				t.Errorf("%s", a)
			}
		}
	}
	for token, code := range map[string]int{"": 401, i.superuser(): 403} {
		status, a := i.web("GET", prefix+"/connect", token, "")
		want(t, status, a, code, "")
	}
}

// TestConnectCommand needs no data, knows where the server answers, and prints
// no token that it was not given on purpose.
func TestConnectCommand(t *testing.T) {
	m := newMachine(t)
	a := m.ok("connect")
	if a.str("address") != "" || a.len("items") != len(client.IDs()) {
		t.Errorf("%.400s", a)
	}
	if _, err := os.Stat(m.dir); err == nil {
		t.Error("it made a data folder")
	}
	a = m.ok("connect", "cursor", "--transport", "stdio")
	var made struct {
		Servers map[string]struct {
			Command string            `json:"command"`
			Args    []string          `json:"args"`
			Env     map[string]string `json:"env"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(a.str("items", "0", "ways", "0", "snippet")), &made); err != nil || a.len("items", "0", "ways") != 1 {
		t.Fatal(err, a)
	}
	e := made.Servers["nodkeep"]
	if _, err := os.Stat(e.Command); err != nil || !slices.Equal(e.Args, []string{"mcp", "--dir", m.dir}) || e.Env["NODKEEP_TOKEN"] != "PASTE_TOKEN_HERE" {
		t.Errorf("%v %+v", err, e)
	}
	for _, row := range []struct {
		code int
		says string
		args []string
	}{
		{1, "claude-desktop, claude-code", []string{"connect", "claude"}},
		{1, "There is no client", []string{"connect", "emacs"}},
		{2, "--transport is http or stdio", []string{"connect", "cursor", "--transport", "pigeon"}},
		{2, "--token takes - alone", []string{"connect", "cursor", "--token", "nk_secret"}},
		{2, "leave out \"cursor\"", []string{"connect", "cursor", "--test"}},
		{2, "--url goes with --test", []string{"connect", "cursor", "--url", "https://nodkeep.example.org"}},
		{2, "one argument too many", []string{"connect", "cursor", "zed"}},
	} {
		if r := m.run(row.args...); r.code != row.code || r.out != "" || !strings.Contains(r.err, row.says) || strings.Contains(r.err, "nk_secret") {
			t.Errorf("%v: %+v", row.args, r)
		}
	}
	m.ok("account", "add", "ana")
	base := m.serve().base
	if a = m.ok("connect", "zed"); a.str("address") != base || !strings.Contains(a.str("items", "0", "ways", "0", "snippet"), base+"/mcp") {
		t.Errorf("%s: %s", base, a)
	}
}

// TestConnectOnATerminal prints what is copied as it is.
func TestConnectOnATerminal(t *testing.T) {
	i := newInstance(t, "NODKEEP_URL=https://nodkeep.example.org")
	out, stderr, code := i.typed("", "connect")
	if code != 0 || stderr != "" || !strings.Contains(out, "lm-studio       LM Studio") || !strings.Contains(out, "connect claude-desktop") {
		t.Error(code, out, stderr)
	}
	out, stderr, code = i.typed("", "connect", "gemini")
	if code != 0 || stderr != "" || !strings.Contains(out, "  1. Make a token: nodkeep token create") || !strings.Contains(out, "\n~/.gemini/settings.json\n{\n  \"mcpServers\"") || !strings.Contains(out, "\ngemini mcp add ") {
		t.Error(code, out, stderr)
	}
	const secret = "nk_0123456789"
	out, stderr, code = i.typed(secret+"\n", "connect", "gemini", "--token", "-")
	if code != 0 || !strings.Contains(out, "Bearer "+secret) || strings.Contains(out, "PASTE_TOKEN_HERE") || strings.Contains(out, "Make a token") {
		t.Error(code, out, stderr)
	}
	for _, bad := range []string{"secret", "nk_a b", "nk_\x1b[2J"} {
		if out, stderr, code = i.typed(bad, "connect", "gemini", "--token", "-"); code != 1 || out != "" || strings.Contains(stderr, bad) {
			t.Errorf("%q: %d %s%s", bad, code, out, stderr)
		}
	}
	i.Env = environment("NODKEEP_TOKEN=" + secret)
	if out, _, code = i.typed("", "connect", "gemini", "--token", ""); code != 0 || !strings.Contains(out, secret) {
		t.Error(code, out)
	}
}
