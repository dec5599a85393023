package hooks

import (
	"encoding/json/v2"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// me is what the person's own front end begins with.
func (a *App) me(e *core.RequestEvent) (any, error) {
	if _, err := a.member(e); err != nil {
		return nil, err
	}
	return accounts.ProfileOf(e.Auth), nil
}

// changeMe changes what members say of themselves, and answers the profile.
func (a *App) changeMe(e *core.RequestEvent) (any, error) {
	body, err := jsonBody(e)
	if err != nil {
		return nil, err
	}
	var in struct {
		Language *string `json:"language,omitzero"`
		Name     *string `json:"name,omitzero"`
		TimeZone *string `json:"time_zone,omitzero"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	if in.Language == nil && in.Name == nil && in.TimeZone == nil {
		return a.me(e)
	}
	args, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	v, err := a.use(e, tools.Invocation{Tool: "nodkeep_me_update", Args: args}, nil)
	if d, ok := v.(done); ok {
		return d.Output, nil
	}
	return v, err
}
