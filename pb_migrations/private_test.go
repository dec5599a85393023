package migrations

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"
	_ "github.com/pocketbase/pocketbase/migrations" // that make users
	"github.com/pocketbase/pocketbase/tools/types"
)

// TestPrivateKeepsRules: what an app that was there before lets people see of
// each other stays, operators see all, and going back leaves it as it was.
func TestPrivateKeepsRules(t *testing.T) {
	for _, rule := range []*string{
		nil, types.Pointer(""), types.Pointer("id = @request.auth.id"),
		types.Pointer("id = @request.auth.id // only oneself"),
		types.Pointer("name != '' || (emailVisibility = true) || (verified = true)"),
	} {
		app := core.NewBaseApp(core.BaseAppConfig{DataDir: t.TempDir()})
		if err := app.Bootstrap(); err != nil {
			t.Fatal(err)
		}
		if err := app.RunAllMigrations(); err != nil { // PocketBase's own
			t.Fatal(err)
		}
		for _, up := range []func(core.App) error{membersUp, booksUp} {
			if err := up(app); err != nil {
				t.Fatal(err)
			}
		}
		rules := func() []*string {
			col, err := app.FindCollectionByNameOrId("users")
			if err != nil {
				t.Fatal(err)
			}
			return []*string{col.ListRule, col.ViewRule, col.CreateRule}
		}
		col, err := app.FindCollectionByNameOrId("users")
		if err != nil {
			t.Fatal(err)
		}
		col.ListRule, col.ViewRule = rule, rule
		if err := app.Save(col); err != nil {
			t.Fatal(err)
		}
		cid := account(t, app, "cid")
		cid.Set("status", "suspended")
		if err := app.Save(cid); err != nil {
			t.Fatal(err)
		}
		if err := privateUp(app); err != nil {
			t.Errorf("%v: %v", said(rule), err)
			continue
		}
		ann, bob := account(t, app, "ann"), account(t, app, "bob")
		for n, is := range rules()[:2] {
			for _, operator := range []bool{false, true} {
				ann.Set("operator", operator)
				if err := app.Save(ann); err != nil {
					t.Fatal(err)
				}
				ok, err := app.CanAccessRecord(bob, &core.RequestInfo{Auth: ann, Method: "GET"}, is)
				if want := operator || rule != nil && *rule == ""; err != nil || ok != want {
					t.Errorf("rule %d of %s: an operator (%v) sees bob: %v %v", n, said(rule), operator, ok, err)
				}
			}
		}
		if cid, err = app.FindRecordById("users", cid.Id); err != nil || cid.GetDateTime("approved").IsZero() {
			t.Errorf("who is suspended was never let in: %v", err)
		}
		if err := privateDown(app); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]*string{rule, rule, nil}, rules()); diff != "" {
			t.Errorf("%s is changed: %s", said(rule), diff)
		}
		if err := app.ClearBootstrap(); err != nil {
			t.Fatal(err)
		}
	}
}

func account(t *testing.T, app core.App, handle string) *core.Record {
	col, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		t.Fatal(err)
	}
	rec := core.NewRecord(col)
	rec.Set("handle", handle)
	rec.Set("status", "approved")
	rec.SetPassword("a long password")
	if err := app.Save(rec); err != nil {
		t.Fatal(err)
	}
	return rec
}

func said(rule *string) string {
	if rule == nil {
		return "no rule"
	}
	return *rule
}
