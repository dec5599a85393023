package hooks

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/security"

	"github.com/nodkeep/nodkeep/tools"
)

// isHandle is what the accounts' migration asks of a handle.
var isHandle = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,39}$`)

// account is one as the commands show it.
type account struct {
	ID       string    `json:"id"`
	Handle   string    `json:"handle"`
	Email    string    `json:"email"`
	Status   string    `json:"status"`
	Operator bool      `json:"operator"`
	Created  time.Time `json:"created"`
	Password string    `json:"password,omitzero"` // once, where it was generated
}

func accountOf(rec *core.Record) account {
	return account{
		ID: rec.Id, Handle: rec.GetString("handle"), Email: rec.Email(), Status: rec.GetString("status"),
		Operator: rec.GetBool("operator"), Created: rec.GetDateTime("created").Time().Truncate(time.Millisecond),
	}
}

func (a *App) listAccounts(*core.RequestEvent) (any, error) {
	recs, err := a.pb.FindRecordsByFilter(users, "", "created,handle", 0, 0)
	if err != nil {
		return nil, err
	}
	out := list[account]{}
	for _, rec := range recs {
		out.Items = append(out.Items, accountOf(rec))
	}
	return out, nil
}

// addAccount makes a member, approved at once: who can read the data folder
// needs nobody's approval. It is journaled like every write, at the door cli.
func (a *App) addAccount(e *core.RequestEvent) (any, error) {
	body, err := jsonBody(e)
	if err != nil {
		return nil, err
	}
	var in struct {
		Handle   string `json:"handle"`
		Email    string `json:"email"`
		Password string `json:"password"`
		Operator bool   `json:"operator"`
		Language string `json:"language"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	col, err := a.pb.FindCachedCollectionByNameOrId(users)
	if err != nil {
		return nil, err
	}
	handle := strings.ToLower(strings.TrimSpace(in.Handle))
	if !isHandle.MatchString(handle) {
		return nil, tools.Fail(tools.Invalid, "account.handle")
	}
	if _, err := a.pb.FindFirstRecordByData(users, "handle", handle); err == nil {
		return nil, tools.Fail(tools.Conflict, "account.taken", handle)
	}
	email := strings.TrimSpace(in.Email)
	if email != "" {
		// Also where an app that was there before kept addresses apart by case.
		var n int
		err := a.pb.DB().NewQuery("SELECT count(*) FROM {{users}} WHERE [[email]] = {:email} COLLATE NOCASE").Bind(dbx.Params{"email": email}).Row(&n)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			return nil, tools.Fail(tools.Conflict, "account.email_taken", email)
		}
	}
	password := in.Password
	if password == "" {
		password = security.RandomString(20)
	}
	rec := core.NewRecord(col)
	rec.Set("handle", handle)
	rec.Set("status", tools.Approved)
	rec.Set("operator", in.Operator)
	if in.Language != "" {
		if err := setLanguage(rec, in.Language); err != nil {
			return nil, err
		}
	}
	rec.SetEmail(email)
	rec.SetPassword(password)
	tools.Writer(rec, tools.Actor{Door: tools.DoorCLI})
	if err := a.pb.Save(rec); err != nil {
		return nil, accountError(err)
	}
	out := accountOf(rec)
	if in.Password == "" {
		out.Password = password
	}
	return out, nil
}

func accountError(err error) error {
	fields, ok := errors.AsType[validation.Errors](err)
	if !ok {
		return err
	}
	var wrong []tools.Text
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch name {
		case core.FieldNameEmail, core.FieldNamePassword:
			wrong = append(wrong, tools.T("account.bad."+name))
		default:
			wrong = append(wrong, tools.T("", name))
		}
	}
	return tools.Fail(tools.Invalid, "account.invalid", wrong).Because(err)
}
