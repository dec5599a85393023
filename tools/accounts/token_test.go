package accounts

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

func (h *home) token(a tools.Actor, in args) NewToken {
	h.t.Helper()
	return output[NewToken](h.t, h.must(a, tokenCreateName, in))
}

// hash is what is kept of a token's secret.
func (h *home) hash(id string) (s string) {
	h.t.Helper()
	if err := h.DB().Select("hash").From(Tokens).Where(dbx.HashExp{"id": id}).Row(&s); err != nil {
		h.t.Fatal(err)
	}
	return s
}

// propose puts a proposal of a token into the book, as the gate does.
func (h *home) propose(id, person, token, state string) {
	h.t.Helper()
	if _, err := h.DB().Insert(tools.ProposalsTable, dbx.Params{"id": id, "person": person, "agent": token, "state": state}).Execute(); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) state(proposal string) (state string) {
	h.t.Helper()
	if err := h.DB().Select("state").From(tools.ProposalsTable).Where(dbx.HashExp{"id": proposal}).Row(&state); err != nil {
		h.t.Fatal(err)
	}
	return state
}

// TestATokensTerms: what is not said is the least, and what is said is kept.
func TestATokensTerms(t *testing.T) {
	now := time.Date(2027, 3, 14, 22, 30, 0, 0, time.UTC)
	h := newHome(t, tools.Config{Now: func() time.Time { return now }})
	bob := h.As("bob")
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	for _, row := range []struct {
		in   args
		want Token
	}{
		{args{}, Token{Name: "Token 2027-03-14", Mode: "ask", Tools: "core", DailyWrites: 50}},
		{
			args{"name": "  Claude ✨ ", "mode": "trusted", "tools": "all", "plugins": []string{"household", "garden", "household"}, "own_surfaces": true, "expires": "2027-03-31", "daily_writes": 7},
			Token{Name: "Claude ✨", Mode: "trusted", Tools: "all", Plugins: []string{"garden", "household"}, OwnSurfaces: true, DailyWrites: 7, Expires: day(2027, 4, 1)},
		},
		{args{"name": "x", "expires": "1d", "mode": "read"}, Token{Name: "x", Mode: "read", Tools: "core", DailyWrites: 50, Expires: day(2027, 3, 16)}},
		{args{"name": "x", "expires": "2027-03-14", "mode": "write"}, Token{Name: "x", Mode: "write", Tools: "core", DailyWrites: 50, Expires: day(2027, 3, 15)}},
		{args{"name": "x", "expires": "2027-03-14T23:31:00+01:00"}, Token{Name: "x", Mode: "ask", Tools: "core", DailyWrites: 50, Expires: now.Add(time.Minute)}},
		{args{"name": strings.Repeat("ä", 80), "daily_writes": 10000}, Token{Name: strings.Repeat("ä", 80), Mode: "ask", Tools: "core", DailyWrites: 10000}},
	} {
		made := h.token(bob, row.in)
		if !tools.IsToken(made.Secret) || len(made.Secret) != 46 || h.hash(made.ID) != tools.Hash(made.Secret) {
			t.Errorf("%q is kept as %q", made.Secret, h.hash(made.ID))
		}
		listed := read[TokenPage](h, bob, tokenListName, nil)
		got := listed.Items[0]
		for _, it := range listed.Items {
			if it.ID == made.ID {
				got = it
			}
		}
		if d := cmp.Diff(made.Token, got); d != "" {
			t.Errorf("made and listed differ: %s", d)
		}
		row.want.ID, row.want.Created, row.want.State = got.ID, got.Created, TokenActive
		if row.want.Plugins == nil {
			row.want.Plugins = []string{}
		}
		if d := cmp.Diff(row.want, got); d != "" {
			t.Errorf("%v: %s", row.in, d)
		}
	}
	if ann := read[TokenPage](h, h.ann, tokenListName, nil); len(ann.Items) != 0 {
		t.Errorf("an operator is shown the tokens of others: %+v", ann.Items)
	}
}

