package accounts

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// SetLanguage sets the language in which the instance speaks to a person; "" is
// that of each request.
func SetLanguage(rec *core.Record, language string) error {
	known, ok := rec.Collection().Fields.GetByName("language").(*core.SelectField)
	if !ok {
		return errors.New("accounts have no choice of languages")
	}
	if language != "" && !slices.Contains(known.Values, language) {
		return invalid("nodkeep.error.language", strings.Join(known.Values, ", "))
	}
	rec.Set("language", language)
	return nil
}

// setZone sets the time zone in which times are told to a person; "" is that of
// each device.
func setZone(rec *core.Record, name string) error {
	if name != "" && tools.Zone(name) == nil {
		return invalid("nodkeep.error.zone", tools.Quoted(name, 60))
	}
	rec.Set("time_zone", name)
	return nil
}

// callThem sets what a person is called besides their handle; "" is nothing else.
func callThem(rec *core.Record, name string) error {
	f, ok := rec.Collection().Fields.GetByName("name").(*core.TextField)
	if !ok {
		return errors.New("accounts have no name")
	}
	name = strings.TrimSpace(name)
	if most := cmp.Or(f.Max, maxName); utf8.RuneCountInString(name) > most {
		return invalid("nodkeep.error.name", "name", most)
	}
	rec.Set("name", name)
	return nil
}

// maxName is how long a name may be where the collection does not say.
const maxName = 255

type meUpdateIn struct {
	Language *string         `json:"language,omitzero" jsonschema:"en, de, es, or empty for that of each request"`
	Name     *tools.Personal `json:"name,omitzero" jsonschema:"besides the handle; empty for none"`
	TimeZone *string         `json:"time_zone,omitzero" jsonschema:"an IANA name such as Europe/Berlin, or empty for that of each device"`
}

// Profile is what members say of themselves.
type Profile struct {
	ID       string         `json:"id"`
	Handle   string         `json:"handle"`
	Name     tools.Personal `json:"name"`
	Email    tools.Personal `json:"email"` // empty where there is none
	Language string         `json:"language"`
	TimeZone string         `json:"time_zone"` // empty for that of each device
	Operator bool           `json:"operator"`
}

// ProfileOf gives an account's profile.
func ProfileOf(rec *core.Record) Profile {
	return Profile{
		rec.Id, rec.GetString("handle"), tools.Personal(rec.GetString("name")), tools.Personal(rec.Email()),
		rec.GetString("language"), rec.GetString("time_zone"), rec.GetBool("operator"),
	}
}

func meUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_me_update", Title: "nodkeep.title.me_update", Effect: tools.EffectWrite, Hidden: hiddenOwn,
		Help: "Changes what the own profile says: the name, the language in which the instance speaks, and the time zone in which it tells times. What is not given stays.",
	}, func(c *tools.Call, in meUpdateIn) (Profile, error) {
		rec, err := find(&c.Reader, c.Actor.Person)
		if err != nil {
			return Profile{}, err
		}
		if in.Language != nil {
			if err := SetLanguage(rec, *in.Language); err != nil {
				return Profile{}, err
			}
		}
		if in.Name != nil {
			if err := callThem(rec, string(*in.Name)); err != nil {
				return Profile{}, err
			}
		}
		if in.TimeZone != nil {
			if err := setZone(rec, *in.TimeZone); err != nil {
				return Profile{}, err
			}
		}
		return ProfileOf(rec), c.Save(rec)
	}, tools.WithCard(func(*tools.Reader, meUpdateIn, Profile, []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.me_update"), Lines: []tools.Text{tools.T("nodkeep.card.me_update_then")}}, nil
	}))
}

type mePasswordIn struct {
	tools.Proof
	New tools.Secret `json:"new"` // 8 to 71 characters
}

func mePasswordTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_me_password", Title: "nodkeep.title.me_password", Effect: tools.EffectWrite, Hidden: hiddenOwn,
		Help: "Sets a new password for the own account. Every session ends, this one too: sign in again.",
	}, func(c *tools.Call, in mePasswordIn) (Profile, error) {
		if err := c.Prove(in.Proof); err != nil {
			return Profile{}, err
		}
		rec, err := find(&c.Reader, c.Actor.Person)
		if err != nil {
			return Profile{}, err
		}
		rec.SetPassword(string(in.New))
		return ProfileOf(rec), Problem(c.Save(rec))
	}, tools.WithCard(func(*tools.Reader, mePasswordIn, Profile, []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.me_password"), Lines: []tools.Text{tools.T("nodkeep.card.me_password_then")}}, nil
	}))
}

func meSignOutTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_me_signout", Title: "nodkeep.title.me_signout", Effect: tools.EffectWrite, Hidden: hiddenOwn,
		Help: "Signs the own account out everywhere. Every session ends, on every device, this one too. Tokens of agents stay good.",
	}, func(c *tools.Call, _ struct{}) (Profile, error) {
		rec, err := find(&c.Reader, c.Actor.Person)
		if err != nil {
			return Profile{}, err
		}
		rec.RefreshTokenKey()
		return ProfileOf(rec), c.Save(rec)
	}, tools.WithCard(func(*tools.Reader, struct{}, Profile, []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.me_signout"), Lines: []tools.Text{tools.T("nodkeep.card.me_signout_then")}}, nil
	}))
}

func meDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_me_delete", Title: "nodkeep.title.me_delete", Effect: tools.EffectDestroy, Hidden: hiddenOwn,
		Help: "Deletes the own account with all that is only its own. It cannot be taken back. Hand over or export before what should stay.",
	}, func(c *tools.Call, in tools.Proof) (Standing, error) {
		if err := c.Prove(in); err != nil {
			return Standing{}, err
		}
		rec, err := find(&c.Reader, c.Actor.Person)
		if err != nil {
			return Standing{}, err
		}
		if err := mayGo(&c.Reader, rec); err != nil {
			return Standing{}, err
		}
		out := standing(rec)
		out.Status = "deleted"
		return out, c.Delete(rec)
	}, tools.WithCard(func(_ *tools.Reader, _ tools.Proof, out Standing, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("nodkeep.card.me_delete", out.Handle), Lines: []tools.Text{tools.T("nodkeep.card.me_delete_then")}}, nil
	}))
}
