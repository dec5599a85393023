package migrations

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// membersUp turns PocketBase's users into members: they sign in by handle or
// address, wait until they are approved, and only an operator's tool changes
// their standing. Nobody can sign up over HTTP yet.
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
	users.CreateRule = nil
	users.AuthRule = types.Pointer("status = 'approved'")
	if err := app.Save(users); err != nil {
		return err
	}
	// Whoever has an account of an app that was there before keeps it.
	_, err = app.DB().NewQuery("UPDATE {{users}} SET [[status]] = 'approved'").Execute()
	return err
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
	users.AuthRule = types.Pointer("")
	return app.Save(users)
}
