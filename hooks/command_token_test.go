package hooks

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

// TestTokenCommands in a pipe, without a server and with one.
func TestTokenCommands(t *testing.T) {
	for _, live := range []bool{false, true} {
		name := "folder"
		if live {
			name = "server"
		}
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.ok("account", "add", "ana", "--email", "ana@example.com")
			m.ok("account", "add", "ben")
			if live {
				m.serve()
			}
			refused := func(code int, in string, args ...string) {
				t.Helper()
				if r := m.run(args...); r.code != code || r.out != "" || !strings.Contains(r.err, in) {
					t.Errorf("%v: %+v, want %d %q", args, r, code, in)
				}
			}
			made := m.ok("token", "create", "--as", "ana@example.com", "--mode", "write", "--name", "Claude", "--tools", "all", "--plugins", "household", "--own-surfaces", "--expires", "2090-01-01", "--daily-writes", "7")
			id, secret := made.str("id"), made.str("token")
			if len(made.any.(map[string]any)) != 2 || !tools.IsToken(secret) || len(id) != 15 {
				t.Errorf("%s", made)
			}
			all := m.ok("token", "list", "--as", "ana")
			want := map[string]any{
				"id": id, "name": "Claude", "mode": "write", "tools": "all", "plugins": []any{"household"}, "own_surfaces": true,
				"expires": "2090-01-02T00:00:00Z", "daily_writes": 7.0, "state": "active", "created": all.at("items", "0", "created"),
			}
			if d := cmp.Diff(want, all.at("items", "0")); d != "" {
				t.Error(d)
			}
			plain := m.ok("token", "create", "--as", "ana")
			all = m.ok("token", "list", "--as", "ana")
			if all.str("items", "0", "id") != plain.str("id") || all.str("items", "0", "mode") != "ask" || all.at("items", "0", "daily_writes") != 50.0 {
				t.Errorf("%s", all)
			}

			p := m.ok("token", "update", "Claude", "--as", "ana", "--mode", "read", "--preview")
			if p.str("digest") == "" || m.ok("token", "list", "--as", "ana").str("items", "1", "mode") != "write" {
				t.Errorf("%s", p)
			}
			m.ok("token", "update", "Claude", "--as", "ana", "--mode", "read", "--plugins", "", "--own-surfaces=false", "--expires", "")
			all = m.ok("token", "list", "--as", "ana")
			if all.str("items", "1", "mode") != "read" || all.len("items", "1", "plugins") != 0 || all.at("items", "1", "own_surfaces") != false || all.at("items", "1", "expires") != nil || all.at("items", "1", "daily_writes") != 7.0 {
				t.Errorf("%s", all)
			}
			again := m.ok("token", "rotate", id, "--as", "ana", "--expires", "30d")
			if again.str("id") != id || again.str("token") == secret || !tools.IsToken(again.str("token")) {
				t.Errorf("%s", again)
			}

			refused(1, `"not_found"`, "token", "revoke", id, "--as", "ben")
			refused(1, `"not_found"`, "token", "revoke", "nothing", "--as", "ana")
			refused(1, "is no token", "token", "revoke", "..", "--as", "ana")
			refused(1, `"invalid"`, "token", "create", "--as", "ana", "--mode", "root")
			refused(1, `"invalid"`, "token", "create", "--as", "ana", "--expires", "yesterday")
			refused(1, `"invalid"`, "token", "create", "--as", "ana", "--plugins", "garden")
			refused(1, `"invalid"`, "token", "create", "--as", "ana", "--daily-writes", "0")
			refused(1, `"unauthorized"`, "token", "create", "--as", "nobody")
			refused(2, "as", "token", "create")
			refused(2, "give a TOKEN", "token", "rotate", "--as", "ana")
			refused(2, "token", "token", "make")
			refused(2, "daily-writes", "token", "create", "--as", "ana", "--daily-writes", "many")

			m.ok("token", "revoke", "Claude", "--as", "ana")
			refused(1, `"conflict"`, "token", "revoke", id, "--as", "ana")
			refused(1, `"not_found"`, "token", "revoke", "Claude", "--as", "ana") // no name of one that is good
			m.ok("token", "create", "--as", "ana", "--name", "twin")
			m.ok("token", "create", "--as", "ana", "--name", "twin")
			refused(1, "2 tokens are called", "token", "revoke", "twin", "--as", "ana")
			if a := m.ok("token", "list", "--as", "ben"); a.len("items") != 0 {
				t.Errorf("%s", a)
			}
		})
	}
}

// TestTokensOnATerminal: what is copied is JSON there too, once, with a
// sentence beside it.
func TestTokensOnATerminal(t *testing.T) {
	i := newInstance(t)
	if out, stderr, code := i.typed("", "token", "list", "--as", "ann"); code != 0 || !strings.Contains(out, "no token") {
		t.Error(code, out, stderr)
	}
	out, stderr, code := i.typed("", "token", "create", "--as", "ann", "--name", "Claude")
	if code != 0 || !regexp.MustCompile(`^\{\n  "id": "\w{15}",\n  "token": "nk_[\w-]{43}"\n\}\n$`).MatchString(out) || !strings.Contains(stderr, "acts for ann. It is shown only now.") {
		t.Error(code, out, stderr)
	}
	secret := regexp.MustCompile(`nk_[\w-]+`).FindString(out)
	out, stderr, code = i.typed("", "token", "list", "--as", "ann")
	if code != 0 || !regexp.MustCompile(`^\w{15}  Claude  active  ask  never used\s*\n$`).MatchString(out) || strings.Contains(out+stderr, secret) {
		t.Errorf("%d %q %s", code, out, stderr)
	}
	out, stderr, code = i.typed("", "token", "revoke", "Claude", "--as", "ann")
	if code != 0 || !strings.Contains(out, "Revoke the token Claude") || !strings.HasSuffix(out, "Done.\n") {
		t.Errorf("%d %q %s", code, out, stderr)
	}
}
