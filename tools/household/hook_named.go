package household

import (
	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/tools"
)

// bindNamed binds what follows from a merge, and what keeps a payment method.
func bindNamed(app core.App) {
	for _, n := range []noun{categoryNoun(), methodNoun()} {
		// Within the transaction of the write, and after what journals it: what
		// is moved is shown, journaled and undone with it.
		app.OnRecordUpdateExecute(n.collection).Bind(&hook.Handler[*core.RecordEvent]{Id: "household.merge." + n.collection, Func: n.move})
	}
	app.OnRecordDelete(methods).Bind(&hook.Handler[*core.RecordEvent]{Id: "household.paid", Func: keepPaid})
}

// move passes the subscriptions of a merged record to the one that it is
// merged into, whoever sees them: else what is private would lose it. They are
// stored as they are otherwise, so that none can bar the merge and tell of
// itself.
func (n noun) move(e *core.RecordEvent) error {
	into := e.Record.GetString("merged_into")
	if into == "" || !changed(e.Record, "merged_into") || tools.Restoring(e) {
		return e.Next()
	}
	subs, err := e.App.FindAllRecords(subscriptions, dbx.HashExp{n.field: e.Record.Id})
	if err != nil {
		return err
	}
	for _, sub := range subs {
		sub.Set(n.field, into)
		if err := e.App.SaveNoValidateWithContext(e.Context, sub); err != nil {
			return err
		}
	}
	return e.Next()
}

// keepPaid refuses to delete a payment method that something is paid with. It
// counts what the acting person may not see, as a card would, and names none.
func keepPaid(e *core.RecordEvent) error {
	if tools.Restoring(e) {
		return e.Next()
	}
	n, err := e.App.CountRecords(subscriptions, dbx.HashExp{"payment_method": e.Record.Id})
	if err != nil {
		return err
	}
	if n > 0 {
		return tools.Fail(tools.Conflict, "household.error.method_used", int(n), e.Record.GetString("name"))
	}
	return e.Next()
}

// checkNamed holds what is told apart by its name, its color and its icon.
func checkNamed(e *core.RecordEvent, problems validation.Errors) error {
	rec := e.Record
	visible(rec, problems, "name")
	if _, err := parseName("name", rec.GetString("name"), maxNamed); err != nil {
		problems["name"] = bad("must be a line of text, not empty")
	}
	if c := rec.GetString("color"); c != "" && !colors.MatchString(c) {
		problems["color"] = bad("must be written as #rrggbb")
	}
	if icon := rec.GetString("icon"); icon != "" && changed(rec, "icon") {
		if parsed, err := parseIcon("icon", icon); err != nil || parsed != icon {
			problems["icon"] = bad("must be an emoji or a short word")
		}
	}
	if !changed(rec, "name") && !changed(rec, "merged_into") && !tools.Restoring(e) {
		return nil
	}
	others, err := e.App.FindAllRecords(rec.Collection(), dbx.Not(dbx.HashExp{"id": rec.Id}))
	if err != nil {
		return err
	}
	if same := called(others, rec.GetString("name")); same != nil && (changed(rec, "name") || tools.Restoring(e)) {
		problems["name"] = bad("is taken by %s", same.Id) // but two of one name can be merged
	}
	checkMerged(rec, others, problems)
	return nil
}

// checkMerged keeps merges from leading in a ring or on to a third: what moves
// must arrive.
func checkMerged(rec *core.Record, others []*core.Record, problems validation.Errors) {
	into := rec.GetString("merged_into")
	if into == "" {
		return
	}
	if rec.IsNew() { // nothing could move, and it would bar a merge of the other one for good
		problems["merged_into"] = bad("must be empty for a new one")
		return
	}
	if into == rec.Id {
		problems["merged_into"] = bad("must be another one")
	}
	for _, o := range others {
		switch {
		case o.Id == into && o.GetString("merged_into") != "":
			problems["merged_into"] = bad("must not be %s: that is merged itself", o.GetString("name"))
		case o.GetString("merged_into") == rec.Id:
			problems["merged_into"] = bad("must be empty while %s is merged into this one", o.GetString("name"))
		}
	}
}
