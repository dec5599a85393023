package hooks

import (
	"html"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/telemetry"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

func (i *instance) privacyIn(lang string) string {
	i.t.Helper()
	r := httptest.NewRequest("GET", "/privacy", nil)
	r.Header.Set("Accept-Language", lang)
	r.Header.Set("Accept", "text/html,application/xhtml+xml")
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		i.t.Fatal(w.Code, w.Header(), w.Body)
	}
	return html.UnescapeString(w.Body.String())
}

// TestPrivacySpeaksOfAgents: what leaves by an agent is not kept quiet.
func TestPrivacySpeaksOfAgents(t *testing.T) {
	i := newInstance(t)
	for lang, says := range map[string]string{"en": "passes it on to whoever runs its model", "de": "an den Betreiber seines Modells weiter", "es": "lo pasa a quien opera su modelo"} {
		if page := i.privacyIn(lang); !strings.Contains(page, says) {
			t.Errorf("%s: %s", lang, page)
		}
	}
}

// TestPrivacyFollowsTheSettings changes each setting and sees the page change:
// it says what it did not say before, and where there is something to lose, no
// longer what it said.
func TestPrivacyFollowsTheSettings(t *testing.T) {
	secret := core.S3Config{Enabled: true, Bucket: "our-bucket", Region: "eu-north-7", Endpoint: "https://s3.example.net:9000", AccessKey: "AKIASECRET", Secret: "hush-s3"}
	rows := []struct {
		name       string
		env        string // changed there, with blanks between, or
		set        func(*core.Settings)
		of         func(*core.Collection)
		says, goes [3]string // in English, German, Spanish
	}{
		{
			name: "open", env: "NODKEEP_SIGN_UP=open",
			says: [3]string{"can use the account at once", "sofort benutzen", "usarla enseguida"},
			goes: [3]string{"14 days", "14 Tagen", "14 días"},
		},
		{
			name: "closed", env: "NODKEEP_SIGN_UP=closed",
			says: [3]string{"Nobody can sign up", "Niemand kann selbst", "Nadie puede crear"},
			goes: [3]string{"hash is kept, for 30 days", "Hash aufbewahrt, 30 Tage", "hash, durante 30 días"},
		},
		{
			name: "waiting", env: "NODKEEP_WAITING_MAX=7",
			says: [3]string{"At most 7 wait", "Höchstens 7 warten", "Como mucho 7 esperan"},
			goes: [3]string{"At most 10", "Höchstens 10", "Como mucho 10"},
		},
		{
			name: "audit", env: "NODKEEP_AUDIT_DAYS=123",
			says: [3]string{"for 123 days", "123 Tage", "123 días"},
			goes: [3]string{"400", "400", "400"},
		},
		{
			name: "undo", env: "NODKEEP_UNDO_DAYS=1",
			says: [3]string{"undone, for one day", "zurücknehmen lässt: einen Tag", "deshacerlo: un día"},
			goes: [3]string{"undone, for 30 days", "zurücknehmen lässt: 30 Tage", "deshacerlo: 30 días"},
		},
		{
			name: "proposals", env: "NODKEEP_UNDO_DAYS=4",
			says: [3]string{"until 4 days after its time is over", "bis seine Frist 4 Tage vorbei ist", "hasta 4 días después de que acabe"},
			goes: [3]string{"until 30 days after its time", "bis seine Frist 30 Tage", "hasta 30 días después de que acabe"},
		},
		{
			name: "a source", env: "NODKEEP_SOURCES=household_ecb_rates",
			says: [3]string{"fetched from www.ecb.europa.eu", "wird von www.ecb.europa.eu geholt", "se obtiene de www.ecb.europa.eu"},
			goes: [3]string{"Nothing is fetched", "Von außen wird nichts", "No se obtiene nada"},
		},
		{
			name: "a model elsewhere", env: "ASSISTANTS=claude ASSISTANT_CLAUDE_NAME=Clever ASSISTANT_CLAUDE_PROTOCOL=anthropic ASSISTANT_CLAUDE_MODEL=claude-opus-5-5 ASSISTANT_CLAUDE_KEY=sk-hush-1",
			says: [3]string{"Clever is a model at api.anthropic.com", "Clever ist ein Modell bei api.anthropic.com", "Clever es un modelo en api.anthropic.com"},
			goes: [3]string{"None is set up", "Keiner ist eingerichtet", "No hay ninguno configurado"},
		},
		{
			name: "what a host is told of people", env: "ASSISTANTS=claude ASSISTANT_CLAUDE_PROTOCOL=anthropic ASSISTANT_CLAUDE_MODEL=claude-opus-5-5",
			says: [3]string{"gets an opaque id in the field metadata.user_id", "im Feld metadata.user_id eine undurchsichtige Kennung", "un identificador opaco"},
		},
		{
			name: "a model on this machine", env: "ASSISTANTS=mine ASSISTANT_MINE_BASE_URL=http://localhost:11434 ASSISTANT_MINE_MODEL=qwen3:8b",
			says: [3]string{"mine is a program on this machine, at localhost:11434", "mine ist ein Programm auf diesem Rechner, unter localhost:11434", "mine es un programa en esta máquina, en localhost:11434"},
			goes: [3]string{"None is set up", "Keiner ist eingerichtet", "No hay ninguno configurado"},
		},
		{
			name: "a model nearby", env: "ASSISTANTS=mine ASSISTANT_MINE_BASE_URL=http://192.168.1.9:8000 ASSISTANT_MINE_MODEL=m",
			says: [3]string{"in the network of this machine", "im Netz dieses Rechners", "en la red de esta máquina"},
		},
		{
			name: "what is kept of models", env: "ASSISTANTS=mine ASSISTANT_MINE_BASE_URL=http://localhost:11434 ASSISTANT_MINE_MODEL=m",
			says: [3]string{"never words. For three months", "niemals Worte. Drei Monate", "nunca palabras. Durante tres meses"},
		},
		{
			name: "origins", env: "NODKEEP_ORIGINS=https://other.example",
			says: [3]string{"These sites may call", "Diese Seiten dürfen", "Estos sitios pueden"},
		},
		{
			name: "all origins", env: "NODKEEP_ORIGINS=*",
			says: [3]string{"Every site may call", "Jede Seite darf", "Cualquier sitio puede"},
		},
		{
			name: "a proxy", env: "NODKEEP_TRUSTED_PROXY=X-Forwarded-For",
			says: [3]string{"through another server", "über einen anderen Server", "a través de otro servidor"},
		},
		{
			name: "a proxy in the dashboard", set: func(s *core.Settings) { s.TrustedProxy.Headers = []string{"X-Real-IP"} },
			says: [3]string{"through another server", "über einen anderen Server", "a través de otro servidor"},
		},
		{
			name: "files elsewhere", set: func(s *core.Settings) { s.S3 = secret },
			says: [3]string{"uploaded are stored at s3.example.net (region eu-north-7)", "Dateien liegen bei s3.example.net (Region eu-north-7)", "se guardan en s3.example.net (región eu-north-7)"},
			goes: [3]string{"uploaded lie there too", "ebenfalls dort", "también están allí"},
		},
		{
			name: "backups", set: func(s *core.Settings) { s.Backups.Cron, s.Backups.CronMaxKeep = "13 2 * * *", 5 },
			says: [3]string{"schedule 13 2 * * * (cron, UTC). The last 5", "Plan 13 2 * * * gemacht (cron, UTC). Die letzten 5", "programa 13 2 * * * (cron, UTC). Se conservan las últimas 5"},
			goes: [3]string{"not made on a schedule", "nicht nach Plan", "No se hacen copias"},
		},
		{
			name: "backups elsewhere", set: func(s *core.Settings) { s.Backups.S3 = secret },
			says: [3]string{"Backups are stored at s3.example.net", "Sicherungen liegen bei s3.example.net", "seguridad se guardan en s3.example.net"},
			goes: [3]string{"Backups lie in the same folder", "Sicherungen liegen im selben", "seguridad están en la misma"},
		},
		{
			name: "days of logs", set: func(s *core.Settings) { s.Logs.MaxDays = 9 },
			says: [3]string{"for 9 days", "9 Tage", "9 días"},
			goes: [3]string{"for 5 days", "5 Tage", "5 días"},
		},
		{
			name: "no logs", set: func(s *core.Settings) { s.Logs.MaxDays = 0 },
			says: [3]string{"are not logged", "werden nicht protokolliert", "no se registran"},
			goes: [3]string{"the IP address from", "Dazu die IP-Adresse", "Con ellas, la dirección IP"},
		},
		{
			name: "no addresses", set: func(s *core.Settings) { s.Logs.LogIP = false },
			says: [3]string{"IP addresses are not", "IP-Adressen werden nicht", "Las direcciones IP no"},
			goes: [3]string{"the IP address from", "Dazu die IP-Adresse", "Con ellas, la dirección IP"},
		},
		{
			name: "accounts in logs", set: func(s *core.Settings) { s.Logs.LogAuthId = true },
			says: [3]string{"the account that was signed in", "das angemeldet war", "tenía la sesión abierta"},
		},
		{
			name: "mail", set: func(s *core.Settings) {
				s.SMTP = core.SMTPConfig{Enabled: true, Host: "smtp.example.net", Port: 587, Username: "mailer-user", Password: "hush-smtp"}
			},
			says: [3]string{"goes through smtp.example.net", "gehen über smtp.example.net", "pasa por smtp.example.net"},
			goes: [3]string{"No mail server", "Kein Mailserver", "ningún servidor de correo"},
		},
		{
			name: "other ways to sign in", of: func(c *core.Collection) {
				c.OAuth2.Enabled = true
				c.OAuth2.Providers = []core.OAuth2ProviderConfig{
					{Name: "google", ClientId: "client-id-1", ClientSecret: "hush-google"},
					{Name: "oidc", DisplayName: "Our door", ClientId: "client-id-2", ClientSecret: "hush-oidc", AuthURL: "https://sso.example.net/auth", TokenURL: "https://sso.example.net/token", UserInfoURL: "https://sso.example.net/me"},
				}
			},
			says: [3]string{"with: google, Our door at sso.example.net", "über: google, Our door bei sso.example.net", "con: google, Our door en sso.example.net"},
			goes: [3]string{"Nobody else is asked", "niemand sonst gefragt", "no se consulta a nadie"},
		},
	}
	plain := newInstance(t)
	var before [3]string
	for n, lang := range i18n.Languages() {
		before[n] = plain.privacyIn(lang)
	}
	stored, err := plain.pb.Settings().Clone()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			i := plain
			switch {
			case row.env != "":
				i = newInstance(t, strings.Fields(row.env)...)
			case row.set != nil:
				i.settle(row.set)
				defer i.settle(func(s *core.Settings) {
					s.S3, s.Backups, s.Logs, s.SMTP, s.TrustedProxy = stored.S3, stored.Backups, stored.Logs, stored.SMTP, stored.TrustedProxy
				})
			default:
				i.change(users, row.of)
			}
			for n, lang := range i18n.Languages() {
				after := i.privacyIn(lang)
				if strings.Contains(before[n], row.says[n]) || !strings.Contains(after, row.says[n]) {
					t.Errorf("%s: %q is not what changed in %s", lang, row.says[n], after)
				}
				if !strings.Contains(before[n], row.goes[n]) {
					t.Errorf("%s: it never said %q", lang, row.goes[n])
				}
				if row.goes[n] != "" && strings.Contains(after, row.goes[n]) {
					t.Errorf("%s: it still says %q", lang, row.goes[n])
				}
				for _, kept := range []string{"hush-", "AKIA", "our-bucket", "mailer-user", "client-id", "587", "9000", "ann@", "<li>ann"} {
					if strings.Contains(after, kept) {
						t.Errorf("%s: it tells %s", lang, kept)
					}
				}
			}
		})
	}
}

