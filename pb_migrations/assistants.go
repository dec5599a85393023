package migrations

import (
	"errors"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// assistantsUp makes what models need: which assistants operators have set up,
// who may use them, what everybody may spend, and what was spent. Amounts are
// text, since an empty one is no limit and 0 is one. Holds and usage are books:
// written by the core alone, without hooks.
func assistantsUp(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	text := func(most int, names ...string) (fields []core.Field) {
		for _, n := range names {
			fields = append(fields, &core.TextField{Id: "nodkeep_" + n, Name: n, Max: most})
		}
		return fields
	}
	needed := func(name string, most int) core.Field {
		return &core.TextField{Id: "nodkeep_" + name, Name: name, Required: true, Max: most}
	}
	amounts := func(names ...string) (fields []core.Field) {
		for _, n := range names {
			fields = append(fields, &core.TextField{Id: "nodkeep_" + n, Name: n, Max: 18, Pattern: `^[0-9]*$`})
		}
		return fields
	}
	numbers := func(names ...string) (fields []core.Field) {
		for _, n := range names {
			fields = append(fields, &core.NumberField{Id: "nodkeep_" + n, Name: n, OnlyInt: true})
		}
		return fields
	}
	person := func(required bool) core.Field {
		return &core.RelationField{Id: "nodkeep_person", Name: "person", Required: required, CollectionId: users.Id, CascadeDelete: true, MaxSelect: 1}
	}
	stamps := func() []core.Field {
		return []core.Field{
			&core.AutodateField{Id: "nodkeep_created", Name: "created", OnCreate: true},
			&core.AutodateField{Id: "nodkeep_updated", Name: "updated", OnCreate: true, OnUpdate: true},
		}
	}
	const operator = "@request.auth.status = 'approved' && @request.auth.operator = true"
	const own = "person = @request.auth.id && @request.auth.status = 'approved'"

	// A field that is empty is not said by operators.
	assistants := core.NewBaseCollection("nodkeep_assistants")
	assistants.Fields.Add(needed("assistant", 40))
	assistants.Fields.Add(text(300, "name", "protocol", "base_url", "model", "images", "effort", "max_effort", "mode",
		"price_input", "price_output", "price_cache_read", "price_cache_write")...)
	assistants.Fields.Add(&core.TextField{Id: "nodkeep_key", Name: "key", Hidden: true, Max: 8000}) // sealed
	assistants.Fields.Add(stamps()...)
	assistants.AddIndex("idx_nodkeep_assistants_assistant", true, "assistant", "")

	// A grant is one member's, or everybody's; with neither it is nobody's.
	grants := core.NewBaseCollection("nodkeep_grants")
	grants.Fields.Add(person(false), &core.BoolField{Id: "nodkeep_everybody", Name: "everybody"}, needed("assistant", 40))
	grants.Fields.Add(stamps()...)
	grants.AddIndex("idx_nodkeep_grants_person", true, "person, everybody, assistant", "")

	// What a person agreed to: that their words go to a host by a protocol. With
	// neither it was withdrawn.
	consents := core.NewBaseCollection("nodkeep_consents")
	consents.Fields.Add(person(true), needed("assistant", 40))
	consents.Fields.Add(text(300, "host", "protocol")...)
	consents.Fields.Add(stamps()...)
	consents.AddIndex("idx_nodkeep_consents_person", true, "person, assistant", "")

	// Costs are in millionths of the currency. Everybody's budget is for members
	// without one of their own.
	budgets := core.NewBaseCollection("nodkeep_budgets")
	budgets.Fields.Add(person(false), &core.BoolField{Id: "nodkeep_everybody", Name: "everybody"})
	budgets.Fields.Add(amounts("day_cost", "month_cost", "day_tokens", "month_tokens")...)
	budgets.Fields.Add(stamps()...)
	budgets.AddIndex("idx_nodkeep_budgets_person", true, "person, everybody", "")

	// What members set themselves; the lower of the two counts.
	limits := core.NewBaseCollection("nodkeep_limits")
	limits.Fields.Add(person(true))
	limits.Fields.Add(amounts("day_cost", "month_cost", "day_tokens", "month_tokens")...)
	limits.Fields.Add(stamps()...)
	limits.AddIndex("idx_nodkeep_limits_person", true, "person", "")

	// A member asks for an assistant, or for more of what a budget gives.
	requests := core.NewBaseCollection("nodkeep_requests")
	requests.Fields.Add(person(true),
		&core.SelectField{Id: "nodkeep_kind", Name: "kind", Required: true, MaxSelect: 1, Values: []string{"assistant", "budget"}},
		&core.SelectField{Id: "nodkeep_state", Name: "state", Required: true, MaxSelect: 1, Values: []string{"open", "approved", "refused"}})
	requests.Fields.Add(text(40, "assistant")...)
	requests.Fields.Add(text(300, "note")...)
	requests.Fields.Add(amounts("day_cost", "month_cost", "day_tokens", "month_tokens")...)
	requests.Fields.Add(&core.DateField{Id: "nodkeep_decided", Name: "decided"})
	requests.Fields.Add(stamps()...)
	requests.AddIndex("idx_nodkeep_requests_state", false, "state, created", "")
	requests.AddIndex("idx_nodkeep_requests_person", false, "person, created", "")

	// Settings that operators change while the server runs.
	settings := core.NewBaseCollection("nodkeep_settings")
	settings.Fields.Add(needed("name", 60))
	settings.Fields.Add(text(2000, "value")...)
	settings.Fields.Add(stamps()...)
	settings.AddIndex("idx_nodkeep_settings_name", true, "name", "")

	for _, col := range []*core.Collection{assistants, settings} {
		col.ListRule, col.ViewRule = types.Pointer(operator), types.Pointer(operator)
	}
	const given = "(@request.auth.status = 'approved' && (person = @request.auth.id || everybody = true)) || (" + operator + ")"
	for _, col := range []*core.Collection{grants, budgets} { // what one has oneself
		col.ListRule, col.ViewRule = types.Pointer(given), types.Pointer(given)
	}
	for _, col := range []*core.Collection{consents, limits} {
		col.ListRule, col.ViewRule = types.Pointer(own), types.Pointer(own)
	}
	const either = "(" + own + ") || (" + operator + ")"
	requests.ListRule, requests.ViewRule = types.Pointer(either), types.Pointer(either)

	// A call under way, from before its first byte leaves until it is settled.
	// What it may spend at most counts as spent meanwhile.
	holds := core.NewBaseCollection("nodkeep_holds")
	holds.Fields.Add(text(0, "person", "assistant", "model", "day", "created", "currency")...)
	holds.Fields.Add(numbers("cost", "priced", "uncached", "output")...)
	holds.AddIndex("idx_nodkeep_holds_day", false, "day, person, currency, cost, uncached, output", "")

	// What was spent, in a row for each person, day (UTC) and assistant. Without
	// a person it is what those spent that day whose account is gone.
	usage := core.NewBaseCollection("nodkeep_usage")
	usage.Fields.Add(text(0, "person", "day", "assistant", "currency")...)
	usage.Fields.Add(numbers("requests", "unpriced", "input_uncached", "cache_read", "cache_write", "output", "cost")...)
	usage.AddIndex("idx_nodkeep_usage_person", true, "person, day, assistant, currency", "")
	usage.AddIndex("idx_nodkeep_usage_day", false, "day, currency, cost", "")

	for _, col := range []*core.Collection{assistants, grants, consents, budgets, limits, requests, settings, holds, usage} {
		if err := app.Save(col); err != nil {
			return err
		}
	}
	return nil
}

func assistantsDown(app core.App) error {
	var failed []error
	for _, name := range []string{"usage", "holds", "settings", "requests", "limits", "budgets", "consents", "grants", "assistants"} {
		if col, err := app.FindCollectionByNameOrId("nodkeep_" + name); err == nil {
			failed = append(failed, app.Delete(col))
		}
	}
	return errors.Join(failed...)
}