// TestBadTerms are refused, when a token is made and when it is changed, and
// nothing is written.
func TestBadTerms(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	made := h.token(bob, args{"name": "good"})
	for _, row := range []struct {
		in  args
		key string
	}{
		{args{"name": strings.Repeat("x", 81)}, "nodkeep.error.token_name"},
		{args{"name": "good\u202etxt"}, "nodkeep.error.token_name"},
		{args{"name": "two\nlines"}, "nodkeep.error.token_name"},
		{args{"mode": "admin"}, "error.arguments"},
		{args{"mode": "READ"}, "error.arguments"},
		{args{"tools": "some"}, "error.arguments"},
		{args{"plugins": []string{"household", "nodkeep"}}, "nodkeep.error.token_plugin"},
		{args{"plugins": []string{""}}, "nodkeep.error.token_plugin"},
		{args{"daily_writes": 0}, "nodkeep.error.token_writes"},
		{args{"daily_writes": -1}, "nodkeep.error.token_writes"},
		{args{"daily_writes": 10001}, "nodkeep.error.token_writes"},
		{args{"daily_writes": 1.5}, ""},
		{args{"daily_writes": "7"}, ""},
		{args{"expires": "2001-01-01"}, "nodkeep.error.token_past"},
		{args{"expires": "2001-01-01T00:00:00Z"}, "nodkeep.error.token_past"},
		{args{"expires": "0d"}, "nodkeep.error.token_expires"},
		{args{"expires": "-3d"}, "nodkeep.error.token_expires"},
		{args{"expires": "3651d"}, "nodkeep.error.token_expires"},
		{args{"expires": "99999999999999999999d"}, "nodkeep.error.token_expires"},
		{args{"expires": "never"}, "nodkeep.error.token_expires"},
		{args{"expires": "9999-12-31"}, "nodkeep.error.token_expires"},
		{args{"expires": "2027-02-30"}, "nodkeep.error.token_expires"},
		{args{"hash": tools.Hash("nk_mine")}, ""},
		{args{"person": h.ann.Person}, ""},
		{args{"token": "nk_mine"}, ""},
	} {
		h.refused(bob, tokenCreateName, row.in, tools.Invalid, row.key)
		row.in["id"] = made.ID
		h.refused(bob, tokenUpdateName, row.in, tools.Invalid, row.key)
	}
	h.refused(bob, tokenUpdateName, args{"id": made.ID, "name": " "}, tools.Invalid, "nodkeep.error.token_name")
	h.refused(bob, tokenUpdateName, args{"id": made.ID, "mode": ""}, tools.Invalid, "error.arguments")
	h.refused(bob, tokenUpdateName, args{"name": "x"}, tools.Invalid, "")
	if _, err := h.Read(bob, tokenListName, args{"limit": 201}); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
	if _, err := h.Read(bob, tokenListName, args{"cursor": "x"}); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
}

// TestWhoMayHaveTokens: members, for themselves alone.
func TestWhoMayHaveTokens(t *testing.T) {
	// Also where a door would let an agent have its way.
	h := newHome(t, tools.Config{Decide: func(context.Context, core.App, tools.Actor, tools.Weight) (tools.Decision, error) {
		return tools.Run, nil
	}})
	bob := h.As("bob")
	his := h.token(bob, args{"name": "his"})
	for _, name := range []string{tokenUpdateName, tokenRotateName, tokenRevokeName} {
		// An operator is somebody else too.
		h.refused(h.ann, name, args{"id": his.ID}, tools.NotFound, "nodkeep.error.no_token")
		h.refused(bob, name, args{"id": "none"}, tools.NotFound, "nodkeep.error.no_token")
	}
	agent := bob
	agent.Agent, agent.Door = his.ID, tools.DoorMCP
	cy := h.waiting("cy")
	for name, who := range map[string]tools.Actor{
		"a superuser": h.superuser(), "the machine": machine(), "an agent": agent,
		"who waits": {Person: cy.Id, Door: tools.DoorWeb}, "nobody": {Door: tools.DoorWeb},
	} {
		for _, tool := range []string{tokenCreateName, tokenUpdateName, tokenRotateName, tokenRevokeName} {
			in := args{"id": his.ID}
			if tool == tokenCreateName {
				in = args{}
			}
			before := h.dump()
			_, err := h.Preview(who, tool, in)
			if k := tools.KindOf(err); k != tools.Forbidden && k != tools.Unauthorized {
				t.Errorf("%s used %s: %v", name, tool, err)
			}
			_, err = h.Apply(who, tool, in)
			if k := tools.KindOf(err); k != tools.Forbidden && k != tools.Unauthorized || h.dump() != before {
				t.Errorf("%s used %s: %v", name, tool, err)
			}
		}
		if _, err := h.Read(who, tokenListName, nil); tools.KindOf(err) != tools.Forbidden && tools.KindOf(err) != tools.Unauthorized {
			t.Errorf("%s lists tokens: %v", name, err)
		}
	}
}

