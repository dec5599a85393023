package household

import "github.com/nodkeep/nodkeep/tools"

type namedAddIn struct {
	Name  string `json:"name"`
	Color string `json:"color,omitzero" jsonschema:"#rrggbb"`
	Icon  string `json:"icon,omitzero" jsonschema:"an emoji or a word of up to 16 characters"`
}

func namedAddTool(n noun, def tools.Def) tools.Tool {
	def.Effect = tools.EffectWrite
	return tools.New(def, func(c *tools.Call, in namedAddIn) (out Badge, err error) {
		defer naming(&err, tidied(in.Name, maxName))
		rec := c.New(n.collection)
		name, err := parseName("name", in.Name, maxNamed)
		if err != nil {
			return Badge{}, err
		}
		if err := n.free(&c.Reader, name, ""); err != nil {
			return Badge{}, err
		}
		rec.Set("name", name)
		if in.Color != "" {
			color, err := parseColor("color", in.Color)
			if err != nil {
				return Badge{}, err
			}
			rec.Set("color", color)
		}
		if in.Icon != "" {
			icon, err := parseIcon("icon", in.Icon)
			if err != nil {
				return Badge{}, err
			}
			rec.Set("icon", icon)
		}
		if err := c.Save(rec); err != nil {
			return Badge{}, err
		}
		return badgeOf(rec), nil
	}, tools.WithCard(func(_ *tools.Reader, _ namedAddIn, out Badge, _ []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T(n.cards+"add", out.Name)}, nil
	}))
}
