package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const password = "try-nodkeep"

// instance is a server of the real program.
type instance struct {
	t         testing.TB
	base, dir string
	env       []string
	process   *exec.Cmd
	empty     bool              // nobody has an account
	tokens    map[string]string // by which what tests ask is asked

	mu      *sync.Mutex
	printed *strings.Builder // by the server
}

// said is what the server has printed so far.
func (i *instance) said() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.printed.String()
}

// demo serves the demonstration: ana, an operator, and ben, with a sample household and
// the scripted assistant.
func demo(t testing.TB, language string) *instance {
	t.Helper()
	i := &instance{t: t, base: "http://" + free(t)}
	i.start("demo", "--script", "--language", language, "--http", strings.TrimPrefix(i.base, "http://"))
	return i
}

// serve serves an empty instance with ana, an operator; env are settings as NAME=value.
func serve(t testing.TB, env ...string) *instance {
	t.Helper()
	i := &instance{t: t, base: "http://" + free(t), dir: filepath.Join(t.TempDir(), "pb_data"), env: env}
	i.command("account", "add", "ana", "--password", password, "--operator")
	i.start("serve", "--dir", i.dir, "--http", strings.TrimPrefix(i.base, "http://"))
	return i
}

// free is an address for a server, which is the same again once it was stopped. It is below
// those that connections going out are given, so that none of them takes it meanwhile.
func free(t testing.TB) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 20000+rand.IntN(12000)))
		if err == nil {
			_ = l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// command runs one of the program's commands on the instance, and gives what it printed.
func (i *instance) command(args ...string) string {
	i.t.Helper()
	run := func() ([]byte, error) {
		c := exec.Command(binary, append(args, "--dir", i.dir)...)
		c.Env = append(os.Environ(), i.env...)
		return c.Output()
	}
	out, err := run()
	for end := time.Now().Add(patience); err != nil && strings.Contains(string(out)+stderr(err), tooLate) && time.Now().Before(end); {
		out, err = run()
	}
	if err != nil {
		i.t.Fatalf("nodkeep %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr(err))
	}
	return string(out)
}

// tooLate is what is answered where a machine is too busy for a change within its five seconds:
// nothing was done, so that it can be asked for again.
const tooLate = "error.time_limit"

func stderr(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return ""
}

func (i *instance) start(args ...string) {
	i.t.Helper()
	if err := readSources(); err != nil {
		i.t.Fatal(err)
	}
	i.process = exec.Command(binary, args...)
	i.process.Env = append(os.Environ(), i.env...)
	out, err := i.process.StdoutPipe()
	if err != nil {
		i.t.Fatal(err)
	}
	i.process.Stderr = os.Stderr
	if err := i.process.Start(); err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(i.stop)
	i.mu, i.printed = &sync.Mutex{}, &strings.Builder{}
	go func(mu *sync.Mutex, printed *strings.Builder) {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			mu.Lock()
			fmt.Fprintln(printed, lines.Text())
			mu.Unlock()
		}
	}(i.mu, i.printed)
	eventually(i.t, "the server to come up", func() bool {
		resp, err := http.Post(i.base+"/api/collections/users/auth-with-password", "application/json", strings.NewReader(`{"identity":"ana","password":"`+password+`"}`))
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK || i.empty && resp.StatusCode == http.StatusBadRequest
	})
	if i.dir == "" {
		eventually(i.t, "the folder of the demonstration", func() bool {
			if found := folder.FindStringSubmatch(i.said()); found != nil {
				i.dir = found[1]
			}
			return i.dir != ""
		})
	}
}

var folder = regexp.MustCompile(`--dir ['"]?([^\s'"]+)`)

// stop ends the server as a person does.
func (i *instance) stop() {
	if i.process == nil {
		return
	}
	_ = i.process.Process.Signal(syscall.SIGTERM)
	hangs := time.AfterFunc(patience, func() { _ = i.process.Process.Kill() })
	if err := i.process.Wait(); !hangs.Stop() {
		i.t.Error("the server did not stop: ", err)
	}
	i.process = nil
}

// ask asks the API as somebody, and gives the answer. Signing in costs what a hash of a
// password does, so that it is done once.
func (i *instance) ask(who, method, path string, body any) map[string]any {
	i.t.Helper()
	if i.tokens == nil {
		i.tokens = map[string]string{}
	}
	status, answer := http.StatusUnauthorized, map[string]any{}
	for end := time.Now().Add(patience); ; {
		if i.tokens[who] != "" {
			status, answer = i.try(i.tokens[who], method, path, body)
		}
		if status == http.StatusUnauthorized {
			i.tokens[who] = i.token(who)
			status, answer = i.try(i.tokens[who], method, path, body)
		}
		if !strings.Contains(fmt.Sprint(answer["data"]), tooLate) || time.Now().After(end) {
			break
		}
	}
	if status >= 300 {
		i.t.Fatalf("%s %s: %d %v", method, path, status, answer)
	}
	return answer
}

func (i *instance) try(token, method, path string, body any) (int, map[string]any) {
	i.t.Helper()
	var b []byte
	if body != nil {
		b, _ = json.Marshal(body)
	}
	req, err := http.NewRequest(method, i.base+path, bytes.NewReader(b))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		i.t.Fatal(err)
	}
	answer := map[string]any{}
	if err := json.Unmarshal(data, &answer); err != nil && len(data) > 0 {
		i.t.Fatalf("%s %s: %d %.300s", method, path, resp.StatusCode, data)
	}
	return resp.StatusCode, answer
}

