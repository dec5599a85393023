package hooks

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/client"
)

// stdio is a living nodkeep mcp and the client at its pipes.
type stdio struct {
	*exec.Cmd
	t     *testing.T
	in    io.WriteCloser
	lines chan string
	rest  []string
	err   *lines
	next  int
}

// withToken gives ann a token and puts it where nodkeep mcp looks for it.
func (m *machine) withToken(mode string) (id string) {
	m.t.Helper()
	m.ok("account", "add", "ann", "--operator")
	a := m.ok("token", "create", "--as", "ann", "--mode", mode, "--tools", "all", "--name", "test")
	m.env = append(m.env, client.Variable+"="+a.str("token"))
	return a.str("id")
}

func (m *machine) stdio(t *testing.T) *stdio {
	t.Helper()
	s := &stdio{Cmd: m.command("mcp"), t: t, lines: make(chan string, 1000), err: &lines{}, next: 1}
	s.Stderr = s.err
	in, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in = in
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill(); _, _ = s.Process.Wait() })
	go func() {
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				close(s.lines)
				return
			}
			s.lines <- line
		}
	}()
	return s
}

func (s *stdio) send(lines ...string) {
	s.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(s.in, l+"\n"); err != nil {
			s.t.Fatalf("%v: %s", err, s.err)
		}
	}
}

// until gives the first line that holds all these; the others stay.
func (s *stdio) until(parts ...string) string {
	s.t.Helper()
	is := func(l string) bool {
		return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(l, p) })
	}
	if n := slices.IndexFunc(s.rest, is); n >= 0 {
		l := s.rest[n]
		s.rest = slices.Delete(s.rest, n, n+1)
		return l
	}
	for {
		select {
		case l, ok := <-s.lines:
			if !ok {
				s.t.Fatalf("the output ended before %q; there was %.2000q, and %s", parts, s.rest, s.err)
			}
			if parse(s.t, strings.NewReader(l)).str("jsonrpc") != "2.0" {
				s.t.Errorf("no message: %s", l)
			}
			if is(l) {
				return l
			}
			s.rest = append(s.rest, l)
		case <-time.After(patient):
			s.t.Fatalf("never %q; there was %.2000q, and %s", parts, s.rest, s.err)
		}
	}
}

