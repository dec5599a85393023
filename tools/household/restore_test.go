package household

import (
	"encoding/json/v2"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// restoreAll brings an export back, part by part, and gives the entries.
func restoreAll(tb testing.TB, a *toolstest.App, who string, all []Exported) (audit []string) {
	tb.Helper()
	for _, p := range all {
		_, receipt := apply[Restored](tb, a, who, "household_restore", args{"household": p.Household})
		audit = append(audit, receipt.Audit...)
	}
	return audit
}

// answer is what a tool gives as JSON, with handles for the ids of members.
func answer(tb testing.TB, a *toolstest.App, who, tool string, in any) string {
	tb.Helper()
	out, err := a.Read(a.As(who), tool, in)
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	b, err := json.Marshal(out, json.Deterministic(true))
	if err != nil {
		tb.Fatal(err)
	}
	said := strings.NewReplacer(a.Member("ann").Id, "ann", a.Member("bob").Id, "bob").Replace(string(b))
	return regexp.MustCompile(`logo_[a-z0-9]{10}\.png`).ReplaceAllString(said, "logo.png") // a part of it is drawn
}

// A pause may lie outside its subscription's time: the end or the beginning
// moved after it was made. It comes back like any other.
func TestPauseOutsideComesBack(t *testing.T) {
	a := homeOn(t, "2026-03-05")
	ends := add(t, a, "ann", args{"name": "Ends"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": ends, "from": "2026-08-01", "resumes": "2026-09-01"})
	apply[any](t, a, "ann", "household_subscription_cancel", args{"id": ends, "last_day": "2026-05-31"})
	begins := add(t, a, "ann", args{"name": "Begins"}).ID
	apply[Paused](t, a, "ann", pauseTool, args{"id": begins, "from": "2026-04-01", "resumes": "2026-05-01"})
	apply[any](t, a, "ann", subUpdateTool, args{"id": begins, "first_date": "2026-07-01"})
	b := newPlace(t)
	restoreAll(t, b, "ann", parts(t, a, "ann", nil))
	if diff := cmp.Diff(exportOf(t, a, "ann"), exportOf(t, b, "ann")); diff != "" {
		t.Error(diff)
	}
	if n, err := b.CountRecords(pauses); n != 2 || err != nil {
		t.Errorf("%d pauses came back: %v", n, err)
	}
}

func TestRoundTrip(t *testing.T) {
	a := newHome(t)
	ids := rich(t, a)
	all := parts(t, a, "ann", nil)
	b := newPlace(t)
	empty := dump(t, b)
	audit := restoreAll(t, b, "ann", all)
	if diff := cmp.Diff(exportOf(t, a, "ann"), exportOf(t, b, "ann")); diff != "" {
		t.Error(diff)
	}
	for _, tool := range a.Registry.Tools() {
		in, asked := map[string]any{
			"household_upcoming": args{"days": 90, "limit": 200}, "household_subscription_list": args{"limit": 200}, "household_charge_list": args{"limit": 200},
			"household_subscription_get": args{"id": ids["gym"]}, "household_calendar": args{"from": "2025-01-01", "to": "2025-03-31"},
		}[tool.Name]
		if tool.Effect != tools.EffectRead || (!asked && len(tool.Input.Required) > 0) {
			continue
		}
		if diff := cmp.Diff(answer(t, a, "ann", tool.Name, in), answer(t, b, "ann", tool.Name, in)); diff != "" {
			t.Errorf("%s: %s", tool.Name, diff)
		}
	}
	if _, err := b.FindRecordById(subscriptions, ids["secret of bob"]); err == nil {
		t.Error("what bob keeps to himself came along")
	}
	// Once more changes nothing; undone, nothing is left.
	again := dump(t, b)
	for _, p := range all {
		out, _ := apply[Restored](t, b, "ann", "household_restore", args{"household": p.Household})
		if len(out.Created) != 0 || out.Unchanged == 0 {
			t.Errorf("%+v", out)
		}
	}
	if diff := cmp.Diff(again, dump(t, b)); diff != "" {
		t.Error(diff)
	}
	if _, err := b.Undo(b.As("ann"), audit...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(empty, dump(t, b)); diff != "" {
		t.Error(diff)
	}
}

// TestRestoreWithoutAMember: what belonged to somebody who is not here has no
// owner, and their share is a person's; what is private is whose who restores.
func TestRestoreWithoutAMember(t *testing.T) {
	a := newHome(t)
	ids := rich(t, a)
	all := parts(t, a, "ann", nil)
	b := newPlace(t)
	for _, handle := range []string{"ann", "bob"} {
		if err := b.Delete(b.Member(handle)); err != nil {
			t.Fatal(err)
		}
	}
	operator(t, b, "anna")
	card, err := b.Preview(b.As("anna"), "household_restore", args{"household": all[0].Household})
	if err != nil {
		t.Fatal(err)
	}
	said := b.Catalogue.English(card.Items[0].Card.Title)
	for _, line := range card.Items[0].Card.Lines {
		said += "\n" + b.Catalogue.English(line)
	}
	for _, want := range []string{"Restore 6 subscriptions: ", "2 categories", "2 pauses", "2 charges", "The settings", "Nobody here is called ann, bob: what was theirs has no owner"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
	out, _ := apply[Restored](t, b, "anna", "household_restore", args{"household": all[0].Household})
	if diff := cmp.Diff([]string{"ann", "bob"}, out.Absent); diff != "" {
		t.Error(diff)
	}
	again, _ := apply[Restored](t, b, "anna", "household_restore", args{"household": all[0].Household})
	if len(again.Created) != 0 {
		t.Errorf("%+v", again)
	}
	sub := read[Details](t, b, "anna", "household_subscription_get", args{"id": ids["spotify"]})
	if sub.Owner != "" || len(sub.Shares) != 3 || sub.Shares[0].Person != "ann" || sub.Shares[1].Person != "bob" || sub.Shares[2].Person != "Oma" {
		t.Errorf("%+v", sub)
	}
	if secret := read[Details](t, b, "anna", "household_subscription_get", args{"id": ids["secret of ann"]}); !secret.Mine || !secret.Private {
		t.Errorf("%+v", secret)
	}
	if _, err := b.Read(b.As("cy"), "household_subscription_get", args{"id": ids["secret of ann"]}); tools.KindOf(err) != tools.NotFound {
		t.Error(err)
	}
	// And from here it can move on.
	c := newHome(t)
	operator(t, c, "anna")
	restoreAll(t, c, "anna", parts(t, b, "anna", nil))
	if diff := cmp.Diff(exportOf(t, b, "anna"), exportOf(t, c, "anna")); diff != "" {
		t.Error(diff)
	}
}

// TestRestoreLeavesRatesToOperators: no member brings exchange rates that way,
// and is told that they are left out.
func TestRestoreLeavesRatesToOperators(t *testing.T) {
	a := newHome(t)
	rich(t, a)
	all := parts(t, a, "ann", nil)
	b := newHome(t)
	p, err := b.Preview(b.As("ann"), "household_restore", args{"household": all[0].Household})
	if err != nil {
		t.Fatal(err)
	}
	lines := fmt.Sprint(p.Items[0].Card.Lines)
	out, _ := apply[Restored](t, b, "ann", "household_restore", args{"household": all[0].Household})
	if n, err := b.CountRecords(rates); err != nil || n != 0 || out.LeftOut != 1 || !strings.Contains(lines, "restore_left_out") {
		t.Errorf("%d %v %+v %s", n, err, out, lines)
	}
	operator(t, b, "bob")
	restoreAll(t, b, "bob", parts(t, a, "bob", nil))
	if out, _ := apply[Restored](t, b, "ann", "household_restore", args{"household": all[0].Household}); out.LeftOut != 0 || len(out.Created) != 0 {
		t.Errorf("%+v", out)
	}
}

// TestExportWithoutAMember: a share of somebody who has left still leaves.
func TestExportWithoutAMember(t *testing.T) {
	a := newHome(t)
	rich(t, a)
	bob := a.Member("bob")
	bob.Set("status", "suspended")
	if err := a.Save(bob); err != nil {
		t.Fatal(err)
	}
	suspended := exportOf(t, a, "ann")
	if err := a.Delete(bob); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(suspended, exportOf(t, a, "ann")); diff != "" {
		t.Errorf("one who was suspended is told from one who has left: %s", diff)
	}
	b := newPlace(t)
	restoreAll(t, b, "ann", parts(t, a, "ann", nil))
	if diff := cmp.Diff(suspended, exportOf(t, b, "ann")); diff != "" || strings.Contains(suspended, `"bob"`) {
		t.Error(diff)
	}
}

// TestRestoreDiffers: what is here is never overwritten, and the record and
// its fields are named.
func TestRestoreDiffers(t *testing.T) {
	a := newHome(t)
	ids := rich(t, a)
	all := parts(t, a, "ann", nil)[0]
	for _, row := range []struct {
		collection, id string
		values         args
		says           string
	}{
		{settings, "", args{"time_zone": "UTC"}, "settings is here already and differs in time_zone."},
		{subscriptions, ids["gym"], args{"notes": "new", "owner": a.Member("bob").Id}, `"Gym" is here already and differs in notes, owner.`},
		{subscriptions, ids["spotify"], args{"url": "", "tags": []string{"x"}}, `"Spotify" is here already and differs in tags, url.`},
		{subscriptions, ids["spotify"], args{"logo": ""}, `"Spotify" is here already and differs in logo.`},
		{charges, ids["charge 1"], args{"text": "x"}, `"Gym 2025-01-31" is here already and differs in text.`},
		{pauses, "", args{"shift": false}, `"Gym 2025-04-01" is here already and differs in shift.`},
		{rates, ids["rates"], args{"rates": map[string]string{"USD": "1"}}, `"2025-01-31" is here already and differs in rates.`},
		// What is not seen differs in nothing.
		{subscriptions, ids["paid by bob"], args{"replaces": ""}, ""},
	} {
		if row.id == "" {
			recs, err := a.FindAllRecords(row.collection)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(recs, func(rec *core.Record) bool { return row.collection != pauses || rec.GetBool("shift") })
			row.id = recs[i].Id
		}
		rec, err := a.FindRecordById(row.collection, row.id)
		if err != nil {
			t.Fatal(err)
		}
		change(t, a, row.collection, row.id, row.values)
		before := dump(t, a)
		_, err = a.Apply(a.As("ann"), "household_restore", args{"household": all.Household})
		if row.says == "" {
			if err != nil {
				t.Error(err)
			}
		} else if tools.KindOf(err) != tools.Conflict || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%v, want %s", err, row.says)
		}
		if diff := cmp.Diff(before, dump(t, a)); diff != "" {
			t.Error(diff)
		}
		if err := a.SaveNoValidate(rec); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRestoreByEachMember: what each sees comes back in any order, and what is
// private to one is never missed or told to the other.
func TestRestoreByEachMember(t *testing.T) {
	a := newHome(t)
	rich(t, a)
	exports := map[string][]Exported{"ann": parts(t, a, "ann", nil), "bob": parts(t, a, "bob", nil)}
	for _, order := range [][]string{{"ann", "bob"}, {"bob", "ann"}} {
		b := newPlace(t)
		for _, who := range order {
			restoreAll(t, b, who, exports[who])
			restoreAll(t, b, who, exports[who])
		}
		for _, who := range order {
			if diff := cmp.Diff(exportOf(t, a, who), exportOf(t, b, who)); diff != "" {
				t.Errorf("%v: %s", order, diff)
			}
		}
	}
}

// TestLargePartsComeBack: a part is never larger than what one call takes, be
// it for many records or for much in them.
func TestLargePartsComeBack(t *testing.T) {
	a := newHome(t)
	id := add(t, a, "ann", nil).ID
	for i := range 45 {
		add(t, a, "ann", args{"name": fmt.Sprint("S", i), "notes": strings.Repeat("🎵", 5000)})
	}
	apply[Subscription](t, a, "ann", "household_logo_set", args{"id": id, "logo": picture("x.png", png+strings.Repeat("x", 512<<10-len(png)))})
	// More charges than go into a part, past the tools as that takes too long.
	if _, err := a.DB().NewQuery(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1099)
		INSERT INTO household_charges (id, subscription, date, amount, currency, created, updated)
		SELECT printf('charge%09d', i), {:id}, date('2020-01-01', (i % 700) || ' days'), i, 'EUR', '', '' FROM n`).Bind(dbx.Params{"id": id}).Execute(); err != nil {
		t.Fatal(err)
	}
	all := parts(t, a, "ann", nil)
	records := []int{}
	for _, p := range all {
		b, err := json.Marshal(args{"household": p.Household})
		if err != nil || len(b) > 1<<20 {
			t.Errorf("%d bytes, %v", len(b), err)
		}
		n := 0
		for _, v := range p.Household {
			if list, is := v.([]map[string]any); is {
				n += len(list)
			}
		}
		records = append(records, n)
	}
	if len(all) < 4 || slices.Max(records) != maxExported {
		t.Errorf("parts of %v records", records)
	}
	b := newPlace(t)
	restoreAll(t, b, "ann", all)
	if diff := cmp.Diff(exportOf(t, a, "ann"), exportOf(t, b, "ann")); diff != "" {
		t.Error(diff[:min(len(diff), 2000)])
	}
}
