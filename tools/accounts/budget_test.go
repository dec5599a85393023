package accounts

import (
	"encoding/json/v2"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// amounts are those of a budget, as JSON.
func amountsJSON(a Amounts) string {
	b, err := json.Marshal(a, json.Deterministic(true))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// TestAmounts: none, nothing, and what is no amount.
func TestAmounts(t *testing.T) {
	for _, row := range []struct{ field, said, want string }{
		{"day_cost", "", ""},
		{"day_cost", "0", "0"},
		{"day_cost", "0.00", "0"},
		{"day_cost", " 12.5 ", "12500000"},
		{"month_cost", "0.000001", "1"},
		{"month_cost", "999999999.999999", "999999999999999"},
		{"day_tokens", "0", "0"},
		{"month_tokens", "1000000", "1000000"},
	} {
		if got, err := amount(row.field, row.said, "EUR"); err != nil || got != row.want {
			t.Errorf("%s %q: %q %v", row.field, row.said, got, err)
		}
	}
	for _, bad := range []string{"-1", "+1", "1,5", "1.", ".5", "0.0000001", "1e3", "1000000000", "99999999999999999999", "five", "NaN", "1 000", "٣", "0x1"} {
		if got, err := amount("day_cost", bad, "EUR"); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%q is %q", bad, got)
		}
	}
	for _, bad := range []string{"-1", "+1", "1.5", "1e3", "1000000000000001", "many", "1_0"} {
		if got, err := amount("day_tokens", bad, "EUR"); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%q is %q", bad, got)
		}
	}
	for micros, want := range map[int64]string{0: "0.00", 1: "0.000001", 500_000: "0.50", 12_345_600: "12.3456", 1_000_000: "1.00", -1_500_000: "-1.50"} {
		if got := Decimal(micros); got != want {
			t.Errorf("%d is %s", micros, got)
		}
	}
}

// TestBudgets field by field, for several at once; one's first own begins as
// everybody's, so that nothing is unlimited unsaid.
func TestBudgets(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.Member("cy")
	set := func(in args) BudgetSet {
		t.Helper()
		return output[BudgetSet](t, h.must(h.ann, budgetName, in))
	}
	for name, in := range map[string]args{
		"nobody": {"day_cost": "1"}, "nothing": {"everybody": true}, "both": {"accounts": []string{"bob"}, "day_cost": "1", "default": true},
		"everybody's default": {"everybody": true, "default": true}, "no amount": {"everybody": true, "day_cost": "a lot"},
		"no time": {"everybody": true, "day_cost": "1", "seen": "yesterday"}, "seen by two": {"accounts": []string{"bob", "cy"}, "day_cost": "1", "seen": ""},
	} {
		if _, err := h.Apply(h.ann, budgetName, in); tools.KindOf(err) != tools.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	set(args{"everybody": true, "day_cost": "1", "month_cost": "10.50", "day_tokens": "1000"})
	out := set(args{"accounts": []string{"bob", "cy"}, "day_cost": "2", "day_tokens": ""})
	const both = `{"day_cost":"2.00","month_cost":"10.50","day_tokens":null,"month_tokens":null}`
	if len(out.Items) != 2 || amountsJSON(out.Items[0].Amounts) != both || amountsJSON(out.Items[1].Amounts) != both || out.Currency != "EUR" {
		t.Errorf("%+v", out)
	}
	set(args{"accounts": []string{"cy"}, "day_cost": "0"})
	page := read[BudgetPage](h, h.ann, "nodkeep_budget_list", nil)
	slices.SortFunc(page.Items, func(a, b Budget) int { return strings.Compare(a.Handle, b.Handle) }) // those of one moment come in any order
	if len(page.Items) != 2 || page.Items[0].Handle != "bob" || amountsJSON(page.Items[1].Amounts) != strings.Replace(both, "2.00", "0.00", 1) ||
		page.Everybody == nil || amountsJSON(page.Everybody.Amounts) != `{"day_cost":"1.00","month_cost":"10.50","day_tokens":1000,"month_tokens":null}` {
		t.Errorf("%+v", page)
	}
	rec := h.must(h.ann, budgetName, args{"accounts": []string{"cy"}, "default": true})
	if b, err := json.Marshal(rec.Outputs); err != nil || strings.Contains(string(b), "updated") {
		t.Errorf("a budget that is not there was changed at some time: %s %v", b, err)
	}
	if says := h.say("en", rec.Cards[0]); !strings.Contains(says, "At most 1.00 EUR a day") || !strings.Contains(says, "At most 1,000 tokens a day") {
		t.Errorf("it is not said what holds now: %s", says)
	}
	if page := read[BudgetPage](h, h.ann, "nodkeep_budget_list", args{"account": "cy"}); len(page.Items) != 0 {
		t.Errorf("%+v", page)
	}
	if rec := h.must(h.ann, budgetName, args{"accounts": []string{"bob"}, "month_cost": ""}); rec.UndoUntil != (time.Time{}) || !strings.Contains(h.say("de", rec.Cards[0]), "Höchstens 2,00 EUR am Tag") {
		t.Error(h.say("de", rec.Cards[0]))
	}
	// A member sees what they are given, and of nobody else's.
	for who, want := range map[string]int{"bob": 2, "cy": 1} {
		r, err := h.Read(h.As(who), ownName, nil)
		if err != nil {
			t.Fatal(r, err)
		}
		if n := len(visible(t, h, who, Budgets)); n != want {
			t.Errorf("%s sees %d budgets", who, n)
		}
	}
}

// visible are the records that a member may list.
func visible(t *testing.T, h *home, who, collection string) (ids []string) {
	t.Helper()
	rec := h.account(h.As(who).Person)
	col, err := h.FindCollectionByNameOrId(collection)
	if err != nil {
		t.Fatal(err)
	}
	recs, err := h.FindAllRecords(collection)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recs {
		ok, err := h.CanAccessRecord(r, &core.RequestInfo{Auth: rec}, col.ViewRule)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			ids = append(ids, r.Id)
		}
	}
	return ids
}

