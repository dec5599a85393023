package tools_test

import (
	"bytes"
	"encoding/json/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"

	"github.com/nodkeep/nodkeep/tools"
)

// api is PocketBase's own HTTP API over the app.
func (b *bench) api() func(method, path, token string, body any) (int, string) {
	b.tb.Helper()
	router, err := apis.NewRouter(b.App)
	if err != nil {
		b.tb.Fatal(err)
	}
	mux, err := router.BuildMux()
	if err != nil {
		b.tb.Fatal(err)
	}
	return func(method, path, token string, body any) (int, string) {
		raw, err := json.Marshal(body)
		if err != nil {
			b.tb.Fatal(err)
		}
		req := httptest.NewRequest(method, "/api/collections/"+path, bytes.NewReader(raw))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", token)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, req)
		return w.Code, w.Body.String()
	}
}

func (b *bench) token(rec *core.Record) string {
	b.tb.Helper()
	token, err := rec.NewAuthToken()
	if err != nil {
		b.tb.Fatal(err)
	}
	return token
}

func (b *bench) superuser() *core.Record {
	b.tb.Helper()
	col, err := b.FindCollectionByNameOrId(core.CollectionNameSuperusers)
	if err != nil {
		b.tb.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.SetEmail("root@example.com")
	rec.SetPassword("a long password")
	if err := b.Save(rec); err != nil {
		b.tb.Fatal(err)
	}
	return rec
}

// lastEntry is door, person, effect and the number of steps of the newest.
func (b *bench) lastEntry() (door, person, effect string, steps int) {
	b.tb.Helper()
	err := b.DB().NewQuery("SELECT door, person, effect, (SELECT count(*) FROM nodkeep_steps s WHERE s.entry = a.id) FROM nodkeep_audit a ORDER BY seq DESC LIMIT 1").Row(&door, &person, &effect, &steps)
	if err != nil {
		b.tb.Fatal(err)
	}
	return
}

// TestOtherWriters: what the dashboard, a member past our tools, or foreign
// code writes is journaled in the same transaction, and can be taken back.
func TestOtherWriters(t *testing.T) {
	b := open(t, tools.Config{})
	root := b.superuser()
	call := b.api()
	code, body := call("POST", "lab_groups/records", b.token(root), map[string]any{"name": "g"})
	if code != http.StatusOK {
		t.Fatal(code, body)
	}
	var group core.Record
	if err := b.RecordQuery("lab_groups").Limit(1).One(&group); err != nil {
		t.Fatal(err)
	}
	if door, person, effect, n := b.lastEntry(); door != "dashboard" || person != root.Id || effect != "write" || n != 1 {
		t.Error(door, person, effect, n)
	}
	if strings.Contains(body, "nodkeep") {
		t.Error("the answer tells of our marks:", body)
	}
	for range 3 {
		b.do(add("lab_subs", map[string]any{"name": "s", "group": group.Id, "doc": file("x")}, nil))
	}
	before := b.dump()
	if code, body := call("DELETE", "lab_groups/records/"+group.Id, b.token(root), nil); code != http.StatusNoContent {
		t.Fatal(code, body)
	}
	if door, _, effect, n := b.lastEntry(); door != "dashboard" || effect != "destroy" || n != 4 {
		t.Error(door, effect, n)
	}
	var entry string
	if err := b.DB().NewQuery("SELECT id FROM nodkeep_audit ORDER BY seq DESC LIMIT 1").Row(&entry); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(b.ann, entry); err != nil {
		t.Error(err)
	}
	if d := differs(before, b.dump()); d != "" {
		t.Error(d)
	}

	// foreign code, without any request
	rec := core.NewRecord(group.Collection())
	rec.Set("name", "hook")
	if err := b.Save(rec); err != nil {
		t.Fatal(err)
	}
	if door, person, _, _ := b.lastEntry(); door != "hook" || person != "" {
		t.Error(door, person)
	}
	// a no-op is none
	n := b.count("nodkeep_audit")
	if err := b.Save(rec); err != nil || b.count("nodkeep_audit") != n {
		t.Error(err, b.count("nodkeep_audit")-n)
	}
	// a member past our tools, with a file
	col, err := b.FindCollectionByNameOrId("lab_tags")
	if err != nil {
		t.Fatal(err)
	}
	col.CreateRule = types.Pointer("@request.auth.id != ''")
	if err := b.Save(col); err != nil {
		t.Fatal(err)
	}
	if code, body := call("POST", "lab_tags/records", b.token(b.Member("bob")), map[string]any{"name": "t", "@nodkeepWriter": "x"}); code != http.StatusOK {
		t.Fatal(code, body)
	}
	if door, person, _, _ := b.lastEntry(); door != "web" || person != b.bob.Person {
		t.Error(door, person)
	}
	b.wellFormed(t)
}

// TestJournalFails: a write that cannot be journaled is not done.
func TestJournalFails(t *testing.T) {
	b := open(t, tools.Config{})
	if _, err := b.DB().NewQuery("CREATE TRIGGER no BEFORE INSERT ON nodkeep_audit BEGIN SELECT RAISE(ABORT, 'full'); END").Execute(); err != nil {
		t.Fatal(err)
	}
	col, err := b.FindCollectionByNameOrId("lab_tags")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Save(core.NewRecord(col)); err == nil || b.count("lab_tags") != 0 {
		t.Error(err, b.count("lab_tags"))
	}
	if _, err := b.Runner.Apply(t.Context(), b.ann, "", b.write(add("lab_tags", nil, nil))); err == nil || b.count("lab_tags") != 0 {
		t.Error(err)
	}
}

// TestBooksAreOurs: nobody writes to the engine's books, not even a superuser.
func TestBooksAreOurs(t *testing.T) {
	b := open(t, tools.Config{})
	b.do(add("lab_tags", nil, nil))
	token := b.token(b.superuser())
	call := b.api()
	for _, book := range []string{"nodkeep_audit", "nodkeep_steps", "nodkeep_nonces", "nodkeep_outbox", "nodkeep_files"} {
		if code, _ := call("POST", book+"/records", token, map[string]any{"seq": 1}); code < 400 {
			t.Errorf("%s: %d", book, code)
		}
		if code, _ := call("GET", book+"/records", b.token(b.Member("ann")), nil); code < 400 {
			t.Errorf("a member reads %s", book)
		}
	}
	var id string
	if err := b.DB().NewQuery("SELECT id FROM nodkeep_audit LIMIT 1").Row(&id); err != nil {
		t.Fatal(err)
	}
	if code, _ := call("DELETE", "nodkeep_audit/records/"+id, token, nil); code < 400 {
		t.Error(code)
	}
	if code, _ := call("PATCH", "nodkeep_audit/records/"+id, token, map[string]any{"tool": "x"}); code < 400 {
		t.Error(code)
	}
	b.wellFormed(t)
}

// TestSecretsStayOut: a password's hash and a token key are in no journal.
func TestSecretsStayOut(t *testing.T) {
	b := open(t, tools.Config{})
	ann := b.Member("ann")
	ann.SetPassword("another password")
	if err := b.Save(ann); err != nil {
		t.Fatal(err)
	}
	var leaks int
	err := b.DB().NewQuery("SELECT count(*) FROM nodkeep_steps WHERE before||after LIKE '%$2a$%' OR before||after LIKE '%tokenKey%' OR before||after LIKE '%password%'").Row(&leaks)
	if err != nil || leaks > 0 {
		t.Error(leaks, err)
	}
}
