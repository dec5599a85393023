package hooks

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/hook"

	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// settingRow is a setting as operators see it. Those that say how they are set
// take effect while the server runs.
type settingRow struct {
	name   string
	is     func(settings) string // as it is in effect
	secret bool

	choices     []string
	least, most int
	amount      bool
}

func (r settingRow) runs() bool { return r.choices != nil || r.most > 0 || r.amount }

// settingRows are all there are, those that can be changed first.
func settingRows() []settingRow {
	joined := func(of func(settings) []string) func(settings) string {
		return func(s settings) string { return strings.Join(of(s), ",") }
	}
	return slices.Concat([]settingRow{
		{name: "NODKEEP_SIGN_UP", is: func(s settings) string { return s.SignUp }, choices: []string{signUpOpen, signUpApproval, signUpClosed}},
		{name: "NODKEEP_WAITING_MAX", is: func(s settings) string { return strconv.Itoa(s.Waiting) }, least: 1, most: mostWaiting},
		{name: capSetting, is: func(s settings) string {
			if s.models.Cap == nil {
				return ""
			}
			return accounts.Decimal(*s.models.Cap)
		}, amount: true},
		// Only to yes: what was narrowed in the environment is narrowed there.
		{name: "NODKEEP_OWN_SURFACES", is: func(s settings) string {
			if s.OwnSurfaces {
				return "yes"
			}
			return "no"
		}, choices: []string{"yes"}},
	}, limitRows(), []settingRow{
		{name: "NODKEEP_URL", is: func(s settings) string { return s.URL }},
		{name: "NODKEEP_PLUGINS", is: joined(func(s settings) []string { return s.Plugins })},
		{name: "NODKEEP_SOURCES", is: joined(func(s settings) []string { return s.Sources })},
		{name: "NODKEEP_AUDIT_DAYS", is: func(s settings) string { return strconv.Itoa(s.AuditDays) }},
		{name: "NODKEEP_UNDO_DAYS", is: func(s settings) string { return strconv.Itoa(s.UndoDays) }},
		{name: "NODKEEP_FORBID_TOOLS", is: joined(func(s settings) []string { return s.Forbid })},
		{name: "NODKEEP_ASK_TOOLS", is: joined(func(s settings) []string { return s.Asks })},
		{name: "NODKEEP_TRUSTED_PROXY", is: joined(func(s settings) []string { return s.Proxy })},
		{name: "NODKEEP_ORIGINS", is: joined(func(s settings) []string { return s.Origins })},
		{name: "NODKEEP_ENCRYPTION_KEY", is: func(s settings) string { return s.Key }, secret: true},
		{name: listSetting, is: func(s settings) string {
			var ids []string
			for _, f := range s.models.Assistants {
				ids = append(ids, f.ID)
			}
			return strings.Join(ids, ",")
		}},
		{name: currencySetting, is: func(s settings) string { return s.models.Currency }},
		{name: idKeySetting, is: func(s settings) string { return s.models.IDKey }, secret: true},
		{name: "OTEL_EXPORTER_OTLP_ENDPOINT", is: func(s settings) string { return cmp.Or(s.Telemetry.Traces, s.Telemetry.Metrics) }, secret: true}, // it may hold a password
	})
}

// settingsFrom says of each setting where it was read, as this start did.
func settingsFrom(env func(string) (string, bool), dir string) map[string]string {
	r := &reading{env: env}
	r.load(filepath.Join(filepath.Dir(dir), envFile)) // what is wrong with it was told already
	from := map[string]string{}
	for _, row := range settingRows() {
		if v, ok := env(row.name); ok && strings.TrimSpace(v) != "" {
			from[row.name] = accounts.FromEnvironment
		} else if r.file[row.name] != "" {
			from[row.name] = accounts.FromFile
		}
	}
	return from
}

// listSettings are the settings without what operators said.
func (a *App) listSettings() (all []accounts.Setting) {
	for _, row := range settingRows() {
		s := accounts.Setting{
			Name: row.name, Value: row.is(a.settings), From: accounts.FromDefault, Restart: !row.runs(),
			Choices: row.choices, Least: row.least, Most: row.most, Amount: row.amount,
		}
		if from := a.from[row.name]; from != "" {
			s.From, s.Locked = from, true
		}
		if row.secret && s.Value != "" {
			s.Value = "set"
		}
		all = append(all, s)
	}
	return all
}

// bindSaid has what operators say take effect as soon as it is committed,
// whoever wrote it.
func (a *App) bindSaid() {
	changed := &hook.Handler[*core.RecordEvent]{Id: "nodkeepSaid", Func: func(e *core.RecordEvent) error {
		if err := a.readSaid(); err != nil {
			a.pb.Logger().Error("what operators say of the settings could not be read", "error", err)
		}
		return e.Next()
	}}
	a.pb.OnRecordAfterCreateSuccess(accounts.Settings).Bind(changed)
	a.pb.OnRecordAfterUpdateSuccess(accounts.Settings).Bind(changed)
	a.pb.OnRecordAfterDeleteSuccess(accounts.Settings).Bind(changed)
}

// readSaid reads what operators say of the settings.
func (a *App) readSaid() error {
	a.oneSaid.Lock()
	defer a.oneSaid.Unlock()
	recs, err := a.pb.FindAllRecords(accounts.Settings)
	if err != nil {
		return err
	}
	said := map[string]string{}
	for _, rec := range recs {
		said[rec.GetString("name")] = rec.GetString("value")
	}
	a.said.Store(&said)
	return nil
}

// inEffect are the settings as they are now: what the environment leaves out is as
// operators say. What was written past the tool that checks it closes rather
// than opens.
func (a *App) inEffect() settings {
	s := a.settings
	said := a.said.Load()
	if said == nil {
		return s
	}
	get := func(name string) string {
		if a.from[name] != "" {
			return ""
		}
		return (*said)[name]
	}
	if v := get("NODKEEP_SIGN_UP"); v != "" {
		if s.SignUp = v; !slices.Contains([]string{signUpOpen, signUpApproval, signUpClosed}, v) {
			s.SignUp = signUpClosed
		}
	}
	if n, err := strconv.Atoi(get("NODKEEP_WAITING_MAX")); err == nil && n >= 0 {
		s.Waiting = min(n, mostWaiting)
	}
	if v := get(capSetting); v != "" {
		n, err := roster.Micros(v)
		if err != nil {
			n = 0
		}
		s.models.Cap = &n
	}
	if get("NODKEEP_OWN_SURFACES") != "" {
		s.OwnSurfaces = true
	}
	sayLimits(&s.Limits, get)
	return s
}
