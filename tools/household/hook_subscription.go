package household

import (
	"encoding/json/v2"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

func checkSubscription(e *core.RecordEvent, problems validation.Errors) error {
	rec := e.Record
	visible(rec, problems, "name")
	legible(rec, problems, false, "name", "merchant", "url", "account")
	legible(rec, problems, true, "notes")
	checkMoney(rec, problems)
	switch cycle, err := tools.ParseCycle(rec.GetString("cycle")); {
	case err != nil && anyChanged(rec, "cycle", "anchor_day"):
		problems["cycle"] = bad("%v", err)
	case cycle.Unit == tools.Weeks && rec.GetInt("anchor_day") != 0 && anyChanged(rec, "cycle", "anchor_day"):
		problems["anchor_day"] = bad("must be 0 for a cycle of weeks")
	}
	days := dates(rec, problems, "first_date", "ends_on", "cancelled_on", "trial_from", "trial_ends_on", "decide_by", "term_from", "noticed_on", "agreed_ends_on")
	checkTrial(rec, problems, days)
	for _, f := range []string{"min_term", "extension", "notice"} {
		if _, err := parsePeriod(f, rec.GetString(f)); err != nil && changed(rec, f) {
			problems[f] = bad("must be a duration such as P14D, P1M or P1Y")
		}
	}
	s := schedule{first: days["first_date"], trial: trial{from: days["trial_from"], ends: days["trial_ends_on"]}}
	if end := days["ends_on"]; !end.IsZero() && s.early(end) && anyChanged(rec, "ends_on", "first_date", "trial_from", "trial_ends_on") {
		problems["ends_on"] = bad("must not be before the first date")
	}
	checkStatus(rec, problems)
	if err := checkTags(rec.GetString("tags")); err != nil && changed(rec, "tags") {
		problems["tags"] = err
	}
	if _, err := parseURL("url", rec.GetString("url"), maxURL); err != nil && changed(rec, "url") {
		problems["url"] = bad("must be the http or https address of a website, without a password")
	}
	if rec.GetBool("private") && rec.GetString("owner") == "" && anyChanged(rec, "private", "owner") {
		problems["private"] = bad("needs an owner")
	}
	if err := checkReplaced(e, problems); err != nil || rec.IsNew() {
		return err
	}
	return checkChange(e, problems)
}

// checkStatus holds what must be there, or must not, with a status.
func checkStatus(rec *core.Record, problems validation.Errors) {
	if rec.GetString("status") == cancelled {
		if rec.GetString("ends_on") == "" && anyChanged(rec, "status", "ends_on") {
			problems["ends_on"] = bad("must be set for a cancelled subscription")
		}
		return
	}
	for _, f := range []string{"cancelled_on", "noticed_on", "agreed_ends_on"} {
		if rec.GetString(f) != "" && anyChanged(rec, "status", f) {
			problems[f] = bad("must be empty for an active subscription")
		}
	}
	if rec.GetString("trial_decided") == lose && anyChanged(rec, "status", "trial_decided") {
		problems["trial_decided"] = bad("must not be %s for an active subscription", lose)
	}
}

func checkTrial(rec *core.Record, problems validation.Errors, days map[string]tools.Date) {
	from, ends, by := days["trial_from"], days["trial_ends_on"], days["decide_by"]
	field, problem := "trial_ends_on", ""
	switch {
	case ends.IsZero() && (!from.IsZero() || !by.IsZero() || rec.GetString("trial_decided") != ""):
		problem = "must be set for a trial"
	case ends.IsZero():
	case !from.IsZero() && ends.Before(from):
		problem = "must not be before the trial begins"
	case !by.IsZero() && (by.After(ends) || by.Before(from)):
		field, problem = "decide_by", "must be a day of the trial"
	}
	if problem != "" && anyChanged(rec, "trial_from", "trial_ends_on", "decide_by", "trial_decided") {
		problems[field] = bad("%s", problem)
	}
}

// checkReplaced keeps subscriptions from taking each other's place in a ring.
func checkReplaced(e *core.RecordEvent, problems validation.Errors) error {
	id := e.Record.GetString("replaces")
	if id == "" || !changed(e.Record, "replaces") {
		return nil
	}
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		if id == e.Record.Id {
			problems["replaces"] = bad("must not lead back to this subscription")
			return nil
		}
		seen[id] = true
		rec, err := e.App.FindRecordById(subscriptions, id)
		if err != nil {
			return nil // the relation says so
		}
		id = rec.GetString("replaces")
	}
	return nil
}

// checkRestored holds an undo to what must not change. It restores without
// validating, and once it validates, what was there before is gone.
func checkRestored(e *core.RecordEvent) error {
	if !tools.Restoring(e) {
		return e.Next()
	}
	problems := validation.Errors{}
	if err := checkChange(e, problems); err != nil {
		return err
	}
	if len(problems) > 0 {
		return problems
	}
	return e.Next()
}

// checkChange refuses what must not change. What somebody has made private
// stays theirs: an undo may hand it back only while it makes it shared again,
// which takes back the very change that made it private for them.
func checkChange(e *core.RecordEvent, problems validation.Errors) error {
	rec, was := e.Record, e.Record.Original()
	if was.GetBool("private") && was.GetString("owner") != rec.GetString("owner") && (rec.GetBool("private") || !tools.Restoring(e)) {
		problems["owner"] = bad("of a private subscription cannot change")
	}
	if was.GetString("currency") != rec.GetString("currency") {
		if err := refuseWith(e, problems, "currency", "cannot change once there are charges, dated prices or shares", charges, prices, shares); err != nil {
			return err
		}
	}
	if err := checkKept(e, problems, was); err != nil {
		return err
	}
	if was.GetBool("repriced") && !rec.GetBool("repriced") {
		return refuseWith(e, problems, "repriced", "must be set while there are dated prices", prices)
	}
	return nil
}

// refuseWith notes a problem while a subscription has records below it.
func refuseWith(e *core.RecordEvent, problems validation.Errors, field, problem string, below ...string) error {
	for _, collection := range below {
		n, err := e.App.CountRecords(collection, dbx.HashExp{"subscription": e.Record.Id})
		if err != nil {
			return err
		}
		if n > 0 {
			problems[field] = bad("%s", problem)
		}
	}
	return nil
}

// checkTags refuses a JSON text that is no list of tags as they are stored.
func checkTags(raw string) error {
	if raw == "" || raw == "null" {
		return nil
	}
	var tags []string
	if err := json.Unmarshal([]byte(raw), &tags); err != nil || len(tags) > maxTags {
		return bad("must be a list of at most %d words", maxTags)
	}
	for i, tag := range tags {
		if parsed, err := parseTag("tags", tag); err != nil || parsed != tag || hasTag(tags[:i], tag) {
			return bad("must be words of at most %d characters, each once: not the one at [%d], %q", maxTag, i, short(tag))
		}
	}
	return nil
}
