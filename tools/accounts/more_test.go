package accounts

import (
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestConsents are for a host and a protocol; who may not use an assistant need
// not agree to it, and withdrawing is as easy as agreeing.
func TestConsents(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	h.refused(bob, agreeName, args{"assistant": "none"}, tools.NotFound, "nodkeep.error.no_assistant")
	h.refused(bob, agreeName, args{"assistant": "cloud"}, tools.Forbidden, "nodkeep.error.not_granted")
	h.refused(bob, withdrawName, args{"assistant": "cloud"}, tools.Conflict, "nodkeep.error.not_agreed")
	h.must(h.ann, setName, args{"id": "cloud", "model": "big", "base_url": "https://api.example.com"})
	h.must(h.ann, grantName, args{"assistant": "cloud", "allow": true, "accounts": []string{"bob"}})
	h.must(h.ann, grantName, args{"assistant": "local", "allow": true, "everybody": true})
	h.refused(bob, agreeName, args{"assistant": "cloud", "host": "elsewhere.example"}, tools.Conflict, "nodkeep.error.other_host")
	mine := read[MyAssistants](h, bob, mineName, nil)
	if len(mine.Items) != 2 || mine.Items[0].ID != "local" || mine.Items[1].Agreed || len(mine.More) != 0 || mine.Items[0].Goes.Key != "nodkeep.goes.local" {
		t.Errorf("%+v", mine)
	}
	if ann := read[MyAssistants](h, h.ann, mineName, nil); len(ann.Items) != 1 || len(ann.More) != 1 || ann.More[0].ID != "cloud" {
		t.Errorf("%+v", ann)
	}
	for range 2 { // agreeing twice, and again after withdrawing
		h.must(bob, agreeName, args{"assistant": "cloud", "host": "api.example.com"})
		rec := h.must(bob, agreeName, args{"assistant": "cloud"})
		if said := h.say("en", rec.Cards[0]); !strings.Contains(said, "goes to api.example.com") {
			t.Error(said)
		}
		if mine := read[MyAssistants](h, bob, mineName, nil); !mine.Items[1].Agreed || mine.Items[1].Since.IsZero() {
			t.Errorf("%+v", mine)
		}
		if _, err := h.Runner.Apply(t.Context(), bob, "", h.Call(withdrawName, args{"assistant": "cloud"})); err != nil {
			t.Errorf("withdrawing needs more than agreeing: %v", err)
		}
		if mine := read[MyAssistants](h, bob, mineName, nil); mine.Items[1].Agreed {
			t.Errorf("%+v", mine)
		}
	}
	if n := h.count("SELECT count(*) FROM nodkeep_consents"); n != 1 {
		t.Errorf("%d rows of one consent", n)
	}
	if agreesTo(h.record(Consents, args{"person": h.ann.Person, "assistant": "cloud", "host": "old.example", "protocol": "openai"}), Known{ID: "cloud", Host: "new.example", Fields: map[string]string{"protocol": "openai"}}) {
		t.Error("an agreement holds for another host")
	}
}

// TestAskForMore: an assistant or a budget, answered with one tap.
func TestAskForMore(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	ask := func(in args) Request {
		t.Helper()
		return output[Request](t, h.must(bob, askName, in))
	}
	h.refused(bob, askName, args{"assistant": "none"}, tools.NotFound, "nodkeep.error.no_assistant")
	h.refused(bob, askName, args{"assistant": "local", "day_cost": "5"}, tools.Invalid, "nodkeep.error.more_both")
	h.refused(bob, askName, args{"assistant": "local", "note": strings.Repeat("x", 301)}, tools.Invalid, "nodkeep.error.note")
	h.refused(bob, askName, args{"day_cost": "5"}, tools.Conflict, "nodkeep.error.more_free")

	q := ask(args{"assistant": "local", "note": " for the taxes "})
	if q.Kind != ForAssistant || q.State != RequestOpen || q.Note != "for the taxes" || q.Handle != "bob" {
		t.Errorf("%+v", q)
	}
	h.refused(bob, askName, args{"assistant": "local"}, tools.Conflict, "nodkeep.error.more_asked")
	if n := read[Overview](h, h.ann, "nodkeep_overview", nil).Requests; n != 1 {
		t.Errorf("%d requests", n)
	}
	h.refused(h.ann, giveName, args{"id": q.ID, "day_cost": "1"}, tools.Invalid, "nodkeep.error.more_amounts")
	if out := output[Request](t, h.must(h.ann, giveName, args{"id": q.ID})); out.State != RequestApproved || out.Decided.IsZero() {
		t.Errorf("%+v", out)
	}
	h.refused(h.ann, giveName, args{"id": q.ID}, tools.Conflict, "nodkeep.error.request_decided.approved")
	h.refused(h.ann, denyName, args{"id": "none"}, tools.NotFound, "nodkeep.error.no_request")
	h.refused(bob, askName, args{"assistant": "local"}, tools.Conflict, "nodkeep.error.granted")

	h.must(h.ann, budgetName, args{"everybody": true, "day_cost": "1.50", "month_cost": "20", "day_tokens": "0"})
	h.refused(bob, askName, args{"month_tokens": "5"}, tools.Conflict, "nodkeep.error.more_no_limit")
	h.refused(bob, askName, args{"day_cost": "1.50"}, tools.Invalid, "nodkeep.error.more_little")
	h.refused(bob, askName, args{"day_tokens": ""}, tools.Invalid, "nodkeep.error.more_little") // twice nothing
	q = ask(args{})                                                                             // twice what is reached
	if amountsJSON(q.Amounts) != `{"day_cost":"3.00","month_cost":null,"day_tokens":null,"month_tokens":null}` {
		t.Errorf("%+v", q)
	}
	h.must(h.ann, denyName, args{"id": q.ID})
	q = ask(args{"day_cost": "", "month_cost": "30"})
	rec := h.must(h.ann, giveName, args{"id": q.ID})
	if said := h.say("en", rec.Cards[0]); !strings.Contains(said, "At most 3.00 EUR a day") || !strings.Contains(said, "30.00 EUR a month") {
		t.Error(said)
	}
	const raised = `{"day_cost":"3.00","month_cost":"30.00","day_tokens":0,"month_tokens":null}`
	own := func() string {
		return amountsJSON(read[BudgetPage](h, h.ann, "nodkeep_budget_list", nil).Items[0].Amounts)
	}
	if own() != raised {
		t.Error(own())
	}
	// What was raised meanwhile is not lowered, unless the operator says so.
	q = ask(args{"day_cost": "4"})
	h.must(h.ann, budgetName, args{"accounts": []string{"bob"}, "day_cost": "9"})
	h.must(h.ann, giveName, args{"id": q.ID})
	if own() != strings.Replace(raised, "3.00", "9.00", 1) {
		t.Error(own())
	}
	q = ask(args{"day_cost": "20"})
	h.must(h.ann, giveName, args{"id": q.ID, "day_cost": "10", "day_tokens": ""})
	if own() != `{"day_cost":"10.00","month_cost":"30.00","day_tokens":null,"month_tokens":null}` {
		t.Error(own())
	}

	// One sees one's own, an operator those that are open.
	if mine := read[RequestPage](h, bob, ownName, nil).Items; len(mine) != 5 || mine[1].State != RequestRefused {
		t.Errorf("%+v", mine)
	}
	if none := read[RequestPage](h, h.ann, ownName, nil).Items; len(none) != 0 {
		t.Errorf("%+v", none)
	}
	if open := read[RequestPage](h, h.ann, "nodkeep_more_list", nil).Items; len(open) != 0 {
		t.Errorf("%+v", open)
	}
	if all := read[RequestPage](h, h.ann, "nodkeep_more_list", args{"state": "all", "limit": 3}); len(all.Items) != 3 || all.Next == "" {
		t.Errorf("%+v", all)
	}
	if _, err := h.Read(h.ann, "nodkeep_more_list", args{"state": "odd"}); tools.KindOf(err) != tools.Invalid {
		t.Error(err)
	}
}

// TestMoreThanEverybody: a request that everybody's budget answers by now makes no
// budget of one's own, which would outlast that of all; least of all one without
// limits where everybody's is gone.
func TestMoreThanEverybody(t *testing.T) {
	for name, now := range map[string]args{"raised for all": {"day_cost": "5"}, "free for all": {"day_cost": ""}, "gone": nil} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, tools.Config{})
			h.must(h.ann, budgetName, args{"everybody": true, "day_cost": "1"})
			q := output[Request](t, h.must(h.As("bob"), askName, args{"day_cost": "2"}))
			if now == nil {
				rec, err := h.FindFirstRecordByData(Budgets, "everybody", true)
				if err != nil || h.Delete(rec) != nil {
					t.Fatal(err)
				}
			} else {
				now["everybody"] = true
				h.must(h.ann, budgetName, now)
			}
			h.must(h.ann, giveName, args{"id": q.ID})
			if own := read[BudgetPage](h, h.ann, "nodkeep_budget_list", nil).Items; len(own) != 0 {
				t.Errorf("%+v", own)
			}
			h.must(h.ann, budgetName, args{"everybody": true, "day_cost": "0"})
			if rec, err := h.FindFirstRecordByData(Budgets, "person", h.As("bob").Person); err == nil {
				t.Errorf("bob keeps %v", rec)
			}
		})
	}
}

// TestManyRequests: so many may be open, and no more.
func TestManyRequests(t *testing.T) {
	h := newHome(t, tools.Config{})
	bob := h.As("bob")
	for range maxRequests - 1 {
		h.record(Requests, args{"person": bob.Person, "kind": ForAssistant, "assistant": "other", "state": RequestOpen})
	}
	h.must(bob, askName, args{"assistant": "local"})
	h.must(h.ann, budgetName, args{"everybody": true, "day_cost": "1"})
	h.refused(bob, askName, args{"day_cost": "2"}, tools.Conflict, "nodkeep.error.more_many")
}
