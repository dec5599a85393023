// Package e2e uses the program as people do: the real binary, a real browser.
//
// What a test wants to see it waits for, by until and see; nothing may depend on how fast a
// machine is. E2E_SLOW=6 makes every window six times slower, which shows what does: what a
// page takes away too soon, and what a test looks for too early. A page is mended for what
// people who read slowly miss, too; a test, where it did not wait.
package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience for anything that a page should show, on a machine that has other things to do:
// it ends what hangs, and says nothing of how fast anything is.
var patience = time.Duration(slower) * 30 * time.Second

var (
	binary  string          // the program, built once
	browser context.Context // one browser; each tab has a profile of its own
	shots   string          // where screenshots are kept
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	chromium := find()
	if chromium == "" {
		fmt.Fprintln(os.Stderr, "e2e: no Chromium: on Debian, apt-get install chromium-headless-shell; or name one in CHROMIUM")
		if os.Getenv("CI") != "" {
			return 1
		}
		fmt.Fprintln(os.Stderr, "e2e: nothing was tested in a browser")
		return 0
	}
	dir, err := os.MkdirTemp("", "nodkeep-e2e-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "nodkeep")
	if out, err := exec.Command("go", "build", "-o", binary, "..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %s\n", out)
		return 1
	}
	shots = os.Getenv("E2E_SHOTS")
	if shots == "" {
		shots = filepath.Join(os.TempDir(), "nodkeep-shots")
	}
	if err := os.MkdirAll(shots, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.Flag("lang", "en"), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(4*patience))...)
	defer stop()
	var end context.CancelFunc
	browser, end = chromedp.NewContext(alloc)
	defer end()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "start the browser:", err)
		return 1
	}
	return m.Run()
}

// readSources reads all that the program is made of: go test takes the result of the last
// run for that of this one unless something changed that a test itself has read.
var readSources = sync.OnceValue(func() error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "pb_data") || name == "node_modules" || name == "e2e" || name == "docs"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go") || !d.Type().IsRegular() || path == filepath.Join("..", "nodkeep"):
			return nil
		}
		_, err = os.ReadFile(path)
		return err
	})
})

// find names the browser: the shell is Chromium without a window of its own, which these
// tests never look at, and which takes nearly half of the processor.
func find() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// tab is one window of somebody, with a profile of its own.
type tab struct {
	t    testing.TB
	ctx  context.Context
	base string

	close context.CancelFunc // closes the window, before its test ends

	mu      sync.Mutex
	faults  []string // what must not happen on any page
	allowed []string // parts of faults that a test expects
}

// look is how a window looks.
type look struct {
	width, height int
	dark          bool
	language      string // of the browser; "" is en
}

var (
	desktop = look{width: 1280, height: 900}
	phone   = look{width: 375, height: 740}
)

// open opens a window on an instance. What no page may do fails the test: a message
// in the console, a script that breaks, what the policy refuses, another host.
func open(t testing.TB, base string, l look) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	w := &tab{t: t, ctx: ctx, base: base, close: cancel}
	t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, f := range w.faults {
			if !containsAny(f, w.allowed) {
				t.Errorf("the page: %s", f)
			}
		}
		if t.Failed() {
			w.keep("failed")
		}
		cancel()
	})
	w.do() // opens it
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		t.Fatal(err)
	}
	scheme, language := "light", "en"
	if l.dark {
		scheme = "dark"
	}
	if l.language != "" {
		language = l.language
	}
	command(w, network.Enable, network.EnableParams{})
	command(w, log.Enable, cdp.Empty{})
	command(w, runtime.Enable, cdp.Empty{})
	command(w, page.Enable, page.EnableParams{})
	command(w, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(l.width), Height: int64(l.height), DeviceScaleFactor: 1, Mobile: l.width < 600})
	command(w, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	command(w, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome", AcceptLanguage: language})
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: finders})
	if w.pace(slower); slower > 1 {
		w.offline(false)
	}
	return w
}

// late puts the clock of the device wrong by hours, from the next page on.
func (w *tab) late(hours int) {
	w.t.Helper()
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(`(() => {
	const Own = Date, off = %d * 3600000
	window.Date = class extends Own { constructor(...a) { a.length ? super(...a) : super(Own.now() + off) } static now() { return Own.now() + off } }
})()`, hours)})
}

// command sends one of the browser's own commands to the window.
func command[P, R any](w *tab, c cdp.Command[P, R], params P) R {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, c, params)
	if err != nil {
		w.t.Fatalf("%s: %v", c.Method, err)
	}
	return r
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

func (w *tab) hear(event any) {
	note := func(format string, args ...any) {
		w.mu.Lock()
		w.faults = append(w.faults, fmt.Sprintf(format, args...))
		w.mu.Unlock()
	}
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var said []string
		for _, a := range e.Args {
			said = append(said, string(a.Value)+a.Description)
		}
		note("console %s: %s", e.Type, strings.Join(said, " "))
	case *runtime.EventExceptionThrown:
		note("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *log.EventEntryAdded:
		note("log %s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, w.base) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:") {
			note("asked another host: %s", u)
		}
	}
}

// allow takes a fault for granted that a test brings about: a refused request, say,
// which every browser writes into its console.
func (w *tab) allow(parts ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allowed = append(w.allowed, parts...)
}

func (w *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := w.ctx, context.CancelFunc(func() {})
	if len(actions) > 0 { // the first that is done keeps the window open, however long that is
		ctx, cancel = context.WithTimeout(w.ctx, 2*patience)
	}
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.t.Fatal(err)
	}
}

// keep keeps a screenshot as a test artefact.
func (w *tab) keep(name string) {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.t.Log("no screenshot:", err)
		return
	}
	path := filepath.Join(shots, strings.ReplaceAll(w.t.Name(), "/", "_")+"_"+name+".png")
	if err := os.WriteFile(path, png, 0o644); err != nil {
		w.t.Log(err)
	}
}
