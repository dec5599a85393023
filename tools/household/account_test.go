package household

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"

	"github.com/nodkeep/nodkeep/tools"
)

// An account takes along what only it could see, and nothing else.
func TestDeletedAccount(t *testing.T) {
	a := newHome(t)
	_, shared := secrets(t, a)
	mine := add(t, a, "bob", args{"name": "Bob's own", "private": true}).ID
	leaves := a.Member("ann")
	before := audited(t, a)
	if err := a.Delete(leaves); err != nil {
		t.Fatal(err)
	}
	left := dump(t, a) // with a category and a payment method
	if len(left) != 4 || left[subscriptions+"/"+shared]["owner"] != `""` || left[subscriptions+"/"+mine] == nil {
		t.Errorf("left over: %v", left)
	}
	if n := audited(t, a) - before; n != 1 {
		t.Errorf("%d audit entries for one deletion", n)
	}
	var deleted int
	err := a.DB().NewQuery("SELECT count(*) FROM nodkeep_steps WHERE op = 'delete' AND collection LIKE 'household_%'").Row(&deleted)
	if err != nil || deleted != 7 { // the subscription, two prices, one charge, one pause, two shares
		t.Errorf("%d of 7 deletions are journaled: %v", deleted, err)
	}
	var entry string
	if err := a.DB().NewQuery("SELECT id FROM nodkeep_audit ORDER BY seq DESC LIMIT 1").Row(&entry); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Undo(a.As("bob"), entry); err == nil {
		t.Error("the deletion of an account was undone")
	}
	if diff := cmp.Diff(left, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// What a member had for themselves goes with the account, its file and what was
// said to them included. What they bore of others' subscriptions stays, as
// that of somebody who has left: the rest do not pay more without being asked.
func TestDeletedAccountLeavesNothingPrivate(t *testing.T) {
	a := newHome(t)
	private, shared := secrets(t, a)
	bobs := add(t, a, "bob", args{"name": "Bob's", "amount": "10"}).ID
	apply[Divided](t, a, "bob", shareTool, args{"id": bobs, "shares": []ShareIn{{Member: "ann", Weight: 2}, {Member: "bob", Weight: 1}}})
	left := a.Member("ann").Id
	files := map[string]string{}
	for _, id := range []string{private, shared} {
		rec, err := a.FindRecordById(subscriptions, id)
		if err != nil {
			t.Fatal(err)
		}
		logo, err := filesystem.NewFileFromBytes([]byte("\x89PNG\r\n\x1a\n"+id), "logo.png")
		if err != nil {
			t.Fatal(err)
		}
		rec.Set("logo", logo)
		tools.Writer(rec, a.As("ann"))
		if err := a.Save(rec); err != nil {
			t.Fatal(err)
		}
		files[id] = filepath.Join(a.DataDir(), core.LocalStorageDirName, rec.BaseFilesPath(), rec.GetString("logo"))
		if _, err := os.Stat(files[id]); err != nil {
			t.Fatal(err)
		}
		said := record(t, a.App, reminders, map[string]any{"person": left, "subscription": id, "kind": "charge", "on": day(3)})
		tools.Writer(said, a.As("ann"))
		if err := a.Save(said); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Delete(a.Member("ann")); err != nil {
		t.Fatal(err)
	}
	// As hooks does once an account is gone.
	if _, err := a.Runner.ErasePerson(t.Context(), left); err != nil {
		t.Fatal(err)
	}
	if err := a.Runner.DropErased(); err != nil {
		t.Fatal(err)
	}
	var noted int
	err := a.DB().NewQuery("SELECT count(*) FROM nodkeep_steps WHERE before || after LIKE '%secret%'").Row(&noted)
	if err != nil || noted != 0 {
		t.Errorf("the audit knows %d steps of it, %v", noted, err)
	}
	for key, values := range dump(t, a) {
		for field, value := range values {
			if text := strings.ToLower(value.(string)); strings.Contains(text, "secret") || strings.Contains(text, "777") || strings.Contains(text, private) || strings.Contains(text, strings.ToLower(left)) {
				t.Errorf("%s of %s is %s", field, key, value)
			}
		}
		if strings.HasPrefix(key, reminders) {
			t.Errorf("%s is left", key)
		}
	}
	if _, err := os.Stat(files[private]); err == nil {
		t.Error("the picture of the private one is left")
	}
	if _, err := os.Stat(files[shared]); err != nil {
		t.Errorf("the picture of the shared one: %v", err)
	}
	out := get(t, a, "bob", bobs)
	if len(out.Shares) != 2 || string(out.Shares[0].Member)+out.Shares[0].Handle+out.Shares[0].Person != "" || amountsOf(out.Shares) != "6.67 3.33" {
		t.Errorf("%+v", out.Shares)
	}
	for _, p := range read[ShareOverview](t, a, "bob", shareOverviewName, nil).People {
		if want := map[string]string{"bob": "3.33", "": "22.66"}[p.Name]; p.Sums[0].PerMonth != want {
			t.Errorf("%+v", p)
		}
	}
	// The shares can be changed, and the subscription without an owner taken.
	said := card(t, a, "bob", shareTool, args{"id": bobs, "shares": []ShareIn{{Member: "bob", Weight: 1}}})
	if !strings.Contains(said, "No part in it any more: somebody who has left") {
		t.Errorf("it says %s", said)
	}
	apply[Bulk](t, a, "bob", "household_subscriptions_bulk_update", args{"ids": []string{shared}, "owner": "bob"})
}

// A deletion that fails leaves what was the account's.
func TestAccountThatStays(t *testing.T) {
	a := newHome(t)
	secrets(t, a)
	before := dump(t, a)
	err := a.RunInTransaction(func(tx core.App) error {
		if err := tx.Delete(a.Member("ann")); err != nil {
			return err
		}
		return tools.Fail(tools.Invalid, "household.error.nothing")
	})
	if err == nil {
		t.Error("it was deleted")
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// bob passes a subscription to ann, who makes it private: no undo hands it back.
func TestUndoLeavesWhatIsPrivate(t *testing.T) {
	a := newHome(t)
	ann := a.Member("ann").Id
	id := add(t, a, "bob", nil).ID
	_, passed := apply[Updated](t, a, "bob", "household_subscription_update", args{"id": id, "owner": ann})
	_, hidden := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "private": true})
	before := dump(t, a)
	if _, err := a.Undo(a.As("bob"), passed.Audit...); tools.KindOf(err) != tools.NotFound && tools.KindOf(err) != tools.Conflict {
		t.Errorf("bob takes it back: %v", err)
	}
	if _, err := a.Undo(a.As("ann"), passed.Audit...); tools.KindOf(err) != tools.Conflict {
		t.Errorf("ann gives it back and would lose it: %v", err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	// Once it is shared again, by the same way, bob's passing can be taken back.
	if _, err := a.Undo(a.As("ann"), hidden.Audit...); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Undo(a.As("bob"), passed.Audit...); err != nil {
		t.Errorf("shared, it is not handed back: %v", err)
	}
}

// What made a subscription private for somebody is undone and redone by them.
func TestUndoOfMakingPrivate(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	rec, err := a.FindRecordById(subscriptions, id)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("owner", "")
	if err := a.Save(rec); err != nil {
		t.Fatal(err)
	}
	before := dump(t, a)
	_, taken := apply[Updated](t, a, "bob", "household_subscription_update", args{"id": id, "owner": "bob", "private": true})
	after := dump(t, a)
	undone, err := a.Undo(a.As("bob"), taken.Audit...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
	if _, err := a.Undo(a.As("bob"), undone.Audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(after, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}

// An undo is held to what keeps amounts in one currency.
func TestUndoLeavesTheCurrencyOfCharges(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	_, changed := apply[Updated](t, a, "ann", "household_subscription_update", args{"id": id, "currency": "CHF", "amount": "15.99"})
	row := monthlyRow("Netflix", "15.99", "2025-01-15", "2025-03-15")
	row.Currency = "CHF"
	apply[Imported](t, a, "ann", "household_import_apply", statement("f", row))
	before := dump(t, a)
	if _, err := a.Undo(a.As("ann"), changed.Audit...); tools.KindOf(err) != tools.Conflict {
		t.Errorf("charges in CHF are left below a subscription in EUR: %v", err)
	}
	if diff := cmp.Diff(before, dump(t, a)); diff != "" {
		t.Error(diff)
	}
}
