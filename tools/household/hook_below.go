package household

import (
	"encoding/json/v2"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

func checkPause(e *core.RecordEvent, problems validation.Errors) error {
	days := dates(e.Record, problems, "from", "until")
	p := pause{from: days["from"], until: days["until"]}
	if !p.until.IsZero() && !p.until.After(p.from) {
		problems["until"] = bad("must be after the first day")
	}
	others, err := storedPauses(e.App, e.Record.GetString("subscription"), e.Record.Id)
	if err != nil {
		return err
	}
	for _, o := range others {
		if p.overlaps(o) {
			problems["from"] = bad("must not overlap the pause from %s", o.from)
		}
	}
	if len(problems) > 0 {
		return nil
	}
	return checkRests(e, problems, others, e.Record)
}

// checkShare holds one share of a subscription; that they sum is the tool's to
// see, and split's where a price has changed since: a fixed part above the price
// is none that was stored wrongly, it is scaled.
func checkShare(e *core.RecordEvent, problems validation.Errors) error {
	rec := e.Record
	if rec.GetString("member") != "" && rec.GetString("person") != "" {
		problems["person"] = bad("must be empty beside a member")
	}
	if rec.IsNew() && rec.GetString("member") == "" && rec.GetString("person") == "" && !tools.Restoring(e) {
		problems["person"] = bad("or a member must be named")
	}
	if name := rec.GetString("person"); name != "" && changed(rec, "person") {
		if parsed, err := parseName("person", name, maxPerson); err != nil || parsed != name {
			problems["person"] = bad("must be a line of text, not empty")
		}
	}
	if fixed := rec.GetFloat("fixed"); fixed < 0 || fixed > tools.MaxMinor || fixed != float64(int64(fixed)) {
		problems["fixed"] = bad("must be whole minor units from 0 to %d", int64(tools.MaxMinor))
	}
	if rec.GetFloat("weight") == 0 && rec.GetFloat("fixed") == 0 && anyChanged(rec, "weight", "fixed") {
		problems["weight"] = bad("must be set where no part is fixed")
	}
	if rec.GetInt("weight") > 0 && rec.GetFloat("fixed") != 0 {
		problems["fixed"] = bad("must be 0 beside a weight")
	}
	if sub, err := e.App.FindRecordById(subscriptions, rec.GetString("subscription")); err == nil && sub.GetString("currency") != rec.GetString("currency") {
		problems["currency"] = bad("must be the subscription's, %s", sub.GetString("currency"))
	}
	return onceShared(e, problems)
}

// onceShared keeps a person from having two shares of a subscription.
func onceShared(e *core.RecordEvent, problems validation.Errors) error {
	if !anyChanged(e.Record, "subscription", "member", "person") {
		return nil
	}
	one, _ := shareOf(e.Record)
	others, err := e.App.FindAllRecords(shares,
		dbx.HashExp{"subscription": e.Record.GetString("subscription")}, dbx.Not(dbx.HashExp{"id": e.Record.Id}))
	for _, rec := range others {
		if o, _ := shareOf(rec); one.sameAs(o) {
			field := "member"
			if one.member == "" {
				field = "person"
			}
			problems[field] = bad("must not have two shares of one subscription")
		}
	}
	return err
}

func checkRate(e *core.RecordEvent, problems validation.Errors) error {
	dates(e.Record, problems, "date")
	legible(e.Record, problems, false, "source")
	var table map[string]string
	if err := json.Unmarshal([]byte(e.Record.GetString("rates")), &table); err != nil {
		problems["rates"] = bad("must be decimal texts by currency")
		return nil
	}
	for code, rate := range table {
		if _, ok := tools.CurrencyDigits(code); !ok || code == euro {
			problems["rates"] = bad("must name currencies by ISO 4217, the euro aside")
		}
		if plain, err := plainRate(rate); err != nil || plain != rate {
			problems["rates"] = bad("must be plain decimals such as 1.0812, between a millionth and a hundred million")
		}
	}
	return nil
}