// TestATokensLife: changed, given a new secret, revoked for good.
func TestATokensLife(t *testing.T) {
	now := time.Date(2027, 3, 14, 9, 0, 0, 0, time.UTC)
	h := newHome(t, tools.Config{Now: func() time.Time { return now }})
	bob := h.As("bob")
	made := h.token(bob, args{"name": "one", "expires": "2027-03-20", "plugins": []string{"household"}})
	it := args{"id": made.ID}

	changed := output[Token](t, h.must(bob, tokenUpdateName, args{"id": made.ID, "mode": "write", "plugins": []string{}, "daily_writes": 3}))
	if changed.Mode != "write" || len(changed.Plugins) != 0 || changed.DailyWrites != 3 || changed.Name != "one" || changed.Expires != made.Expires {
		t.Errorf("%+v", changed)
	}
	if h.hash(made.ID) != tools.Hash(made.Secret) {
		t.Error("a change took the secret")
	}

	again := output[NewToken](t, h.must(bob, tokenRotateName, it))
	if again.Secret == made.Secret || again.ID != made.ID || h.hash(made.ID) != tools.Hash(again.Secret) || again.Expires != made.Expires {
		t.Errorf("%+v", again)
	}

	now = now.AddDate(0, 0, 30)
	if got := read[TokenPage](h, bob, tokenListName, nil).Items[0].State; got != TokenExpired {
		t.Errorf("it is %s", got)
	}
	h.refused(bob, tokenUpdateName, args{"id": made.ID, "expires": "90d"}, tools.Conflict, "nodkeep.error.token_expired")
	h.refused(bob, tokenRotateName, it, tools.Conflict, "nodkeep.error.token_expired")
	if again = output[NewToken](t, h.must(bob, tokenRotateName, args{"id": made.ID, "expires": "90d"})); again.State != TokenActive {
		t.Errorf("%+v", again)
	}

	h.propose("p1", bob.Person, made.ID, "pending")
	h.propose("p2", bob.Person, made.ID, "applied")
	h.propose("p3", bob.Person, "another", "pending")
	if _, err := h.Preview(bob, tokenRevokeName, it); err != nil || h.state("p1") != "pending" {
		t.Errorf("a preview decided: %s, %v", h.state("p1"), err)
	}
	gone := output[Token](t, h.must(bob, tokenRevokeName, it))
	if gone.State != TokenRevoked || gone.Revoked != now || h.hash(made.ID) != "" {
		t.Errorf("%+v, hash %q", gone, h.hash(made.ID))
	}
	if h.state("p1") != "discarded" || h.state("p2") != "applied" || h.state("p3") != "pending" {
		t.Error(h.state("p1"), h.state("p2"), h.state("p3"))
	}
	for _, name := range []string{tokenUpdateName, tokenRotateName, tokenRevokeName} {
		h.refused(bob, name, it, tools.Conflict, "nodkeep.error.token_revoked")
	}

	// Whoever writes it from what was read before does not bring it back.
	rec, err := h.FindRecordById(Tokens, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	rec.Set("revoked", "")
	rec.Set("hash", tools.Hash(again.Secret))
	if err := h.Save(rec); err != nil {
		t.Fatal(err)
	}
	if h.hash(made.ID) != "" || read[TokenPage](h, bob, tokenListName, nil).Items[0].State != TokenRevoked {
		t.Error("a token came back from the dead")
	}
}

// TestTokensOfWhoIsSuspended end for good, as sessions do, and what they
// proposed with them.
func TestTokensOfWhoIsSuspended(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	his, hers := h.token(bob, args{}), h.token(h.ann, args{})
	h.propose("p1", bob.Person, his.ID, "pending")
	h.must(h.ann, suspendName, args{"account": bob.Person})
	h.must(h.ann, restoreName, args{"account": bob.Person})
	if h.hash(his.ID) != "" || h.hash(hers.ID) == "" || h.state("p1") != "discarded" {
		t.Errorf("after a suspension: %q, another's %q, %s", h.hash(his.ID), h.hash(hers.ID), h.state("p1"))
	}
	if got := read[TokenPage](h, bob, tokenListName, nil).Items[0]; got.State != TokenRevoked || got.Revoked.IsZero() {
		t.Errorf("%+v", got)
	}
}

// TestHowManyTokens a person may have that are good.
func TestHowManyTokens(t *testing.T) {
	now := time.Date(2027, 3, 14, 9, 0, 0, 0, time.UTC)
	h := newHome(t, tools.Config{Now: func() time.Time { return now }})
	bob := h.As("bob")
	first := h.token(bob, args{"expires": "1d"})
	for n := range maxTokens - 1 {
		h.token(bob, args{"name": fmt.Sprint("token ", n)})
	}
	h.refused(bob, tokenCreateName, args{}, tools.Conflict, "nodkeep.error.tokens")
	h.token(h.ann, args{})
	now = now.AddDate(0, 0, 3) // the first has expired
	last := h.token(bob, args{})
	h.refused(bob, tokenRotateName, args{"id": first.ID, "expires": "1d"}, tools.Conflict, "nodkeep.error.tokens")
	h.must(bob, tokenRevokeName, args{"id": last.ID})
	h.must(bob, tokenRotateName, args{"id": first.ID, "expires": "1d"})

	seen := map[string]bool{}
	for cursor, pages := "", 0; pages < 20; pages++ {
		page := read[TokenPage](h, bob, tokenListName, args{"cursor": cursor, "limit": 7})
		for _, it := range page.Items {
			if seen[it.ID] {
				t.Errorf("%s is listed twice", it.ID)
			}
			seen[it.ID] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != maxTokens+1 {
		t.Errorf("%d tokens are listed of %d", len(seen), maxTokens+1)
	}
}

// TestATokenIsShownOnce: the preview's secret is the apply's, and it is kept
// nowhere but as a hash.
func TestATokenIsShownOnce(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	id := h.token(bob, args{}).ID
	for _, row := range []struct {
		tool string
		in   args
	}{{tokenCreateName, args{}}, {tokenRotateName, args{"id": id}}} {
		inv := h.Call(row.tool, row.in)
		p, err := h.Runner.Preview(t.Context(), bob, inv)
		if err != nil {
			t.Fatal(err)
		}
		secret := p.Items[0].Output.(NewToken).Secret
		rec, err := h.Runner.Apply(t.Context(), bob, p.Digest, inv)
		if err != nil {
			t.Fatal(err)
		}
		if made := output[NewToken](t, rec); made.Secret != secret || h.hash(made.ID) != tools.Hash(secret) {
			t.Errorf("%s showed %s and made %s", row.tool, secret, made.Secret)
		}
		if in := h.holding(secret); len(in) > 0 {
			t.Errorf("the secret stands in %v", in)
		}
		if in := strings.Join(h.holding(tools.Hash(secret)), " "); in != "nodkeep_steps nodkeep_tokens" {
			t.Errorf("its hash stands in %s", in)
		}
		said := h.say("en", rec.Cards[0]) + fmt.Sprint(rec.Changes)
		if strings.Contains(said, secret) || strings.Contains(said, tools.Hash(secret)) {
			t.Error(said)
		}
		if _, err := h.Runner.Apply(t.Context(), bob, p.Digest, inv); tools.KindOf(err) != tools.Conflict || strings.Contains(err.Error(), secret) {
			t.Error(err)
		}
	}
	// Undo does not bring back an old secret, nor a token that was revoked.
	h.must(bob, tokenRevokeName, args{"id": id})
	var entries []string
	if err := h.DB().NewQuery("SELECT id FROM nodkeep_audit WHERE tool LIKE 'nodkeep_token%'").Column(&entries); err != nil || len(entries) < 4 {
		t.Fatal(entries, err)
	}
	for _, entry := range entries {
		if _, err := h.Undo(bob, entry); err == nil {
			t.Error("an act on a token was undone")
		}
	}
	if h.hash(id) != "" {
		t.Error("it is good again")
	}
}

// TestTokensGoWithTheirPerson, and what they proposed and were given.
func TestTokensGoWithTheirPerson(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	h.token(h.ann, args{"name": "hers"})
	his := h.token(bob, args{"name": "quetzalcoatl"})
	if err := h.Delete(h.account(bob.Person)); err != nil {
		t.Fatal(err)
	}
	h.gone(bob.Person)
	for _, text := range []string{"quetzalcoatl", tools.Hash(his.Secret)} {
		if in := h.holding(text); len(in) > 0 {
			t.Errorf("%s stands in %v", text, in)
		}
	}
	if n := h.count("SELECT count(*) FROM nodkeep_tokens"); n != 1 {
		t.Errorf("%d tokens are left", n)
	}
}

// TestTokenCards say what a token may, in each language.
func TestTokenCards(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	for _, mode := range []string{"read", "ask", "write", "trusted"} {
		p, err := h.Preview(bob, tokenCreateName, args{"name": "Claude", "mode": mode, "own_surfaces": true, "expires": "2090-01-01"})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, lang := range []string{"en", "de", "es"} {
			said := h.say(lang, p.Items[0].Card)
			if !strings.Contains(said, "Claude") || !strings.Contains(said, "2090-01-02") || strings.Contains(said, "nodkeep.") || seen[said] {
				t.Errorf("%s %s: %s", mode, lang, said)
			}
			seen[said] = true
		}
		if p.Items[0].Card.Grave {
			t.Error("a token can be revoked, and is not grave")
		}
	}
}
