package accounts

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// TestWhoMay: operators, superusers and the machine; each of the tools, each of
// the others.
func TestWhoMay(t *testing.T) {
	h := newHome(t, tools.Config{})
	cy := h.waiting("cy")
	suspended := h.Member("dora")
	suspended.Set("status", Suspended)
	suspended.Set("operator", true)
	if err := h.Save(suspended); err != nil {
		t.Fatal(err)
	}
	root := h.superuser()
	agent := h.ann
	agent.Agent = "agent1"
	in := map[string]args{
		addName: {"handle": "eve"}, inviteName: {}, revokeName: {"id": "none"},
		resetName: {"account": h.As("bob").Person}, namedName: {"account": h.As("bob").Person}, removedName: {"account": h.ann.Person},
		suspendName: {"account": h.As("bob").Person}, restoreName: {"account": suspended.Id},
		setName: {"id": "local", "mode": "ask"}, removeName: {"id": "none"}, grantName: {"assistant": "local", "allow": true, "everybody": true},
		budgetName: {"everybody": true, "day_cost": "1"}, giveName: {"id": "none"}, denyName: {"id": "none"},
		settingName: {"name": "NODKEEP_SIGN_UP", "value": "open"},
	}
	for _, tool := range h.Registry.Tools() {
		if !tool.Operator {
			for name, a := range map[string]tools.Actor{"a superuser": root, "the machine": machine()} {
				_, err := h.Preview(a, tool.Name, args{"language": "de", "password": "x", "new": "y"})
				if k := tools.KindOf(err); k != tools.Forbidden && k != tools.Unauthorized && k != tools.Invalid {
					t.Errorf("%s used %s: %v", name, tool.Name, err)
				}
			}
			continue
		}
		with, ok := in[tool.Name]
		if !ok && tool.Effect != tools.EffectRead {
			with = args{"account": cy.Id}
		}
		try := func(a tools.Actor) error {
			if tool.Effect == tools.EffectRead {
				_, err := h.Read(a, tool.Name, with)
				return err
			}
			_, err := h.Preview(a, tool.Name, with)
			return err
		}
		for name, a := range map[string]tools.Actor{
			"a member": h.As("bob"), "an operator's agent": agent, "who waits": {Person: cy.Id, Door: tools.DoorWeb},
			"a suspended operator": {Person: suspended.Id, Door: tools.DoorWeb}, "a superuser as member": {Person: root.Person, Door: tools.DoorWeb},
			"a member as superuser": {Person: h.ann.Person, Door: tools.DoorDashboard}, "nobody": {Door: tools.DoorWeb},
		} {
			if k := tools.KindOf(try(a)); k != tools.Forbidden && k != tools.Unauthorized {
				t.Errorf("%s used %s: %s", name, tool.Name, k)
			}
		}
		for name, a := range map[string]tools.Actor{"an operator": h.ann, "a superuser": root, "the machine": machine()} {
			if k := tools.KindOf(try(a)); k == tools.Forbidden || k == tools.Unauthorized || k == tools.Internal && try(a) != nil {
				t.Errorf("%s may not use %s: %v", name, tool.Name, try(a))
			}
		}
	}
}

