package demo

import (
	"regexp"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/tools"
)

// add asks back for what a subscription needs.
func add(t *turn) reply {
	ask := func(key string, choices ...string) map[string]any {
		q := map[string]any{"text": t.sentence(key)}
		if len(choices) > 0 {
			q["choices"] = choices
		}
		return q
	}
	out := t.one(offer.AskName, map[string]any{"questions": []any{
		ask("demo.add.name"), ask("demo.add.amount"), ask("demo.add.cycle", t.sentence("demo.add.month"), t.sentence("demo.add.year")),
	}})
	out.text = t.sentence("demo.add.asked")
	return out
}

// answers says that the question is the answers to the form, and in which
// language.
func (t *turn) answers() (lang string, ok bool) {
	for _, lang := range languages("en") {
		if strings.HasPrefix(t.asked, t.s.c.Say(lang, tools.T("demo.add.name"))+" ") {
			return lang, true
		}
	}
	return "", false
}

// answer is what was answered to a question of the form.
func (t *turn) answer(key string) string {
	for line := range strings.Lines(t.asked) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), t.sentence(key)+" "); ok && rest != "–" {
			return rest
		}
	}
	return ""
}

// amount is a number as people write it.
var amount = regexp.MustCompile(`\d+(?:[.,]\d{1,2})?`)

// enter adds what was answered.
func enter(t *turn) reply {
	name, price := t.answer("demo.add.name"), strings.Replace(amount.FindString(t.answer("demo.add.amount")), ",", ".", 1)
	if name == "" || price == "" {
		return t.replies("demo.add.lacks")
	}
	if len(t.steps) > 0 {
		return t.proposed("demo.add", name)
	}
	cycle := "P1M"
	if t.answer("demo.add.cycle") == t.sentence("demo.add.year") {
		cycle = "P1Y"
	}
	args := map[string]any{"name": name, "amount": price, "cycle": cycle}
	if today, ok := t.today(); ok {
		args["first_date"] = today.String()
	}
	return t.one("household_subscription_add", args)
}
