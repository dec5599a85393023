package hooks

import (
	"encoding/json/v2"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// What becomes of the rows that speak of an account once it is deleted, by
// collection; docs/howto/accounts.md says it to people. A collection that may
// speak of one and is in neither list fails the test: decide, and say it there.
func goesWithAccount() []string {
	return []string{
		"users", "_externalAuths", "_mfas", "_otps", "_authOrigins", "nodkeep_passes", "nodkeep_links", "nodkeep_tokens",
		"nodkeep_proposals", "nodkeep_uploads", "nodkeep_holds", "nodkeep_usage", "nodkeep_conversations", "nodkeep_turns", "household_reminders",
		"nodkeep_grants", "nodkeep_consents", "nodkeep_budgets", "nodkeep_limits", "nodkeep_requests",
	}
}

// staysWithoutName are those whose rows stay, with nothing that tells who it
// was: at most the id of an account that is gone.
func staysWithoutName() []string {
	return []string{
		"household_subscriptions", // private ones go, shared ones have no owner any more
		"household_shares",        // as somebody's who has left
		"nodkeep_audit",           // what they did is emptied; others name the id
		"nodkeep_steps",           // as above
		"nodkeep_nonces",          // the id, until the digest has expired
	}
}

// TestWhatGoesWithAnAccount fills every collection that could speak of an
// account, deletes the account by its own tool, and looks.
func TestWhatGoesWithAnAccount(t *testing.T) {
	i := newInstance(t)
	const handle, address = "quetzalcoatl", "plumed.serpent@example.org"
	i.makeOperator("ann")
	status, a := i.local("POST", "/operator/accounts", "", `{"handle":"`+handle+`","email":"`+address+`","password":"a long password","operator":true}`)
	want(t, status, a, 200, "")
	id := i.user(handle).Id
	i.speakOf(handle)

	// Every collection that links to accounts is known, and every one that
	// speaks of this one.
	known := slices.Concat(goesWithAccount(), staysWithoutName())
	cols, err := i.pb.FindAllCollections()
	if err != nil {
		t.Fatal(err)
	}
	for _, col := range cols {
		var refers bool
		for _, f := range col.Fields {
			rel, ok := f.(*core.RelationField)
			refers = refers || ok && rel.CollectionId == i.user("ann").Collection().Id || f.GetName() == "recordRef"
		}
		speaks := !col.IsView() && strings.Contains(i.text(col.Name), id)
		if (refers || speaks) && !slices.Contains(known, col.Name) {
			t.Errorf("%s can speak of an account, and nothing says what becomes of that", col.Name)
		}
		if refers && !speaks && !col.IsView() {
			t.Errorf("%s has nothing of the account: the test shows nothing of it", col.Name)
		}
	}

	path, body := prefix+"/tools/nodkeep_me_delete", `{"password":"a long password"}`
	token := i.token(handle)
	status, a = i.web("POST", path, token, body)
	want(t, status, a, 409, tools.DigestRequired)
	status, a = i.web("POST", path, token, body, digestHeader, a.str("data", "digest"))
	want(t, status, a, 200, "")

	for _, name := range goesWithAccount() {
		if strings.Contains(i.text(name), id) {
			t.Errorf("%s speaks of the account still", name)
		}
	}
	for _, name := range []string{"household_subscriptions", "household_shares"} {
		if text := i.text(name); strings.Contains(text, id) || strings.Contains(text, "their secret") {
			t.Errorf("%s speaks of it still", name)
		}
	}
	if !strings.Contains(i.text("household_subscriptions"), "shared by all") {
		t.Error("a shared subscription went with the account")
	}
	for _, col := range cols {
		if col.IsView() {
			continue
		}
		if text := strings.ToLower(i.text(col.Name)); strings.Contains(text, handle) || strings.Contains(text, address) {
			t.Errorf("%s still tells who it was", col.Name)
		}
	}
	var n int
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE person = '" + id + "'").Row(&n); err != nil || n != 0 {
		t.Errorf("%d entries are still theirs, %v", n, err)
	}
	if _, v := i.local("GET", "/local/audit", "", ""); v.at("ok") != true {
		t.Errorf("%s", v)
	}
	status, a = i.web("GET", prefix+"/me", token, "")
	want(t, status, a, 401, "")

	// Not a byte of it, neither in the database as a backup writes it, nor in
	// the files beside.
	backup := filepath.Join(t.TempDir(), "backup.db")
	if _, err := i.pb.NonconcurrentDB().NewQuery("VACUUM INTO '" + backup + "'").Execute(); err != nil {
		t.Fatal(err)
	}
	files := []string{backup}
	err = filepath.WalkDir(filepath.Dir(i.dir), func(p string, d fs.DirEntry, err error) error {
		// The database itself keeps what was deleted until SQLite uses the place
		// again; the logs are PocketBase's, and have their own days.
		if err == nil && d.Type().IsRegular() && !strings.Contains(d.Name(), ".db") {
			files = append(files, p)
		}
		return err
	})
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, p := range files {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{handle, address, "plumed", "their secret"} {
			if strings.Contains(strings.ToLower(string(b)), word) {
				t.Errorf("%s stands in %s", word, filepath.Base(p))
			}
		}
	}
}

