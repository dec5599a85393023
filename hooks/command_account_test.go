package hooks

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// typed runs a command where somebody sits, who answers the question.
func (i *instance) typed(answer string, args ...string) (out, err string, code int) {
	i.t.Helper()
	i.out.Reset()
	i.err.Reset()
	i.Stdin = strings.NewReader(answer)
	i.Terminal, i.Screen = func() bool { return true }, func() bool { return true }
	i.root().SetArgs(args)
	failed := i.root().ExecuteContext(context.Background())
	switch _, is := errors.AsType[failure](failed); {
	case is:
		code = exitFailed
	case failed != nil:
		code = exitUsage
	}
	if failed != nil && !errors.Is(failed, errSaid) {
		i.err.WriteString(failed.Error())
	}
	return i.out.String(), i.err.String(), code
}

// TestAccountAddOnATerminal says the password, and no more than matters.
func TestAccountAddOnATerminal(t *testing.T) {
	i := newInstance(t)
	for _, row := range []struct{ want, args string }{
		{`^cy can sign in from now on, with this password, which is shown only now:\n  \S{12,}\n$`, "cy"},
		{`^dee, an operator, can sign in from now on, with the password that you gave\.\n$`, "dee --operator --password my-own-secret"},
		{`^\{\s*"id"`, "eve --json"},
	} {
		out, stderr, code := i.typed("", append([]string{"account", "add"}, strings.Fields(row.args)...)...)
		if code != 0 || stderr != "" || !regexp.MustCompile(row.want).MatchString(out) {
			t.Errorf("%s: %d %s%s", row.args, code, out, stderr)
		}
	}
}

