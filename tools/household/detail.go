package household

import (
	"strconv"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// details are what describes a subscription and has nothing to do with money;
// what is nil, or empty for tags and owner, stays.
type details struct {
	name, merchant, url, account, notes *string
	category, method                    *string
	tags                                []string
	private                             *bool
	owner                               string
	remind                              *int
}

// How many days before a charge it may be said at most; without any it is as
// the household has set, and never with remindNever.
const remindMost, remindNever = 90, -1

// describe checks details and puts them into a record.
func describe(r *tools.Reader, rec *core.Record, d details) error {
	texts := []struct {
		field string
		value *string
		parse func(field, s string, most int) (string, error)
		most  int
	}{
		{"name", d.name, parseName, 120},
		{"merchant", d.merchant, parseLine, 200},
		{"url", d.url, parseURL, maxURL},
		{"account", d.account, parseLine, 500},
		{"notes", d.notes, parseText, 5000},
	}
	for _, t := range texts {
		if t.value == nil {
			continue
		}
		v, err := t.parse(t.field, *t.value, t.most)
		if err != nil {
			return err
		}
		rec.Set(t.field, v)
	}
	for _, l := range []struct {
		field string
		value *string
		find  func(r *tools.Reader, field, s string) (string, error)
	}{{"category", d.category, categoryNoun().find}, {"payment_method", d.method, methodNoun().find}} {
		if l.value == nil || *l.value == "" {
			continue
		}
		id, err := l.find(r, l.field, *l.value)
		if err != nil {
			return err
		}
		rec.Set(l.field, id)
	}
	if d.remind != nil {
		if err := parseRemind(*d.remind); err != nil {
			return err
		}
		rec.Set("remind_days", strconv.Itoa(*d.remind))
	}
	if d.tags != nil {
		tags, err := parseTags("tags", d.tags)
		if err != nil {
			return err
		}
		setTags(rec, tags)
	}
	return belong(r, rec, d.private, d.owner)
}

func parseRemind(days int) error {
	if days < remindNever || days > remindMost {
		return invalid("household.error.remind_days", days, remindMost)
	}
	return nil
}

// belong sets whose a subscription is and whether others see it. Only its
// owner may pass it on or make it private; one that has no owner is anybody's.
func belong(r *tools.Reader, rec *core.Record, private *bool, owner string) error {
	me := r.Actor.Person
	was := rec.GetString("owner")
	if rec.IsNew() {
		was = me
		rec.Set("owner", me)
	}
	if private != nil {
		rec.Set("private", *private)
	}
	if owner != "" {
		id, err := findMember(r, "owner", owner)
		if err != nil {
			return err
		}
		if id != was && was != "" && was != me {
			return tools.Fail(tools.Forbidden, "household.error.not_owner", rec.GetString("name"))
		}
		rec.Set("owner", id)
	}
	if rec.GetBool("private") && rec.GetString("owner") != me {
		if rec.GetString("owner") == "" {
			return invalid("household.error.private_owner")
		}
		return tools.Fail(tools.Forbidden, "household.error.private_other", rec.GetString("name"))
	}
	return unlink(r, rec)
}

// findMember finds a member by handle or id.
func findMember(r *tools.Reader, field, s string) (string, error) {
	id, _, err := r.Member(s)
	if tools.KindOf(err) == tools.NotFound {
		return "", invalid("household.error.member", field, short(s))
	}
	return id, err
}
