package household

import (
	"cmp"
	"encoding/base64"
	"encoding/json/v2"
	"fmt"
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// mark is the place of a record in an export.
type mark struct{ table, key, id string }

func (m mark) compare(o mark) int {
	return cmp.Or(strings.Compare(m.key, o.key), strings.Compare(m.id, o.id))
}

// cursor is what callers get of a mark.
func (m mark) cursor() string {
	b, _ := json.Marshal([]string{m.table, m.key, m.id}) // texts can be written
	return base64.RawURLEncoding.EncodeToString(b)
}

// parseMark reads a cursor; "" is the beginning.
func parseMark(cursor string) (mark, error) {
	if cursor == "" {
		return mark{}, nil
	}
	var parts []string
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(raw, &parts)
	}
	if err != nil || len(parts) != 3 || !slices.ContainsFunc(exportTables(), func(t exportTable) bool { return t.key == parts[0] }) {
		return mark{}, invalid("household.error.cursor", short(cursor))
	}
	return mark{parts[0], parts[1], parts[2]}, nil
}

// placed is a record with its place.
type placed struct {
	mark
	rec *core.Record
}

// after reads at most n records of a table that stand after a mark.
func (t exportTable) after(r *tools.Reader, from mark, n int) ([]placed, error) {
	if t.dated != "" {
		return t.later(r, from, n)
	}
	marks, err := t.marks(r)
	if err != nil {
		return nil, err
	}
	at, _ := slices.BinarySearchFunc(marks, from, func(m, from mark) int { return cmp.Or(m.compare(from), -1) })
	marks = marks[at:min(len(marks), at+n)]
	ids := make([]string, len(marks))
	for i, m := range marks {
		ids[i] = m.id
	}
	recs, err := r.List(t.collection, tools.Query{In: map[string][]string{"id": ids}})
	if err != nil {
		return nil, err
	}
	by := make(map[string]*core.Record, len(recs))
	for _, rec := range recs {
		by[rec.Id] = rec
	}
	list := make([]placed, 0, len(marks))
	for _, m := range marks {
		if rec := by[m.id]; rec != nil { // else it has just been deleted
			list = append(list, placed{m, rec})
		}
	}
	return list, nil
}

// later reads what grows with time by its date: never all of it.
func (t exportTable) later(r *tools.Reader, from mark, n int) ([]placed, error) {
	q := tools.Query{Sort: t.dated, Limit: n}
	if from.id != "" {
		q.Filter = fmt.Sprintf("%[1]s > {:key} || (%[1]s = {:key} && id > {:id})", t.dated)
		q.Params = map[string]any{"key": from.key, "id": from.id}
	}
	recs, err := r.List(t.collection, q)
	if err != nil {
		return nil, err
	}
	list := make([]placed, len(recs))
	for i, rec := range recs {
		list[i] = placed{mark{t.key, rec.GetString(t.dated), rec.Id}, rec}
	}
	return list, nil
}

// marks are the places of all records of a table, in order: first those that
// name no other, then those that name them, and so on.
func (t exportTable) marks(r *tools.Reader) ([]mark, error) {
	fields := slices.Clone(t.order)
	if t.self != "" {
		fields = append(fields, t.self)
	}
	rows, err := r.Rows(t.collection, tools.Query{}, fields...)
	if err != nil {
		return nil, err
	}
	to := make(map[string]string, len(rows))
	for _, row := range rows {
		to[row.GetString("id")] = row.GetString(t.self)
	}
	deep := depths(to)
	marks := make([]mark, len(rows))
	for i, row := range rows {
		id := row.GetString("id")
		key := fmt.Sprintf("%06d", deep[id])
		for _, f := range t.order {
			if n, is := row[f].(float64); is {
				key += fmt.Sprintf("\x1f%06d", int(n))
			} else {
				key += "\x1f" + row.GetString(f)
			}
		}
		marks[i] = mark{t.key, key, id}
	}
	slices.SortFunc(marks, mark.compare)
	return marks, nil
}

// depths counts, for each id of a map of links, how many links there are until
// one that leads nowhere. A ring, which nothing here makes, is cut somewhere.
func depths(to map[string]string) map[string]int {
	deep := make(map[string]int, len(to))
	var walk func(id string) int
	walk = func(id string) int {
		if d, known := deep[id]; known {
			return d
		}
		deep[id] = 0
		if _, there := to[to[id]]; there {
			deep[id] = walk(to[id]) + 1
		}
		return deep[id]
	}
	for id := range to {
		walk(id)
	}
	return deep
}
