package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/telemetry"
)

func TestReadSettings(t *testing.T) {
	key := strings.Repeat("k", 32)
	defaults := settings{Plugins: []string{"household", "records"}, AuditDays: 400, UndoDays: 30, SignUp: "approval", Waiting: 10, Limits: assistant.DefaultLimits(), models: modelSettings{Currency: "USD"}}
	rows := []struct {
		name string
		env  []string
		file string // its text; "" for none
		mode os.FileMode
		want func(*settings)
		bad  []string // names of problems
	}{
		{name: "nothing", want: func(*settings) {}},
		{
			name: "all", env: []string{"NODKEEP_PLUGINS= records , household,records", "NODKEEP_URL=https://nodkeep.example.org/", "NODKEEP_ENCRYPTION_KEY=" + key, "NODKEEP_AUDIT_DAYS=90", "NODKEEP_UNDO_DAYS=7", "NODKEEP_SIGN_UP=Closed", "NODKEEP_SOURCES=household_rates, household_rates", "NODKEEP_WAITING_MAX=1000", "NODKEEP_TRUSTED_PROXY=X-Real-IP, X-Forwarded-For,X-Real-IP", "NODKEEP_ORIGINS=https://App.example.org/, capacitor://localhost,http://localhost:5173", "NODKEEP_OWN_SURFACES=Yes", "NODKEEP_FORBID_TOOLS=household_*", "NODKEEP_ASK_TOOLS=records_add,records_drop"},
			want: func(s *settings) {
				*s = settings{[]string{"records", "household"}, []string{"household_rates"}, "https://nodkeep.example.org", key, 90, 7, "closed", 1000, []string{"X-Real-IP", "X-Forwarded-For"}, []string{"https://app.example.org", "capacitor://localhost", "http://localhost:5173"}, true, []string{"household_*"}, []string{"records_add", "records_drop"}, assistant.DefaultLimits(), modelSettings{Currency: "USD"}, telemetry.Settings{}}
			},
		},
		{name: "empty is not set", env: []string{"NODKEEP_AUDIT_DAYS= ", "NODKEEP_PLUGINS="}, want: func(*settings) {}},
		{name: "file", file: "# settings\n\nNODKEEP_AUDIT_DAYS=90\nexport NODKEEP_URL=\"http://localhost:8090\"\nOTHER='x'\n", mode: 0o600, want: func(s *settings) {
			s.AuditDays, s.URL = 90, "http://localhost:8090"
		}},
		{name: "the environment wins", env: []string{"NODKEEP_AUDIT_DAYS=100"}, file: "NODKEEP_AUDIT_DAYS=90", mode: 0o600, want: func(s *settings) { s.AuditDays = 100 }},
		{name: "a file for all to read", file: "NODKEEP_AUDIT_DAYS=90", mode: 0o640, bad: []string{envFile}},
		{name: "no setting in a line", file: "NODKEEP_AUDIT_DAYS=90\nhello\n", mode: 0o600, bad: []string{envFile}},
		{name: "days", env: []string{"NODKEEP_AUDIT_DAYS=0", "NODKEEP_UNDO_DAYS=1.5"}, bad: []string{"NODKEEP_AUDIT_DAYS", "NODKEEP_UNDO_DAYS"}},
		{name: "undo beyond the audit", env: []string{"NODKEEP_AUDIT_DAYS=10"}, bad: []string{"NODKEEP_UNDO_DAYS"}},
		{name: "plugin", env: []string{"NODKEEP_PLUGINS=nosuch"}, bad: []string{"NODKEEP_PLUGINS"}},
		{name: "neither yes nor no", env: []string{"NODKEEP_OWN_SURFACES=perhaps"}, bad: []string{"NODKEEP_OWN_SURFACES"}},
		{name: "source", env: []string{"NODKEEP_SOURCES=household_rates,ecb"}, bad: []string{"NODKEEP_SOURCES"}},
		{name: "source of a plugin that is not loaded", env: []string{"NODKEEP_SOURCES=household_rates", "NODKEEP_PLUGINS=records"}, bad: []string{"NODKEEP_SOURCES"}},
		{name: "address", env: []string{"NODKEEP_URL=ftp://x"}, bad: []string{"NODKEEP_URL"}},
		{name: "address with a password", env: []string{"NODKEEP_URL=https://me:secret@example.org"}, bad: []string{"NODKEEP_URL"}},
		{name: "short key", env: []string{"NODKEEP_ENCRYPTION_KEY=short"}, bad: []string{"NODKEEP_ENCRYPTION_KEY"}},
		{name: "any origin", env: []string{"NODKEEP_ORIGINS=*"}, want: func(s *settings) { s.Origins = []string{"*"} }},
		{name: "an origin with a path", env: []string{"NODKEEP_ORIGINS=https://example.org/app"}, bad: []string{"NODKEEP_ORIGINS"}},
		{name: "an origin with a password", env: []string{"NODKEEP_ORIGINS=https://me:secret@example.org"}, bad: []string{"NODKEEP_ORIGINS"}},
		{name: "a pattern of origins", env: []string{"NODKEEP_ORIGINS=https://*.example.org"}, bad: []string{"NODKEEP_ORIGINS"}},
		{name: "the origin of no site", env: []string{"NODKEEP_ORIGINS=null"}, bad: []string{"NODKEEP_ORIGINS"}},
		{name: "an origin without a scheme", env: []string{"NODKEEP_ORIGINS=https://a.example,example.org"}, bad: []string{"NODKEEP_ORIGINS"}},
		{name: "no header", env: []string{"NODKEEP_TRUSTED_PROXY=X-Real-IP,X Forwarded For"}, bad: []string{"NODKEEP_TRUSTED_PROXY"}},
		{name: "a header that cannot be read", env: []string{"NODKEEP_TRUSTED_PROXY=forwarded"}, bad: []string{"NODKEEP_TRUSTED_PROXY"}},
		{name: "the value of a header", env: []string{"NODKEEP_TRUSTED_PROXY=X-Real-IP: 10.0.0.1"}, bad: []string{"NODKEEP_TRUSTED_PROXY"}},
		{name: "nobody may wait", env: []string{"NODKEEP_WAITING_MAX=0"}, bad: []string{"NODKEEP_WAITING_MAX"}},
		{name: "too many wait", env: []string{"NODKEEP_WAITING_MAX=1001"}, bad: []string{"NODKEEP_WAITING_MAX"}},
		{name: "choice", env: []string{"NODKEEP_SIGN_UP=perhaps"}, bad: []string{"NODKEEP_SIGN_UP"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), envFile)
			if row.file != "" {
				if err := os.WriteFile(file, []byte(row.file), row.mode); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(file, row.mode); err != nil {
					t.Fatal(err)
				}
			}
			got, problems := readSettings(environment(row.env...), nil, file, []string{"household", "records"}, func(plugins []string) []string {
				if !slices.Contains(plugins, "household") {
					return nil
				}
				return []string{"household_rates", "household_news"}
			})
			bad := wrongIn(t, problems)
			if diff := cmp.Diff(row.bad, bad); diff != "" {
				t.Fatal(diff)
			}
			if row.want != nil {
				want := defaults
				row.want(&want)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(settings{})); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// wrongIn are the settings, or the file of them, with which something is wrong.
// Each says what, and what to do, and quotes no value.
func wrongIn(t *testing.T, problems []problem) (names []string) {
	t.Helper()
	for _, p := range problems {
		names = append(names, filepath.Base(p.Name))
		if p.What == "" || p.Fix == "" || strings.Contains(p.String(), ":secret") {
			t.Errorf("%+v", p)
		}
	}
	return names
}