func (i *instance) token(who string) string {
	i.t.Helper()
	_, answer := i.try("", "POST", "/api/collections/users/auth-with-password", map[string]string{"identity": who, "password": password})
	return fmt.Sprint(answer["token"])
}

// confirm does as somebody what has to be looked at first.
func (i *instance) confirm(who, path string, body any) map[string]any {
	i.t.Helper()
	preview := i.ask(who, "POST", path+"?preview=1", body)
	b, _ := json.Marshal(body)
	req, err := http.NewRequest("POST", i.base+path, bytes.NewReader(b))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", i.token(who))
	req.Header.Set("X-Nodkeep-Digest", fmt.Sprint(preview["digest"]))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != http.StatusOK {
		i.t.Fatalf("%s: %d %v", path, resp.StatusCode, answer)
	}
	return answer
}

// auth is a session of somebody's as the browser keeps it.
func (i *instance) auth(who string) string {
	i.t.Helper()
	_, answer := i.try("", "POST", "/api/collections/users/auth-with-password", map[string]string{"identity": who, "password": password})
	b, _ := json.Marshal(map[string]any{"token": answer["token"], "record": answer["record"]})
	return string(b)
}

// tool calls a tool as somebody, and gives its output.
func (i *instance) tool(who, name string, args any) map[string]any {
	i.t.Helper()
	out, _ := i.ask(who, "POST", "/api/nodkeep/tools/"+name, args)["output"].(map[string]any)
	return out
}

// signIn opens a window and signs somebody in.
func (i *instance) signIn(who string, l look) *tab {
	i.t.Helper()
	w := open(i.t, i.base, l)
	w.visit("/")
	w.until("the form to sign in", `document.querySelector("input[name=identity]")`)
	w.run(`(e2e.put(document.querySelector("input[name=identity]"), ` + quote(who) + `), e2e.put(document.querySelector("input[name=password]"), ` + quote(password) + `), document.querySelector("form").requestSubmit())`)
	w.until("the shell", `document.querySelector("nav.nav")`)
	return w
}

// on gives the instance to a subtest.
func (i *instance) on(t testing.TB) *instance {
	own := *i
	own.t = t
	return &own
}

// each does a flow on a desktop and on a phone.
func each(t *testing.T, i *instance, flow func(t *testing.T, i *instance, l look)) {
	t.Helper()
	for name, l := range map[string]look{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) { flow(t, i.on(t), l) })
	}
}
