package hooks

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"
)

// TestDashboardIsServed as PocketBase loads it, and asked for again each time.
func TestDashboardIsServed(t *testing.T) {
	base := newMachine(t).serve().base
	get := func(path string) (string, http.Header) {
		t.Helper()
		resp, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: %d, %v", path, resp.StatusCode, err)
		}
		return string(b), resp.Header
	}
	file := dashboardSource(t)
	for path, want := range map[string]string{
		"/_/extensions/nodkeep/main.js": file,
		"/_/extensions.js":              "await (async function(){" + file + "})();",
	} {
		body, h := get(path)
		if body != want || h.Get("Cache-Control") != "no-cache" || !strings.HasPrefix(h.Get("Content-Type"), "text/javascript") {
			t.Errorf("%s: %v %.200s", path, h, body)
		}
	}
	if _, h := get("/_/"); h.Get("Cache-Control") == "no-cache" {
		t.Error("the files of PocketBase are asked for each time too")
	}
}

func dashboardSource(t *testing.T) string {
	t.Helper()
	b, err := dashboardFiles.ReadFile("dashboard/main.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// browser is what of a dashboard our file touches: it keeps calls, effects and
// what is drawn.
const browser = `
var calls = [], topics = [], effects = [], shown = {}, errors = [], signed = () => {};
var navigator = { language: "de-AT" };
var store = (o) => o;
var watch = (f, then) => { const run = () => { f(); if (then) then(); }; effects.push(run); run(); return { unwatch() {} }; };
var t = new Proxy({}, { get: (_, tag) => (attrs, ...kids) => ({ tag, attrs, kids }) });
var answers = {
	"/texts/de": { "dashboard.title": "Wer wartet ({0})", "dashboard.refuse": "Ablehnen", "dashboard.approve": "Freigeben" },
	"/operator/overview": { waiting: 2 },
	"/operator/waiting?limit=200": { items: [{ id: "a1", handle: "carla", words: ["one", "two", "three", "four"], created: "2026-11-30T06:00:00Z" }] },
	"/operator/waiting/a1/refuse": { card: { title: { text: "Refuse carla" }, lines: [{ text: "For good." }] }, digest: "d1" },
	"/operator/waiting/a1/approve": {},
};
var app = {
	pb: {
		async send(path, o) {
			calls.push((o.method || "GET") + " " + path + (o.query ? "?preview=" + o.query.preview : "") + (o.headers["X-Nodkeep-Digest"] ? " " + o.headers["X-Nodkeep-Digest"] : ""));
			return answers[path.slice("/api/nodkeep".length)];
		},
		authStore: { isValid: true, onChange(f, now) { signed = f; if (now) f(); } },
		realtime: { async subscribe(topic, f) { topics.push(topic); app.ring = f; }, async unsubscribe(topic) { topics.push("-" + topic); } },
	},
	routes: { superuserOnly(path, page) { shown[path] = page; } },
	modals: { confirm(what, yes) { app.asked = text(what); app.yes = yes; } },
	store: { headerLinks: [] },
	checkApiError(err) { errors.push(err); },
};
function text(n) {
	if (typeof n == "function") return text(n());
	if (Array.isArray(n)) return n.map(text).join(" ");
	return n && n.kids ? text(n.kids) : n === undefined ? "" : String(n);
}
function find(n, word) {
	if (typeof n == "function") n = n();
	if (Array.isArray(n)) { for (const k of n) { const f = find(k, word); if (f) return f; } return; }
	if (n && n.tag == "button" && text(n) == word) return n;
	if (n && n.kids) return find(n.kids, word);
}
`

// load runs the file as PocketBase wraps it, after a browser that was changed.
func load(t *testing.T, change string) *goja.Runtime {
	t.Helper()
	vm := goja.New()
	for _, src := range []string{browser, change, "var done = (async () => { await (async function(){" + dashboardSource(t) + "})(); })();"} {
		if _, err := vm.RunString(src); err != nil {
			t.Fatalf("%s: %v", change, err)
		}
	}
	if p, ok := vm.Get("done").Export().(*goja.Promise); !ok || p.State() != goja.PromiseStateFulfilled {
		t.Fatalf("%s: it breaks the dashboard: %v", change, p.Result())
	}
	return vm
}

func evalJS[T any](t *testing.T, vm *goja.Runtime, js string) (v T) {
	t.Helper()
	got, err := vm.RunString(js)
	if err == nil {
		err = vm.ExportTo(got, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

// TestDashboardPage counts, lists, approves, and refuses what was shown.
func TestDashboardPage(t *testing.T) {
	vm := load(t, "")
	label := func() string {
		return evalJS[string](t, vm, `effects.forEach((f) => f()); app.store.headerLinks.map((l) => l.href + " " + l.label).join()`)
	}
	if got := label(); got != "#/nodkeep/waiting Wer wartet (2)" {
		t.Errorf("the link is %q", got)
	}
	evalJS[any](t, vm, `app.ring({ waiting: 3 })`)
	if got := label(); got != "#/nodkeep/waiting Wer wartet (3)" {
		t.Errorf("one more: %q", got)
	}
	evalJS[any](t, vm, `var page = shown["#/nodkeep/waiting"](); page.attrs.onmount()`)
	if got := evalJS[string](t, vm, `text(page)`); !strings.Contains(got, "carla") || !strings.Contains(got, "one two three four") {
		t.Errorf("the page shows %q", got)
	}
	evalJS[any](t, vm, `find(page, "Freigeben").attrs.onclick(); find(page, "Ablehnen").attrs.onclick()`)
	if got := evalJS[string](t, vm, `app.asked`); got != "Refuse carla For good." {
		t.Errorf("it asks %q", got)
	}
	calls := evalJS[[]string](t, vm, `calls`)
	if slices.ContainsFunc(calls, func(c string) bool { return strings.Contains(c, "d1") }) {
		t.Error("it refuses before anybody agrees")
	}
	evalJS[any](t, vm, `app.yes()`)
	evalJS[any](t, vm, `app.pb.authStore.isValid = false; signed(); signed()`)
	want := []string{"nodkeep/waiting", "-nodkeep/waiting"}
	if diff := cmp.Diff(want, evalJS[[]string](t, vm, `topics`)); diff != "" {
		t.Errorf("the topics: %s", diff)
	}
	calls = evalJS[[]string](t, vm, `calls`)
	for _, call := range []string{"POST /api/nodkeep/operator/waiting/a1/approve", "POST /api/nodkeep/operator/waiting/a1/refuse?preview=1", "POST /api/nodkeep/operator/waiting/a1/refuse d1"} {
		if !slices.Contains(calls, call) {
			t.Errorf("%s is not among %v", call, calls)
		}
	}
	i := newInstance(t)
	there := func(call string) bool {
		return slices.ContainsFunc(append(i.routes(), i.operatorRoutes()...), func(r route) bool {
			pattern := regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(r.method+" "+prefix+r.path), "[^/]+")
			return regexp.MustCompile("^" + pattern + "$").MatchString(call)
		})
	}
	for _, call := range calls {
		path, _, _ := strings.Cut(call, "?")
		if !there(strings.TrimSuffix(path, " d1")) {
			t.Errorf("nothing is at %s", call)
		}
	}
	if got := evalJS[[]any](t, vm, `errors`); len(got) > 0 {
		t.Errorf("errors: %v", got)
	}
}

// TestDashboardOfAnotherInterface stays as it is.
func TestDashboardOfAnotherInterface(t *testing.T) {
	for _, change := range []string{
		`app = undefined`, `t = undefined`, `store = undefined`, `watch = undefined`, `t = { button() {} }`,
		`delete app.pb`, `delete app.routes`, `delete app.modals`, `app.store.headerLinks = {}`, `delete app.store`,
		`app.routes.superuserOnly = () => { throw new Error("ready already") }`,
		`app.pb.send = async () => { throw new Error("no such address") }`,
		`delete app.pb.realtime`, `app.pb.realtime.subscribe = async () => { throw new Error("not allowed") }`,
		`delete app.pb.authStore`,
	} {
		vm := load(t, change)
		got := evalJS[string](t, vm, `typeof app == "object" && app.store && Array.isArray(app.store.headerLinks) ? app.store.headerLinks.map((l) => l.label).join() : ""`)
		// Without realtime the number is that of the start.
		if strings.Contains(change, "realtime") != (got != "") && !strings.Contains(change, "authStore") {
			t.Errorf("%s: the links are %q", change, got)
		}
	}
}