// TestAccountCommands goes through all of them in a pipe, without a server and
// with one.
func TestAccountCommands(t *testing.T) {
	for _, live := range []bool{false, true} {
		name := "folder"
		if live {
			name = "server"
		}
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.ok("account", "add", "ana")
			m.ok("account", "add", "ben", "--email", "ben@example.com")
			if live {
				m.serve()
			}
			refused := func(in string, args ...string) {
				t.Helper()
				if r := m.run(args...); r.code != 1 || r.out != "" || !strings.Contains(r.err, in) {
					t.Errorf("%v: %+v, want %q", args, r, in)
				}
			}
			status := func(handle string) string {
				t.Helper()
				all := m.ok("account", "list")
				for n := range all.len("items") {
					if is := all.at("items").([]any)[n].(map[string]any); is["handle"] == handle {
						return is["status"].(string)
					}
				}
				return ""
			}
			// The first operator is named without any, by whatever names an account.
			if a := m.ok("operator", "list"); a.len("items") != 0 {
				t.Errorf("%s", a)
			}
			ben := m.ok("account", "list").str("items", "1", "id")
			m.ok("operator", "add", "Ana")
			m.ok("operator", "add", "ben@Example.com")
			refused("nodkeep.error.is_operator", "operator", "add", ben)
			if a := m.ok("operator", "list"); a.len("items") != 2 || a.str("items", "0", "handle") != "ana" {
				t.Errorf("%s", a)
			}
			m.ok("operator", "remove", ben)
			refused("nodkeep.error.last_operator", "operator", "remove", "ana")
			refused("nodkeep.error.last_operator", "account", "suspend", "ana")

			for _, act := range [][]string{{"account", "approve"}, {"account", "refuse"}, {"account", "suspend"}, {"account", "restore"}, {"account", "pass"}, {"account", "reset"}, {"operator", "add"}, {"operator", "remove"}} {
				refused("nobody-here", append(act, "nobody-here")...)
			}
			// One goes by an act, the other makes a link.
			for _, act := range [][]string{{"account", "approve"}, {"account", "reset"}} {
				refused("is nobody", append(act, "..")...)
				refused("is nobody", append(act, "")...)
				refused(`"not_found"`, append(act, "a/../b")...)
				refused(`"not_found"`, append(act, "nobody@example.com")...)
			}
			refused("nodkeep.error.not_waiting.approved", "account", "approve", "ben")
			refused("nodkeep.error.not_waiting.approved", "account", "pass", "ben")
			refused("nodkeep.error.not_suspended", "account", "restore", "ben")

			// What is grave needs the digest of a preview.
			refused(`"digest_required"`, "account", "suspend", "ben")
			if status("ben") != tools.Approved {
				t.Error("it was done all the same")
			}
			p := m.ok("account", "suspend", "ben", "--preview")
			if status("ben") != tools.Approved {
				t.Error("a preview did it")
			}
			refused("", "account", "suspend", "ben", "--yes=nonsense")
			m.ok("account", "suspend", ben, "--yes="+p.str("digest"))
			if status("ben") != "suspended" {
				t.Error("nothing was done")
			}
			refused("nodkeep.error.not_approved", "account", "suspend", "ben")
			refused("error.no_such_member", "account", "reset", "ben")
			m.ok("account", "restore", "ben@example.com")
			if status("ben") != tools.Approved {
				t.Error("ben stays suspended")
			}
			if a := m.ok("account", "waiting"); a.len("items") != 0 {
				t.Errorf("%s", a)
			}
			m.ok("audit", "verify")
			if r := m.run("account", "list", "more"); r.code != 2 {
				t.Errorf("%+v", r)
			}
			if r := m.run("account", "suspend", "ben", "--preview", "--yes=x"); r.code != 2 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestLinkCommands print a whole address where there is one.
func TestLinkCommands(t *testing.T) {
	const secret = `/link/[A-Za-z0-9_-]{43}$`
	m := newMachine(t)
	m.ok("account", "add", "ana")
	link := func(args ...string) (string, string) {
		t.Helper()
		r := m.run(args...)
		if r.code != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
		a := parse(t, strings.NewReader(r.out))
		if a.str("id") == "" || a.str("expires") == "" {
			t.Errorf("%v: %s", args, a)
		}
		return a.str("link"), r.err
	}
	is := func(pattern, got, hint string, hinted bool) {
		t.Helper()
		if !regexp.MustCompile("^"+pattern+secret).MatchString(got) || strings.Contains(hint, "NODKEEP_URL") != hinted || !hinted && hint != "" {
			t.Errorf("got %q, %q, want %s", got, hint, pattern)
		}
	}
	for _, args := range [][]string{{"account", "reset", "ana"}, {"account", "invite", "--note", "for Dora"}} {
		got, hint := link(args...)
		is("", got, hint, true)
	}
	m.env = []string{"NODKEEP_URL=https://home.example.org"}
	got, hint := link("account", "invite")
	is("https://home[.]example[.]org", got, hint, false)
	m.env = nil
	s := m.serve()
	got, hint = link("account", "reset", "ana")
	is(regexp.QuoteMeta(s.base), got, hint, false)
	if code := s.stop(t); code != 0 {
		t.Error(code)
	}
	if r := m.run("account", "invite", "--note", strings.Repeat("x", 81)); r.code != 1 || !strings.Contains(r.err, "nodkeep.error.note") {
		t.Errorf("%+v", r)
	}
}

// TestTheSettingComesFirst where a server answers elsewhere.
func TestTheSettingComesFirst(t *testing.T) {
	i := newInstance(t, "NODKEEP_URL=https://home.example.org/")
	i.base = "http://127.0.0.1:8090"
	out, said, _ := i.typed("", "account", "invite")
	if !strings.Contains(out, "\n  https://home.example.org/link/") || said != "" {
		t.Errorf("%q, %q", out, said)
	}
}

// TestAnAddressOfEverywhereIsNone to hand out.
func TestAnAddressOfEverywhereIsNone(t *testing.T) {
	i := newInstance(t)
	for base, want := range map[string]string{
		"http://127.0.0.1:8090": "http://127.0.0.1:8090", "https://home.example.org": "https://home.example.org",
		"http://0.0.0.0:8090": "", "http://[::]:8090": "", "": "",
	} {
		i.base = base
		if _, a := i.local("GET", "/local/address", "", ""); a.str("base") != want {
			t.Errorf("%s: %s", base, a)
		}
	}
	if status, a := i.web("GET", prefix+"/local/address", i.token("ann"), ""); status != 404 {
		t.Errorf("over the network: %d %s", status, a)
	}
}

// TestAccountsOnATerminal speak to a person: in columns, in sentences, and ask.
func TestAccountsOnATerminal(t *testing.T) {
	i := newInstance(t)
	i.base = "http://127.0.0.1:8090"
	carla := i.newcomer(i.pb, "carla")
	i.newcomer(i.pb, "dan")
	i.stand("bob", "suspended")
	is := func(out, pattern string) {
		t.Helper()
		if !regexp.MustCompile(pattern).MatchString(out) {
			t.Errorf("got\n%s\nwant %s", out, pattern)
		}
	}
	const day = `since \d{4}-\d\d-\d\d \d\d:\d\d`
	out, _, _ := i.typed("", "account", "list")
	is(out, `^ann    member     `+day+`  ann@example.com\nbob    suspended  `+day+`  bob@example.com\ncarla  waiting    `+day+`  \ndan `)
	out, _, _ = i.typed("", "account", "waiting")
	is(out, `^carla  .+  `+day+`  \ndan    .+  `+day)
	out, _, _ = i.typed("", "operator", "list")
	is(out, `^There is no operator`)
	out, _, code := i.typed("", "operator", "add", "ann")
	is(out, `(?s)^Make ann an operator.+Done\.\n$`)
	if code != 0 {
		t.Error(code)
	}
	out, _, _ = i.typed("", "operator", "list")
	is(out, `^ann  `+day)
	out, _, _ = i.typed("", "account", "list")
	is(out, `^ann    operator   `)
	out, said, code := i.typed("", "operator", "add", "nobody")
	if code != 1 || out != "" || said != "There is no member nobody.\n" {
		t.Errorf("%d %q %q", code, out, said)
	}

	out, _, _ = i.typed("", "account", "approve", carla.Id)
	is(out, `(?s)^Let carla in\n.+Done\.\n$`)
	if i.user("carla").GetString("status") != tools.Approved {
		t.Error("carla still waits")
	}
	for _, answer := range []string{"n\n", "", "y\n"} {
		out, said, code = i.typed(answer, "account", "refuse", "dan")
		is(said, `(?s)^Refuse dan\n.+\[y/N\]`)
		_, err := i.pb.FindFirstRecordByData(users, "handle", "dan")
		if done := answer == "y\n"; (code == 0) != done || (out == "Done.\n") != done || (err != nil) != done {
			t.Errorf("%q: %d %q, %v", answer, code, out, err)
		}
	}
	out, _, _ = i.typed("", "account", "waiting")
	is(out, `^Nobody waits\.\n$`)
	_, said, code = i.typed("n\n", "account", "suspend", "carla")
	if is(said, `(?s)^Suspend carla\n.+\[y/N\]`); code != 1 || i.user("carla").GetString("status") != tools.Approved {
		t.Error("no means no")
	}
	out, _, _ = i.typed("", "account", "suspend", "carla", "--preview")
	is(out, `(?s)^Suspend carla\n.+Nothing was changed\..+--yes=`)

	out, said, _ = i.typed("", "account", "reset", "ann")
	is(out, `(?s)^By this link .+ for ann: .+\nGood once, until \d{4}-\d\d-\d\d \d\d:\d\d, and shown only now:\n  http://127\.0\.0\.1:8090/link/\S{43}\n$`)
	is(said, `NODKEEP_URL`)
	i.newcomer(i.pb, "eva")
	out, _, _ = i.typed("", "account", "pass", "eva")
	is(out, `(?s)^By this link eva gets .+http://127\.0\.0\.1:8090/link/`)
	i.base = ""
	out, said, _ = i.typed("", "account", "invite")
	is(out, `(?s)^An invitation: .+\n  /link/\S{43}\n$`)
	is(said, `before the path.+NODKEEP_URL`)
}

// TestAnIDIsAnID: a handle may look like the id of another account.
func TestAnIDIsAnID(t *testing.T) {
	i := newInstance(t)
	bob := i.user("bob")
	i.newcomer(i.pb, bob.Id)
	status, a := i.local("POST", "/operator/operators", "", `{"account":"`+bob.Id+`"}`)
	want(t, status, a, 200, "")
	if !i.user("bob").GetBool("operator") {
		t.Error("somebody else is the operator")
	}
}
