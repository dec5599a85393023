package hooks

import (
	"encoding/json/v2"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// exportedAs is where an export has what a table keeps of a person, a path in it
// each; "" is for what it leaves out, which none of them could use. Each table is
// here that has to do with an account: what is deleted with one is exported, too.
func exportedAs() map[string][]string {
	return map[string][]string{
		"users": {"account"}, "_externalAuths": {"sign_ins_by_provider"}, "_mfas": {"second_factors"}, "_otps": {"codes"}, "_authOrigins": {"known_devices"},
		"nodkeep_passes": {"waiting_passes"}, "nodkeep_links": {"links", "links_made"}, "nodkeep_tokens": {"tokens"},
		"nodkeep_proposals": {"proposals"}, "nodkeep_uploads": {"uploads"}, "nodkeep_holds": {"usage_under_way"}, "nodkeep_usage": {"usage"},
		"nodkeep_conversations": {"conversations"}, "nodkeep_turns": {"turns"},
		"nodkeep_grants": {"grants"}, "nodkeep_consents": {"consents"}, "nodkeep_budgets": {"budget"}, "nodkeep_limits": {"limits"}, "nodkeep_requests": {"requests"},
		"nodkeep_audit": {"activity", "activity_on_account"}, "nodkeep_steps": {"activity"},
		"nodkeep_nonces":          {""}, // that a digest was used, until it has expired
		"household_reminders":     {"plugins.household.reminders"},
		"household_subscriptions": {"plugins.household.parts.0.household.subscriptions"},
		"household_shares":        {"plugins.household.parts.0.household.shares"},
	}
}

// notExported are columns that no export has: whose row it is, what proves
// something, and what is sealed or hashed and stands opened elsewhere in it.
func notExported() map[string][]string {
	return map[string][]string{
		"_externalAuths": {"id", "collectionRef"}, "_authOrigins": {"id", "collectionRef", "fingerprint"}, "_mfas": {"id", "collectionRef"},
		"_otps": {"id", "collectionRef", "password"}, "nodkeep_passes": {"id", "hash"}, "nodkeep_links": {"id", "hash", "account", "by"},
		"nodkeep_tokens": {"hash"}, "nodkeep_uploads": {"hash"}, "nodkeep_turns": {"asked", "events"}, "nodkeep_grants": {"id", "everybody"},
		"nodkeep_consents": {"id"}, "nodkeep_budgets": {"id", "everybody"}, "nodkeep_limits": {"id"}, "nodkeep_requests": {"id"},
		"nodkeep_usage": {"id"}, "nodkeep_holds": {"id"},
	}
}

// export gives one as it is, and read.
func (i *instance) export(token string) (string, answer) {
	i.t.Helper()
	r := httptest.NewRequest("GET", prefix+"/me/export", nil)
	r.Header.Set("Authorization", token)
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a.any); err != nil || w.Code != 200 {
		i.t.Fatalf("%d, %v: %.500s", w.Code, err, w.Body)
	}
	if d := w.Header().Get("Content-Disposition"); !strings.HasPrefix(d, `attachment; filename="nodkeep-`) || w.Header().Get("Cache-Control") != "no-store" {
		i.t.Errorf("%s", w.Header())
	}
	return w.Body.String(), a
}

