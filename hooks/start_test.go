package hooks

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

// TestStoppedWhileStarting: a signal that comes before PocketBase listens to
// signals.
func TestStoppedWhileStarting(t *testing.T) {
	a := New(Config{Plugins: []tools.Plugin{household.Plugin{}}, DataDir: filepath.Join(t.TempDir(), "pb_data"), Env: environment()})
	ctx, stop := context.WithCancel(t.Context())
	a.pb.OnBootstrap().BindFunc(func(e *core.BootstrapEvent) error {
		stop()
		return e.Next()
	})
	ended := make(chan error, 1)
	go func() {
		ended <- a.serve(ctx, func() error {
			time.Sleep(100 * time.Millisecond) // so that the signal has come and gone
			err := apis.Serve(a.pb, apis.ServeConfig{HttpAddr: "127.0.0.1:0"})
			if errors.Is(err, http.ErrServerClosed) {
				return nil
			}
			return err
		})
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patient):
		_ = a.pb.OnTerminate().Trigger(&core.TerminateEvent{App: a.pb})
		t.Fatal("it serves on")
	}
	if _, err := os.Stat(filepath.Join(a.dir, socketName)); !os.IsNotExist(err) {
		t.Errorf("the socket stays: %v", err)
	}
}

// TestAnotherKey: with a key that is not the history's, nothing is written,
// and what looks says so.
func TestAnotherKey(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	entries := m.ok("audit", "verify").at("entries")
	key, err := os.ReadFile(m.dir + ".key")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.dir+".key", []byte(strings.Repeat("0", 64)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"serve", "--http", "127.0.0.1:0"},
		{"account", "add", "ben"},
		{"call", "household_category_add", `{"name":"Books"}`, "--as", "ana"},
		{"audit", "accept", "why not"},
		{"superuser", "upsert", "root@example.com", "a long password"},
	} {
		if r := m.run(args...); r.code != 1 || !strings.Contains(r.err, "does not fit") || r.out != "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := m.run("audit", "verify"); r.code != 1 || !strings.Contains(r.out, `"ok": false`) {
		t.Errorf("%+v", r)
	}
	if r := m.run("doctor"); r.code != 1 || !strings.Contains(r.err, "does not fit") || strings.Contains(r.err+r.out, "accept") {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(m.dir+".key", key, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := m.ok("audit", "verify"); a.at("entries") != entries {
		t.Errorf("something was written: %s", a)
	}
}

// TestLinkedFolder: key and head are found whichever way leads to the folder.
func TestLinkedFolder(t *testing.T) {
	m := newMachine(t)
	m.ok("account", "add", "ana")
	folder, link := m.dir, filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	m.dir = link
	m.ok("account", "add", "ben")
	m.ok("audit", "verify")
	for _, end := range []string{".key", ".head"} {
		if _, err := os.Stat(link + end); !os.IsNotExist(err) {
			t.Errorf("%s lies beside the link: %v", end, err)
		}
	}
	m.dir = folder
	m.ok("audit", "verify")
}

func TestTakenPortLeavesNoFolder(t *testing.T) {
	m := newMachine(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if r := m.run("serve", "--http", l.Addr().String()); r.code != 1 || !strings.Contains(r.err, "--http") {
		t.Errorf("%+v", r)
	}
	left, err := os.ReadDir(filepath.Dir(m.dir))
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

// TestNextSteps: what a start prints can be typed, also where a path has
// spaces.
func TestNextSteps(t *testing.T) {
	m := newMachine(t)
	m.dir = filepath.Join(t.TempDir(), "my data", "pb_data")
	first := m.serve()
	if !strings.Contains(first.out.String(), "account add NAME --operator --dir '"+m.dir+"'") {
		t.Errorf("%s", first.out)
	}
	const printed = `\S+/link/[A-Za-z0-9_-]{43}`
	link := regexp.MustCompile(printed).FindString(first.out.String())
	if !strings.HasPrefix(link, first.base+"/link/") || strings.Count(first.out.String(), "/link/") != 1 {
		t.Fatalf("%q: %s", link, first.out)
	}
	resp, err := http.Get(first.base + prefix + "/")
	if err != nil {
		t.Fatal(err)
	}
	if a := parse(t, resp.Body); resp.StatusCode != 200 || a.str("tools") == "" {
		t.Errorf("the address of the API answers %d %s", resp.StatusCode, a)
	}
	first.stop(t)
	again := m.serve() // nobody has used it: there is a new one, in its place
	next := regexp.MustCompile(printed).FindString(again.out.String())
	for address, status := range map[string]int{again.base + strings.TrimPrefix(link, first.base): 410, next: 200} {
		resp, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		if _ = resp.Body.Close(); resp.StatusCode != status {
			t.Errorf("%s: %d", address, resp.StatusCode)
		}
	}
	m.ok("account", "add", "ana")
	again.stop(t)
	name := "operator add NAME --dir '" + m.dir + "'"
	second := m.serve()
	if out := second.out.String(); strings.Contains(out, "/link/") || !strings.Contains(out, "tools --as NAME --dir '"+m.dir+"'") || !strings.Contains(out, name) {
		t.Errorf("%s", out)
	}
	if out := m.ok("doctor").String(); !strings.Contains(out, "1 approved, none of them an operator") {
		t.Errorf("%s", out)
	}
	m.ok("operator", "add", "ana")
	second.stop(t)
	if out := m.serve().out.String(); strings.Contains(out, name) {
		t.Errorf("there is an operator: %s", out)
	}
	if out := m.ok("doctor").String(); strings.Contains(out, "none of them") {
		t.Errorf("there is an operator: %s", out)
	}
}

// TestNewKeyIsSaid by the start that makes it, and by no other.
func TestNewKeyIsSaid(t *testing.T) {
	m := newMachine(t)
	first := m.serve()
	if said := first.out.String(); strings.Count(said, m.dir+".key (mode 600)") != 1 || !strings.Contains(said, "apart from backups") {
		t.Errorf("the first start: %s", said)
	}
	first.stop(t)
	second := m.serve()
	if said := second.out.String(); strings.Contains(said, ".key") {
		t.Errorf("the second start: %s", said)
	}
	second.stop(t)
	given := newMachine(t)
	given.env = []string{"NODKEEP_ENCRYPTION_KEY=" + strings.Repeat("k", 32)}
	if said := given.serve().out.String(); strings.Contains(said, "key") {
		t.Errorf("a start that is given one: %s", said)
	}
	super := newMachine(t)
	if r := super.run("superuser", "upsert", "root@example.com", "a long password"); r.code != 0 || strings.Count(r.out, ".key (mode 600)") != 1 {
		t.Errorf("%+v", r)
	}
}

// TestReachable: what is printed can be opened.
func TestReachable(t *testing.T) {
	for listens, want := range map[string]string{"0.0.0.0:0": "127.0.0.1:", "[::]:0": "127.0.0.1:", "127.0.0.1:0": "127.0.0.1:"} {
		l, err := net.Listen("tcp", listens)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachable(l.Addr()); !strings.HasPrefix(got, want) || strings.HasSuffix(got, ":0") {
			t.Errorf("%s is %s", listens, got)
		}
		_ = l.Close()
	}
}

// TestAtDomain: a browser that opens the machine's address finds no certificate
// for it.
func TestAtDomain(t *testing.T) {
	for _, row := range [][3]string{
		{"nodkeep.example.org", "0.0.0.0:443", "nodkeep.example.org"},
		{"nodkeep.example.org", ":https", "nodkeep.example.org"},
		{"nodkeep.example.org", "127.0.0.1:8443", "nodkeep.example.org:8443"},
		{"", "127.0.0.1:8443", "127.0.0.1:8443"},
		{"nodkeep.example.org", "nowhere", "nowhere"},
	} {
		if got := atDomain(row[0], row[1]); got != row[2] {
			t.Errorf("%q at %q: %q", row[0], row[1], got)
		}
	}
}

// TestServeNamesTheDomain shows it in what a server with certificates says.
func TestServeNamesTheDomain(t *testing.T) {
	i := newInstance(t)
	i.tls, i.domain = true, "nodkeep.example.org"
	if got := i.baseFor(&core.ServeEvent{Server: &http.Server{Addr: "0.0.0.0:443"}}); got != "https://nodkeep.example.org" {
		t.Error(got)
	}
}
