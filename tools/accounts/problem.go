package accounts

import (
	"errors"
	"maps"
	"slices"
	"strings"

	validation "github.com/pocketbase/ozzo-validation/v4"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Free refuses a handle or an address that an account has already. It is for
// who signs up; a tool asks its Reader.
func Free(app core.App, handle, email string) error {
	return free(func(field, value string) (bool, error) { return tools.HasAccount(app, field, value) }, handle, email)
}

func free(has func(field, value string) (bool, error), handle, email string) error {
	taken, err := has("handle", handle)
	if err == nil && taken {
		return conflict("nodkeep.error.taken", tools.Personal(handle))
	}
	if email = strings.TrimSpace(email); err != nil || email == "" {
		return err
	}
	// Also where an app that was there before kept addresses apart by case.
	if taken, err = has(core.FieldNameEmail, email); err == nil && taken {
		return conflict("nodkeep.error.email_taken", tools.Personal(email))
	}
	return err
}

// Problem says in words what PocketBase finds wrong with an account.
func Problem(err error) error {
	fields, ok := errors.AsType[validation.Errors](err)
	if !ok {
		return err
	}
	var wrong []tools.Text
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch name {
		case core.FieldNameEmail, core.FieldNamePassword, "handle":
			wrong = append(wrong, tools.T("nodkeep.error.bad."+name))
		default:
			wrong = append(wrong, tools.T("", name))
		}
	}
	return tools.Fail(tools.Invalid, "nodkeep.error.account", wrong).Because(err)
}
