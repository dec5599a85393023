package tools

import (
	"regexp"
	"strings"

	"github.com/ganigeorgiev/fexpr"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/search"
)

// filterWithin keeps a query's own filter and order from telling what records
// out of scope hold: what it asks of a linked record it may ask only of those
// that are in. Further than that it does not reach under a scope.
func (r *Reader) filterWithin(q *dbx.SelectQuery, col *core.Collection, query Query) error {
	if r.scope == nil || !strings.Contains(query.Filter+query.Sort, ".") {
		return nil
	}
	names, err := filterNames(query.Filter)
	if err != nil {
		return Fail(Invalid, "error.filter", err.Error())
	}
	for _, f := range search.ParseSortFromString(query.Sort) {
		names = append(names, f.Name)
	}
	asked := map[string]bool{}
	for _, name := range names {
		first, rest, deep := strings.Cut(name, ".")
		field := col.Fields.GetByName(first)
		rel, linked := field.(*core.RelationField)
		if !deep || (field != nil && !linked) || asked[first] {
			continue // a field of its own, or what lies within one
		}
		if !linked || rel.IsMultiple() || strings.Contains(rest, ".") {
			return Fail(Invalid, "error.filter", clip(name, 60)+" reaches too far for the scope of a question")
		}
		asked[first] = true
		above, err := r.app.FindCachedCollectionByNameOrId(rel.CollectionId)
		if err != nil {
			return err
		}
		inner := r.app.ConcurrentDB().Select(above.Name + ".id").From(above.Name)
		if _, err := r.restrictTo(inner, above, r.scope); err != nil {
			return err
		}
		built := inner.Distinct(false).Build()
		q.AndWhere(dbx.NewExp("[["+col.Name+"."+first+"]] IN ("+built.SQL()+")", built.Params()))
	}
	return nil
}

// bound is where a value is put into a filter.
var bound = regexp.MustCompile(`\{:\w+\}`)

// filterNames are the fields that a filter asks for.
func filterNames(filter string) ([]string, error) {
	if filter == "" {
		return nil, nil
	}
	groups, err := fexpr.Parse(bound.ReplaceAllString(filter, "1"))
	if err != nil {
		return nil, err
	}
	return namesIn(groups), nil
}

func namesIn(groups []fexpr.ExprGroup) (names []string) {
	var token func(fexpr.Token)
	token = func(t fexpr.Token) {
		if t.Type == fexpr.TokenIdentifier {
			names = append(names, t.Literal)
		}
		args, _ := t.Meta.([]fexpr.Token) // of a function
		for _, a := range args {
			token(a)
		}
	}
	for _, g := range groups {
		switch item := g.Item.(type) {
		case fexpr.Expr:
			token(item.Left)
			token(item.Right)
		case fexpr.ExprGroup:
			names = append(names, namesIn([]fexpr.ExprGroup{item})...)
		case []fexpr.ExprGroup:
			names = append(names, namesIn(item)...)
		}
	}
	return names
}
