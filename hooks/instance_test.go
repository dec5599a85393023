package hooks

import (
	"bytes"
	"encoding/json/v2"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/household"
)

// instance is an App in a fresh folder with the members ann and bob.
type instance struct {
	*App
	t        testing.TB
	out, err bytes.Buffer
}

func newInstance(t testing.TB, env ...string) *instance {
	t.Helper()
	return newInstanceIn(t, filepath.Join(t.TempDir(), "pb_data"), env...)
}

func newInstanceIn(t testing.TB, dir string, env ...string) *instance {
	t.Helper()
	return newInstanceWith(t, dir, func(*App) {}, env...)
}

func newInstanceWith(t testing.TB, dir string, change func(*App), env ...string) *instance {
	t.Helper()
	if !slices.ContainsFunc(env, otherFolder) {
		seeded(t, filepath.Dir(dir))
		return openInstance(t, dir, change, env...)
	}
	i := openInstance(t, dir, change, env...)
	i.addMembers()
	return i
}

// seed is a folder with ann and bob, made once for all tests: its migrations
// and the hashes of its passwords take longer than most of them.
var seed struct {
	once sync.Once
	dir  string
}

// seeded puts the seed into a folder.
func seeded(t testing.TB, dir string) {
	t.Helper()
	seed.once.Do(func() {
		made, err := os.MkdirTemp("", "nodkeep-seed-*")
		if err != nil {
			t.Fatal(err)
		}
		seed.dir = made
		i := openInstance(t, filepath.Join(made, "pb_data"), func(*App) {})
		i.addMembers()
		if err := i.close(); err != nil {
			t.Fatal(err)
		}
	})
	if err := os.CopyFS(dir, os.DirFS(seed.dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(tools.KeyFile(filepath.Join(dir, "pb_data")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// otherFolder says that a setting makes what is in the folder.
func otherFolder(env string) bool {
	return strings.HasPrefix(env, "NODKEEP_ENCRYPTION_KEY=") || strings.HasPrefix(env, "NODKEEP_PLUGINS=")
}

func (i *instance) addMembers() {
	i.t.Helper()
	for _, h := range []string{"ann", "bob"} {
		if status, b := i.local("POST", "/operator/accounts", "", `{"handle":"`+h+`","email":"`+h+`@example.com","password":"a long password"}`); status != 200 {
			i.t.Fatal(b)
		}
	}
}

func openInstance(t testing.TB, dir string, change func(*App), env ...string) *instance {
	t.Helper()
	i := &instance{t: t}
	i.App = New(Config{
		Plugins: []tools.Plugin{household.Plugin{}}, DataDir: dir, Env: environment(env...),
		Stdin: strings.NewReader(""), Stdout: &i.out, Stderr: &i.err, Terminal: func() bool { return false }, Screen: func() bool { return false },
	})
	change(i.App)
	t.Cleanup(func() {
		if err := i.close(); err != nil {
			t.Error(err)
		}
	})
	if ok, err := i.tryLock(); err != nil || !ok {
		t.Fatal("the folder is locked: ", err)
	}
	if err := i.openHere(); err != nil {
		t.Fatal(err)
	}
	return i
}

// environment is NAME=value pairs and nothing else.
func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, p := range pairs {
			if v, ok := strings.CutPrefix(p, name+"="); ok {
				return v, true
			}
		}
		return "", false
	}
}

func (i *instance) user(handle string) *core.Record {
	i.t.Helper()
	rec, err := i.pb.FindFirstRecordByData(users, "handle", handle)
	if err != nil {
		i.t.Fatal(err)
	}
	return rec
}

// makeOperator names a member as a command does.
func (i *instance) makeOperator(handle string) {
	i.t.Helper()
	status, a := i.local("POST", "/operator/operators", "", `{"account":"`+handle+`"}`)
	want(i.t, status, a, 200, "")
}

func (i *instance) token(handle string) string {
	i.t.Helper()
	token, err := i.user(handle).NewAuthToken()
	if err != nil {
		i.t.Fatal(err)
	}
	return token
}

func (i *instance) superuser() string {
	i.t.Helper()
	col, err := i.pb.FindCollectionByNameOrId(core.CollectionNameSuperusers)
	if err != nil {
		i.t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.SetEmail("root@example.com")
	rec.SetPassword("a long password")
	if err := i.pb.Save(rec); err != nil {
		i.t.Fatal(err)
	}
	token, err := rec.NewAuthToken()
	if err != nil {
		i.t.Fatal(err)
	}
	return token
}

// web sends a request as it comes from the network.
func (i *instance) web(method, path, token, body string, headers ...string) (int, answer) {
	i.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	return w.Code, parse(i.t, w.Body)
}

// local sends a request as a command does.
func (i *instance) local(method, path, as, body string, headers ...string) (int, answer) {
	i.t.Helper()
	r := httptest.NewRequest(method, prefix+path, strings.NewReader(body))
	if as != "" {
		r.Header.Set(asHeader, as)
	}
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	local(i.handler).ServeHTTP(w, r)
	return w.Code, parse(i.t, w.Body)
}

func (i *instance) call(tool, token, body string, headers ...string) (int, answer) {
	i.t.Helper()
	return i.web("POST", prefix+"/tools/"+tool, token, body, headers...)
}

// add makes a subscription and gives its id and its audit entry.
func (i *instance) add(token, name, more string) (id, audit string) {
	i.t.Helper()
	status, a := i.call("household_subscription_add", token, `{"name":"`+name+`","amount":"15.99","currency":"EUR","cycle":"P1M","first_date":"2026-01-14"`+more+`}`)
	if status != 200 {
		i.t.Fatal(a)
	}
	return a.str("output", "id"), a.str("receipt", "audit", "0")
}

func (i *instance) entries() (n int) {
	i.t.Helper()
	if err := i.pb.DB().Select("count(*)").From("nodkeep_audit").Row(&n); err != nil {
		i.t.Fatal(err)
	}
	return n
}

// answer is JSON of any shape.
type answer struct{ any }

func parse(t testing.TB, r io.Reader) answer {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("no JSON: %v in %.300q", err, b)
	}
	return answer{v}
}

// at follows names and indexes.
func (a answer) at(path ...string) any {
	v := a.any
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[p]
		case []any:
			n := int(p[0] - '0')
			if n >= len(x) {
				return nil
			}
			v = x[n]
		default:
			return nil
		}
	}
	return v
}

func (a answer) str(path ...string) string { s, _ := a.at(path...).(string); return s }
func (a answer) len(path ...string) int    { l, _ := a.at(path...).([]any); return len(l) }

func (a answer) String() string {
	b, err := json.Marshal(a.any, json.Deterministic(true))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// status of a request that must be answered so.
func want(t testing.TB, status int, a answer, wantStatus int, kind tools.Kind) {
	t.Helper()
	if status != wantStatus || (kind != "" && a.str("data", "kind") != string(kind)) {
		t.Errorf("got %d %.300s, want %d %s", status, a, wantStatus, kind)
	}
	if kind != "" && (a.str("message") == "" || a.str("data", "text", "key") == "" || a.at("status") != float64(wantStatus)) {
		t.Errorf("the error is not whole: %s", a)
	}
}
