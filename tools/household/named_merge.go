package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type namedMergeIn struct {
	From string `json:"from" jsonschema:"name or id"`
	Into string `json:"into" jsonschema:"name or id"`
}

// Merged is what a merge came to.
type Merged struct {
	Badge
	From  string `json:"from" jsonschema:"name of the one that is gone"`
	Count int    `json:"count" jsonschema:"subscriptions that moved, of those that you see"`
}

func namedMergeTool(n noun, def tools.Def) tools.Tool {
	def.Effect = tools.EffectDestroy
	return tools.New(def, n.merge,
		tools.WithCard(func(_ *tools.Reader, _ namedMergeIn, out Merged, _ []tools.Change) (tools.Card, error) {
			if out.Count == 0 {
				return tools.Card{Title: tools.T(n.cards+"merge_none", out.From, out.Name)}, nil
			}
			return tools.Card{Title: tools.T(n.cards+"merge", out.Count, out.From, out.Name)}, nil
		}))
}

// merge only says into what: the hook moves the subscriptions, also those that
// the person cannot see and a tool could not touch.
func (n noun) merge(c *tools.Call, in namedMergeIn) (Merged, error) {
	from, err := n.record(&c.Reader, tools.NotFound, "from", in.From)
	if err != nil {
		return Merged{}, err
	}
	into, err := n.record(&c.Reader, tools.NotFound, "into", in.Into)
	if err != nil {
		return Merged{}, err
	}
	if from.Id == into.Id {
		return Merged{}, invalid(n.itself, from.GetString("name"))
	}
	if err := n.unmerged(&c.Reader, from, into); err != nil {
		return Merged{}, err
	}
	counts, err := n.counts(&c.Reader)
	if err != nil {
		return Merged{}, err
	}
	out := Merged{badgeOf(into), from.GetString("name"), counts[from.Id]}
	if from.GetString("merged_into") == into.Id { // by somebody who left it there: what came to it since moves too
		from.Set("merged_into", "")
		if err := c.Save(from); err != nil {
			return Merged{}, err
		}
		if from, err = c.Find(n.collection, from.Id); err != nil {
			return Merged{}, err
		}
	}
	from.Set("merged_into", into.Id)
	if err := c.Save(from); err != nil {
		return Merged{}, err
	}
	return out, c.Delete(from)
}

// unmerged refuses what the hook would, in the words of the arguments: to merge
// into one that is merged itself, and one that another is merged into.
func (n noun) unmerged(r *tools.Reader, from, into *core.Record) error {
	names, err := n.names(r)
	if err != nil {
		return err
	}
	if name, is := names[into.GetString("merged_into")]; is {
		return tools.Fail(tools.Conflict, "household.error.merged_already", "into", into.GetString("name"), name)
	}
	others, err := r.List(n.collection, tools.Query{Filter: "merged_into = {:id}", Params: map[string]any{"id": from.Id}, Sort: "name", Limit: 1})
	for _, o := range others {
		return tools.Fail(tools.Conflict, "household.error.merged_already", "from", o.GetString("name"), from.GetString("name"))
	}
	return err
}
