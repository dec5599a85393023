package tools

import (
	"database/sql"
	"errors"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Rows reads fields of the records that the person may list, and always their
// id, in the order of List. It makes no records, so it is for many: what List
// would give, without what it costs. Hidden fields and secrets are refused.
func (r *Reader) Rows(collection string, query Query, fields ...string) ([]Row, error) {
	col, err := r.collection(collection)
	if err != nil {
		return nil, err
	}
	read := []core.Field{col.Fields.GetByName(core.FieldNameId)}
	columns := []string{"[[" + col.Name + ".id]]"}
	for _, name := range fields {
		column, err := fieldColumn(col, name)
		if err != nil {
			return nil, err
		}
		if name != core.FieldNameId {
			read, columns = append(read, col.Fields.GetByName(name)), append(columns, column)
		}
	}
	q := r.app.ConcurrentDB().Select(columns...).From(col.Name).WithContext(r.ctx)
	ok, err := r.narrow(q, col, query)
	if err != nil || !ok {
		return nil, err
	}
	query.page(q)
	return scanRows(q, col, read)
}

// page limits q to the part that the query asks for.
func (query Query) page(q *dbx.SelectQuery) {
	if query.Limit > 0 {
		q.Limit(int64(query.Limit))
	}
	if query.Offset > 0 {
		q.Offset(int64(query.Offset))
		if query.Limit <= 0 {
			q.Limit(-1)
		}
	}
}

// scanRows reads values as a record's fields would, so that a Row says what
// the record says.
func scanRows(q *dbx.SelectQuery, col *core.Collection, fields []core.Field) (all []Row, err error) {
	rows, err := q.Rows()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = []Row{}
	blank := core.NewRecord(col) // a field reads its value for a record
	values, into := make([]sql.NullString, len(fields)), make([]any, len(fields))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make(Row, len(fields))
		for i, f := range fields {
			if row[f.GetName()], err = readValue(blank, f, values[i]); err != nil {
				return nil, err
			}
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// readValue is what a record holds of a stored value.
func readValue(blank *core.Record, f core.Field, v sql.NullString) (any, error) {
	if !v.Valid {
		return f.PrepareValue(blank, nil)
	}
	one, ok := f.(core.MultiValuer)
	if f.Type() == core.FieldTypeText || (ok && !one.IsMultiple() && !strings.HasPrefix(v.String, "[")) {
		return v.String, nil // most are, and need nothing done
	}
	return f.PrepareValue(blank, v.String)
}
