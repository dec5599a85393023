package accounts

import (
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

type args = map[string]any

const (
	approveName = "nodkeep_account_approve"
	refuseName  = "nodkeep_account_refuse"
	suspendName = "nodkeep_account_suspend"
	restoreName = "nodkeep_account_restore"
	addName     = "nodkeep_account_add"
	namedName   = "nodkeep_operator_add"
	removedName = "nodkeep_operator_remove"
	inviteName  = "nodkeep_invite_create"
	resetName   = "nodkeep_reset_create"
	passName    = "nodkeep_pass_create"
	revokeName  = "nodkeep_link_revoke"

	tokenCreateName = "nodkeep_token_create"
	tokenListName   = "nodkeep_token_list"
	tokenUpdateName = "nodkeep_token_update"
	tokenRotateName = "nodkeep_token_rotate"
	tokenRevokeName = "nodkeep_token_revoke"

	setName      = "nodkeep_assistant_set"
	removeName   = "nodkeep_assistant_remove"
	grantName    = "nodkeep_grant_set"
	budgetName   = "nodkeep_budget_set"
	limitName    = "nodkeep_limit_set"
	agreeName    = "nodkeep_consent_give"
	withdrawName = "nodkeep_consent_withdraw"
	mineName     = "nodkeep_consent_list"
	askName      = "nodkeep_more_ask"
	giveName     = "nodkeep_more_approve"
	denyName     = "nodkeep_more_refuse"
	ownName      = "nodkeep_more_own"
	settingName  = "nodkeep_setting_set"
)

// home is an app with the operator ann, the member bob, and who waits.
type home struct {
	*toolstest.App
	t   *testing.T
	ann tools.Actor
}

// machine is the command line that names nobody.
func machine() tools.Actor { return tools.Actor{Door: tools.DoorCLI} }

func newHome(t *testing.T, config tools.Config) *home {
	t.Helper()
	h := &home{toolstest.Open(t, filepath.Join(t.TempDir(), "data"), config, testPlugin()), t, tools.Actor{}}
	h.ann = h.As("ann")
	h.must(machine(), namedName, args{"account": h.ann.Person})
	return h
}

// testPlugin knows the assistant local, of the environment, and cloud.
func testPlugin() Plugin {
	var sealed int
	return Plugin{
		Base: "https://home.example", Plugins: []string{"garden", "household"}, Currency: "EUR",
		Seal: func(record, _, _ string, _ []byte) (string, error) {
			sealed++ // never the same twice
			return fmt.Sprintf("sealed for %s, %d", record, sealed), nil
		},
		IsAssistant: func(id string) bool { return id != "" && !strings.ContainsAny(id, " _/.") },
		Clean: func(field, value string) (string, error) {
			if strings.Contains(value, "bad") {
				return "", errors.New("no")
			}
			return value, nil
		},
		Fixed: func() map[string]map[string]string {
			return map[string]map[string]string{"local": {"base_url": "http://127.0.0.1:11434", "model": "small", "key": ""}}
		},
		Known: func(context.Context) ([]Known, error) {
			return []Known{
				{ID: "cloud", Host: "api.example.com", Fields: map[string]string{"name": "Cloud", "protocol": "openai", "model": "big"}},
				{ID: "local", Host: "127.0.0.1:11434", Local: true, Fields: map[string]string{"protocol": "openai", "model": "small"}},
			}, nil
		},
		Reached: func(_ context.Context, person string) ([]string, error) { return []string{"day_cost"}, nil },
		Settings: func() []Setting {
			return []Setting{
				{Name: "NODKEEP_SIGN_UP", Value: "approval", From: FromDefault, Choices: []string{"open", "approval", "closed"}},
				{Name: "NODKEEP_WAITING_MAX", Value: "10", From: FromDefault, Least: 1, Most: 1000},
				{Name: "NODKEEP_DAILY_CAP", From: FromDefault, Amount: true},
				{Name: "NODKEEP_OWN_SURFACES", Value: "yes", From: FromEnvironment, Locked: true, Choices: []string{"yes"}},
				{Name: "NODKEEP_ENCRYPTION_KEY", Value: "set", From: FromFile, Locked: true, Restart: true},
			}
		},
	}
}

func (h *home) must(a tools.Actor, tool string, in args) tools.Receipt {
	h.t.Helper()
	rec, err := h.Apply(a, tool, in)
	if err != nil {
		h.t.Fatalf("%s %v: %v", tool, in, err)
	}
	return rec
}

// refused wants a call to be refused so, and to change nothing.
func (h *home) refused(a tools.Actor, tool string, in args, kind tools.Kind, key string) {
	h.t.Helper()
	before := h.dump()
	_, err := h.Apply(a, tool, in)
	if tools.KindOf(err) != kind || (key != "" && keyOf(err) != key) {
		h.t.Errorf("%s %v: %v, want %s %s", tool, in, err, kind, key)
	}
	if after := h.dump(); before != after {
		h.t.Errorf("%s was refused and changed something", tool)
	}
}

func keyOf(err error) string {
	if e, ok := err.(*tools.Error); ok { //nolint:errorlint // as the runner gives it
		return e.Text.Key
	}
	return ""
}

// waiting makes an account as a sign-up does, with a pass.
func (h *home) waiting(handle string) *core.Record {
	h.t.Helper()
	rec := h.record(tools.Members, args{"handle": handle, "status": Waiting, "words": "sealed", "email": handle + "@example.net"})
	h.record(Passes, args{"hash": tools.Hash("pass of " + handle), "account": rec.Id, "expires": "2099-01-01 00:00:00.000Z"})
	return rec
}

func (h *home) record(collection string, fields args) *core.Record {
	h.t.Helper()
	col, err := h.FindCollectionByNameOrId(collection)
	if err != nil {
		h.t.Fatal(err)
	}
	rec := core.NewRecord(col)
	if col.IsAuth() {
		rec.SetPassword("a long password")
	}
	for k, v := range fields {
		rec.Set(k, v)
	}
	if err := h.Save(rec); err != nil {
		h.t.Fatal(err)
	}
	return rec
}

func (h *home) account(id string) *core.Record {
	h.t.Helper()
	rec, err := h.FindRecordById(tools.Members, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return rec
}

func (h *home) superuser() tools.Actor {
	h.t.Helper()
	return tools.Actor{Person: h.record(core.CollectionNameSuperusers, args{"email": "root@example.com"}).Id, Door: tools.DoorDashboard}
}

func (h *home) count(sql string) (n int) {
	h.t.Helper()
	if err := h.DB().NewQuery(sql).Row(&n); err != nil {
		h.t.Fatal(err)
	}
	return n
}

// tables are all of the database.
func (h *home) tables() (names []string) {
	h.t.Helper()
	if err := h.DB().NewQuery("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").Column(&names); err != nil {
		h.t.Fatal(err)
	}
	return names
}

// rows are those of a table, as text.
func (h *home) rows(table string) string {
	h.t.Helper()
	var rows []dbx.NullStringMap
	if err := h.DB().Select("*").From(table).All(&rows); err != nil {
		h.t.Fatal(err)
	}
	all := make([]string, len(rows))
	for i, row := range rows {
		b, err := json.Marshal(row, json.Deterministic(true))
		if err != nil {
			h.t.Fatal(err)
		}
		all[i] = string(b)
	}
	return strings.Join(all, "\n")
}

// dump is what accounts, passes, links and tokens are.
func (h *home) dump() string {
	h.t.Helper()
	var all []string
	for _, name := range []string{tools.Members, Passes, Links, Tokens, Assistants, Grants, Budgets, Limits, Consents, Requests, Settings} {
		all = append(all, h.rows(name))
	}
	return strings.Join(all, "\n")
}

// holding are the tables in which a text stands.
func (h *home) holding(text string) (tables []string) {
	h.t.Helper()
	for _, name := range h.tables() {
		if strings.Contains(strings.ToLower(h.rows(name)), strings.ToLower(text)) {
			tables = append(tables, name)
		}
	}
	return tables
}

// gone does what hooks does once an account is deleted.
func (h *home) gone(id string) {
	h.t.Helper()
	if _, err := h.Runner.ErasePerson(h.t.Context(), id); err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.Runner.DropBooks(h.t.Context(), id); err != nil {
		h.t.Fatal(err)
	}
	if err := h.Runner.DropErased(); err != nil {
		h.t.Fatal(err)
	}
	v, err := h.Runner.Verify(h.t.Context())
	if err != nil || !v.OK {
		h.t.Errorf("%+v %v", v, err)
	}
}

// say says the lines of a card.
func (h *home) say(lang string, card tools.Card) string {
	lines := []string{h.Catalogue.Say(lang, card.Title)}
	for _, l := range card.Lines {
		lines = append(lines, h.Catalogue.Say(lang, l))
	}
	return strings.Join(lines, "\n")
}

func output[T any](t *testing.T, rec tools.Receipt) T {
	t.Helper()
	out, ok := rec.Outputs[0].(T)
	if !ok {
		t.Fatalf("%T", rec.Outputs[0])
	}
	return out
}

func keys(items []Account) (handles []string) {
	for _, a := range items {
		handles = append(handles, a.Handle)
	}
	return slices.Clip(handles)
}
