package household

import "github.com/nodkeep/nodkeep/tools"

type subscriptionDeleteIn struct {
	ID string `json:"id"`
}

// Deleted names a record that is gone.
type Deleted struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func subscriptionDeleteTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_subscription_delete", Title: "household.title.subscription_delete", Effect: tools.EffectDestroy,
		Help: "Deletes a subscription with its charges and price history, as if it had never been. For one that is no longer paid use household_subscription_cancel, which keeps the history.",
	}, func(c *tools.Call, in subscriptionDeleteIn) (Deleted, error) {
		rec, err := c.Find(subscriptions, in.ID)
		if err != nil {
			return Deleted{}, err
		}
		return Deleted{rec.Id, rec.GetString("name")}, c.Delete(rec)
	}, tools.WithCard(func(_ *tools.Reader, _ subscriptionDeleteIn, out Deleted, changes []tools.Change) (tools.Card, error) {
		return tools.Card{Title: tools.T("household.card.delete", out.Name), Lines: alongWith(changes)}, nil
	}))
}

// alongWith says what goes with deleted subscriptions.
func alongWith(changes []tools.Change) (lines []tools.Text) {
	if n := count(changes, tools.OpDelete, charges); n > 0 {
		lines = append(lines, tools.T("household.card.with_charges", n))
	}
	if n := count(changes, tools.OpDelete, prices); n > 0 {
		lines = append(lines, tools.T("household.card.with_prices", n))
	}
	if n := count(changes, tools.OpDelete, pauses); n > 0 {
		lines = append(lines, tools.T("household.card.with_pauses", n))
	}
	if n := count(changes, tools.OpDelete, shares); n > 0 {
		lines = append(lines, tools.T("household.card.with_shares", n))
	}
	return lines
}