// TestTwoOperatorsAtOnce: who has not seen the other's change is told what
// stands now, and nothing is lost.
func TestTwoOperatorsAtOnce(t *testing.T) {
	h := newHome(t, tools.Config{})
	h.must(machine(), namedName, args{"account": "bob"})
	bob := h.As("bob")
	h.must(h.ann, budgetName, args{"everybody": true, "day_cost": "1", "seen": ""})
	h.refused(bob, budgetName, args{"everybody": true, "day_cost": "2", "seen": ""}, tools.Conflict, "nodkeep.error.changed")
	seen := read[BudgetPage](h, h.ann, "nodkeep_budget_list", nil).Everybody.Updated.Format(time.RFC3339Nano)
	time.Sleep(2 * time.Millisecond)
	var all sync.WaitGroup
	errs := make([]error, 2)
	for i, who := range []tools.Actor{h.ann, bob} {
		all.Go(func() {
			_, errs[i] = h.Apply(who, budgetName, args{"everybody": true, "day_cost": fmt.Sprint(i + 5), "seen": seen})
		})
	}
	all.Wait()
	won := 0
	if errs[0] != nil {
		won = 1
	}
	if lost := errs[1-won]; errs[won] != nil || keyOf(lost) != "nodkeep.error.changed" || !strings.Contains(lost.Error(), fmt.Sprintf("At most %d.00 EUR a day", won+5)) {
		t.Errorf("%v", errs)
	}
	// The other has to look, whether by what they saw or by a preview.
	p, err := h.Preview(bob, budgetName, args{"everybody": true, "day_cost": "9"})
	if err != nil {
		t.Fatal(err)
	}
	h.must(h.ann, budgetName, args{"everybody": true, "day_cost": "8"})
	if _, err := h.Runner.Apply(t.Context(), bob, p.Digest, h.Call(budgetName, args{"everybody": true, "day_cost": "9"})); tools.KindOf(err) != tools.Stale {
		t.Error(err)
	}
	for tool, in := range map[string]args{
		setName: {"id": "local", "effort": "low", "seen": "2020-01-01T00:00:00Z"}, settingName: {"name": "NODKEEP_SIGN_UP", "value": "open", "seen": "2020-01-01T00:00:00Z"},
	} {
		h.refused(bob, tool, in, tools.Conflict, "nodkeep.error.changed")
	}
	h.refused(bob, limitName, args{"day_cost": "1", "seen": "2020-01-01T00:00:00Z"}, tools.Conflict, "nodkeep.error.changed")
}

