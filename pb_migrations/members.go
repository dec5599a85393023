package migrations

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// membersUp turns PocketBase's users into members: they sign in by handle or
// address, wait until they are approved, and only an operator's tool changes
// their standing. Nobody can sign up, change or delete an account over HTTP
// yet: a token alone would be enough.
func membersUp(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	if email, ok := users.Fields.GetByName(core.FieldNameEmail).(*core.EmailField); ok {
		email.Required = false
	}
	users.Fields.Add(
		&core.TextField{Id: "nodkeep_user_handle", Name: "handle", Min: 2, Max: 40, Pattern: `^[a-z0-9][a-z0-9._-]*$`, Presentable: true},
		&core.SelectField{Id: "nodkeep_user_status", Name: "status", Hidden: true, MaxSelect: 1, Values: []string{"waiting", "approved", "refused", "suspended"}},
		&core.BoolField{Id: "nodkeep_user_operator", Name: "operator", Hidden: true},
		&core.SelectField{Id: "nodkeep_user_language", Name: "language", MaxSelect: 1, Values: []string{"en", "de", "es"}},
	)
	// Accounts of an app that was there before have no handle yet.
	users.AddIndex("idx_nodkeep_users_handle", true, "handle", "handle != ''")
	users.PasswordAuth.IdentityFields = []string{core.FieldNameEmail, "handle"}
	users.CreateRule, users.UpdateRule, users.DeleteRule = nil, nil, nil
	if err := oneAddress(app, users); err != nil {
		return err
	}
	users.AuthRule = types.Pointer("status = 'approved'")
	if err := app.Save(users); err != nil {
		return err
	}
	// Whoever has an account of an app that was there before keeps it.
	_, err = app.DB().NewQuery("UPDATE {{users}} SET [[status]] = 'approved'").Execute()
	return err
}

const emailIndex = "idx_email__pb_users_auth_"

// oneAddress makes addresses that differ only in case the same, unless an app
// that was there before has two of them.
func oneAddress(app core.App, users *core.Collection) error {
	var twice int
	err := app.DB().NewQuery("SELECT count(*) FROM (SELECT 1 FROM {{users}} WHERE [[email]] != '' GROUP BY lower([[email]]) HAVING count(*) > 1)").Row(&twice)
	if err != nil || twice > 0 {
		return err
	}
	users.RemoveIndex(emailIndex)
	users.AddIndex(emailIndex, true, "`email` COLLATE NOCASE", "`email` != ''")
	return nil
}

func membersDown(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	users.PasswordAuth.IdentityFields = []string{core.FieldNameEmail}
	users.RemoveIndex("idx_nodkeep_users_handle")
	for _, name := range []string{"handle", "status", "operator", "language"} {
		users.Fields.RemoveByName(name)
	}
	users.RemoveIndex(emailIndex)
	users.AddIndex(emailIndex, true, "`email`", "`email` != ''")
	own := "id = @request.auth.id"
	users.CreateRule, users.UpdateRule, users.DeleteRule = types.Pointer(""), &own, &own
	users.AuthRule = types.Pointer("")
	return app.Save(users)
}
