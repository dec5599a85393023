package tools

import (
	"slices"
	"strings"
	"sync"

	"github.com/ganigeorgiev/fexpr"
	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/dbutils"
)

// A charge is mostly seen by whoever sees its subscription: its rule is that of
// the subscription with "subscription." before each field. PocketBase asks such
// a rule of every charge, over a join to its subscription. A sum by subscription
// can ask it of each subscription instead and add up the charges below by their
// index: of 24,000 visible charges among 50,000 in a fourth of the time.
//
// Whatever is not just like that is left to sumRecords, whose answer is the
// same: here is nothing but the shorter way.

// fromAbove gives the query of a sum by one relation with the collection that it
// leads to on the outside, and the column to group by; false where that would
// not surely be the same.
func (r *Reader) fromAbove(col *core.Collection, query Query, group []string) (q *dbx.SelectQuery, by string, ok bool) {
	if len(group) != 1 || query.Sort != "" || col.IsView() || r.scope != nil {
		return nil, "", false
	}
	field, ok := col.Fields.GetByName(group[0]).(*core.RelationField)
	if !ok || field.IsMultiple() || field.Hidden || !indexed(col, field.Name) {
		return nil, "", false
	}
	for name := range query.In {
		if name != field.Name {
			return nil, "", false // its own index may be shorter
		}
	}
	above, err := r.app.FindCachedCollectionByNameOrId(field.CollectionId)
	if err != nil || above.IsView() || above.Id == col.Id || !r.sameAbove(col, above, field.Name) || r.orphansSeen(col, field.Name) {
		return nil, "", false
	}
	by = "[[" + above.Name + ".id]]"
	q = r.app.ConcurrentDB().Select("*").From(above.Name).WithContext(r.ctx)
	if ok, err := r.restrict(q, above, above.ListRule); err != nil || !ok || !r.byPerson(q) {
		return nil, "", false
	}
	// CROSS JOIN is what keeps SQLite from turning the order round.
	q.Distinct(false).Join("CROSS JOIN", col.Name, dbx.NewExp("[["+col.Name+"."+field.Name+"]] = "+by))
	filter := core.NewRecordFieldResolver(r.app, col, r.run.info, false)
	joins := len(q.Info().Join)
	if addFilter(q, filter, query) != nil || filter.UpdateQuery(q) != nil || len(q.Info().Join) > joins {
		return nil, "", false
	}
	if values, ok := query.In[field.Name]; ok && addIn(q, by, field.Name, values) != nil {
		return nil, "", false
	}
	return q, by, true
}

// indexed says that the records of one value of the field are found without
// looking at the others.
func indexed(col *core.Collection, field string) bool {
	return slices.ContainsFunc(col.Indexes, func(raw string) bool {
		ix := dbutils.ParseIndex(raw)
		return ix.Where == "" && len(ix.Columns) > 0 && strings.EqualFold(ix.Columns[0].Name, field) && ix.Columns[0].Collate == ""
	})
}

// orphansSeen says that the person may list a record whose relation leads
// nowhere: it would have nothing above. Its rule, which sameAbove has seen to
// ask for nothing but what is above, is asked of such a one.
func (r *Reader) orphansSeen(col *core.Collection, field string) bool {
	q := r.app.ConcurrentDB().Select("(1)").PreFragment("WITH {{" + col.Name + "}} AS (SELECT '' AS [[id]], '' AS [[" + field + "]])").
		From(col.Name).WithContext(r.ctx)
	if ok, err := r.restrict(q, col, col.ListRule); err != nil || !ok {
		return true
	}
	var found []int
	return q.Column(&found) != nil || len(found) > 0
}

// sameAbove says that the list rule of col asks of the record above just what
// the rule there asks of it.
func (r *Reader) sameAbove(col, above *core.Collection, field string) bool {
	if col.ListRule == nil || above.ListRule == nil {
		return false
	}
	rule, err := r.run.reg.parsed.parse(*col.ListRule)
	if err != nil {
		return false
	}
	ruleAbove, err := r.run.reg.parsed.parse(*above.ListRule)
	return err == nil && alike{col, above, field + "."}.groups(rule, ruleAbove)
}

// parsed keeps what rules say, by their text: they are asked all the time and
// hardly ever change. It is safe for concurrent use.
type parsed struct{ rules sync.Map }

func (p *parsed) parse(rule string) ([]fexpr.ExprGroup, error) {
	if known, ok := p.rules.Load(rule); ok {
		return known.([]fexpr.ExprGroup), nil
	}
	groups, err := fexpr.Parse(rule)
	if err == nil {
		p.rules.Store(rule, groups)
	}
	return groups, err
}

// alike compares rules by their parts, as PocketBase reads them.
type alike struct {
	col, above *core.Collection
	prefix     string
}

func (a alike) groups(x, y []fexpr.ExprGroup) bool {
	return slices.EqualFunc(x, y, func(x, y fexpr.ExprGroup) bool {
		if x.Join != y.Join {
			return false
		}
		switch item := x.Item.(type) {
		case fexpr.Expr:
			other, ok := y.Item.(fexpr.Expr)
			return ok && item.Op == other.Op && a.tokens(item.Left, other.Left) && a.tokens(item.Right, other.Right)
		case []fexpr.ExprGroup:
			other, ok := y.Item.([]fexpr.ExprGroup)
			return ok && a.groups(item, other)
		}
		return false
	})
}

func (a alike) tokens(x, y fexpr.Token) bool {
	if x.Type != y.Type {
		return false
	}
	switch x.Type {
	case fexpr.TokenText, fexpr.TokenNumber:
		return x.Literal == y.Literal
	case fexpr.TokenIdentifier:
		name := y.Literal
		switch {
		case name[0] == '@':
			// Of a request's body, PocketBase asks the collection; the clock goes on.
			return x.Literal == name && strings.HasPrefix(name, "@request.auth.") && a.numberIn(a.col, name) == a.numberIn(a.above, name)
		case slices.ContainsFunc([]string{"true", "false", "null"}, func(s string) bool { return strings.EqualFold(s, name) }):
			return x.Literal == name && a.col.Fields.GetByName(name) == nil && a.above.Fields.GetByName(name) == nil
		}
		// The id above can be read off the relation, where nothing may be above.
		return x.Literal == a.prefix+name && name != core.FieldNameId
	}
	return false // a function
}

// numberIn says that PocketBase reads what a name such as @request.auth.amount
// stands for as a number, since the collection has such a field.
func (alike) numberIn(col *core.Collection, name string) bool {
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '.')+1:], ":")
	f := col.Fields.GetByName(name)
	return f != nil && f.Type() == core.FieldTypeNumber
}
