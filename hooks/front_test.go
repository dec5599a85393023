package hooks

import (
	"bytes"
	"compress/gzip"
	"encoding/json/v2"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/apis"

	"github.com/nodkeep/nodkeep/tools"
)

// webFixture is a small front end: what is served, what is not, and a script that names keys.
func webFixture() fstest.MapFS {
	files := fstest.MapFS{}
	for name, data := range map[string]string{
		"index.html": "<title>Ours</title>", "app.js": `t("web.fixture"); t("page." + x); "not.there"`, "sw.js": "let worker", "kit.js": "export {}",
		"lib/a.js": "export {}", "css/a.css": "a{}", "icon-192.png": "png", "app.webmanifest": "{}", ".hidden": "x", "lib/.swp.js": "x", "notes.txt": "x",
		"locales/en.json": `{"web.fixture": "A word"}`, "locales/de.json": `{"web.fixture": "Ein Wort"}`, "locales/es.json": `{"web.fixture": "Una palabra"}`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return files
}

// serveWeb opens an instance with a front end, as it is served.
func serveWeb(t *testing.T, change func(*App)) *instance {
	t.Helper()
	return asServed(t, newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.Public = webFixture()
		change(a)
	}))
}

// asServed puts the routes of an instance into a router as a server does.
func asServed(t *testing.T, i *instance) *instance {
	t.Helper()
	router, err := apis.NewRouter(i.pb)
	if err != nil {
		t.Fatal(err)
	}
	if err := i.bindRoutes(router); err != nil {
		t.Fatal(err)
	}
	if i.handler, err = router.BuildMux(); err != nil {
		t.Fatal(err)
	}
	return i
}

func (i *instance) file(path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	return w
}

func TestFrontServesItsFiles(t *testing.T) {
	i := serveWeb(t, func(*App) {})
	rows := []struct {
		path, media string
		status      int
	}{
		{"/", "text/html; charset=utf-8", 200},
		{"/app.js", "text/javascript; charset=utf-8", 200},
		{"/lib/a.js", "text/javascript; charset=utf-8", 200},
		{"/css/a.css", "text/css; charset=utf-8", 200},
		{"/icon-192.png", "image/png", 200},
		{"/app.webmanifest", "application/manifest+json", 200},
		{"/ext/household/main.js", "text/javascript; charset=utf-8", 200},
		{"/lib/b.js", "application/json", 404},
		{"/ext/household/", "application/json", 404},
		{"/ext/household/../../app.js", "", 307}, // to where it is
		{"/lib/%2e%2e/app.js", "application/json", 404},
		{"/locales/en.json", "application/json", 404},
		{"/.hidden", "application/json", 404},
		{"/lib/.swp.js", "application/json", 404},
		{"/notes.txt", "application/json", 404},
		{"/index.html", "application/json", 404},
		{"/subscriptions", "application/json", 404}, // pages have addresses behind the #
	}
	for _, row := range rows {
		w := i.file(row.path)
		if w.Code != row.status || !strings.HasPrefix(w.Header().Get("Content-Type"), row.media) {
			t.Errorf("%s: %d %s", row.path, w.Code, w.Header().Get("Content-Type"))
		}
		if w.Code == http.StatusOK && w.Header().Get("Content-Security-Policy") != webPolicy {
			t.Errorf("%s: policy %q", row.path, w.Header().Get("Content-Security-Policy"))
		}
	}
	if strings.Contains(webPolicy, "unsafe") {
		t.Error("the policy lets in what is inline")
	}
}