// begin opens a session of the generation that has some.
func (s *stdio) begin() *stdio {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	s.until(`"id":"begin"`, `"serverInfo"`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

// ask calls a tool and gives the answer, whatever it is.
func (s *stdio) ask(tool, args string, modern bool) string {
	s.t.Helper()
	return s.until(fmt.Sprintf(`"id":%d,`, s.call(tool, args, modern)))
}

func (s *stdio) call(tool, args string, modern bool) int {
	s.t.Helper()
	s.next++
	meta := ""
	if modern {
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`
	}
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s"name":"%s","arguments":%s}}`, s.next, meta, tool, args))
	return s.next
}

// add makes a category in both generations, and must work.
func (s *stdio) add(name string) {
	s.t.Helper()
	for n, modern := range []bool{false, true} {
		l := s.ask("household_category_add", fmt.Sprintf(`{"name":"%s %d"}`, name, n), modern)
		if !strings.Contains(l, `"status":"done"`) || strings.Contains(l, `"isError":true`) {
			s.t.Fatalf("%s: %s %s", name, l, s.err)
		}
	}
}

// end closes the input, and must end the process well and soon.
func (s *stdio) end() {
	s.t.Helper()
	_ = s.in.Close()
	s.gone()
}

func (s *stdio) gone() {
	s.t.Helper()
	began := time.Now()
	for l := range s.lines {
		s.rest = append(s.rest, l)
	}
	err := s.Wait()
	// Promised is a second; the machine may be busy.
	if took := time.Since(began); err != nil || took > 4*time.Second || s.err.String() != "" {
		s.t.Errorf("it ended after %s with %v: %s", took, err, s.err)
	}
}

func (m *machine) categories(prefix string) (n int) {
	m.t.Helper()
	items, _ := m.ok("call", "household_category_list", "{}", "--as", "ann").at("output", "items").([]any)
	for _, item := range items {
		if strings.HasPrefix(answer{item}.str("name"), prefix) {
			n++
		}
	}
	return n
}

// TestStdioNeedsAToken: who has none, or a wrong one, is told how to make one.
func TestStdioNeedsAToken(t *testing.T) {
	m := newMachine(t)
	if r := m.run("mcp"); r.code != 1 || r.out != "" || !strings.Contains(r.err, "token create") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(m.dir); err == nil {
		t.Error("a folder was made")
	}
	m.withToken("read")
	good := m.env
	wrong := []string{"", " ", "wrong", "nk_" + strings.Repeat("x", 43)}
	for _, token := range wrong {
		m.env = []string{client.Variable + "=" + token}
		if r := m.runWith(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "mcp"); r.code != 1 || r.out != "" || !strings.Contains(r.err, "token create") {
			t.Errorf("%q: %+v", token, r)
		}
	}
	m.env = good
	s := m.stdio(t).begin()
	if l := s.ask("household_category_add", `{"name":"X"}`, true); strings.Contains(l, `"done"`) {
		t.Errorf("a token that may read has written: %s", l)
	}
	s.end()
}

// TestStdioWithoutAServerSaysWhereToDecide: no page answers, the terminal does.
func TestStdioWithoutAServerSaysWhereToDecide(t *testing.T) {
	m := newMachine(t)
	m.withToken("ask")
	s := m.stdio(t).begin()
	if l := s.ask("household_category_add", `{"name":"X"}`, true); !strings.Contains(l, `"pending"`) || !strings.Contains(l, "nodkeep proposal confirm ") || strings.Contains(l, "the link") {
		t.Error(l)
	}
	s.end()
}

// TestStdioTwo: two clients and commands share a folder that no server has.
func TestStdioTwo(t *testing.T) {
	m := newMachine(t)
	id := m.withToken("write")
	first, second := m.stdio(t).begin(), m.stdio(t).begin()
	first.add("first")
	second.add("second")
	if m.categories("first") != 2 || m.categories("second") != 2 {
		t.Error("they do not see the same")
	}
	// The holder dies: the other takes its place, with the session that it has.
	_ = first.Process.Kill()
	second.add("alone")
	third := m.stdio(t).begin()
	third.add("third")
	second.end()
	third.add("on")

	third.send("hello", `{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"x","arguments":{"x":"`+strings.Repeat("x", 10<<20)+`"}}}`)
	third.until(`"id":null`, "-32700")
	third.until(`"id":77`, "-32600")

	m.ok("token", "revoke", id, "--as", "ann")
	for _, modern := range []bool{false, true} {
		if l := third.ask("household_category_list", `{}`, modern); !strings.Contains(l, `"error"`) || !strings.Contains(l, "token create") {
			t.Errorf("after the token's end: %s", l)
		}
	}
	third.end()
	if _, err := os.Stat(filepath.Join(m.dir, socketName)); err == nil {
		t.Error("the socket is left")
	}
}

// TestStdioAndServers: servers start and end, well and badly, under sessions
// that notice nothing.
func TestStdioAndServers(t *testing.T) {
	m := newMachine(t)
	m.withToken("write")
	first, second := m.stdio(t).begin(), m.stdio(t).begin()
	first.add("before")
	for round := range 3 {
		server := m.serve()
		first.add(fmt.Sprint("served", round))
		second.add(fmt.Sprint("also served", round))
		if resp, err := http.Get(server.base + "/api/health"); err != nil {
			t.Error(err)
		} else if _ = resp.Body.Close(); resp.StatusCode != 200 {
			t.Error(resp.Status)
		}
		if r := m.run("serve", "--http", "127.0.0.1:0"); r.code != 1 || !strings.Contains(r.err, "already runs") {
			t.Errorf("%+v", r)
		}
		if round%2 == 0 {
			server.kill()
		} else if code := server.stop(t); code != 0 || strings.Contains(server.out.String(), "socket") {
			t.Errorf("code %d: %s", code, server.out)
		}
		second.add(fmt.Sprint("after", round))
		first.add(fmt.Sprint("also after", round))
	}
	// One that needs the folder for itself gets it too.
	if r := m.run("superuser", "upsert", "root@example.com", "a long password"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	first.add("at last")
	if err := second.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	second.gone()
	first.end()
	if n := m.categories("also"); n != 12 {
		t.Errorf("%d of 12 are there", n)
	}
	for _, l := range slices.Concat(first.rest, second.rest) {
		if !strings.Contains(l, "list_changed") {
			t.Errorf("a client noticed: %s", l)
		}
	}
}

// TestStdioUnderFire kills whoever has the folder while calls run: what was
// answered is there, what is lost is said to be, and nothing is there twice.
func TestStdioUnderFire(t *testing.T) {
	m := newMachine(t)
	m.withToken("trusted")
	var server *server
	s := m.stdio(t).begin()
	done, lost := map[string]bool{}, 0
	for round := range 6 {
		if round%2 == 0 {
			server = m.serve()
		}
		ids := map[int]string{}
		for n := range 8 {
			name := fmt.Sprintf("fire %d.%d", round, n)
			ids[s.call("household_category_add", `{"name":"`+name+`"}`, n%2 == 0)] = name
			time.Sleep(time.Millisecond)
		}
		if round%2 == 0 {
			server.kill()
		}
		for id, name := range ids {
			switch l := s.until(fmt.Sprintf(`"id":%d,`, id)); {
			case strings.Contains(l, `"status":"done"`):
				done[name] = true
			case strings.Contains(l, "went away"):
				lost++
			default:
				t.Errorf("%s: %s", name, l)
			}
		}
	}
	s.end()
	t.Logf("%d done, %d lost", len(done), lost)
	items, _ := m.ok("call", "household_category_list", "{}", "--as", "ann").at("output", "items").([]any)
	there := map[string]int{}
	for _, item := range items {
		there[answer{item}.str("name")]++
	}
	for name := range done {
		if there[name] != 1 {
			t.Errorf("%s is there %d times", name, there[name])
		}
	}
	for name, n := range there {
		if n > 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	if a := m.ok("audit", "verify"); a.at("ok") != true {
		t.Error(a)
	}
}

// TestStdioEndsMidCall: the input ends while calls are under way.
func TestStdioEndsMidCall(t *testing.T) {
	m := newMachine(t)
	m.withToken("write")
	s := m.stdio(t).begin()
	for range 20 {
		s.call("household_overview", `{}`, false)
		s.call("household_category_add", `{"name":"mid `+fmt.Sprint(s.next)+`"}`, true)
	}
	s.end()
	if r := m.run("audit", "verify"); r.code != 0 {
		t.Errorf("%+v", r)
	}
}
