package accounts

import (
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Account is one as operators see it.
type Account struct {
	ID       string    `json:"id"`
	Handle   string    `json:"handle"`
	Email    string    `json:"email,omitzero"` // while it waits: the operator goes by it
	HasEmail bool      `json:"has_email"`
	Verified bool      `json:"verified"` // the address, never the person
	Status   string    `json:"status"`
	Operator bool      `json:"operator"`
	Created  time.Time `json:"created"`
	Approved time.Time `json:"approved,omitzero"` // first
	Words    []string  `json:"words,omitempty"`   // the four, while it waits
}

func (p Plugin) account(r *tools.Reader, rec *core.Record) Account {
	a := Account{
		ID: rec.Id, Handle: rec.GetString("handle"), HasEmail: rec.Email() != "", Verified: rec.Verified(),
		Status: rec.GetString("status"), Operator: rec.GetBool("operator"),
		Created: at(rec, "created"), Approved: at(rec, "approved"),
	}
	if waits(rec) && p.Words != nil {
		a.Words = p.Words(rec)
	}
	if waits(rec) || r.Actor.Door == tools.DoorCLI {
		a.Email = rec.Email()
	}
	return a
}

func at(rec *core.Record, field string) time.Time {
	return rec.GetDateTime(field).Time().Truncate(time.Millisecond)
}

// waits says that an account stands in the list that operators decide on.
func waits(rec *core.Record) bool {
	s := rec.GetString("status")
	return s == Waiting || s == ""
}

// named is how an account is called in a sentence.
func named(rec *core.Record) tools.Personal {
	if h := rec.GetString("handle"); h != "" {
		return tools.Personal(h)
	}
	return tools.Personal(rec.Id)
}

// which names an account, as most acts on one do.
type which struct {
	Account tools.Personal `json:"account"` // its id
}

// memberIn names a member, as a person would.
type memberIn struct {
	Account tools.Personal `json:"account"` // its id or handle
}

// Standing is what became of an account.
type Standing struct {
	ID     string `json:"id"`
	Handle string `json:"handle"`
	Status string `json:"status"`
}

func standing(rec *core.Record) Standing {
	return Standing{rec.Id, string(named(rec)), rec.GetString("status")}
}

// find reads an account by its id.
func find(r *tools.Reader, id string) (*core.Record, error) {
	rec, err := r.Find(tools.Members, id)
	if tools.KindOf(err) == tools.NotFound {
		return nil, tools.Fail(tools.NotFound, "nodkeep.error.no_account", tools.Personal(tools.Quoted(id, 60)))
	}
	return rec, err
}

// member finds an approved account by handle or id.
func member(r *tools.Reader, handleOrID string) (*core.Record, error) {
	id, _, err := r.Member(handleOrID)
	if err != nil {
		return nil, err
	}
	return find(r, id)
}

// waiter finds an account that waits.
func waiter(r *tools.Reader, id string) (*core.Record, error) {
	rec, err := find(r, id)
	if err == nil && !waits(rec) {
		return nil, conflict("nodkeep.error.not_waiting."+rec.GetString("status"), named(rec))
	}
	return rec, err
}

// waiting selects those who were never let in, as waits does.
func waiting() tools.AccountQuery {
	return tools.AccountQuery{Status: []string{Waiting, ""}, Oldest: true}
}

// operators selects those who look after the instance.
func operators() tools.AccountQuery {
	return tools.AccountQuery{Status: []string{tools.Approved}, Operators: true}
}

// mayGo refuses to take away the last operator, in whatever way.
func mayGo(r *tools.Reader, rec *core.Record) error {
	if !rec.GetBool("operator") || rec.GetString("status") != tools.Approved {
		return nil
	}
	n, err := r.CountAccounts(operators())
	if err == nil && n < 2 {
		err = conflict("nodkeep.error.last_operator", named(rec))
	}
	return err
}
