package tools

import (
	"database/sql"
	"errors"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// Member is an approved account, as members know each other.
type Member struct {
	ID     string `json:"id"`
	Handle string `json:"handle"`
}

// Members lists the approved members by handle.
func (r *Reader) Members() ([]Member, error) {
	all := []Member{}
	err := r.app.ConcurrentDB().Select("id", "handle").From(Members).Where(dbx.HashExp{"status": Approved}).
		OrderBy("handle", "id").WithContext(r.ctx).All(&all)
	return all, err
}

// Operator says that the person who acts is an operator, as read for this run.
// In an operator tool a superuser is one too.
func (r *Reader) Operator() bool {
	person := r.run.info.Auth
	if r.unbound() {
		return true
	}
	return person != nil && person.Collection().Name == Members && person.GetString("status") == Approved && person.GetBool("operator")
}

// Member finds an approved member by handle or id, and gives both: members
// name each other, as owners say.
func (r *Reader) Member(handleOrID string) (id, handle string, err error) {
	for _, field := range []string{core.FieldNameId, "handle"} { // an id first: a handle may look like one
		rec := &core.Record{}
		err := r.app.RecordQuery(Members).AndWhere(dbx.HashExp{field: handleOrID, "status": Approved}).
			Limit(1).WithContext(r.ctx).One(rec)
		if err == nil && handleOrID != "" {
			return rec.Id, rec.GetString("handle"), nil
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", "", err
		}
	}
	return "", "", Fail(NotFound, "error.no_such_member", Personal(Quoted(handleOrID, 60)))
}
