package tools_test

import (
	"slices"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestOnceEach: what a rule or a filter joins finds no record twice, and
// DISTINCT is spared where it could not.
func TestOnceEach(t *testing.T) {
	b := open(t, tools.Config{})
	var group, sub string
	var tags [3]string
	for i := range tags {
		b.do(add("lab_tags", map[string]any{"name": "t"}, &tags[i]))
	}
	b.do(add("lab_groups", map[string]any{"name": "g", "members": []string{b.ann.Person, b.bob.Person}}, &group))
	b.do(add("lab_subs", map[string]any{"name": "s", "owner": b.ann.Person, "group": group, "tags": tags[:], "kind": []string{"a", "b"}}, &sub))
	for range 3 {
		b.do(add("lab_charges", map[string]any{"sub": sub, "amount": 1}, nil))
	}
	for _, row := range []struct {
		collection, rule, filter string
		distinct                 bool
		want                     int
	}{
		{"lab_charges", "sub.owner = @request.auth.id", "", false, 3},
		{"lab_charges", "sub.owner.status = 'approved'", "", false, 3},
		{"lab_charges", "sub.group.name = 'g'", "sub.owner.id != ''", false, 3},
		{"lab_charges", "id != ''", "sub.owner.handle = 'ann'", true, 3}, // a filter is held to the rule of the accounts, too
		{"lab_charges", "@request.auth.status = 'approved'", "", false, 3},
		{"lab_charges", "sub.tags.name ?= 't'", "", true, 3},
		{"lab_charges", "id != ''", "sub.tags.name ?= 't'", true, 3},
		{"lab_charges", "sub.group.members.id ?= @request.auth.id", "", true, 3},
		{"lab_charges", "@collection.lab_tags.name ?= 't'", "", true, 3},
		{"lab_subs", "lab_charges_via_sub.amount ?= 1", "", true, 1},
		{"lab_subs", "id != ''", "lab_charges_via_sub.amount = 1", true, 1},
		{"lab_subs", "kind:each ?!= 'c'", "", true, 1},
		{"lab_subs", "owner.lab_subs_via_owner.name ?= 's'", "", true, 1},
	} {
		b.rule(row.collection, row.rule)
		q := tools.Query{Filter: row.filter}
		_, err := read(b, b.ann, func(r *tools.Reader) (any, error) {
			if got := tools.Distinct(r, row.collection, q); got != row.distinct {
				t.Errorf("%s, %s: distinct is %v", row.rule, row.filter, got)
			}
			recs, err := r.List(row.collection, q)
			if err != nil {
				return nil, err
			}
			rows, err := r.Rows(row.collection, q, "created")
			if err != nil {
				return nil, err
			}
			var ids []string
			for _, rec := range recs {
				ids = append(ids, rec.Id)
			}
			if len(slices.Compact(ids)) != row.want || len(recs) != row.want || len(rows) != row.want {
				t.Errorf("%s, %s: %d records and %d rows, want %d", row.rule, row.filter, len(recs), len(rows), row.want)
			}
			sums, err := r.Sum(row.collection, q, nil, "count")
			if err == nil && sums[0].GetInt("count") != row.want {
				t.Errorf("%s, %s: counts %d, want %d", row.rule, row.filter, sums[0].GetInt("count"), row.want)
			}
			return nil, err
		})
		if err != nil {
			t.Error(row.rule, row.filter, err)
		}
		b.rule(row.collection, "@request.auth.id != ''")
	}
}
