package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/tools"
)

const netflix = `{"name":"Netflix","amount":"15.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-14"}`

// TestCommandLine goes the way of a newcomer, without a server and with one,
// and holds the answers of both against each other.
func TestCommandLine(t *testing.T) {
	m := newMachine(t)
	if a := m.ok("account", "add", "Ana", "--operator", "--email", "ana@example.com"); len(a.str("password")) < 12 || a.str("handle") != "ana" || a.at("operator") != true {
		t.Errorf("%s", a)
	}
	if a := m.ok("account", "add", "ben", "--password", "my own secret"); a.at("password") != nil {
		t.Errorf("a password that was given is printed: %s", a)
	}
	added := m.ok("call", "household_subscription_add", netflix, "--as", "ana")
	id := added.str("output", "id")
	if a := m.ok("call", "household_subscription_list", "--as", "ben"); a.len("output", "items") != 1 {
		t.Errorf("%s", a)
	}
	del := `{"id":"` + id + `"}`

	refused := func(code int, in string, args ...string) string {
		t.Helper()
		r := m.run(args...)
		if r.code != code || r.out != "" || !strings.Contains(r.err, in) {
			t.Errorf("%v: code %d, out %q, err %q; want %d and %q", args, r.code, r.out, r.err, code, in)
		}
		return r.err
	}
	questions := [][]string{
		{"tools", "--as", "ana"},
		{"audit", "list", "--as", "ana", "--tool", "household_subscription_add"},
		{"audit", "list", "--as", "ana", "--since", "yesterday"},
		{"account", "list"},
		{"call", "household_subscription_list", "--as", "ana"},
		{"call", "household_overview", "{}", "--as", "ana@example.com"},
		{"call", "household_fly", "{}", "--as", "ana", "--preview"},
		{"call", "household_subscription_list", "{", "--as", "ana"},
		{"call", "household_subscription_list", "--as", "nobody"},
		{"audit", "verify"},
	}
	ask := func() (all []ran) {
		for _, q := range questions {
			all = append(all, m.run(q...))
		}
		return all
	}
	alone := ask()
	live := m.serve()
	if diff := cmp.Diff(alone, ask(), cmp.AllowUnexported(ran{})); diff != "" {
		t.Errorf("the server answers otherwise than the folder: %s", diff)
	}

	// The rest through the server.
	if r := m.run("help", "account", "add"); r.code != 0 || !strings.Contains(r.out, "HANDLE") {
		t.Errorf("%+v", r)
	}
	refused(1, "nodkeep.error.taken", "account", "add", "ana")
	refused(1, "nodkeep.error.handle", "account", "add", "a b")
	refused(1, `"unauthorized"`, "call", "household_overview", "--as", "nobody")
	refused(1, `"invalid"`, "call", "household_subscription_add", `{"name":1}`, "--as", "ana")
	refused(1, `"digest_required"`, "call", "household_subscription_delete", del, "--as", "ana")
	refused(2, "give a TOOL: nodkeep call TOOL", "call")
	refused(2, "See: nodkeep call --help", "call")
	refused(2, `"as"`, "call", "household_overview")
	refused(2, "unknown flag", "call", "household_overview", "--as", "ana", "--force")
	refused(2, "unknown command", "dance")
	refused(2, "did you mean verify?", "audit", "verfy")
	refused(2, "say which", "audit")
	refused(2, "add, approve", "account", "remove")
	refused(2, "give a HANDLE: nodkeep account add HANDLE", "account", "add")
	refused(2, "one argument too many", "account", "add", "ana", "ben")
	refused(2, "give a REASON", "audit", "accept")
	refused(2, "audit entries", "undo", "--as", "ana")
	refused(2, "ID=CHOICE", "import", "x.csv", "--as", "ana", "--answer", "x")
	refused(1, "no such file", "import", filepath.Join(m.dir, "none.csv"), "--as", "ana")

	p := m.ok("call", "household_subscription_delete", del, "--as", "ana", "--preview")
	m.ok("call", "household_subscription_delete", del, "--as", "ana", "--yes="+p.str("digest"))
	refused(1, `"conflict"`, "call", "household_subscription_delete", del, "--as", "ana", "--yes="+p.str("digest"))
	list := m.ok("call", "household_subscription_list", "--as", "ana")
	if list.len("output", "items") != 0 {
		t.Errorf("%s", list)
	}
	entry := ""
	{ // the entry of the deletion, from its repeated digest
		r := m.run("call", "household_subscription_delete", del, "--as", "ana", "--yes="+p.str("digest"))
		entry = parse(t, strings.NewReader(r.err)).str("data", "audit", "0")
	}
	m.ok("undo", entry, "--as", "ana")
	if a := m.ok("call", "household_subscription_get", del, "--as", "ana"); a.str("output", "name") != "Netflix" {
		t.Errorf("%s", a)
	}

	// Arguments from standard input, never asked about.
	if r := m.runWith(`{"name":"Books"}`, "call", "household_category_add", "-", "--as", "ben"); r.code != 0 {
		t.Errorf("%+v", r)
	}

	file := filepath.Join(t.TempDir(), "bank.csv")
	if err := os.WriteFile(file, []byte(statementCSV), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := m.ok("import", file, "--as", "ana"); a.str("file") != "bank.csv" || a.len("subscriptions") != 1 {
		t.Errorf("%s", a)
	}
	refused(1, "reason", "audit", "accept", "")
	refused(1, `"conflict"`, "audit", "accept", "just", "trying")
	if a := m.ok("audit", "verify"); a.at("ok") != true {
		t.Errorf("%s", a)
	}
	if code := live.stop(t); code != 0 {
		t.Errorf("the server ends with %d: %s", code, live.out)
	}
	if _, err := os.Stat(filepath.Join(m.dir, socketName)); !os.IsNotExist(err) {
		t.Errorf("the socket stays: %v", err)
	}
}

func TestAuditVerifyFails(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	if err := os.WriteFile(m.dir+".head", []byte("7 "+strings.Repeat("a", 64)), 0o600); err != nil {
		t.Fatal(err)
	}
	r := m.run("audit", "verify")
	if r.code != 1 || !strings.Contains(r.out, `"ok": false`) || !strings.Contains(r.err, "but the head is 7") {
		t.Errorf("%+v", r)
	}
	if r := m.run("doctor"); r.code != 1 || !strings.Contains(r.out, "audit accept") || !strings.Contains(r.err, "audit accept") {
		t.Errorf("%+v", r)
	}
	m.ok("audit", "accept", "the head was lost")
	m.ok("audit", "verify")
}

// TestDoctorAdvisesWhatHelps: accepting mends a head, not an entry.
func TestDoctorAdvisesWhatHelps(t *testing.T) {
	i := newInstance(t)
	i.add(i.token("ann"), "Netflix", "")
	audit := func() string {
		_, a := i.local("GET", "/local/checks", "", "")
		for n := range a.len("items") {
			if a.str("items", fmt.Sprint(n), "name") == "audit" {
				return a.str("items", fmt.Sprint(n), "fix")
			}
		}
		return "no check"
	}
	if fix := audit(); fix != "" {
		t.Errorf("a chain that holds: %s", fix)
	}
	if err := os.WriteFile(i.dir+".head", []byte("99 "+strings.Repeat("a", 64)), 0o600); err != nil {
		t.Fatal(err)
	}
	if fix := audit(); !strings.Contains(fix, "audit accept") {
		t.Errorf("a head that does not fit: %s", fix)
	}
	if _, err := i.pb.NonconcurrentDB().NewQuery("UPDATE nodkeep_audit SET tool = 'x' WHERE seq = 2").Execute(); err != nil {
		t.Fatal(err)
	}
	if fix := audit(); fix == "" || strings.Contains(fix, "accept") {
		t.Errorf("an entry that was changed: %s", fix)
	}
	status, a := i.local("POST", "/local/audit", "", `{"reason":"why not"}`)
	want(t, status, a, 409, tools.Conflict)
}

func TestNoFolderIsMadeByMistake(t *testing.T) {
	m := newMachine(t)
	for _, args := range [][]string{{"call", "household_overview", "--as", "ana"}, {"account", "list"}, {"audit", "verify"}, {"undo", "x", "--as", "ana"}, {"doctor"}, {"doctor", "--live"}} {
		r := m.run(args...)
		if args[0] != "doctor" && (r.code != 1 || !strings.Contains(r.err, "account add")) {
			t.Errorf("%v: %+v", args, r)
		}
		if _, err := os.Stat(m.dir); !os.IsNotExist(err) {
			t.Fatalf("%v made the folder", args)
		}
	}
}

func TestSecondServer(t *testing.T) {
	m := newMachine(t)
	first := m.serve()
	if !strings.Contains(first.out.String(), "account add NAME --operator --dir "+m.dir) {
		t.Errorf("a first start does not say how to go on: %s", first.out)
	}
	start := time.Now()
	r := m.run("serve", "--http", "127.0.0.1:0")
	if r.code != 1 || !strings.Contains(r.err, "already runs") || time.Since(start) > 5*time.Second {
		t.Errorf("after %s: %+v", time.Since(start), r)
	}
	if r := m.run("superuser", "upsert", "root@example.com", "a long password"); r.code != 1 || !strings.Contains(r.err, "stop it") {
		t.Errorf("%+v", r)
	}
	if r := m.run("doctor", "--live"); r.code != 0 || r.out != "" {
		t.Errorf("%+v", r)
	}
	info, err := os.Stat(filepath.Join(m.dir, socketName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}

	// Killed, it leaves a socket that nobody answers.
	first.kill()
	if _, err := os.Stat(filepath.Join(m.dir, socketName)); err != nil {
		t.Fatal(err)
	}
	if r := m.run("doctor", "--live"); r.code != 1 {
		t.Errorf("%+v", r)
	}
	m.ok("account", "add", "ana", "--operator")
	if r := m.run("superuser", "upsert", "root@example.com", "a long password"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if r := m.run("superuser", "upsert", "root"); r.code != 1 {
		t.Errorf("%+v", r)
	}
	second := m.serve()
	if a := m.ok("account", "list"); a.len("items") != 1 {
		t.Errorf("%s", a)
	}
	if strings.Contains(second.out.String(), "no account") {
		t.Errorf("%s", second.out)
	}
	r = m.run("call", "household_overview", "--as", "root@example.com")
	if r.code != 1 || !strings.Contains(r.err, "http.nobody") {
		t.Errorf("a superuser acts: %+v", r)
	}
}

func TestCommandsWaitForEachOther(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	var wait sync.WaitGroup
	for n := range 6 {
		wait.Go(func() {
			if r := m.run("account", "add", fmt.Sprint("member", n)); r.code != 0 {
				t.Errorf("%+v", r)
			}
		})
	}
	wait.Wait()
	if a := m.ok("account", "list"); a.len("items") != 7 {
		t.Errorf("%s", a)
	}
	m.ok("audit", "verify")
}

func TestLongFolder(t *testing.T) {
	m := newMachine(t)
	m.dir = filepath.Join(t.TempDir(), strings.Repeat("very-long-name-", 8), "pb_data")
	live := m.serve()
	m.ok("account", "add", "ana")
	if r := m.run("doctor", "--live"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	live.kill()
	m.serve()
	m.ok("account", "list")
}

func TestSettingsStopTheStart(t *testing.T) {
	m := newMachine(t)
	m.env = []string{"NODKEEP_AUDIT_DAYS=soon", "NODKEEP_PLUGINS=household,nosuch", "NODKEEP_ENCRYPTION_KEY=short and secret", "NODKEEP_SIGN_UP=maybe", "NODKEEP_URL=example.org"}
	for _, args := range [][]string{{"serve", "--http", "127.0.0.1:0"}, {"account", "add", "ana"}, {"doctor"}} {
		r := m.run(args...)
		said := r.err + r.out
		if r.code != 1 || strings.Contains(said, "secret") && !strings.Contains(said, "household") || strings.Contains(said, "short and") {
			t.Errorf("%v: %+v", args, r)
		}
		for _, name := range []string{"NODKEEP_AUDIT_DAYS", "NODKEEP_PLUGINS", "NODKEEP_ENCRYPTION_KEY", "NODKEEP_SIGN_UP", "NODKEEP_URL"} {
			if !strings.Contains(said, name) {
				t.Errorf("%v does not name %s: %s", args, name, said)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(m.dir, "data.db")); !os.IsNotExist(err) {
		t.Error("the folder was opened")
	}
}

func TestDoctorFindsAnOpenKey(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	if r := m.run("doctor"); r.code != 0 || parse(t, strings.NewReader(r.out)).at("ok") != true || r.err != "" {
		t.Errorf("%+v", r)
	}
	if err := os.Chmod(m.dir+".key", 0o644); err != nil {
		t.Fatal(err)
	}
	if r := m.run("doctor"); r.code != 1 || !strings.Contains(r.out, "chmod 600 "+m.dir+".key") {
		t.Errorf("%+v", r)
	}
	if err := os.Remove(m.dir + ".key"); err != nil {
		t.Fatal(err)
	}
	if r := m.run("doctor"); r.code != 1 || !strings.Contains(r.out, "Restore it") {
		t.Errorf("%+v", r)
	}
	if r := m.run("account", "list"); r.code != 1 || !strings.Contains(r.err, "restore it") {
		t.Errorf("%+v", r)
	}
}

func TestDemo(t *testing.T) {
	m := newMachine(t)
	if r := m.run("demo"); r.code != 2 {
		t.Errorf("it takes a folder of somebody: %+v", r)
	}
	s := &server{out: &lines{}}
	tmp := t.TempDir()
	s.Cmd = m.command("demo", "--script", "--http", "127.0.0.1:0")
	s.Args = s.Args[:len(s.Args)-2]
	s.Env = append(s.Env, "TMPDIR="+tmp, "NODKEEP_AUDIT_DAYS=rubbish")
	s.start(t)
	_, rest, _ := strings.Cut(s.out.String(), "call household_overview --as ana --dir ")
	m.dir, _, _ = strings.Cut(rest, "\n")
	if a := m.ok("call", "household_overview", "--as", "ana"); a.at("output", "active") == 0.0 {
		t.Errorf("%s", a)
	}
	// Who answers is said to be no model, and is asked without another step.
	if out := s.out.String(); !strings.Contains(out, "a script, no model") || !strings.Contains(out, "Cancel Netflix") {
		t.Errorf("it says %s", out)
	}
	for _, as := range []string{"ana", "ben"} {
		if mine := m.ok("call", "nodkeep_consent_list", "--as", as); mine.at("output", "items", "0", "scripted") != true || mine.at("output", "items", "0", "agreed") != true {
			t.Errorf("%s may ask %s", as, mine)
		}
	}
	ben, ana := m.ok("call", "household_subscription_list", "--as", "ben"), m.ok("call", "household_subscription_list", "--as", "ana")
	if ben.len("output", "items") != ana.len("output", "items")+1 {
		t.Error("ben has nothing of his own")
	}
	if a := m.ok("call", "household_charge_list", "--as", "ana"); a.len("output", "items") == 0 {
		t.Errorf("no charges: %s", a)
	}
	m.ok("audit", "verify")
	if code := s.stop(t); code != 0 {
		t.Errorf("it ends with %d: %s", code, s.out)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

func TestDoctorFindsAFullDisk(t *testing.T) {
	m := newMachine(t)
	if r := m.run("doctor"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	// The shell lets no file grow beyond a few kilobytes.
	c := m.command("doctor")
	c.Args = append([]string{"sh", "-c", `ulimit -f 16; exec "$0" "$@"`, m.bin}, c.Args[1:]...)
	c.Path, c.Err = exec.LookPath("sh")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "takes nothing more") {
		t.Errorf("%v, %s", err, out)
	}
}