// TestExportOfAll: an export has each kind of thing that deleting an account
// erases, each column that is no secret, and nothing that proves something.
func TestExportOfAll(t *testing.T) {
	k := newTalk(t)
	const handle, address = "quetzalcoatl", "plumed.serpent@example.org"
	status, a := k.local("POST", "/operator/accounts", "", `{"handle":"`+handle+`","email":"`+address+`","password":"a long password","operator":true}`)
	want(t, status, a, 200, "")
	k.speakOf(handle)
	for _, book := range []string{tools.ProposalsTable, tools.ConversationsTable, tools.TurnsTable} { // rows that were never opened
		if _, err := k.pb.NonconcurrentDB().Delete(book, dbx.HashExp{"person": k.user(handle).Id}).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	claude := k.agent(handle, "Claude", "ask")
	k.asks(claude, "household_category_add", `{"name":"plumed wish"}`)
	k.must("/me/limits", k.token(handle), `{"day_tokens":5000000}`)
	k.script.Then(gateway.Scene{Say: "Plumed answers."})
	k.ask(handle, assistant.Question{Text: "Which plumed question?"})
	k.add(k.token("bob"), "what bob hides", `,"private":true`)

	body, all := k.export(k.token(handle))
	if all.str("format") != exportFormat || all.at("version") != float64(exportVersion) || all.str("created") == "" || all.str("says") == "" || all.at("complete") != true {
		t.Errorf("%s %v %s %s %v", all.str("format"), all.at("version"), all.str("created"), all.str("says"), all.at("complete"))
	}
	for _, table := range slices.Concat(goesWithAccount(), staysWithoutName()) {
		paths, known := exportedAs()[table]
		if !known {
			t.Errorf("%s is erased with an account, and not exported", table)
		}
		for _, path := range paths {
			switch v := all.at(strings.Split(path, ".")...).(type) {
			case []any:
				if len(v) == 0 {
					t.Errorf("%s: %s is empty", table, path)
				}
			case map[string]any:
			default:
				if path != "" {
					t.Errorf("%s: there is no %s", table, path)
				}
			}
		}
	}
	for _, rows := range rowsKept() {
		col, err := k.pb.FindCollectionByNameOrId(rows.table)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range col.Fields {
			if name := f.GetName(); name != rows.person && !slices.Contains(rows.columns, name) && !slices.Contains(notExported()[rows.table], name) {
				t.Errorf("%s.%s is not in an export, and nothing says why", rows.table, name)
			}
		}
		for _, name := range rows.columns {
			if col.Fields.GetByName(name) == nil {
				t.Errorf("there is no %s.%s", rows.table, name)
			}
		}
	}
	has(t, body, handle, address, "their secret", "shared by all", "plumed wishes", "plumed.csv", "plumed one", "plumed wish", "Which plumed question?", "Plumed answers.", "for a friend")
	entries, _ := all.at("activity").([]any)
	if !slices.ContainsFunc(entries, func(e any) bool { return answer{e}.len("changes") > 0 }) {
		t.Error("no entry says what changed")
	}
	rec := k.user(handle)
	secrets := []string{rec.TokenKey(), rec.GetString("password:hash"), tools.Hash("a pass"), tools.Hash("an upload"), "what bob hides", "$2a$"}
	var hashes []string
	if err := k.pb.DB().Select("hash").From(tools.TokensTable).Column(&hashes); err != nil || len(hashes) < 2 {
		t.Fatal(hashes, err)
	}
	hasNot(t, body, append(secrets, hashes...)...)

	// A page is not all that there is.
	for range exportPage + 5 {
		if _, err := k.pb.NonconcurrentDB().Insert(tools.UploadsTable, dbx.Params{"id": core.GenerateDefaultRandomId(), "person": rec.Id, "name": "more.csv"}).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	if _, all = k.export(k.token(handle)); all.len("uploads") != exportPage+6 {
		t.Errorf("%d uploads", all.len("uploads"))
	}
}

// TestExportIsOnesOwn: it is for who has signed in, of each one at a time, and one
// that cannot be written to its end does not look as if it were whole.
func TestExportIsOnesOwn(t *testing.T) {
	i := newInstance(t)
	_, secret := i.agentToken("ann", `{"name":"Claude","mode":"trusted"}`)
	static, err := i.user("ann").NewStaticAuthToken(0)
	if err != nil {
		t.Fatal(err)
	}
	for token, status := range map[string]int{"": 401, secret: 401, static: 403} {
		if got, a := i.web("GET", prefix+"/me/export", token, ""); got != status || a.at("account") != nil {
			t.Errorf("%d, want %d: %s", got, status, a)
		}
	}
	ann := i.user("ann").Id
	i.exports.enter(ann, exportsAtOnce, 1)
	status, a := i.web("GET", prefix+"/me/export", i.token("ann"), "")
	want(t, status, a, 429, tools.Limit)
	i.export(i.token("bob"))
	i.exports.leave(ann)
	i.export(i.token("ann"))
	if _, err := i.pb.NonconcurrentDB().Insert(tools.ProposalsTable, dbx.Params{"id": "p1", "person": ann, "state": "pending"}).Execute(); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(i.handler)
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+prefix+"/me/export", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", i.token("ann"))
	resp, err := http.DefaultClient.Do(r)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close()
	}
	if err == nil {
		t.Error("an export that broke off looks whole")
	}
	if !i.exports.enter(ann, exportsAtOnce, 1) {
		t.Error("it holds its place still")
	}
}
