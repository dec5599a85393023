package hooks

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// built is the real binary, made once for all tests.
var built struct {
	once sync.Once
	path string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
	if seed.dir != "" {
		_ = os.RemoveAll(seed.dir)
	}
	os.Exit(code)
}

func binary(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the binary")
	}
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "nodkeep-test-*")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "nodkeep")
		build := exec.Command("go", "build", "-o", built.path, "..")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = errors.New(string(out))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// ran is what a command left.
type ran struct {
	code     int
	out, err string
}

// machine is a folder that the real binary works on.
type machine struct {
	t   testing.TB
	bin string
	dir string
	env []string
}

func newMachine(t testing.TB) *machine {
	return &machine{t: t, bin: binary(t), dir: filepath.Join(t.TempDir(), "pb_data")}
}

func (m *machine) command(args ...string) *exec.Cmd {
	c := exec.Command(m.bin, append(args, "--dir", m.dir)...)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "NODKEEP_") && !strings.HasPrefix(e, "ASSISTANT") {
			c.Env = append(c.Env, e)
		}
	}
	c.Env = append(c.Env, m.env...)
	return c
}

func (m *machine) run(args ...string) ran { return m.runWith("", args...) }

func (m *machine) runWith(stdin string, args ...string) ran {
	m.t.Helper()
	c := m.command(args...)
	var out, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &out, &stderr
	err := c.Run()
	if _, is := errors.AsType[*exec.ExitError](err); err != nil && !is {
		m.t.Fatal(err)
	}
	return ran{c.ProcessState.ExitCode(), out.String(), stderr.String()}
}

// ok is a command that must work, in silence but for its JSON.
func (m *machine) ok(args ...string) answer {
	m.t.Helper()
	r := m.run(args...)
	if r.code != 0 || r.err != "" {
		m.t.Fatalf("%v: code %d, %s%s", args, r.code, r.out, r.err)
	}
	return parse(m.t, strings.NewReader(r.out))
}

// server is a living one.
type server struct {
	*exec.Cmd
	base string
	out  *lines
}

// lines collects what a process writes, while others look.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve starts a server and waits until it answers.
func (m *machine) serve(args ...string) *server {
	m.t.Helper()
	s := &server{out: &lines{}}
	s.Cmd = m.command(append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	s.start(m.t)
	return s
}

func (s *server) start(t testing.TB) {
	t.Helper()
	s.Stdout, s.Stderr = s.out, s.out
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	for until := time.Now().Add(patient); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if s.base = address.FindString(s.out.String()); s.base == "" {
			continue
		}
		if resp, err := http.Get(s.base + "/api/health"); err == nil {
			_ = resp.Body.Close()
			return
		}
	}
	t.Fatalf("no server: %s", s.out)
}

func (s *server) kill() {
	_ = s.Process.Kill()
	_ = s.Wait()
}

// stop ends it as a person does, and gives its exit code.
func (s *server) stop(t testing.TB) int {
	t.Helper()
	if err := s.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	done := make(chan struct{})
	go func() { _ = s.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("it does not stop")
	}
	return s.ProcessState.ExitCode()
}
