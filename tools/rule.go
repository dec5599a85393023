package tools

import (
	"fmt"
	"regexp"
	"strings"

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
func (r *Reader) restrict(q *dbx.SelectQuery, col *core.Collection, rules ...*string) (ok bool, err error) {
	return r.restrictTo(q, col, nil, rules...)
}

// restrictTo is restrict, and narrows q to a scope besides.
func (r *Reader) restrictTo(q *dbx.SelectQuery, col *core.Collection, s *Scope, rules ...*string) (ok bool, err error) {
	if r.unbound() {
		return true, nil
	}
	var resolver *core.RecordFieldResolver
	asked := func() *core.RecordFieldResolver {
		if resolver == nil {
			resolver = core.NewRecordFieldResolver(r.app, col, r.run.info, true)
		}
		return resolver
	}
	for _, rule := range rules {
		if rule == nil {
			return false, nil
		}
		open := r.open(*rule)
		if open == "" {
			continue
		}
		expr, err := search.FilterData(open).BuildExpr(asked())
		if err != nil {
			return false, fmt.Errorf("rule of %s: %w", col.Name, err)
		}
		q.AndWhere(expr)
	}
	expr, err := r.inScope(s, col, asked)
	if err != nil {
		return false, err
	}
	if expr != nil {
		q.AndWhere(expr)
	}
	if resolver == nil {
		return true, nil
	}
	return true, resolver.UpdateQuery(q)
}

// unbound says that no rule binds who acts: a superuser, in an operator tool.
func (r *Reader) unbound() bool {
	return r.run.info.Auth != nil && r.run.info.Auth.IsSuperuser()
}

// memberTerms are true of every person for whom a run has begun. Rules begin
// with them for those who come past the tools.
func memberTerms() []string {
	return []string{"@request.auth.id != ''", "@request.auth.collectionName = '" + Members + "'", "@request.auth.status = '" + Approved + "'"}
}

// open is what of a rule is still to be asked: without the terms at its beginning
// that are known to be true, for which PocketBase would join the account to every
// record. Once a run has written, all of it is asked: the account may be another.
func (r *Reader) open(rule string) string {
	if r.run.writes != nil && r.run.writes() > 0 {
		return rule
	}
	return beyondMembers(rule)
}

// beyondMembers is what a rule asks of who is a member.
func beyondMembers(rule string) string {
	for _, term := range memberTerms() {
		rest, known := strings.CutPrefix(rule, term)
		if known && rest == "" {
			return ""
		}
		if rest, more := strings.CutPrefix(rest, " && "); known && more {
			return beyondMembers(rest)
		}
	}
	return rule
}

// allowed says whether rule holds for the stored record.
func (r *Reader) allowed(col *core.Collection, id string, rule *string) (bool, error) {
	if rule != nil && *rule == "" {
		return true, nil
	}
	q := r.app.ConcurrentDB().Select("(1)").From(col.Name).AndWhere(dbx.HashExp{col.Name + ".id": id}).WithContext(r.ctx)
	ok, err := r.restrict(q, col, rule)
	if err != nil || !ok {
		return false, err
	}
	var found []int
	if err := q.Limit(1).Column(&found); err != nil {
		return false, err
	}
	return len(found) > 0, nil
}
