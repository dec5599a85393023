package demo

import (
	"github.com/nodkeep/nodkeep/assistant/offer"
)

import "github.com/nodkeep/nodkeep/tools"

// priced is a charge or subscription as tools list it.
type priced struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Amount   string     `json:"amount"`
	Currency string     `json:"currency"`
	Date     tools.Date `json:"date"`
	Status   string     `json:"status"`
	Mine     bool       `json:"mine"`
}

func (p priced) money() any { return money(p.Amount, p.Currency) }

// pay says what is paid in a month.
func pay(t *turn) reply {
	type sum struct {
		Currency string `json:"currency"`
		Month    string `json:"per_month"`
	}
	got, ok := got[struct {
		Active int      `json:"active"`
		Trial  int      `json:"trial"`
		Sums   []sum    `json:"sums"`
		Next   []priced `json:"next"`
	}](t, "household_overview")
	if !ok {
		return t.one("household_overview", nil)
	}
	var sums []tools.Text
	for _, s := range got.Sums {
		sums = append(sums, tools.T("", money(s.Month, s.Currency)))
	}
	if len(sums) == 0 {
		return t.replies("demo.pay.none")
	}
	text := t.sentence("demo.pay", got.Active+got.Trial, sums)
	if len(got.Next) > 0 {
		text += " " + t.sentence("demo.pay.next", got.Next[0].Name, got.Next[0].Date, got.Next[0].money())
	}
	return reply{text: text}
}

// due says what comes in two weeks. It looks up two things at once.
func due(t *turn) reply {
	got, ok := got[struct {
		Items  []priced `json:"items"`
		Totals []priced `json:"totals"`
	}](t, "household_upcoming")
	if !ok {
		return t.calls(t.call("household_upcoming", map[string]any{"days": 14}), t.call("household_reminder_list", map[string]any{}))
	}
	if len(got.Items) == 0 {
		return t.replies("demo.due.none")
	}
	text := t.sentence("demo.due")
	for _, c := range got.Items {
		text += "\n- " + t.sentence("demo.due.line", c.Date, c.Name, c.money())
	}
	var sums []tools.Text
	for _, s := range got.Totals {
		sums = append(sums, tools.T("", s.money()))
	}
	return reply{text: text + "\n" + t.sentence("demo.due.sum", sums)}
}

// dearer says which prices rose. The tool is not among those that are listed: it
// is found first.
func dearer(t *turn) reply {
	const tool = "household_price_changes"
	got, ok := got[struct {
		Items []struct {
			Name     string     `json:"name"`
			Kind     string     `json:"kind"`
			From     tools.Date `json:"from"`
			Before   string     `json:"before"`
			After    string     `json:"after"`
			Currency string     `json:"currency"`
		} `json:"items"`
	}](t, tool)
	if len(t.steps) == 0 {
		return t.one("find_tools", map[string]any{"words": "price changes"})
	}
	if !ok {
		return t.one(tool, map[string]any{})
	}
	var text string
	for _, c := range got.Items {
		if c.Kind == "rise" {
			text += "\n- " + t.sentence("demo.dearer.line", c.Name, money(c.Before, c.Currency), money(c.After, c.Currency), c.From)
		}
	}
	if text == "" {
		return t.replies("demo.dearer.none")
	}
	return reply{text: t.sentence("demo.dearer") + text}
}

// save says where something could be saved, in the sentences of the tool.
func save(t *turn) reply {
	got, ok := got[struct {
		Items []struct {
			Text string `json:"text"`
		} `json:"items"`
	}](t, "household_savings")
	if !ok {
		return t.one("household_savings", map[string]any{})
	}
	if len(got.Items) == 0 {
		return t.replies("demo.save.none")
	}
	text := t.sentence("demo.save")
	for _, s := range got.Items {
		text += "\n- " + s.Text
	}
	return reply{text: text}
}

// bars shows what was spent by month.
func bars(t *turn) reply {
	return t.shown("demo.bars", map[string]any{"tool": "household_spending", "args": map[string]any{"by": "month"}, "form": "bars"})
}

// table shows every subscription.
func table(t *turn) reply {
	return t.shown("demo.table", map[string]any{"tool": "household_subscription_list", "args": map[string]any{}, "form": "table"})
}

func (t *turn) shown(key string, args map[string]any) reply {
	if len(t.steps) == 0 {
		return t.one(offer.ScreenName, args)
	}
	return t.replies(key)
}
