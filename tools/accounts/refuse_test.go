package accounts

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestARefusalLeavesNoName: what stays is the pass as a hash, that it was
// refused, and who did that.
func TestARefusalLeavesNoName(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.must(machine(), namedName, args{"account": h.As("bob").Person})
	root := h.superuser()
	for _, who := range []tools.Actor{h.ann, root, machine()} {
		cy := h.waiting("xochitl")
		h.must(h.ann, passName, args{"account": cy.Id})
		h.must(who, refuseName, args{"account": cy.Id})
		h.gone(cy.Id)
		pass, err := h.FindFirstRecordByData(Passes, "hash", tools.Hash("pass of xochitl"))
		if err != nil || pass.GetString("outcome") != Refused || pass.GetString("account") != "" || pass.GetDateTime("expires").IsZero() {
			t.Fatalf("%v %v", pass, err)
		}
		if h.count("SELECT count(*) FROM nodkeep_links") != 0 {
			t.Error("the link for a new pass is left")
		}
		if in := h.holding("xochitl"); len(in) > 0 {
			t.Errorf("the handle stands in %v", in)
		}
		if err := h.Delete(pass); err != nil {
			t.Fatal(err)
		}
		// It may sign up again, under the same name.
		again := h.waiting("xochitl")
		if err := h.Delete(again); err != nil {
			t.Fatal(err)
		}
		h.gone(again.Id)
		if n := h.count("SELECT count(*) FROM nodkeep_passes"); n != 0 {
			t.Errorf("%d passes of who was not refused are left", n)
		}
	}
	// Another operator is told, a member is not.
	page, err := h.Runner.Activity(t.Context(), h.As("bob"), tools.ActivityQuery{Tool: refuseName})
	if err != nil || len(page.Items) != 3 {
		t.Fatalf("%d entries, %v", len(page.Items), err)
	}
	for n, who := range []tools.Actor{machine(), root, h.ann} { // newest first
		e := page.Items[n]
		if e.Tool != refuseName || e.Actor.Person != who.Person || e.Actor.Door != who.Door || e.State != "applied" || e.Effect != tools.EffectDestroy || e.Reason == "" || len(e.Args) > 0 || len(e.Changes) > 0 || e.Unseen != 0 {
			t.Errorf("%+v", e)
		}
		if _, err := h.Undo(h.As("bob"), e.ID); tools.KindOf(err) != tools.NotFound {
			t.Errorf("a refusal was undone: %v", err)
		}
	}
	if page, err = h.Runner.Activity(t.Context(), h.As("dora"), tools.ActivityQuery{Tool: refuseName}); err != nil || len(page.Items) != 0 {
		t.Errorf("a member sees %+v, %v", page.Items, err)
	}
	// What is left of it goes with who did it.
	h.must(h.ann, "nodkeep_me_delete", args{"password": right})
	h.gone(h.ann.Person)
	if n := h.count("SELECT count(*) FROM nodkeep_audit WHERE person = '" + h.ann.Person + "'"); n != 0 {
		t.Errorf("%d entries are left", n)
	}
	if n := h.count("SELECT count(*) FROM nodkeep_audit WHERE tool = '" + refuseName + "'"); n != 2 {
		t.Errorf("%d refusals are left", n)
	}
}

// TestWhoDeletedAnAccount is kept where it was somebody else.
func TestWhoDeletedAnAccount(t *testing.T) {
	h := newHome(t, tools.Config{})
	root := h.superuser()
	kept := func() (rows string) {
		var all []string
		if err := h.DB().NewQuery("SELECT kind || ' ' || tool || ' ' || door || ' ' || person FROM nodkeep_audit WHERE reason = 'an account was deleted' AND kind != 'erasure' ORDER BY seq").Column(&all); err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, "\n")
	}
	delete := func(handle string, a *tools.Actor) string {
		rec := h.Member(handle)
		if a != nil {
			tools.Writer(rec, *a)
		}
		if err := h.Delete(rec); err != nil {
			t.Fatal(err)
		}
		h.gone(rec.Id)
		return rec.Id
	}
	bob := h.As("bob")
	h.must(bob, deleteName, args{"password": right})
	h.gone(bob.Person)
	delete("cy", nil)                               // a job, or a hook
	delete("cy", &tools.Actor{Door: tools.DoorWeb}) // a pass
	dora := h.As("dora")
	delete("dora", &dora) // themself, by PocketBase's own way
	if got := kept(); got != "" {
		t.Errorf("kept:\n%s", got)
	}
	delete("cy", &root)
	if got := kept(); got != "write  dashboard "+root.Person {
		t.Errorf("kept:\n%s", got)
	}
	// One that was found gone later is noted all the same.
	rec := h.Member("eve")
	tools.Writer(rec, root)
	if err := h.Delete(rec); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Runner.EraseGone(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(kept(), "dashboard"); got != 2 {
		t.Errorf("kept:\n%s", kept())
	}
	h.gone(rec.Id) // a second time adds nothing
	if got := strings.Count(kept(), "dashboard"); got != 2 {
		t.Errorf("kept:\n%s", kept())
	}
	page, err := h.Runner.Activity(t.Context(), h.ann, tools.ActivityQuery{Limit: 1})
	if err != nil || page.Items[0].Actor.Door != tools.DoorDashboard || page.Items[0].Reason == "" {
		t.Errorf("%+v %v", page.Items, err)
	}
	if in := h.holding("eve@example.com"); len(in) > 0 {
		t.Error(in)
	}
}

// TestOperatorsSeeWhoDidWhat: they answer to each other for what they do with
// accounts, also for what they were refused; members do not hear of it.
func TestOperatorsSeeWhoDidWhat(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob, dora := h.As("bob"), h.As("dora")
	h.must(machine(), namedName, args{"account": bob.Person})
	cy := h.waiting("cy").Id
	h.must(h.ann, approveName, args{"account": cy})
	h.must(h.ann, inviteName, args{"note": "for eve"})
	if _, err := h.Apply(h.ann, approveName, args{"account": cy}); tools.KindOf(err) != tools.Conflict {
		t.Fatal(err)
	}
	for _, name := range []string{approveName, inviteName} {
		page, err := h.Runner.Activity(t.Context(), bob, tools.ActivityQuery{Tool: name})
		if err != nil || len(page.Items) == 0 {
			t.Fatalf("%+v %v", page, err)
		}
		for _, e := range page.Items {
			if e.Tool != name || e.Actor.Person != h.ann.Person || len(e.Args) > 0 {
				t.Errorf("%+v", e)
			}
		}
		if page, err = h.Runner.Activity(t.Context(), dora, tools.ActivityQuery{Tool: name}); err != nil || len(page.Items) != 0 {
			t.Errorf("a member sees %+v, %v", page.Items, err)
		}
	}
}
