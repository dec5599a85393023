package tools

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// groupExpr is a field, or the month or year of a date field.
var groupExpr = regexp.MustCompile(`^(?:(month|year)\(([a-zA-Z0-9_]+)\)|([a-zA-Z0-9_]+))$`)

// sumExpr is a field to add up, or what else of a field's values.
var sumExpr = regexp.MustCompile(`^(?:(min|max|list)\(([a-zA-Z0-9_]+)\)|([a-zA-Z0-9_]+))$`)

// Sum groups the records that the person may list and adds up fields: group
// names fields, month(f) or year(f) of a date field. Sums names number fields,
// or count, min(f), max(f) or list(f): all values of the group as text, as the
// database holds them, in a []string; the lists of one row have the same order.
// Whole numbers come back as int64. Rows are ordered by group; the query's Sort
// says nothing here, its Limit and Offset count groups.
func (r *Reader) Sum(collection string, query Query, group []string, sums ...string) ([]Row, error) {
	col, err := r.collection(collection)
	if err != nil {
		return nil, err
	}
	s, err := summed(col, group, sums)
	if err != nil {
		return nil, err
	}
	if q, above, ok := r.fromAbove(col, query, group); ok {
		s.by = []string{above}
		return s.read(q, query)
	}
	return r.sumRecords(col, query, s)
}

// sumRecords asks the rule of each record.
func (r *Reader) sumRecords(col *core.Collection, query Query, s sum) ([]Row, error) {
	q := r.app.ConcurrentDB().Select("*").From(col.Name).WithContext(r.ctx)
	ok, err := r.narrow(q, col, query)
	if err != nil || !ok {
		return nil, err
	}
	q.OrderBy()
	if q.Info().Distinct {
		// A join would count a record once per match: sum over the ids instead.
		inner := q.Select(col.Name + ".id").Distinct(true).Build()
		q = r.app.ConcurrentDB().Select("*").From(col.Name).WithContext(r.ctx).
			AndWhere(dbx.NewExp("[["+col.Name+".id]] IN ("+inner.SQL()+")", inner.Params()))
	}
	return s.read(q, query)
}

// sum is what a Sum selects.
type sum struct {
	names, columns []string // of the answer
	by             []string // what it groups by
}

func summed(col *core.Collection, group, sums []string) (s sum, err error) {
	for _, g := range group {
		expr, err := groupColumn(col, g)
		if err != nil {
			return sum{}, err
		}
		s.names, s.columns, s.by = append(s.names, g), append(s.columns, expr), append(s.by, expr)
	}
	for _, name := range sums {
		expr, err := sumColumn(col, name)
		if err != nil {
			return sum{}, err
		}
		s.names, s.columns = append(s.names, name), append(s.columns, expr)
	}
	if len(s.columns) == 0 {
		return sum{}, Fail(Invalid, "error.filter", "a sum needs something to add up")
	}
	return s, nil
}

// read runs the query for what is selected.
func (s sum) read(q *dbx.SelectQuery, query Query) ([]Row, error) {
	q.GroupBy(s.by...).OrderBy(s.by...)
	query.page(q)
	if s.hasLists() {
		return s.readLists(q)
	}
	return scan(q.Select(s.selects()...), s.names)
}

func (s sum) selects() []string {
	all := make([]string, len(s.columns))
	for i, c := range s.columns {
		all[i] = fmt.Sprintf("%s AS [[c%d]]", c, i)
	}
	return all
}

func scan(q *dbx.SelectQuery, names []string) (all []Row, err error) {
	rows, err := q.Rows()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = []Row{}
	for rows.Next() {
		values := make([]any, len(names))
		into := make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make(Row, len(names))
		for i, n := range names {
			row[n] = values[i]
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

func groupColumn(col *core.Collection, g string) (string, error) {
	m := groupExpr.FindStringSubmatch(g)
	if m == nil {
		return "", Fail(Invalid, "error.filter", "cannot group by "+clip(g, 60))
	}
	if m[3] != "" {
		return fieldColumn(col, m[3])
	}
	c, err := fieldColumn(col, m[2])
	length := map[string]int{"month": len("2006-01"), "year": len("2006")}[m[1]]
	return fmt.Sprintf("substr(%s,1,%d)", c, length), err
}

// sumColumn is what is selected for one of the sums. Of a list it is the value,
// which readLists puts together.
func sumColumn(col *core.Collection, name string) (string, error) {
	if name == "count" {
		return "count(*)", nil
	}
	m := sumExpr.FindStringSubmatch(name)
	if m == nil {
		return "", Fail(Invalid, "error.filter", "cannot add up "+clip(name, 60))
	}
	c, err := fieldColumn(col, m[2]+m[3])
	if m[1] == "list" {
		return "ifnull(" + c + ",'')", err
	}
	return cmp.Or(m[1], "sum") + "(" + c + ")", err
}

// fieldColumn is the column of a field that may be read.
func fieldColumn(col *core.Collection, name string) (string, error) {
	f := col.Fields.GetByName(name)
	if f == nil || f.GetHidden() || secretField(col, f) || strings.ContainsAny(name, "[]") {
		return "", Fail(Invalid, "error.filter", col.Name+" has no field "+clip(name, 60))
	}
	return "[[" + col.Name + "." + name + "]]", nil
}