// speakOf makes rows of every sort that has to do with an account.
func (i *instance) speakOf(handle string) {
	i.t.Helper()
	rec := i.user(handle)
	for name, fields := range map[string]map[string]any{
		core.CollectionNameExternalAuths: {"collectionRef": rec.Collection().Id, "recordRef": rec.Id, "provider": "google", "providerId": "p1"},
		core.CollectionNameMFAs:          {"collectionRef": rec.Collection().Id, "recordRef": rec.Id, "method": "password"},
		core.CollectionNameOTPs:          {"collectionRef": rec.Collection().Id, "recordRef": rec.Id, "password": "12345678", "sentTo": rec.Email()},
		core.CollectionNameAuthOrigins:   {"collectionRef": rec.Collection().Id, "recordRef": rec.Id, "fingerprint": "f1"},
		accounts.Passes:                  {"hash": tools.Hash("a pass"), "account": rec.Id, "expires": "2099-01-01 00:00:00.000Z"},
	} {
		col, err := i.pb.FindCollectionByNameOrId(name)
		if err != nil {
			i.t.Fatal(err)
		}
		row := core.NewRecord(col)
		row.Load(fields)
		if err := i.pb.Save(row); err != nil {
			i.t.Fatalf("%s: %v", name, err)
		}
	}
	ann, token := i.token("ann"), i.token(handle)
	must := func(status int, a answer) answer {
		i.t.Helper()
		want(i.t, status, a, 200, "")
		return a
	}
	must(i.web("POST", prefix+"/operator/resets", ann, `{"account":"`+rec.Id+`"}`))
	must(i.web("POST", prefix+"/operator/invites", token, `{"note":"for a friend"}`))
	must(i.web("POST", prefix+"/operator/operators/"+rec.Id+"/remove", ann, ""))
	must(i.call("nodkeep_operator_add", ann, `{"account":"`+handle+`"}`))
	status, a := i.call("nodkeep_operator_add", ann, `{"account":"`+handle+`"}`)
	want(i.t, status, a, 409, tools.Conflict)
	status, a = i.web("POST", prefix+"/operator/accounts", ann, `{"handle":"`+strings.ToUpper(handle)+`"}`)
	want(i.t, status, a, 409, tools.Conflict)
	status, a = i.web("POST", prefix+"/operator/accounts", ann, `{"handle":"other","email":"`+rec.Email()+`"}`)
	want(i.t, status, a, 409, tools.Conflict)
	status, a = i.web("POST", prefix+"/operator/accounts/"+handle+"/suspend", ann, "")
	want(i.t, status, a, 404, tools.NotFound)
	own, _ := i.add(token, "their secret", `,"private":true`)
	shared, _ := i.add(token, "shared by all", "")
	must(i.call("household_subscription_share", token, `{"id":"`+shared+`","shares":[{"member":"ann","weight":1},{"member":"`+rec.Id+`","weight":2}]}`))
	col, err := i.pb.FindCollectionByNameOrId("household_reminders")
	if err != nil {
		i.t.Fatal(err)
	}
	must(i.web("POST", prefix+"/operator/assistants", ann, `{"id":"cloud","model":"m","base_url":"https://models.example"}`))
	must(i.web("POST", prefix+"/operator/grants", ann, `{"assistant":"cloud","allow":true,"accounts":["`+handle+`"]}`))
	must(i.web("POST", prefix+"/operator/budgets", ann, `{"accounts":["`+handle+`"],"day_cost":"1"}`))
	must(i.web("POST", prefix+"/me/consents", token, `{"assistant":"cloud"}`))
	must(i.web("POST", prefix+"/me/limits", token, `{"day_tokens":5}`))
	must(i.web("POST", prefix+"/me/more", token, `{"day_cost":"2","note":"plumed wishes"}`))
	said := core.NewRecord(col)
	said.Load(map[string]any{"person": rec.Id, "subscription": own, "kind": "charge", "on": "2026-12-24"})
	if err := i.pb.Save(said); err != nil {
		i.t.Fatal(err)
	}
	p := must(i.web("POST", prefix+"/tools/nodkeep_me_update?preview=1", token, `{"language":"de"}`))
	must(i.web("POST", prefix+"/tools/nodkeep_me_update", token, `{"language":"de"}`, digestHeader, p.str("digest")))
	made, _ := i.agentToken(handle, `{"name":"plumed one"}`)
	for book, row := range map[string]dbx.Params{
		tools.ProposalsTable:     {"id": "p1", "person": rec.Id, "agent": made, "agent_name": "plumed one", "state": "pending"},
		tools.UploadsTable:       {"id": "u1", "person": rec.Id, "token": made, "hash": tools.Hash("an upload"), "name": "plumed.csv"},
		tools.HoldsTable:         {"id": "h1", "person": rec.Id, "assistant": "cloud", "day": time.Now().UTC().Format(time.DateOnly), "currency": "USD"},
		tools.TurnsTable:         {"id": "t1", "person": rec.Id, "conversation": "c1", "client": "plumed client", "state": "done"},
		tools.ConversationsTable: {"id": "c1", "person": rec.Id, "assistant": "cloud", "said": "plumed words"},
		tools.UsageTable:         {"id": "s1", "person": rec.Id, "assistant": "cloud", "day": time.Now().UTC().Format(time.DateOnly), "currency": "USD"},
	} {
		if _, err := i.pb.NonconcurrentDB().Insert(book, row).Execute(); err != nil {
			i.t.Fatal(err)
		}
	}
	status, a = i.call("nodkeep_me_delete", token, `{"password":"wrong"}`)
	want(i.t, status, a, 403, tools.Forbidden)
}

// text is all that stands in a table.
func (i *instance) text(table string) string {
	i.t.Helper()
	var rows []dbx.NullStringMap
	if err := i.pb.DB().Select("*").From(table).All(&rows); err != nil {
		i.t.Fatal(err)
	}
	b, err := json.Marshal(rows, json.Deterministic(true))
	if err != nil {
		i.t.Fatal(err)
	}
	return string(b)
}
