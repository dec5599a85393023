package accounts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

func read[T any](h *home, a tools.Actor, tool string, in args) T {
	h.t.Helper()
	out, err := h.Read(a, tool, in)
	if err != nil {
		h.t.Fatalf("%s %v: %v", tool, in, err)
	}
	v, ok := out.(T)
	if !ok {
		h.t.Fatalf("%T", out)
	}
	return v
}

// TestLists: 50 at a time, in order, none twice and none left out, also where
// one goes between two pages.
func TestLists(t *testing.T) {
	h := newHome(t, tools.Config{})
	var all []string
	for n := range 120 {
		handle := fmt.Sprintf("w%03d", 119-n) // by handle the other way round
		rec := h.record(tools.Members, args{"handle": handle, "status": []string{Waiting, ""}[n%2]})
		if _, err := h.NonconcurrentDB().NewQuery(fmt.Sprintf("UPDATE users SET created = '2026-01-01 00:00:%02d.000Z' WHERE id = '%s'", n/3, rec.Id)).Execute(); err != nil {
			t.Fatal(err)
		}
		all = append(all, handle)
	}
	page := read[Page](h, h.ann, "nodkeep_waiting_list", nil)
	if len(page.Items) != 50 || page.Next == "" || page.Items[0].Created.After(page.Items[49].Created) {
		t.Fatalf("%d items, next %q", len(page.Items), page.Next)
	}
	seen := keys(page.Items)
	for _, it := range page.Items[:10] {
		h.must(h.ann, approveName, args{"account": it.ID})
	}
	for n := 0; page.Next != "" && n < 10; n++ {
		page = read[Page](h, h.ann, "nodkeep_waiting_list", args{"cursor": page.Next})
		seen = append(seen, keys(page.Items)...)
	}
	slices.Sort(seen)
	slices.Sort(all)
	if !slices.Equal(seen, all) {
		t.Errorf("%d of %d: %v", len(seen), len(all), seen)
	}
	var byHandle []string
	for cursor := ""; len(byHandle) < 1000; {
		page := read[Page](h, h.ann, "nodkeep_account_list", args{"cursor": cursor, "limit": 40})
		byHandle = append(byHandle, keys(page.Items)...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if want := append([]string{"ann", "bob"}, all...); !slices.Equal(byHandle, want) {
		t.Errorf("%v", byHandle)
	}
	// By their standing: an account without one waits.
	for standing, want := range map[string]int{"approved": 12, "waiting": 110, "suspended": 0} {
		if n := len(read[Page](h, h.ann, "nodkeep_account_list", args{"status": standing, "limit": 200}).Items); n != want {
			t.Errorf("%s: %d, not %d", standing, n, want)
		}
	}
	if _, err := h.Read(h.ann, "nodkeep_account_list", args{"status": "asleep"}); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
	for _, in := range []args{{"limit": 201}, {"limit": -1}, {"cursor": "none"}, {"cursor": "YQ"}, {"cursor": strings.Repeat("A", 10<<10)}, {"limit": "50"}, {"page": 2}} {
		if _, err := h.Read(h.ann, "nodkeep_waiting_list", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%v: %v", in, err)
		}
		if _, err := h.Read(h.ann, "nodkeep_link_list", in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("links %v: %v", in, err)
		}
	}
	over := read[Overview](h, h.ann, "nodkeep_overview", nil)
	if want := (Overview{Waiting: 110, Oldest: over.Oldest, Members: 12, Operators: 1}); over != want || over.Oldest.Format(time.DateTime) != "2026-01-01 00:00:03" {
		t.Errorf("%+v", over)
	}
}

// TestSearch goes by how a handle begins: in any case, and what is a wildcard
// elsewhere is a letter here.
func TestSearch(t *testing.T) {
	h := newHome(t, tools.Config{})
	for _, handle := range []string{"a_b", "axb", "annika", "ann.x", "ann-y", "zz"} {
		h.record(tools.Members, args{"handle": handle, "status": tools.Approved})
	}
	for search, want := range map[string]string{
		"": "a_b ann ann-y ann.x annika axb bob zz", "a": "a_b ann ann-y ann.x annika axb", "ANN": "ann ann-y ann.x annika", "a_": "a_b", "a%": "", "%": "", "_": "",
		"ann": "ann ann-y ann.x annika", "nn": "", "z": "zz", "zzz": "", "' OR 1=1 --": "", "ä": "",
	} {
		if got := strings.Join(keys(read[Page](h, h.ann, "nodkeep_account_list", args{"handle": search}).Items), " "); got != want {
			t.Errorf("%q finds %q, want %q", search, got, want)
		}
	}
	if got := keys(read[Page](h, h.ann, "nodkeep_operator_list", args{"handle": "A"}).Items); !slices.Equal(got, []string{"ann"}) {
		t.Errorf("operators: %v", got)
	}
}

// TestAddressesAreForWhoMustKnow: of who waits, for operators, and all for the
// machine; in what a preview, a receipt and the audit show too.
func TestAddressesAreForWhoMustKnow(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.must(machine(), namedName, args{"account": h.As("bob").Person})
	cy := h.waiting("cy")
	for _, a := range []tools.Actor{h.ann, h.superuser(), machine()} {
		for _, it := range read[Page](h, a, "nodkeep_account_list", nil).Items {
			if shown := it.Email != ""; shown != (it.Handle == "cy" || a == machine()) || !it.HasEmail {
				t.Errorf("%s is shown %+v", a.Door, it)
			}
		}
		if it := read[Page](h, a, "nodkeep_waiting_list", nil).Items[0]; it.Email != "cy@example.net" || it.Status != Waiting {
			t.Errorf("%+v", it)
		}
	}
	h.must(h.ann, addName, args{"handle": "eve", "email": "eve@example.com"})
	h.must(h.ann, approveName, args{"account": cy.Id})
	rec := h.account(cy.Id)
	rec.SetEmail("cy.new@example.net")
	if err := h.Save(rec); err != nil {
		t.Fatal(err)
	}
	p, err := h.Preview(h.ann, suspendName, args{"account": cy.Id})
	if err != nil || strings.Contains(fmt.Sprint(p.Items), "example.net") {
		t.Errorf("%+v %v", p.Items, err)
	}
	page, err := h.Runner.Activity(t.Context(), h.As("bob"), tools.ActivityQuery{})
	if err != nil || len(page.Items) == 0 {
		t.Fatal(err)
	}
	if said := fmt.Sprintf("%+v", page.Items); strings.Contains(said, "eve@") || strings.Contains(said, "cy.new@") || strings.Contains(said, "cy@") {
		t.Errorf("the audit shows an operator %s", said)
	}
	// One's own is one's own, and who shows theirs to all shows it.
	own, err := h.Runner.Activity(t.Context(), tools.Actor{Person: cy.Id, Door: tools.DoorWeb}, tools.ActivityQuery{})
	if err != nil || !strings.Contains(fmt.Sprintf("%+v", own.Items), "cy.new@example.net") {
		t.Errorf("%+v %v", own.Items, err)
	}
	rec.SetEmailVisibility(true)
	rec.SetEmail("cy.open@example.net")
	if err := h.Save(rec); err != nil {
		t.Fatal(err)
	}
	if page, err = h.Runner.Activity(t.Context(), h.As("bob"), tools.ActivityQuery{}); err != nil || !strings.Contains(fmt.Sprintf("%+v", page.Items), "cy.open@example.net") {
		t.Errorf("%+v %v", page.Items, err)
	}
}

// TestLinksThatAreWorthSomething are listed and counted, newest first; the
// others are not.
func TestLinksThatAreWorthSomething(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	h.must(machine(), namedName, args{"account": bob.Person})
	for n := range 60 {
		h.must(h.ann, inviteName, args{"note": fmt.Sprint(n)})
	}
	h.must(h.ann, resetName, args{"account": bob.Person})
	h.must(machine(), inviteName, args{"note": "by the machine"})
	old := output[NewLink](t, h.must(h.ann, inviteName, args{"note": "old"}))
	if _, err := h.NonconcurrentDB().NewQuery("UPDATE nodkeep_links SET expires = '2020-01-01 00:00:00.000Z' WHERE id = '" + old.ID + "'").Execute(); err != nil {
		t.Fatal(err)
	}
	h.must(bob, inviteName, args{"note": "bob's"})
	notes := func() (all []string) {
		for cursor := ""; len(all) < 1000; {
			page := read[LinkPage](h, h.ann, "nodkeep_link_list", args{"kind": Invite, "cursor": cursor})
			for _, l := range page.Items {
				all = append(all, l.Note+"/"+l.By)
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		return all
	}
	if got := notes(); len(got) != 62 || got[0] != "bob's/bob" || got[1] != "by the machine/" || got[2] != "59/ann" || got[61] != "0/ann" {
		t.Errorf("%d %v", len(got), got)
	}
	resets := read[LinkPage](h, h.ann, "nodkeep_link_list", args{"kind": Reset}).Items
	if len(resets) != 1 || resets[0].Handle != "bob" || resets[0].By != "ann" {
		t.Errorf("%+v", resets)
	}
	if n := read[Overview](h, h.ann, "nodkeep_overview", nil).Links; n != 63 {
		t.Errorf("%d links", n)
	}
	h.must(h.ann, removedName, args{"account": bob.Person})
	if got := notes(); len(got) != 61 || slices.Contains(got, "bob's/bob") {
		t.Errorf("%d %v", len(got), got)
	}
	if n := read[Overview](h, h.superuser(), "nodkeep_overview", nil).Links; n != 62 {
		t.Errorf("%d links", n)
	}
}

// TestPassLinkOfWhoIsIn is worth nothing, and so neither listed nor counted.
func TestPassLinkOfWhoIsIn(t *testing.T) {
	h := newHome(t, tools.Config{})
	cy := args{"account": h.waiting("cy").Id}
	h.must(h.ann, passName, cy)
	look := func(want int) {
		t.Helper()
		links := read[LinkPage](h, h.ann, "nodkeep_link_list", args{"kind": Pass}).Items
		if n := read[Overview](h, h.ann, "nodkeep_overview", nil).Links; len(links) != want || n != want {
			t.Errorf("%+v, counted %d, want %d", links, n, want)
		}
	}
	look(1)
	h.must(h.ann, approveName, cy)
	look(0)
}