// TestEachActAndItsReverse, with what stands in the way of each.
func TestEachActAndItsReverse(t *testing.T) {
	h := newHome(t, tools.Config{})
	for _, who := range []tools.Actor{h.ann, h.superuser(), machine()} {
		cy := h.waiting("cy" + strings.ToLower(string(who.Door)))
		it, name := args{"account": cy.Id}, cy.GetString("handle")
		has := func(status string, operator bool) {
			t.Helper()
			if rec := h.account(cy.Id); rec.GetString("status") != status || rec.GetBool("operator") != operator {
				t.Errorf("%s is %s, operator %v", name, rec.GetString("status"), rec.GetBool("operator"))
			}
		}
		h.refused(who, restoreName, it, tools.Conflict, "nodkeep.error.not_suspended")
		h.refused(who, suspendName, it, tools.Conflict, "nodkeep.error.waits")
		h.refused(who, namedName, it, tools.NotFound, "error.no_such_member")
		h.refused(who, resetName, it, tools.NotFound, "error.no_such_member")
		link := output[NewLink](t, h.must(who, passName, it))
		if !strings.HasPrefix(link.Link, "https://home.example/link/") || time.Until(link.Expires) < 6*24*time.Hour || time.Until(link.Expires) > 7*24*time.Hour {
			t.Errorf("%+v", link)
		}
		if is := output[Standing](t, h.must(who, approveName, it)); is != (Standing{cy.Id, name, tools.Approved}) {
			t.Errorf("%+v", is)
		}
		has(tools.Approved, false)
		first := h.account(cy.Id).GetDateTime("approved")
		if first.IsZero() || h.account(cy.Id).GetString("words") != "" {
			t.Error("the first approval, or the end of its words, is not noted")
		}
		h.refused(who, approveName, it, tools.Conflict, "nodkeep.error.not_waiting.approved")
		h.refused(who, refuseName, it, tools.Conflict, "nodkeep.error.not_waiting.approved")
		h.refused(who, passName, it, tools.Conflict, "nodkeep.error.not_waiting.approved")
		h.refused(who, removedName, it, tools.Conflict, "nodkeep.error.is_no_operator")
		h.must(who, namedName, args{"account": name}) // by handle
		has(tools.Approved, true)
		h.refused(who, namedName, it, tools.Conflict, "nodkeep.error.is_operator")
		h.must(who, suspendName, it)
		has(Suspended, true)
		h.refused(who, suspendName, it, tools.Conflict, "nodkeep.error.not_approved")
		h.refused(who, approveName, it, tools.Conflict, "nodkeep.error.not_waiting.suspended")
		h.refused(who, refuseName, it, tools.Conflict, "nodkeep.error.not_waiting.suspended")
		h.must(who, restoreName, it)
		has(tools.Approved, true)
		if again := h.account(cy.Id).GetDateTime("approved"); again != first {
			t.Errorf("first approved %s, now %s", first, again)
		}
		h.must(who, removedName, it)
		has(tools.Approved, false)
		for _, make := range []struct {
			tool string
			in   args
			good time.Duration
		}{{inviteName, args{"note": "for dora"}, 7 * 24 * time.Hour}, {resetName, it, 24 * time.Hour}} {
			made := output[NewLink](t, h.must(who, make.tool, make.in))
			if left := time.Until(made.Expires); left > make.good || left < make.good-time.Minute {
				t.Errorf("%s is good for %s", make.tool, left)
			}
			rec, err := h.FindFirstRecordByData(Links, "hash", tools.Hash(strings.TrimPrefix(made.Link, "https://home.example/link/")))
			if err != nil || rec.Id != made.ID {
				t.Fatalf("%s: the link is not kept by its hash: %v", make.tool, err)
			}
			want := "" // for who is no account
			if who == h.ann {
				want = h.ann.Person
			}
			if by := rec.GetString("by"); by != want {
				t.Errorf("%s by %+v is that of %q", make.tool, who, by)
			}
			h.must(who, revokeName, args{"id": made.ID})
			h.refused(who, revokeName, args{"id": made.ID}, tools.NotFound, "nodkeep.error.no_link")
		}
		h.refused(who, approveName, args{"account": "none"}, tools.NotFound, "nodkeep.error.no_account")
		h.refused(who, approveName, args{"account": ""}, tools.NotFound, "nodkeep.error.no_account")
		h.refused(who, approveName, args{}, tools.Invalid, "error.arguments")
		h.refused(who, approveName, args{"account": cy.Id, "status": "approved"}, tools.Invalid, "error.arguments")
	}
}

