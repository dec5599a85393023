package household

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Settings are the household's.
type Settings struct {
	Currency   string      `json:"currency" jsonschema:"used where a tool is given no currency"`
	TimeZone   string      `json:"time_zone" jsonschema:"what today is follows from it"`
	Language   string      `json:"language" jsonschema:"of the reports that the household gets later; what a person reads is in their own"`
	RemindDays int         `json:"remind_days" jsonschema:"how many days before a charge it is said; 0 on its day, -1 never"`
	RemindHour int         `json:"remind_hour" jsonschema:"when reminders are said"`
	Today      tools.Date  `json:"today"`
	Problem    tools.Words `json:"problem,omitzero" jsonschema:"absent while all is well: what household_settings_update should mend"`
}

func (h home) shown() Settings {
	s := Settings{Currency: h.currency, TimeZone: h.zone, Language: h.language, RemindDays: h.remindDays(), RemindHour: h.remindHour(), Today: h.today}
	if !h.loads {
		s.Problem = tools.Words(tools.T("household.settings.zone", short(h.zone)))
	}
	return s
}

func settingsGetTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "household_settings_get", Title: "household.title.settings_get",
		Help: "Gives the household's currency, time zone, language, when it is reminded, and today's date there. Where the time zone does not load, days are UTC's and problem says so.",
	}, func(r *tools.Reader, _ struct{}) (Settings, error) {
		h, err := homeOf(r)
		return h.shown(), err
	})
}

type settingsUpdateIn struct {
	Currency   string `json:"currency,omitzero" jsonschema:"ISO 4217; what is stored keeps its own"`
	TimeZone   string `json:"time_zone,omitzero" jsonschema:"an IANA name such as Europe/Berlin"`
	Language   string `json:"language,omitzero" jsonschema:"of the household's reports: en, de or es"`
	RemindDays *int   `json:"remind_days,omitempty" jsonschema:"before a charge, 0 to 90; -1 never"`
	RemindHour *int   `json:"remind_hour,omitempty" jsonschema:"of reminders, 0 to 23"`
}

// languages that texts exist in.
func languages() []any { return []any{"en", "de", "es"} }

func settingsUpdateTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "household_settings_update", Title: "household.title.settings_update", Effect: tools.EffectWrite,
		Help: "Changes the household's settings; what is left out stays. Nothing is converted: subscriptions keep their currency.",
	}, settingsUpdate, tools.OneOf("language", languages()...),
		tools.WithCard(func(_ *tools.Reader, _ settingsUpdateIn, out Settings, _ []tools.Change) (tools.Card, error) {
			return tools.Card{
				Title: tools.T("household.card.settings_update"),
				Lines: []tools.Text{tools.T("household.card.settings", out.Currency, out.TimeZone), out.reminds()},
			}, nil
		}))
}

func settingsUpdate(c *tools.Call, in settingsUpdateIn) (Settings, error) {
	h, err := homeOf(&c.Reader)
	if err != nil {
		return Settings{}, err
	}
	if in == (settingsUpdateIn{}) {
		return Settings{}, invalid("household.error.nothing")
	}
	if in.Currency != "" {
		if h.currency, err = parseCurrency("currency", in.Currency); err != nil {
			return Settings{}, err
		}
	}
	if in.TimeZone != "" {
		zone, err := parseZone("time_zone", in.TimeZone)
		if err != nil {
			return Settings{}, err
		}
		h.zone, h.place, h.today, h.loads = in.TimeZone, zone, tools.DateOf(c.Now().In(zone)), true
	}
	if in.Language != "" {
		if !slices.Contains(languages(), any(in.Language)) {
			return Settings{}, invalid("household.error.language", short(in.Language))
		}
		h.language = in.Language
	}
	if h.rec == nil {
		h.rec = c.New(settings)
	}
	h.rec.Set("currency", h.currency)
	h.rec.Set("time_zone", h.zone)
	h.rec.Set("language", h.language)
	if err := in.remind(h.rec); err != nil {
		return Settings{}, err
	}
	return h.shown(), c.Save(h.rec)
}

// remind sets when the household is reminded.
func (in settingsUpdateIn) remind(rec *core.Record) error {
	if days := in.RemindDays; days != nil {
		if *days < -1 || *days > maxRemindDays {
			return invalid("household.error.settings_days", *days, maxRemindDays)
		}
		rec.Set("remind_days", strconv.Itoa(*days))
	}
	if hour := in.RemindHour; hour != nil {
		if *hour < 0 || *hour > 23 {
			return invalid("household.error.settings_hour", *hour)
		}
		rec.Set("remind_hour", strconv.Itoa(*hour))
	}
	return nil
}

// reminds says when the household is reminded.
func (s Settings) reminds() tools.Text {
	hour := fullHour(s.RemindHour)
	switch {
	case s.RemindDays < 0:
		return tools.T("household.card.remind_never")
	case s.RemindDays == 0:
		return tools.T("household.card.remind_day", hour)
	}
	return tools.T("household.card.remind", s.RemindDays, hour)
}

// fullHour is how an hour of the day is written, in every language.
func fullHour(hour int) string { return fmt.Sprintf("%d:00", hour) }
