package tools

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/spf13/cast"
)

// separator stands between the values of a list. Hardly a value has one.
const separator = "\x1f"

// countName is a column beside the lists: how many values each must have.
const countName = "count(*)"

var errApart = errors.New("the values cannot be told apart")

func isList(name string) bool { return strings.HasPrefix(name, "list(") }

func (s sum) hasLists() bool { return slices.ContainsFunc(s.names, isList) }

// readLists reads rows with lists. Where a value holds the separator itself,
// the lists are read once more with the length before each value, which takes
// three times as long.
func (s sum) readLists(q *dbx.SelectQuery) ([]Row, error) {
	rows, err := s.listed(q, "group_concat(%s,'"+separator+"')", split)
	if errors.Is(err, errApart) {
		return s.listed(q, "group_concat(length(CAST(%[1]s AS BLOB))||':'||%[1]s,'')", measured)
	}
	return rows, err
}

// listed reads rows whose lists are selected in one form and taken apart
// accordingly; errApart where one cannot be.
func (s sum) listed(q *dbx.SelectQuery, form string, apart func(string, int) ([]string, bool)) ([]Row, error) {
	with := sum{names: append(slices.Clone(s.names), countName), columns: append(slices.Clone(s.columns), countName)}
	for i, name := range s.names {
		if isList(name) {
			with.columns[i] = fmt.Sprintf(form, s.columns[i])
		}
	}
	rows, err := scan(q.Select(with.selects()...), with.names)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		n := row.GetInt(countName)
		delete(row, countName)
		for _, name := range s.names {
			if !isList(name) {
				continue
			}
			list, ok := apart(cast.ToString(row[name]), n)
			if !ok {
				return nil, fmt.Errorf("%s of a sum: %w", name, errApart)
			}
			row[name] = list
		}
	}
	return rows, nil
}

// split takes apart n values with separators between them.
func split(s string, n int) ([]string, bool) {
	if n == 0 {
		return []string{}, s == ""
	}
	list := strings.Split(s, separator)
	return list, len(list) == n
}

// measured takes apart n values that each follow their length in bytes.
func measured(s string, n int) ([]string, bool) {
	list := make([]string, 0, n)
	for s != "" {
		length, rest, _ := strings.Cut(s, ":")
		size, err := strconv.Atoi(length)
		if err != nil || size < 0 || size > len(rest) {
			return nil, false
		}
		list, s = append(list, rest[:size]), rest[size:]
	}
	return list, len(list) == n
}
