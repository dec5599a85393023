package household

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

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