// TestTheLastOperatorStays, whatever way is tried.
func TestTheLastOperatorStays(t *testing.T) {
	h := newHome(t, tools.Config{})
	it := args{"account": h.ann.Person}
	for _, who := range []tools.Actor{h.ann, h.superuser(), machine()} {
		h.refused(who, removedName, it, tools.Conflict, "nodkeep.error.last_operator")
		h.refused(who, suspendName, it, tools.Conflict, "nodkeep.error.last_operator")
	}
	h.refused(h.ann, "nodkeep_me_delete", args{"password": "a long password"}, tools.Conflict, "nodkeep.error.last_operator")
	// One who is suspended does not count, one who is named does.
	bob := args{"account": h.As("bob").Person}
	h.must(h.ann, namedName, bob)
	h.must(h.ann, suspendName, bob)
	h.refused(h.ann, removedName, it, tools.Conflict, "nodkeep.error.last_operator")
	h.must(h.ann, restoreName, bob)
	h.must(h.ann, removedName, it)
	h.refused(h.ann, namedName, it, tools.Forbidden, "error.not_operator")
}

// TestTwoRemoveEachOther at the same time: one of them stays.
func TestTwoRemoveEachOther(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	for round := range 10 {
		for _, a := range []tools.Actor{h.ann, bob} {
			if !h.account(a.Person).GetBool("operator") {
				h.must(machine(), namedName, args{"account": a.Person})
			}
		}
		other := map[string]string{h.ann.Person: bob.Person, bob.Person: h.ann.Person}
		var all sync.WaitGroup
		for _, a := range []tools.Actor{h.ann, bob} {
			all.Go(func() {
				tool := removedName
				if round%2 == 1 {
					tool = suspendName
				}
				_, _ = h.Apply(a, tool, args{"account": other[a.Person]})
			})
		}
		all.Wait()
		if n := h.count("SELECT count(*) FROM users WHERE status = 'approved' AND operator"); n != 1 {
			t.Fatalf("%d operators are left", n)
		}
		for _, a := range []tools.Actor{h.ann, bob} {
			if h.account(a.Person).GetString("status") == Suspended {
				h.must(machine(), restoreName, args{"account": a.Person})
			}
		}
	}
}

// TestApprovedAHundredTimesAtOnce: one applies, and the audit has one.
func TestApprovedAHundredTimesAtOnce(t *testing.T) {
	h := newHome(t, tools.Config{})
	cy := h.waiting("cy")
	var mu sync.Mutex
	var all sync.WaitGroup
	kinds := map[tools.Kind]int{}
	for range 100 {
		all.Go(func() {
			_, err := h.Apply(h.ann, approveName, args{"account": cy.Id})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				kinds[""]++
			} else {
				kinds[tools.KindOf(err)]++
			}
		})
	}
	all.Wait()
	if kinds[""] != 1 || kinds[tools.Conflict] != 99 {
		t.Errorf("%v", kinds)
	}
	if n := h.count("SELECT count(*) FROM nodkeep_audit WHERE tool = '" + approveName + "' AND state = 'applied'"); n != 1 {
		t.Errorf("%d approvals in the audit", n)
	}
}

