package tools

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/pocketbase/dbx"
)

// ActivityQuery narrows a list of entries. Cursor is the Next of the page
// before; Limit is 50 unless given, 200 at most.
type ActivityQuery struct {
	Agent, Tool, Cursor string
	State               string    // applied, refused, discarded or failed
	Person              string    // id or handle of who did it
	Records             []string  // ids; of an entry that touched one, its change is listed first
	Since, Until        time.Time // from Since on, and before Until
	Limit               int
	Plugins             []string // whose tools and records an agent may be told of; none stands for all
}

// MaxActivityRecords is how many records one list can be narrowed to.
const MaxActivityRecords = 50

// prepare checks what was asked for, finds the person by their handle, and
// gives the number that all entries are below.
func (q *ActivityQuery) prepare(rd *Reader) (before int64, err error) {
	if q.State != "" && !slices.Contains([]string{stateApplied, stateRefused, stateDiscarded, stateFailed}, q.State) {
		return 0, Fail(Invalid, "error.audit_state", Quoted(q.State, 60))
	}
	if len(q.Records) > MaxActivityRecords {
		return 0, Fail(Invalid, "error.audit_records", MaxActivityRecords)
	}
	if q.Person != "" {
		// One who is no member any more is named by the id alone.
		id, _, err := rd.Member(q.Person)
		if err == nil {
			q.Person = id
		} else if KindOf(err) != NotFound {
			return 0, err
		}
	}
	if q.Cursor == "" {
		return 1 << 62, nil
	}
	n, err := strconv.ParseInt(q.Cursor, 10, 64)
	if err != nil || n < 1 {
		return 0, Fail(Invalid, "error.cursor")
	}
	return n, nil
}

func (r *Runner) page(ctx context.Context, query ActivityQuery, before int64, n int) (rows []auditRow, err error) {
	return rows, r.pageQuery(ctx, query, before, n).All(&rows)
}

func (r *Runner) pageQuery(ctx context.Context, query ActivityQuery, before int64, n int) *dbx.SelectQuery {
	q := r.app.ConcurrentDB().Select("*").From(auditTable).OrderBy("seq DESC").Limit(int64(n)).WithContext(ctx).
		Where(dbx.NewExp("seq < {:before} AND salt != ''", dbx.Params{"before": before}))
	for column, v := range map[string]string{"agent": query.Agent, "tool": query.Tool, "state": query.State, "person": query.Person} {
		if v != "" {
			q.AndWhere(dbx.HashExp{column: v})
		}
	}
	// Indexes of some rows only are used where a query says that it wants no others.
	if query.Agent != "" {
		q.AndWhere(dbx.NewExp("agent != ''"))
	}
	if query.State != "" && query.State != stateApplied {
		q.AndWhere(dbx.NewExp("state != 'applied'"))
	}
	if !query.Since.IsZero() {
		q.AndWhere(dbx.NewExp("at >= {:since}", dbx.Params{"since": Stamp(query.Since)}))
	}
	if !query.Until.IsZero() {
		q.AndWhere(dbx.NewExp("at < {:until}", dbx.Params{"until": Stamp(query.Until)}))
	}
	if len(query.Records) > 0 {
		ids := jsonStrings(query.Records)
		q.AndWhere(dbx.NewExp("id IN (SELECT [[entry]] FROM {{"+stepsTable+"}} WHERE [[record]] IN (SELECT value FROM json_each({:records})))", dbx.Params{"records": ids}))
	}
	return q
}

// tells says that an entry, as the person may see it, is one of those asked for:
// what is withheld of it is not told by finding it either.
func (q ActivityQuery) tells(e Entry) bool {
	return (q.Agent == "" || e.Actor.Agent == q.Agent) && (q.Tool == "" || e.Tool == q.Tool) && (q.Person == "" || e.Actor.Person == q.Person)
}

// first puts the changes of the records asked for before all others, and says
// whether the person may see one.
func (q ActivityQuery) first(nets []step, visible []bool) bool {
	found := 0
	for i, s := range nets {
		if !visible[i] || !slices.Contains(q.Records, s.ID) {
			continue
		}
		copy(nets[found+1:i+1], nets[found:i])
		copy(visible[found+1:i+1], visible[found:i])
		nets[found], visible[found] = s, true
		found++
	}
	return found > 0
}

// handles names who did what, and by what, to people.
func (r *Runner) handles(rd *Reader, items []Entry) error {
	if rd.Actor.Agent != "" {
		return nil
	}
	var ids []any
	for i, e := range items {
		if t := r.reg.tools[e.Tool]; t != nil {
			title := T(t.Title)
			items[i].Title = &title
		}
		if e.Actor.Person != "" {
			ids = append(ids, e.Actor.Person)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var all []Member
	err := r.app.ConcurrentDB().Select("id", "handle").From(Members).Where(dbx.In("id", ids...)).WithContext(rd.ctx).All(&all)
	for i := range items {
		for _, m := range all {
			if m.ID == items[i].Actor.Person {
				items[i].Handle = m.Handle
			}
		}
	}
	return err
}

// Entry gives one entry, as the person may see it.
func (r *Runner) Entry(ctx context.Context, a Actor, id string) (Entry, error) {
	e, err := r.single(ctx, a, id)
	if err != nil {
		return Entry{}, r.told(err)
	}
	return e, nil
}

func (r *Runner) single(ctx context.Context, a Actor, id string) (Entry, error) {
	person, err := r.person(r.app, a)
	if err != nil {
		return Entry{}, err
	}
	var rows []auditRow
	err = r.app.ConcurrentDB().Select("*").From(auditTable).Where(dbx.HashExp{"id": id}).AndWhere(dbx.NewExp("salt != ''")).WithContext(ctx).All(&rows)
	if err != nil {
		return Entry{}, err
	}
	if len(rows) == 0 {
		return Entry{}, Fail(NotFound, "error.no_entry")
	}
	rd := r.reader(ctx, r.app, a, person)
	e, ok, err := r.entry(rd, ActivityQuery{}, rows[0])
	if err != nil {
		return Entry{}, err
	}
	if !ok {
		return Entry{}, Fail(NotFound, "error.no_entry")
	}
	undone, err := r.undone(ctx)
	if err != nil {
		return Entry{}, err
	}
	e.UndoneBy = undone[id]
	list := []Entry{e}
	err = r.handles(rd, list)
	return list[0], err
}