// TestOwnLimits are one's own alone.
func TestOwnLimits(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	h.refused(bob, limitName, args{}, tools.Invalid, "nodkeep.error.nothing")
	h.refused(bob, limitName, args{"day_tokens": "1.5"}, tools.Invalid, "nodkeep.error.amount_tokens")
	h.must(bob, limitName, args{"day_cost": "0.25", "day_tokens": "0"})
	out := output[OwnLimit](t, h.must(bob, limitName, args{"day_cost": ""}))
	if amountsJSON(out.Amounts) != `{"day_cost":null,"month_cost":null,"day_tokens":0,"month_tokens":null}` || out.Updated.IsZero() {
		t.Errorf("%+v", out)
	}
	if n := len(visible(t, h, "ann", Limits)); n != 0 {
		t.Errorf("an operator sees %d limits of others", n)
	}
	agent := bob
	agent.Agent = "agent1"
	for _, tool := range []string{limitName, agreeName, withdrawName, askName} {
		if _, err := h.Apply(agent, tool, args{"day_cost": "1", "assistant": "local"}); err == nil {
			t.Errorf("an agent used %s", tool)
		}
	}
}

// TestSettings that take effect while the server runs, and the others.
func TestSettings(t *testing.T) {
	h := newHome(t, tools.Config{})
	for _, row := range []struct {
		name, value string
		kind        tools.Kind
		key         string
	}{
		{"NODKEEP_NONE", "x", tools.NotFound, "nodkeep.error.no_setting"},
		{"NODKEEP_ENCRYPTION_KEY", "x", tools.Conflict, "nodkeep.error.setting_restart"},
		{"NODKEEP_OWN_SURFACES", "", tools.Conflict, "nodkeep.error.setting_locked.environment"},
		{"NODKEEP_SIGN_UP", "everybody", tools.Invalid, "nodkeep.error.setting_choice"},
		{"NODKEEP_WAITING_MAX", "0", tools.Invalid, "nodkeep.error.setting_number"},
		{"NODKEEP_WAITING_MAX", "1001", tools.Invalid, "nodkeep.error.setting_number"},
		{"NODKEEP_DAILY_CAP", "-1", tools.Invalid, "nodkeep.error.amount_cost"},
	} {
		h.refused(h.ann, settingName, args{"name": row.name, "value": row.value}, row.kind, row.key)
	}
	h.must(h.ann, settingName, args{"name": "NODKEEP_SIGN_UP", "value": "Closed", "seen": ""})
	h.must(h.ann, settingName, args{"name": "NODKEEP_DAILY_CAP", "value": "2.5"})
	h.must(h.ann, settingName, args{"name": "NODKEEP_WAITING_MAX", "value": "7"})
	h.must(h.ann, settingName, args{"name": "NODKEEP_WAITING_MAX", "value": ""})
	is := map[string]string{}
	for _, s := range read[SettingPage](h, h.ann, "nodkeep_setting_list", nil).Items {
		is[s.Name] = s.Value + "/" + s.From
	}
	for name, want := range map[string]string{
		"NODKEEP_SIGN_UP": "closed/operator", "NODKEEP_DAILY_CAP": "2.50/operator", "NODKEEP_WAITING_MAX": "10/default",
		"NODKEEP_OWN_SURFACES": "yes/environment", "NODKEEP_ENCRYPTION_KEY": "set/file",
	} {
		if is[name] != want {
			t.Errorf("%s is %s, want %s", name, is[name], want)
		}
	}
}