// TestApprovedWhileItGoes: either it is let in and then gone, or there is none.
func TestApprovedWhileItGoes(t *testing.T) {
	h := newHome(t, tools.Config{})
	for range 10 {
		cy := h.waiting("cy")
		var all sync.WaitGroup
		var err error
		all.Go(func() { _, err = h.Apply(h.ann, approveName, args{"account": cy.Id}) })
		all.Go(func() {
			if err := h.Delete(cy); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if err != nil && tools.KindOf(err) != tools.NotFound {
			t.Error(err)
		}
		if n := h.count("SELECT (SELECT count(*) FROM users WHERE handle = 'cy') + (SELECT count(*) FROM nodkeep_passes)"); n != 0 {
			t.Fatalf("%d rows are left", n)
		}
	}
}

// TestHandles that are none, or another's.
func TestHandles(t *testing.T) {
	h := newHome(t, tools.Config{})
	for handle, key := range map[string]string{
		"": "nodkeep.error.handle", "a": "nodkeep.error.handle", strings.Repeat("a", 41): "nodkeep.error.handle",
		strings.Repeat("a", 10<<10): "nodkeep.error.handle", "аnn": "nodkeep.error.handle", // the first letter is Cyrillic
		"ann\u200b": "nodkeep.error.handle", "\u212aurt": "nodkeep.error.handle", "ａｎｎ": "nodkeep.error.handle", "ä": "nodkeep.error.handle",
		"İzmir": "nodkeep.error.handle", "ann\nbob": "nodkeep.error.handle", ".ann": "nodkeep.error.handle", "an n": "nodkeep.error.handle", "ann@example.com": "nodkeep.error.handle",
		"ANN": "nodkeep.error.taken", " Ann ": "nodkeep.error.taken", "ann": "nodkeep.error.taken",
	} {
		kind := tools.Invalid
		if key == "nodkeep.error.taken" {
			kind = tools.Conflict
		}
		h.refused(h.ann, addName, args{"handle": handle}, kind, key)
	}
	h.refused(h.ann, addName, args{"handle": "eve", "email": "ANN@Example.com"}, tools.Conflict, "nodkeep.error.email_taken")
	h.refused(h.ann, addName, args{"handle": "eve", "email": "none"}, tools.Invalid, "nodkeep.error.account")
	h.refused(h.ann, addName, args{"handle": "eve", "password": "short"}, tools.Invalid, "nodkeep.error.account")
	h.refused(h.ann, addName, args{"handle": "eve", "password": strings.Repeat("x", 72)}, tools.Invalid, "nodkeep.error.account")
	h.refused(h.ann, addName, args{"handle": "eve", "language": "fr"}, tools.Invalid, "nodkeep.error.language")
	for _, more := range []string{"status", "role", "verified", "tokenKey", "words", "approved", "passwordHash"} {
		h.refused(h.ann, addName, args{"handle": "eve", more: "x"}, tools.Invalid, "error.arguments")
	}
	h.refused(h.ann, inviteName, args{"note": strings.Repeat("ä", 81)}, tools.Invalid, "nodkeep.error.note")
	added := output[Added](t, h.must(h.ann, addName, args{"handle": "Eve", "email": "eve@example.com", "operator": true, "language": "de"}))
	rec := h.account(added.ID)
	if rec.GetString("handle") != "eve" || len(added.Password) < 20 || !rec.ValidatePassword(added.Password) || !rec.GetBool("operator") || added.Email != "" || !added.HasEmail || rec.GetDateTime("approved").IsZero() {
		t.Errorf("%+v %v", added, rec)
	}
	if given := output[Added](t, h.must(h.ann, addName, args{"handle": "fay", "password": "her own password"})); given.Password != "" {
		t.Error("a password that was given is given back")
	}
}

// TestCardsAndReceipts: every act is said in sentences of all languages, with
// what takes it back; undo is none of it.
func TestCardsAndReceipts(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob, cy, dora := h.As("bob"), h.waiting("cy").Id, h.waiting("dora").Id
	invite := output[NewLink](t, h.must(h.ann, inviteName, args{"note": "the neighbours"})).ID
	token := h.token(bob, args{"name": "Claude"}).ID
	seen := map[string]bool{}
	for _, row := range []struct {
		who  tools.Actor
		tool string
		in   args
		says string // of who or what it is
		then string // what takes it back
	}{
		{h.ann, approveName, args{"account": cy}, "Let cy in", "Suspending takes it back"},
		{h.ann, refuseName, args{"account": dora}, "Refuse dora", "nothing takes it back"},
		{h.ann, suspendName, args{"account": cy}, "Suspend cy", "Restoring takes it back"},
		{h.ann, restoreName, args{"account": cy}, "Restore cy", "Suspending takes it back"},
		{h.ann, namedName, args{"account": cy}, "Make cy an operator", "Taking the role away takes it back"},
		{h.ann, removedName, args{"account": cy}, "Take the role of an operator from cy", "Naming them again takes it back"},
		{h.ann, addName, args{"handle": "eve", "email": "eve@example.com"}, "eve@example.com", "Suspending takes it back"},
		{h.ann, inviteName, args{"note": "x"}, "Invite somebody", "Revoking takes it back"},
		{h.ann, resetName, args{"account": cy}, "Let cy set a new password", "Revoking takes it back"},
		{h.ann, passName, args{"account": h.waiting("gus").Id}, "Give gus a new waiting pass", "Revoking takes it back"},
		{h.ann, revokeName, args{"id": invite}, "the neighbours", "Making a new one takes it back"},
		{bob, tokenCreateName, args{"name": "Cursor"}, "Make the token Cursor", "Revoking takes it back"},
		{bob, tokenUpdateName, args{"id": token, "mode": "read"}, "Change the token Claude", "Changing it again takes it back"},
		{bob, tokenRotateName, args{"id": token}, "Give the token Claude a new secret", "The old secret is worth nothing"},
		{bob, tokenRevokeName, args{"id": token}, "Revoke the token Claude", "make a new one"},
		{h.ann, setName, args{"id": "cloud", "model": "big", "base_url": "https://a.example"}, "Set up the assistant cloud", "Changing it again takes it back"},
		{h.ann, grantName, args{"assistant": "cloud", "allow": true, "accounts": []string{"bob"}}, "Let bob use cloud", "Taking it away takes it back"},
		{bob, agreeName, args{"assistant": "cloud"}, "goes to api.example.com", "Withdrawing takes it back"},
		{bob, withdrawName, args{"assistant": "cloud"}, "Withdraw what was agreed to for cloud", "Agreeing again takes it back"},
		{h.ann, budgetName, args{"accounts": []string{"bob"}, "day_cost": "1"}, "Set the budget of bob", "Setting it anew takes it back"},
		{bob, limitName, args{"day_tokens": "500"}, "At most 500 tokens a day", "Setting them anew takes it back"},
		{bob, askName, args{"day_cost": "2"}, "Ask operators for a higher budget", "Operators see it"},
		{h.ann, giveName, args{"id": "first"}, "At most 2.00 EUR a day", "until the budget is set anew"},
		{bob, askName, args{"assistant": "local"}, "Ask operators for the assistant local", "Operators see it"},
		{h.ann, denyName, args{"id": "first"}, "Refuse bob the assistant local", "bob may ask again"},
		{h.ann, settingName, args{"name": "NODKEEP_SIGN_UP", "value": "open"}, "Set NODKEEP_SIGN_UP to open", "Setting it anew takes it back"},
		{h.ann, removeName, args{"id": "cloud"}, "Remove the assistant cloud", "Setting it up anew, with its key, takes it back"},
		{bob, "nodkeep_me_update", args{"language": "de"}, "Change the own profile", "Setting it anew takes it back"},
		{bob, "nodkeep_me_signout", args{}, "Sign out on every device", "Signing in takes it back"},
		{bob, "nodkeep_me_password", args{"password": "a long password", "new": "another password"}, "Set a new password", "Setting another one takes it back"},
		{bob, "nodkeep_me_delete", args{"password": "another password"}, "Delete the account bob", "Nothing takes it back"},
	} {
		seen[row.tool] = true
		if row.in["id"] == "first" {
			row.in["id"] = read[RequestPage](h, h.ann, "nodkeep_more_list", nil).Items[0].ID
		}
		tool, _ := h.Registry.Tool(row.tool)
		inv := h.Call(row.tool, row.in)
		if tool.Effect == tools.EffectDestroy {
			if _, err := h.Runner.Apply(t.Context(), row.who, "", inv); tools.KindOf(err) != tools.DigestRequired {
				t.Errorf("%s without a digest: %v", row.tool, err)
			}
		}
		rec := h.must(row.who, row.tool, row.in)
		english := h.say("en", rec.Cards[0])
		if !strings.Contains(english, row.says) || !strings.Contains(english, row.then) {
			t.Errorf("%s says:\n%s", row.tool, english)
		}
		for _, lang := range []string{"de", "es"} {
			if said := h.say(lang, rec.Cards[0]); said == english || strings.Contains(said, "nodkeep.") || strings.Contains(said, "{") {
				t.Errorf("%s says in %s:\n%s", row.tool, lang, said)
			}
		}
		if !rec.UndoUntil.IsZero() {
			t.Errorf("%s can be undone until %s", row.tool, rec.UndoUntil)
		}
		if row.tool == "nodkeep_me_delete" {
			continue // nobody is left to undo it
		}
		before := h.dump()
		_, err := h.Undo(row.who, rec.Audit...)
		e, ok := err.(*tools.Error) //nolint:errorlint // as the runner gives it
		// The audit has none of what these change.
		nothing := (row.tool == "nodkeep_me_password" || row.tool == "nodkeep_me_signout") && keyOf(err) == "error.nothing_to_undo"
		if !ok || e.Kind != tools.Conflict || (!nothing && (len(e.Conflicts) == 0 || e.Conflicts[0].Reason.Key != "undo.account")) {
			t.Errorf("%s was undone: %v", row.tool, err)
		}
		if h.dump() != before {
			t.Errorf("an undo of %s changed something", row.tool)
		}
	}
	for _, tool := range h.Registry.Tools() {
		if tool.Effect != tools.EffectRead && !seen[tool.Name] {
			t.Errorf("%s is not in this table", tool.Name)
		}
	}
}

// TestDigests are one person's, and stale once the account is another.
func TestDigests(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.must(machine(), namedName, args{"account": h.As("bob").Person})
	preview := func(a tools.Actor, tool, id string) (tools.Invocation, string) {
		t.Helper()
		inv := h.Call(tool, args{"account": id})
		p, err := h.Runner.Preview(t.Context(), a, inv)
		if err != nil {
			t.Fatal(err)
		}
		return inv, p.Digest
	}
	apply := func(a tools.Actor, digest string, inv tools.Invocation, want tools.Kind) {
		t.Helper()
		before := h.dump()
		if _, err := h.Runner.Apply(t.Context(), a, digest, inv); tools.KindOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if h.dump() != before {
			t.Error("something was changed")
		}
	}
	cy := h.waiting("cy").Id
	inv, digest := preview(h.ann, refuseName, cy)
	apply(h.As("bob"), digest, inv, tools.Stale)
	apply(machine(), digest, inv, tools.Stale)
	rec := h.account(cy)
	rec.SetEmail("other@example.net")
	if err := h.Save(rec); err != nil {
		t.Fatal(err)
	}
	apply(h.ann, digest, inv, tools.Stale)
	inv, digest = preview(h.ann, refuseName, cy)
	h.must(h.ann, approveName, args{"account": cy})
	apply(h.ann, digest, inv, tools.Conflict) // it says that it was approved
	inv, digest = preview(h.ann, suspendName, cy)
	if _, err := h.Runner.Apply(t.Context(), h.ann, digest, inv); err != nil {
		t.Fatal(err)
	}
	apply(h.ann, digest, inv, tools.Conflict) // it was used
}

// TestBesidesOthers: the tools work where plugins are loaded too.
func TestBesidesOthers(t *testing.T) {
	app := toolstest.New(t, Plugin{}, other{})
	if _, err := app.Apply(machine(), namedName, args{"account": app.Member("ann").Id}); err != nil {
		t.Error(err)
	}
	if _, err := app.Preview(machine(), "other_do", nil); tools.KindOf(err) != tools.Unauthorized {
		t.Error(err)
	}
}

type other struct{}

func (other) Name() string { return "other" }
func (other) Tools() []tools.Tool {
	return []tools.Tool{tools.NewRead(tools.Def{Name: "other_do", Title: "other.title", Help: "Does nothing at all."},
		func(*tools.Reader, struct{}) (string, error) { return "", nil })}
}
