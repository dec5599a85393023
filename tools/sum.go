package tools

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// groupExpr is a field, or the month or year of a date field.
var groupExpr = regexp.MustCompile(`^(?:(month|year)\(([a-zA-Z0-9_]+)\)|([a-zA-Z0-9_]+))$`)

// Sum groups the records that the person may list and adds up fields: group
// names fields, month(f) or year(f) of a date field; sums names number fields,
// or count. Whole numbers come back as int64. Rows are ordered by group.
func (r *Reader) Sum(collection string, query Query, group []string, sums ...string) ([]Row, error) {
	col, err := r.collection(collection)
	if err != nil {
		return nil, err
	}
	var columns, names, by []string
	for _, g := range group {
		expr, err := groupColumn(col, g)
		if err != nil {
			return nil, err
		}
		columns, names, by = append(columns, expr), append(names, g), append(by, expr)
	}
	for _, s := range sums {
		expr := "count(*)"
		if s != "count" {
			if expr, err = fieldColumn(col, s); err != nil {
				return nil, err
			}
			expr = "sum(" + expr + ")"
		}
		columns, names = append(columns, expr), append(names, s)
	}
	if len(columns) == 0 {
		return nil, Fail(Invalid, "error.filter", "a sum needs something to add up")
	}

	q := r.app.ConcurrentDB().Select("*").From(col.Name).WithContext(r.ctx)
	ok, err := r.narrow(q, col, query)
	if err != nil || !ok {
		return nil, err
	}
	q.OrderBy()
	if len(q.Info().Join) > 0 {
		// A join would count a record once per match: sum over the ids instead.
		inner := q.Select(col.Name + ".id").Distinct(true).Build()
		q = r.app.ConcurrentDB().Select("*").From(col.Name).WithContext(r.ctx).
			AndWhere(dbx.NewExp("[["+col.Name+".id]] IN ("+inner.SQL()+")", inner.Params()))
	}
	selects := make([]string, len(columns))
	for i, c := range columns {
		selects[i] = fmt.Sprintf("%s AS [[c%d]]", c, i)
	}
	q.Select(selects...).GroupBy(by...).OrderBy(by...)
	if query.Limit > 0 {
		q.Limit(int64(query.Limit))
	}
	return scan(q, names)
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

// fieldColumn is the column of a field that may be read.
func fieldColumn(col *core.Collection, name string) (string, error) {
	f := col.Fields.GetByName(name)
	if f == nil || f.GetHidden() || secretField(col, f) || strings.ContainsAny(name, "[]") {
		return "", Fail(Invalid, "error.filter", col.Name+" has no field "+clip(name, 60))
	}
	return "[[" + col.Name + "." + name + "]]", nil
}
