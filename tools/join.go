package tools

import (
	"regexp"
	"strings"

	"github.com/pocketbase/dbx"
)

// PocketBase makes a query with joins DISTINCT, whatever they join: over wide
// rows that is most of its cost. A join to the one record that a single relation
// or the account of the person names finds nothing twice.

// byKey is such a join to what a relation names.
var byKey = regexp.MustCompile(`^\[\[(\w+)\.id\]\] = \[\[\w+\.\w+\]\]$`)

// once takes DISTINCT from q where its joins find no record twice.
func (r *Reader) once(q *dbx.SelectQuery) {
	for _, join := range q.Info().Join {
		if !r.joinsPerson(join) && !joinsOne(join) {
			return
		}
	}
	q.Distinct(false)
}

// joinsOne says that a join is by the id of what it joins.
func joinsOne(join dbx.JoinInfo) bool {
	on, ok := join.On.(*dbx.Exp)
	if !ok {
		return false
	}
	m := byKey.FindStringSubmatch(on.Build(nil, nil))
	return m != nil && strings.HasSuffix(join.Table, " "+m[1])
}

// joinsPerson says that a join is to the account of the person who acts.
func (r *Reader) joinsPerson(join dbx.JoinInfo) bool {
	on, ok := join.On.(dbx.HashExp)
	return ok && len(on) == 1 && on["__auth_"+Members+".id"] == r.run.info.Auth.Id
}

// byPerson says that q joins nothing but that.
func (r *Reader) byPerson(q *dbx.SelectQuery) bool {
	for _, join := range q.Info().Join {
		if !r.joinsPerson(join) {
			return false
		}
	}
	return true
}
