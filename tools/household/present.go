package household

import (
	"encoding/json/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/tools"
)

// Label names a record: a subscription by its name, a charge or price by what
// and when.
func (p Plugin) Label(collection string, values map[string]any) any {
	switch collection {
	case subscriptions, categories, methods:
		return values["name"]
	case pauses:
		return tools.T("household.label.pause", p.Show(collection, "from", values))
	case shares:
		return tools.T("household.label.share")
	case rates:
		return tools.T("household.label.rates", p.Show(collection, "date", values))
	case reminders:
		return tools.T("household.label.reminder", p.Show(collection, "on", values))
	case prices:
		return tools.T("household.label.price", p.Show(collection, "amount", values), p.Show(collection, "from", values))
	case charges:
		if values["state"] == skipped {
			return tools.T("household.label.skipped", p.Show(collection, "date", values))
		}
		return tools.T("household.label.charge", p.Show(collection, "amount", values), p.Show(collection, "date", values))
	}
	return tools.T("household.label.settings")
}

// Show says how a value looks to people.
func (Plugin) Show(_, field string, values map[string]any) any {
	text, _ := values[field].(string)
	switch field {
	case "amount", "fixed":
		minor, ok := values[field].(float64)
		currency, _ := values["currency"].(string)
		if ok && currency != "" {
			return tools.Money{Minor: int64(minor), Currency: currency}
		}
	case "date", "due", "from", "until", "on", "first_date", "ends_on", "cancelled_on", "trial_from", "trial_ends_on", "decide_by", "term_from", "noticed_on", "agreed_ends_on":
		if d, err := tools.ParseDate(text); err == nil && !d.IsZero() {
			return d
		}
	case "rates":
		return sayRates(text)
	case "source":
		return published(text)
	case "cycle":
		if c, err := tools.ParseCycle(text); err == nil {
			return every(c)
		}
	case "min_term", "extension", "notice":
		if p, err := parsePeriod(field, text); err == nil && !p.isZero() {
			return p.said()
		}
	case "state":
		if text == confirmed || text == skipped {
			return tools.T("household.state." + text)
		}
	case "trial_decided":
		if text == keep || text == lose {
			return tools.T("household.trial." + text)
		}
	case "kind":
		if slices.Contains(reminderKinds(), any(text)) {
			return tools.T("household.reminder." + text)
		}
	case "status":
		if text == active || text == cancelled {
			return tools.T("household.status." + text)
		}
	case "language":
		if slices.Contains(languages(), any(text)) {
			return tools.T("household.language." + text)
		}
	case "remind_hour":
		if hour, err := strconv.Atoi(text); err == nil {
			return fullHour(hour)
		}
	case "anchor_day":
		if day, ok := values[field].(float64); ok && day > 0 {
			return int(day)
		}
	case "tags":
		var tags []string
		if json.Unmarshal([]byte(text), &tags) == nil {
			return strings.Join(tags, ", ")
		}
	}
	return nil
}

// Money says that a change is about money: what is paid, when, and for how
// long.
func (Plugin) Money(_ *tools.Reader, changes []tools.Change) bool {
	return slices.ContainsFunc(changes, func(c tools.Change) bool {
		switch c.Collection {
		case prices, charges, pauses, shares:
			return true
		case subscriptions:
			return c.Op != tools.OpUpdate || slices.ContainsFunc(moneyFields(), func(f string) bool {
				_, before := c.Before[f]
				_, after := c.After[f]
				return before || after
			})
		}
		return false
	})
}

func moneyFields() []string {
	return []string{"amount", "currency", "cycle", "first_date", "anchor_day", "status", "ends_on", "trial_from", "trial_ends_on", "trial_decided", "term_from", "min_term", "extension", "notice"}
}
