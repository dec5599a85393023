package tools

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"math"

	"github.com/pocketbase/dbx"
)

// maxSince is how many bytes of the past one run holds, about; beyond that it
// begins anew.
const maxSince = 16 << 20

// since is what one run knows of how records were: of each field that changed
// after some step, what the first of those changes found there. Entries are
// asked for newest first, so that what is known of a later one is gone on from,
// and a step is read once for a whole page. Where they come in another order it
// reads anew, and answers the same.
type since struct {
	head    int64               // of the entries that were there; what came later is caught up with
	records map[string]*earlier // by key
	bytes   int
	steps   int // how many were read
}

// earlier is a record as it was: what steps above low found in it.
type earlier struct {
	low    int64
	fields map[string]held
}

// held is a value before a step, as it is stored.
type held struct {
	step  int64
	value jsontext.Value
}

// laterRow is a step that is taken back. At is its place in the journal, where
// steps stand in the order in which they happened.
type laterRow struct {
	At         int64  `db:"at"`
	Collection string `db:"collection"`
	Record     string `db:"record"`
	Before     string `db:"before"`
}

// begin catches up with what was written since the entry that was asked for
// before, and gives the last step that belongs to this one or those before it.
func (s *since) begin(p *past, seq int64) (at int64, err error) {
	if s.records == nil || s.bytes > maxSince {
		s.records, s.bytes = map[string]*earlier{}, 0
	}
	db, ctx := p.runner.app.ConcurrentDB(), p.reader.ctx
	var last []int64
	if err := lastStep(db, seq).WithContext(ctx).Column(&last); err != nil {
		return 0, err
	}
	if len(last) > 0 {
		at = last[0]
	}
	head := s.head
	if err := db.Select("ifnull(max(seq), 0)").From(auditTable).WithContext(ctx).Row(&s.head); err != nil {
		return 0, err
	}
	if s.head == head || len(s.records) == 0 {
		return at, nil
	}
	err = s.each(ctx, stepsAfter(db, head), func(row laterRow) error {
		known := s.records[row.Collection+"/"+row.Record]
		if known == nil {
			return nil
		}
		// What was found before stays: it is older.
		return s.take(known, row, func(held) bool { return false })
	})
	return at, err
}

// read takes in what later steps found in the records of a collection, as far
// as it is not known yet, and gives the keys of those that have later steps.
func (s *since) read(p *past, name string, ids []string) (later []string, err error) {
	open := map[string]int64{} // by id, the last step to be read
	for _, id := range ids {
		known := s.records[name+"/"+id]
		switch {
		case known == nil || known.low < p.at:
			s.renew(name+"/"+id, p.at)
			open[id] = math.MaxInt64
		case known.low > p.at:
			open[id] = known.low
			known.low = p.at
		}
	}
	if len(open) > 0 {
		raw, err := json.Marshal(open)
		if err != nil {
			return nil, err
		}
		err = s.each(p.reader.ctx, stepsBetween(p.runner.app.ConcurrentDB(), name, string(raw), p.at), func(row laterRow) error {
			return s.take(s.records[name+"/"+row.Record], row, func(h held) bool { return row.At < h.step })
		})
		if err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		if key := name + "/" + id; s.records[key].fields != nil {
			later = append(later, key)
		}
	}
	return later, nil
}

// lastStep is the last one of an entry or, if it has none, of those before it.
func lastStep(db dbx.Builder, seq int64) *dbx.Query {
	return db.NewQuery("SELECT s.rowid FROM {{" + auditTable + "}} a JOIN {{" + stepsTable + "}} s ON s.[[entry]] = a.[[id]]" +
		" WHERE a.[[seq]] <= {:seq} ORDER BY a.[[seq]] DESC, s.[[n]] DESC LIMIT 1").Bind(dbx.Params{"seq": seq})
}

const laterColumns = "SELECT s.rowid AS [[at]], s.[[collection]], s.[[record]], s.[[before]] FROM "

// stepsAfter are those of all entries after one, oldest first.
func stepsAfter(db dbx.Builder, seq int64) *dbx.Query {
	return db.NewQuery(laterColumns + "{{" + auditTable + "}} a JOIN {{" + stepsTable + "}} s ON s.[[entry]] = a.[[id]]" +
		" WHERE a.[[seq]] > {:seq} ORDER BY a.[[seq]], s.[[n]]").Bind(dbx.Params{"seq": seq})
}

// stepsBetween are those of some records of a collection after a step, each up
// to its own last one.
func stepsBetween(db dbx.Builder, collection, ids string, at int64) *dbx.Query {
	return db.NewQuery(laterColumns + "json_each({:ids}) j CROSS JOIN {{" + stepsTable + "}} s" +
		" WHERE s.[[collection]] = {:collection} AND s.[[record]] = j.key AND s.rowid > {:at} AND s.rowid <= j.value").
		Bind(dbx.Params{"ids": ids, "collection": collection, "at": at})
}

// each gives the rows one by one: there may be very many. Where that fails,
// nobody knows how far it came, and nothing is known any more.
func (s *since) each(ctx context.Context, q *dbx.Query, f func(laterRow) error) (err error) {
	defer func() {
		if err != nil {
			s.records = nil
		}
	}()
	rows, err := q.WithContext(ctx).Rows()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var row laterRow
		if err := rows.ScanStruct(&row); err != nil {
			return err
		}
		s.steps++
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// take notes what a step found in a record; instead says whether that stands in
// for what is noted already.
func (s *since) take(e *earlier, row laterRow, instead func(held) bool) error {
	if e.fields == nil {
		e.fields = map[string]held{}
	}
	if row.Before == "" {
		return nil // it was made
	}
	var values map[string]jsontext.Value
	if err := json.Unmarshal([]byte(row.Before), &values); err != nil {
		return err
	}
	for name, value := range values {
		was, known := e.fields[name]
		if known && !instead(was) {
			continue
		}
		e.fields[name] = held{row.At, value}
		s.bytes += len(value) - len(was.value)
		if !known {
			s.bytes += perField
		}
	}
	return nil
}

// perField is about what a field takes beside its value, and a record beside
// its fields.
const perField = 100

// renew forgets what was known of a record.
func (s *since) renew(key string, low int64) {
	if e := s.records[key]; e != nil {
		for _, f := range e.fields {
			s.bytes -= len(f.value) + perField
		}
	} else {
		s.bytes += perField
	}
	s.records[key] = &earlier{low: low}
}

// overlay puts into a record what it held.
func (s *since) overlay(key string, state map[string]any) error {
	for name, f := range s.records[key].fields {
		var v any
		err := json.Unmarshal(f.value, &v)
		if err == nil {
			state[name], err = even(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
