package household

import (
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

type namedDeleteIn struct {
	ID string `json:"id" jsonschema:"or its name"`
}

func namedDeleteTool(n noun, def tools.Def) tools.Tool {
	def.Effect = tools.EffectDestroy
	return tools.New(def, n.delete,
		tools.WithCard(func(_ *tools.Reader, _ namedDeleteIn, out Deleted, changes []tools.Change) (tools.Card, error) {
			card := tools.Card{Title: tools.T(n.cards+"delete", out.Name)}
			if losing := count(changes, tools.OpUpdate, subscriptions); losing > 0 {
				card.Lines = append(card.Lines, tools.T("household.card.lose_category", losing))
			}
			return card, nil
		}))
}

func (n noun) delete(c *tools.Call, in namedDeleteIn) (Deleted, error) {
	rec, err := n.record(&c.Reader, tools.NotFound, "id", in.ID)
	if err != nil {
		return Deleted{}, err
	}
	if n.mayDelete != nil {
		if err := n.mayDelete(n, &c.Reader, rec); err != nil {
			return Deleted{}, err
		}
	}
	return Deleted{rec.Id, rec.GetString("name")}, c.Delete(rec)
}

// unused refuses while something that the person sees is paid with it, by
// name. What they do not see is the hook's to count.
func (n noun) unused(r *tools.Reader, rec *core.Record) error {
	recs, err := r.List(subscriptions, tools.Query{Sort: "name", In: map[string][]string{n.field: {rec.Id}}})
	if err != nil || len(recs) == 0 {
		return err
	}
	in := make([]string, len(recs))
	for i, sub := range recs {
		in[i] = sub.GetString("name")
	}
	return tools.Fail(tools.Conflict, "household.error.method_pays", rec.GetString("name"), names(in))
}
