package hooks

import (
	"slices"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// profile is what the person's own front end begins with.
type profile struct {
	ID       string `json:"id"`
	Handle   string `json:"handle"`
	Language string `json:"language"`
	Operator bool   `json:"operator"`
}

func profileOf(rec *core.Record) profile {
	return profile{rec.Id, rec.GetString("handle"), rec.GetString("language"), rec.GetBool("operator")}
}

func (a *App) me(e *core.RequestEvent) (any, error) {
	if _, err := a.member(e); err != nil {
		return nil, err
	}
	return profileOf(e.Auth), nil
}

// changeMe changes what members say of themselves. It is journaled like any
// write to an account.
func (a *App) changeMe(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	body, err := jsonBody(e)
	if err != nil {
		return nil, err
	}
	var in struct {
		Language *string `json:"language"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	rec, err := a.pb.FindRecordById(users, e.Auth.Id)
	if err != nil || in.Language == nil {
		return profileOf(e.Auth), err
	}
	if err := setLanguage(rec, *in.Language); err != nil {
		return nil, err
	}
	tools.Writer(rec, actor)
	if err := a.pb.Save(rec); err != nil {
		return nil, accountError(err)
	}
	return profileOf(rec), nil
}

func setLanguage(rec *core.Record, language string) error {
	if language != "" && !slices.Contains(i18n.Languages(), language) {
		return tools.Fail(tools.Invalid, "http.languages", strings.Join(i18n.Languages(), ", "))
	}
	rec.Set("language", language)
	return nil
}