func TestFrontIsAskedForOnce(t *testing.T) {
	i := serveWeb(t, func(*App) {})
	plain, packed := i.file("/app.js"), i.file("/app.js", "Accept-Encoding", "br, gzip;q=0.8")
	if packed.Header().Get("Content-Encoding") != "gzip" || plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Vary") == "" {
		t.Fatalf("%v %v", plain.Header(), packed.Header())
	}
	r, err := gzip.NewReader(bytes.NewReader(packed.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil || string(data) != plain.Body.String() {
		t.Errorf("%q, %v", data, err)
	}
	for _, w := range []*httptest.ResponseRecorder{plain, packed} {
		again := i.file("/app.js", "Accept-Encoding", w.Header().Get("Content-Encoding"), "If-None-Match", w.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("asked again: %d", again.Code)
		}
	}
	if plain.Header().Get("ETag") == packed.Header().Get("ETag") {
		t.Error("two answers, one tag")
	}
	if w := i.file("/app.js", "Accept-Encoding", "gzip;q=0"); w.Header().Get("Content-Encoding") != "" {
		t.Error("compressed for who does not want it")
	}
	if w := i.file("/icon-192.png", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("a picture was compressed once more")
	}
}

// TestFrontWorker: what the worker keeps is all there is, and another file is another worker.
func TestFrontWorker(t *testing.T) {
	i := serveWeb(t, func(*App) {})
	first := i.file("/sw.js").Body.String()
	head, body, _ := strings.Cut(first, "\n")
	_, list, _ := strings.Cut(strings.TrimSuffix(head, ";"), "FILES = ")
	var files []string
	if err := json.Unmarshal([]byte(list), &files); err != nil || body != "let worker" {
		t.Fatalf("%v in %q", err, first)
	}
	for _, name := range []string{"app.js", "lib/a.js", "css/a.css", "ext/household/main.js"} {
		if !slices.Contains(files, name) {
			t.Errorf("%s is not kept", name)
		}
	}
	for _, name := range files {
		if w := i.file("/" + name); w.Code != http.StatusOK {
			t.Errorf("%s is kept, and not there", name)
		}
	}
	other := serveWeb(t, func(a *App) {
		a.Public.(fstest.MapFS)["lib/a.js"] = &fstest.MapFile{Data: []byte("export { a }")}
	})
	if other.file("/sw.js").Body.String() == first {
		t.Error("another file, the same worker")
	}
}

// TestFrontBesideAnApp: an app that is there first keeps /, and loses nothing.
func TestFrontBesideAnApp(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>Theirs</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	i := serveWeb(t, func(a *App) { a.publicDir = dir })
	for path, want := range map[string]string{"/": "Theirs", "/some/page": "Theirs", "/nodkeep/": "Ours", "/nodkeep/app.js": "web.fixture", "/nodkeep/ext/household/main.js": "export default"} {
		if w := i.file(path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
	if w := i.file("/nodkeep"); w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != "/nodkeep/" {
		t.Errorf("%d %s", w.Code, w.Header().Get("Location"))
	}
	if w := i.file("/api/nodkeep/nowhere"); w.Code != http.StatusNotFound {
		t.Errorf("the API: %d", w.Code)
	}
}

// TestFrontFromAFolder: who works on the front end sees each change at once.
func TestFrontFromAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, webFixture()); err != nil {
		t.Fatal(err)
	}
	i := serveWeb(t, func(a *App) { a.publicDir = dir })
	if err := os.WriteFile(filepath.Join(dir, "app.js"), []byte("let changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if w := i.file("/app.js"); w.Body.String() != "let changed" {
		t.Errorf("%q", w.Body)
	}
}

// TestStartPage: the page without scripts leads into the front end where there is one.
func TestStartPage(t *testing.T) {
	i := serveWeb(t, func(*App) {})
	if w := i.file("/start"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `<a class="button" href="/">`) || !strings.Contains(w.Body.String(), "nodkeep call") {
		t.Errorf("%d %.2000s", w.Code, w.Body)
	}
}

func TestFrontWithoutFiles(t *testing.T) {
	i := asServed(t, newInstance(t))
	if w := i.file("/"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "nodkeep account add") && !strings.Contains(w.Body.String(), "/nod") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	if w := i.file("/start"); w.Code != http.StatusNotFound {
		t.Errorf("/start: %d", w.Code)
	}
}

// TestTextsOfTheWeb: what scripts name, whole or by its beginning, and nothing else.
func TestTextsOfTheWeb(t *testing.T) {
	i := serveWeb(t, func(*App) {})
	some, all := i.object("/texts/de?for=web"), i.object("/texts/de")
	if some["web.fixture"] != "Ein Wort" || some["page.title"] == nil || some["nod.confirm"] != nil || some["not.there"] != nil {
		t.Errorf("%v", some)
	}
	if len(all) <= len(some) || all["nod.confirm"] == nil {
		t.Errorf("%d of %d sentences", len(some), len(all))
	}
	status, a := i.web("GET", prefix+"/texts/fr?for=web", "", "")
	want(t, status, a, http.StatusNotFound, tools.NotFound)
}

// object is an answer of the API as it is.
func (i *instance) object(path string) (v map[string]any) {
	i.t.Helper()
	if err := json.Unmarshal(i.file(prefix+path).Body.Bytes(), &v); err != nil {
		i.t.Fatal(err)
	}
	return v
}

// TestBeginning: what a front end knows before anybody has signed in.
func TestBeginning(t *testing.T) {
	i := serveWeb(t, func(*App) {})
	a := i.object("/")
	plugins, _ := a["plugins"].([]any)
	if a["sign_up"] != signUpPath || a["waiting"] != waitingPath || a["first"] != false || a["demo"] != nil || len(plugins) != 1 {
		t.Fatalf("%v", a)
	}
	if p := plugins[0].(map[string]any); p["name"] != "household" || i.file("/"+p["main"].(string)).Code != http.StatusOK {
		t.Errorf("%v", p)
	}
}

// TestFrontPreloads: a browser is told at once of all that the first module needs, and of nothing that comes later.
func TestFrontPreloads(t *testing.T) {
	i := serveWeb(t, func(a *App) {
		files := a.Public.(fstest.MapFS)
		for name, data := range map[string]string{
			"index.html": `<head><script type="module" src="app.js"></script></head>`,
			"app.js":     "import { a } from \"./lib/a.js\"\nimport \"./lib/side.js\"\nexport * from \"./kit.js\"\nconst later = () => import(\"./lib/later.js\")\nimport {\n\tx,\n\ty,\n} from \"./lib/many.js\"\n",
			"lib/a.js":   `import{b as c}from"./b.js";export{c}from"./c.js";import*as d from"./a.js"`,
			"lib/b.js":   "", "lib/c.js": "", "lib/side.js": "", "lib/later.js": "", "lib/many.js": "",
		} {
			files[name] = &fstest.MapFile{Data: []byte(data)}
		}
	})
	var got []string
	for line := range strings.Lines(i.file("/").Body.String()) {
		if _, name, ok := strings.Cut(line, `rel="modulepreload" href="`); ok {
			got = append(got, strings.TrimSuffix(strings.TrimSpace(name), `">`))
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"app.js", "kit.js", "lib/a.js", "lib/b.js", "lib/c.js", "lib/many.js", "lib/side.js"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestFrontSendsNoComments: nor what stands before a line; lines keep their numbers, and scripts of others are as they came.
func TestFrontSendsNoComments(t *testing.T) {
	const src = "// one\nlet a = 1 // stays\n\n/**\n * two\n */\nfunction f() {\n\t/* three */\n\treturn `a\n\t\tb // ${a}`\n}\n"
	i := serveWeb(t, func(a *App) {
		files := a.Public.(fstest.MapFS)
		files["lib/a.js"], files["third_party/x.js"], files["css/a.css"] = &fstest.MapFile{Data: []byte(src)}, &fstest.MapFile{Data: []byte(src)}, &fstest.MapFile{Data: []byte("/* one\n two */\n\ta { b: c; }\n")}
	})
	for path, want := range map[string]string{
		"/lib/a.js": "\nlet a = 1 // stays\n\n\n\n\nfunction f() {\n\nreturn `a\nb // ${a}`\n}\n", "/third_party/x.js": src, "/css/a.css": "\n\na { b: c; }\n",
	} {
		if diff := cmp.Diff(want, i.file(path).Body.String()); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// TestWebOfPlugins: the pages of each plugin lie in a folder of its name.
func TestWebOfPlugins(t *testing.T) {
	f, err := newFront(webFixture(), "", []tools.Plugin{paged{}}).load()
	if err != nil {
		t.Fatal(err)
	}
	if f.files["ext/paged/main.js"] == nil || f.files["ext/paged/deep/a.js"] == nil {
		t.Errorf("%v", f.names())
	}
}

// paged is a plugin with pages and nothing else.
type paged struct{}

func (paged) Name() string        { return "paged" }
func (paged) Tools() []tools.Tool { return nil }
func (paged) Web() fs.FS {
	return fstest.MapFS{"main.js": {Data: []byte("export default {}")}, "deep/a.js": {Data: []byte("1")}}
}
