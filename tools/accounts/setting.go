package accounts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Settings are those that operators change while the server runs.
const Settings = "nodkeep_settings"

// Where a setting comes from. The environment and its file win.
const (
	FromEnvironment = "environment"
	FromFile        = "file"
	FromOperator    = "operator"
	FromDefault     = "default"
)

// Setting is one as operators see it.
type Setting struct {
	Name    string    `json:"name"`
	Value   string    `json:"value"` // of a secret, only "set"
	From    string    `json:"from"`  // environment, file, operator or default
	Locked  bool      `json:"locked"`
	Restart bool      `json:"restart"` // only the environment changes it, and a restart
	Choices []string  `json:"choices"` // where there are some
	Updated time.Time `json:"updated,omitzero"`

	// What a value has to be, where it can be changed and has no choices: a whole
	// number from Least to Most, or an amount of the currency.
	Least  int  `json:"least,omitzero"`
	Most   int  `json:"most,omitzero"`
	Amount bool `json:"amount,omitzero"`
}

// SettingPage is one page of settings.
type SettingPage struct {
	Items []Setting `json:"items"`
	Next  string    `json:"next"`
}

func (p Plugin) settings() []Setting {
	if p.Settings == nil {
		return nil
	}
	return p.Settings()
}

func (p Plugin) settingListTool() tools.Tool {
	return tools.NewRead(tools.Def{
		Name: "nodkeep_setting_list", Title: "nodkeep.title.setting_list", Operator: true, Hidden: hiddenOperator,
		Help: "Lists the settings with what each is, where that comes from, and whether it can be changed while the server runs. Of a secret it says only that it is set.",
	}, func(r *tools.Reader, in pageIn) (SettingPage, error) {
		limit, after, _, err := in.page()
		if err != nil {
			return SettingPage{}, err
		}
		recs, err := r.List(Settings, tools.Query{})
		out := SettingPage{Items: []Setting{}}
		all, next := pageOf(p.settings(), limit, after, func(s Setting) string { return s.Name })
		out.Next = next
		for _, s := range all {
			for _, rec := range recs {
				if rec.GetString("name") == s.Name {
					s = s.saidBy(rec)
				}
			}
			if s.Choices == nil {
				s.Choices = []string{}
			}
			out.Items = append(out.Items, s)
		}
		return out, err
	})
}

// saidBy is a setting with what an operator said of it.
func (s Setting) saidBy(rec *core.Record) Setting {
	s.Updated = at(rec, "updated")
	if v := rec.GetString("value"); v != "" && !s.Locked && !s.Restart {
		s.Value, s.From = v, FromOperator
	}
	return s
}

type settingSetIn struct {
	Name  string  `json:"name"`
	Value string  `json:"value"`          // empty: as it is by default
	Seen  *string `json:"seen,omitempty"` // updated, as the list had it; empty: nobody had changed it
}

func (p Plugin) settingSetTool() tools.Tool {
	return tools.New(tools.Def{
		Name: "nodkeep_setting_set", Title: "nodkeep.title.setting_set", Effect: tools.EffectWrite, Operator: true, Hidden: hiddenOperator,
		Help: "Changes a setting that can take effect while the server runs; an empty value is the default again. What the environment or assistants.env says stays, and all others need these and a restart. Setting it anew takes it back.",
	}, p.settingSet, tools.WithCard(func(_ *tools.Reader, in settingSetIn, out Setting, _ []tools.Change) (tools.Card, error) {
		card := tools.Card{Title: tools.T("nodkeep.card.setting_set", out.Name, out.Value), Lines: []tools.Text{tools.T("nodkeep.card.setting_then")}}
		if strings.TrimSpace(in.Value) == "" {
			card.Title = tools.T("nodkeep.card.setting_default", out.Name)
		}
		return card, nil
	}))
}

func (p Plugin) settingSet(c *tools.Call, in settingSetIn) (Setting, error) {
	all := p.settings()
	n := slices.IndexFunc(all, func(s Setting) bool { return s.Name == in.Name })
	if n < 0 {
		return Setting{}, tools.Fail(tools.NotFound, "nodkeep.error.no_setting", tools.Quoted(in.Name, 60))
	}
	s := all[n]
	switch {
	case s.Restart:
		return Setting{}, conflict("nodkeep.error.setting_restart", s.Name)
	case s.Locked:
		return Setting{}, conflict("nodkeep.error.setting_locked."+s.From, s.Name)
	}
	value, err := s.read(in.Value, p.Currency)
	if err != nil {
		return Setting{}, err
	}
	recs, err := c.List(Settings, tools.Query{In: map[string][]string{"name": {s.Name}}, Limit: 1})
	if err != nil {
		return Setting{}, err
	}
	var rec *core.Record
	now := []tools.Text{tools.T("nodkeep.now.nothing")}
	if len(recs) > 0 {
		rec = recs[0]
		now = []tools.Text{tools.T("", s.Name+" = "+rec.GetString("value"))}
	}
	if err := unseen(in.Seen, rec, now); err != nil {
		return Setting{}, err
	}
	if rec == nil {
		rec = c.New(Settings)
		rec.Set("name", s.Name)
	}
	rec.Set("value", value)
	if err := c.Save(rec); err != nil {
		return Setting{}, err
	}
	s.Value, s.From = value, FromOperator
	if value == "" {
		s.From = FromDefault
	}
	s.Updated = at(rec, "updated")
	if s.Choices == nil {
		s.Choices = []string{}
	}
	return s, nil
}

// read says a value as it is stored, or what is wrong with it.
func (s Setting) read(value, currency string) (string, error) {
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return "", nil
	case len(s.Choices) > 0:
		if value = strings.ToLower(value); !slices.Contains(s.Choices, value) {
			return "", invalid("nodkeep.error.setting_choice", s.Name, tools.Quoted(value, 60), strings.Join(s.Choices, ", "))
		}
	case s.Amount:
		n, ok := decimal(value, maxMicros)
		if !ok {
			return "", invalid("nodkeep.error.amount_cost", s.Name, tools.Quoted(value, 40), currency)
		}
		return Decimal(n), nil
	default:
		n, err := strconv.Atoi(value)
		if err != nil || n < s.Least || n > s.Most {
			return "", invalid("nodkeep.error.setting_number", s.Name, tools.Quoted(value, 40), s.Least, s.Most)
		}
		return strconv.Itoa(n), nil
	}
	return value, nil
}
