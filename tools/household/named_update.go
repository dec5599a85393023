package household

import (
	"github.com/nodkeep/nodkeep/tools"
)

type namedUpdateIn struct {
	ID    string   `json:"id" jsonschema:"or its name"`
	Name  *string  `json:"name,omitempty" jsonschema:"a new one"`
	Color *string  `json:"color,omitempty" jsonschema:"#rrggbb"`
	Icon  *string  `json:"icon,omitempty" jsonschema:"an emoji or a word of up to 16 characters"`
	Clear []string `json:"clear,omitempty" jsonschema:"fields to empty"`
}

// Renamed is a badge as it is now.
type Renamed struct {
	Badge
	before string
}

func namedUpdateTool(n noun, def tools.Def) tools.Tool {
	def.Effect = tools.EffectWrite
	return tools.New(def, n.update, tools.OneOf("clear", "color", "icon"),
		tools.WithCard(func(_ *tools.Reader, _ namedUpdateIn, out Renamed, _ []tools.Change) (tools.Card, error) {
			if out.before != out.Name {
				return tools.Card{Title: tools.T(n.cards+"rename", out.before, out.Name)}, nil
			}
			return tools.Card{Title: tools.T(n.cards+"change", out.Name)}, nil
		}))
}

func (n noun) update(c *tools.Call, in namedUpdateIn) (out Renamed, err error) {
	set := map[string]bool{"name": in.Name != nil, "color": in.Color != nil, "icon": in.Icon != nil}
	if len(in.Clear) == 0 && !anySet(set) {
		return Renamed{}, invalid("household.error.nothing")
	}
	rec, err := n.record(&c.Reader, tools.NotFound, "id", in.ID)
	if err != nil {
		return Renamed{}, err
	}
	before := rec.GetString("name")
	defer naming(&err, before)
	if err := parseClear(in.Clear, set); err != nil {
		return Renamed{}, err
	}
	empty(rec, nil, in.Clear)
	for _, f := range []struct {
		field string
		value *string
		parse func(field, s string) (string, error)
	}{
		{"name", in.Name, func(field, s string) (string, error) { return parseName(field, s, maxNamed) }},
		{"color", in.Color, parseColor},
		{"icon", in.Icon, parseIcon},
	} {
		if f.value == nil {
			continue
		}
		v, err := f.parse(f.field, *f.value)
		if err != nil {
			return Renamed{}, err
		}
		rec.Set(f.field, v)
	}
	if in.Name != nil {
		if err := n.free(&c.Reader, rec.GetString("name"), rec.Id); err != nil {
			return Renamed{}, err
		}
	}
	return Renamed{badgeOf(rec), before}, c.Save(rec)
}
