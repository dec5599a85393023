package tools

import (
	"fmt"
	"regexp"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/search"
)

// requestParts are what a change rule cannot use: a tool has no request, and
// what must not change is a Hook's to say.
var requestParts = regexp.MustCompile(`@request\.(body|query|headers|method|context)\b`)

// check refuses a rule that could only be answered for an HTTP request, and
// one that PocketBase cannot read.
func (r Rule) check(app core.App, collection string) error {
	col, err := app.FindCollectionByNameOrId(collection)
	if err != nil {
		return fmt.Errorf("the change rule of %s: there is no such collection", collection)
	}
	for _, rule := range []string{r.Was, r.Becomes} {
		if part := requestParts.FindString(rule); part != "" {
			return fmt.Errorf("the change rule of %s uses %s; a rule may use fields, @request.auth.*, @collection.* and dates, what must not change belongs in a hook", collection, part)
		}
		if rule == "" {
			continue
		}
		resolver := core.NewRecordFieldResolver(app, col, requestInfo(nil), true)
		if _, err := search.FilterData(rule).BuildExpr(resolver); err != nil {
			return fmt.Errorf("the change rule of %s: %w", collection, err)
		}
	}
	return nil
}

// requestInfo is what a rule sees of the one who acts.
func requestInfo(person *core.Record) *core.RequestInfo {
	return &core.RequestInfo{
		Auth: person, Context: core.RequestInfoContextDefault, Method: "GET",
		Body: map[string]any{}, Query: map[string]string{}, Headers: map[string]string{},
	}
}

// restrict narrows q to what all the rules allow. Each is read for itself: put
// together as text, a comment in one could swallow the other. A nil rule allows
// nobody: ok is false.
func restrict(app core.App, q *dbx.SelectQuery, col *core.Collection, info *core.RequestInfo, rules ...*string) (ok bool, err error) {
	var resolver *core.RecordFieldResolver
	for _, rule := range rules {
		if rule == nil {
			return false, nil
		}
		if *rule == "" {
			continue
		}
		if resolver == nil {
			resolver = core.NewRecordFieldResolver(app, col, info, true)
		}
		expr, err := search.FilterData(*rule).BuildExpr(resolver)
		if err != nil {
			return false, fmt.Errorf("rule of %s: %w", col.Name, err)
		}
		q.AndWhere(expr)
	}
	if resolver == nil {
		return true, nil
	}
	return true, resolver.UpdateQuery(q)
}

// allowed says whether rule holds for the stored record.
func (r *Reader) allowed(col *core.Collection, id string, rule *string) (bool, error) {
	if rule != nil && *rule == "" {
		return true, nil
	}
	q := r.app.ConcurrentDB().Select("(1)").From(col.Name).AndWhere(dbx.HashExp{col.Name + ".id": id}).WithContext(r.ctx)
	ok, err := restrict(r.app, q, col, r.run.info, rule)
	if err != nil || !ok {
		return false, err
	}
	var found []int
	if err := q.Limit(1).Column(&found); err != nil {
		return false, err
	}
	return len(found) > 0, nil
}