// TestPrivacySpeaksOfFigures: whoever gets those of calls of models is named.
func TestPrivacySpeaksOfFigures(t *testing.T) {
	i := newInstance(t)
	col, err := i.pb.FindCollectionByNameOrId(users)
	if err != nil {
		t.Fatal(err)
	}
	says := func(to string) (found bool) {
		for _, text := range (practice{settings: settings{Telemetry: telemetry.Settings{Traces: to, Metrics: to}}, pb: i.pb.Settings(), users: col}).leaves() {
			found = found || text.Key == "privacy.telemetry" && text.Args[0] == "figures.example"
		}
		return found
	}
	if says("") || !says("http://me:hush@figures.example:4318") {
		t.Error("figures leave unsaid")
	}
}

func TestPrivacyForPrograms(t *testing.T) {
	i := newInstance(t)
	status, a := i.web("GET", "/privacy", "", "", "Accept", "application/json", "Accept-Language", "de")
	if status != 200 || a.len("sections") != 5 || a.str("sections", "0", "title", "text") != "Konto anlegen" || a.str("sections", "2", "says", "1", "key") != "privacy.audit" {
		t.Error(status, a)
	}
}

func TestHost(t *testing.T) {
	for in, want := range map[string]string{
		"https://s3.example.net:9000/x": "s3.example.net", "s3.example.net": "s3.example.net", "https://user:hush@s3.example.net": "s3.example.net",
		"user:hush@smtp.example.net:25": "smtp.example.net", "http://[::1]:9000": "::1", "https://%zz:hush@x": "?", "": "",
	} {
		if got := host(in); got != want {
			t.Errorf("host(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestPrivacyListsAssistants: each that can be asked, with where that is and what
// goes there, as it is at the moment, and also what is kept of it.
func TestPrivacyListsAssistants(t *testing.T) {
	i := newInstance(t, "ASSISTANTS=claude,box,mine,half,mistral",
		"ASSISTANT_CLAUDE_PROTOCOL=anthropic", "ASSISTANT_CLAUDE_MODEL=m", "ASSISTANT_CLAUDE_KEY=sk-hush", "ASSISTANT_CLAUDE_NAME=Claude",
		"ASSISTANT_BOX_BASE_URL=http://192.168.1.9:8000", "ASSISTANT_BOX_MODEL=m", "ASSISTANT_MINE_BASE_URL=http://localhost:11434", "ASSISTANT_MINE_MODEL=m",
		"ASSISTANT_HALF_BASE_URL=https://half.example", "ASSISTANT_MISTRAL_BASE_URL=https://api.mistral.ai", "ASSISTANT_MISTRAL_MODEL=m")
	i.makeOperator("ann")
	says := func() (keys []string) {
		t.Helper()
		status, a := i.web("GET", "/privacy", "", "", "Accept", "application/json")
		want(t, status, a, 200, "")
		if strings.Contains(a.String(), "hush") || strings.Contains(a.String(), "half.example") {
			t.Errorf("%s", a)
		}
		for _, item := range a.at("sections").([]any) {
			s := answer{item}
			if s.str("title", "key") != "privacy.assistants" {
				continue
			}
			for _, line := range s.at("says").([]any) {
				l := answer{line}
				says := strings.TrimPrefix(l.str("key"), "privacy.assistants.")
				for n := range l.len("args") {
					says += " " + l.str("args", strconv.Itoa(n))
				}
				keys = append(keys, says)
			}
		}
		return keys
	}
	of := []string{
		"here mine localhost:11434", "no_id mine localhost:11434",
		"away Claude api.anthropic.com", "id Claude api.anthropic.com metadata.user_id",
		"near box 192.168.1.9:8000", "away mistral api.mistral.ai", "agreed", "words", "usage",
	}
	all := says()
	for _, line := range of {
		if !slices.Contains(all, line) {
			t.Errorf("%q is not said: %q", line, all)
		}
	}
	if slices.Contains(all, "none") || len(all) != 13 {
		t.Errorf("%q", all)
	}
	// What an operator sets is there at once.
	i.must("/operator/assistants", i.token("ann"), `{"id":"sol","name":"Sol","model":"m","base_url":"https://models.example"}`)
	if all := says(); !slices.Contains(all, "away Sol models.example") {
		t.Errorf("%q", all)
	}
	for lang, says := range map[string]string{"en": "Sol is a model at models.example", "de": "models.example", "es": "models.example"} {
		if page := i.privacyIn(lang); !strings.Contains(page, says) {
			t.Errorf("%s: %s", lang, page)
		}
	}
	if all := (practice{}).models(); all[0].Key != "privacy.assistants.none" {
		t.Errorf("%v", all)
	}
}
