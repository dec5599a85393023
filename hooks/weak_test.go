package hooks

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// weaknesses are what doctor finds, by name.
func (i *instance) weak() map[string]string {
	i.t.Helper()
	status, a := i.local("GET", "/local/checks", "", "")
	want(i.t, status, a, 200, "")
	found := map[string]string{}
	checks, _ := a.at("items").([]any)
	for _, c := range checks {
		if c := (answer{c}); c.at("weak") == true {
			found[c.str("name")] += c.str("says") + ". " + c.str("fix")
		}
	}
	return found
}

func (i *instance) settle(change func(*core.Settings)) {
	i.t.Helper()
	s, err := i.pb.Settings().Clone()
	if err != nil {
		i.t.Fatal(err)
	}
	change(s)
	if err := i.pb.Save(s); err != nil {
		i.t.Fatal(err)
	}
}

func (i *instance) change(collection string, change func(*core.Collection)) {
	i.t.Helper()
	col, err := i.pb.FindCollectionByNameOrId(collection)
	if err != nil {
		i.t.Fatal(err)
	}
	change(col)
	if err := i.pb.Save(col); err != nil {
		i.t.Fatal(err)
	}
}

// forward sends a request as a proxy does.
func (i *instance) forward(from, header string) {
	r := httptest.NewRequest("GET", "/api/health", nil)
	r.RemoteAddr = from
	r.Header.Set(header, "203.0.113.7")
	i.handler.ServeHTTP(httptest.NewRecorder(), r)
}

// TestWeaknesses: each is named when it is there, and gone with its fix.
func TestWeaknesses(t *testing.T) {
	const key, public = "NODKEEP_ENCRYPTION_KEY=0123456789abcdef0123456789abcdef", "NODKEEP_URL=http://nodkeep.example.org"
	smtp := func(i *instance) {
		i.settle(func(s *core.Settings) { s.SMTP.Password = "hidden from all" })
	}
	provider := func(i *instance) {
		i.change(users, func(c *core.Collection) {
			c.OAuth2.Providers = []core.OAuth2ProviderConfig{{Name: "github", ClientId: "id", ClientSecret: "hidden from all"}}
		})
	}
	super := func(i *instance) { i.superuser() }
	rule := func(change func(*core.Collection)) func(*instance) {
		return func(i *instance) { i.change(users, change) }
	}
	rows := []struct {
		name, check, in string
		env             []string
		make            func(*instance)
		fix             func(*instance) // either here or by another environment
		fixEnv          []string
	}{
		{name: "open sign-up", check: "sign-up", in: "NODKEEP_SIGN_UP", env: []string{public, "NODKEEP_SIGN_UP=open"}, fixEnv: []string{public, "NODKEEP_SIGN_UP=approval"}},
		{name: "open sign-up at home", check: "sign-up", in: "NODKEEP_SIGN_UP", env: []string{"NODKEEP_URL=http://8.8.8.8", "NODKEEP_SIGN_UP=open"}, fixEnv: []string{"NODKEEP_URL=http://192.168.1.2:8090", "NODKEEP_SIGN_UP=open"}},
		{name: "open sign-up with certificates", check: "sign-up", in: "who finds this server", env: []string{"NODKEEP_SIGN_UP=open"}, make: func(i *instance) { i.tls = true }, fixEnv: []string{"NODKEEP_SIGN_UP=closed"}},
		{name: "open sign-up on a public address", check: "sign-up", in: "who finds this server", env: []string{"NODKEEP_SIGN_UP=open"}, make: func(i *instance) { i.base = "http://8.8.8.8:8090" }, fix: func(i *instance) { i.base = "http://192.168.1.2:8090" }},
		{name: "all origins", check: "origins", in: "NODKEEP_ORIGINS", env: []string{"NODKEEP_ORIGINS=*"}, fixEnv: []string{"NODKEEP_ORIGINS=https://a.example"}},
		{name: "all origins by the flag", check: "origins", in: "--origins", make: func(i *instance) { i.origins = []string{"*"} }, fix: func(i *instance) { i.origins = []string{} }},
		{name: "provider", check: "secrets", in: "github (OAuth2 of users)", make: provider, fix: func(i *instance) {
			i.change(users, func(c *core.Collection) { c.OAuth2.Providers = nil })
		}},
		{name: "smtp", check: "secrets", in: "of SMTP are", make: smtp, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.SMTP.Password = "" })
		}},
		{name: "s3", check: "secrets", in: "S3 for backups", make: func(i *instance) {
			i.settle(func(s *core.Settings) { s.S3.Secret, s.Backups.S3.Secret = "hidden from all", "hidden from all" })
		}, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.S3.Secret, s.Backups.S3.Secret = "", "" })
		}},
		{name: "https by something else", check: "proxy", in: "NODKEEP_TRUSTED_PROXY", env: []string{"NODKEEP_URL=https://nodkeep.example.org"}, fixEnv: []string{"NODKEEP_URL=https://nodkeep.example.org", "NODKEEP_TRUSTED_PROXY=X-Forwarded-For"}},
		{name: "https by something else, trusted in the dashboard", check: "proxy", in: "X-Forwarded-For", env: []string{"NODKEEP_URL=https://nodkeep.example.org"}, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.TrustedProxy.Headers = []string{"X-Real-IP"} })
		}},
		{name: "https by itself", check: "proxy", in: "by https", env: []string{"NODKEEP_URL=https://nodkeep.example.org"}, fix: func(i *instance) { i.tls = true }},
		{name: "forwarded", check: "proxy", in: "come with X-Real-Ip", make: func(i *instance) { i.forward("172.17.0.1:1234", "X-Real-IP") }, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.TrustedProxy.Headers = []string{"X-Real-IP"} })
		}},
		{name: "backup", check: "backups", in: ".key", make: func(i *instance) {
			if err := i.pb.CreateBackup(t.Context(), "one.zip"); err != nil {
				t.Fatal(err)
			}
		}, fix: func(i *instance) {
			if err := os.Remove(filepath.Join(i.dir, "backups", "one.zip")); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "backups to come", check: "backups", in: "NODKEEP_ENCRYPTION_KEY", make: func(i *instance) {
			i.settle(func(s *core.Settings) { s.Backups.Cron = "0 4 * * *" })
		}, fixEnv: []string{key}},
		{name: "superuser", check: "superusers", in: "superuser ips", env: []string{public}, make: super, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.SuperuserIPs = []string{"10.0.0.0/8"} })
		}},
		{name: "superuser with certificates", check: "superusers", in: "superuser ips", make: func(i *instance) { i.tls = true; super(i) }, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.SuperuserIPs = []string{"10.0.0.0/8"} })
		}},
		{name: "superuser with a second factor", check: "superusers", in: "second factor", env: []string{public}, make: super, fix: func(i *instance) {
			i.change(core.CollectionNameSuperusers, func(c *core.Collection) { c.OTP.Enabled, c.MFA.Enabled = true, true })
		}},
		{name: "auth rule", check: "rules", in: "does not ask for an approved account", make: rule(func(c *core.Collection) { c.AuthRule = types.Pointer("") }), fix: rule(func(c *core.Collection) { c.AuthRule = types.Pointer("status = 'approved' && verified = true") })},
		{name: "update rule", check: "rules", in: "password: users;", make: rule(func(c *core.Collection) { c.UpdateRule = types.Pointer("id = @request.auth.id") }), fix: rule(func(c *core.Collection) { c.UpdateRule = nil })},
		{name: "delete rule", check: "rules", in: "password: users;", make: rule(func(c *core.Collection) { c.DeleteRule = types.Pointer("") }), fix: rule(func(c *core.Collection) { c.DeleteRule = nil })},
		{name: "list rule", check: "rules", in: "strangers read", make: rule(func(c *core.Collection) { c.ListRule = types.Pointer("") }), fix: rule(func(c *core.Collection) { c.ListRule = types.Pointer("id = @request.auth.id") })},
		{name: "rule of a plugin", check: "rules", in: "past the tools, without preview, undo or a password: household_categories;", make: func(i *instance) {
			i.change("household_categories", func(c *core.Collection) { c.CreateRule = types.Pointer("") })
		}, fix: func(i *instance) {
			i.change("household_categories", func(c *core.Collection) { c.CreateRule = nil })
		}},
		{name: "shown", check: "rules", in: "not hidden: operator;", make: func(i *instance) {
			i.schema = nil // as of a folder where it was shown before
			rule(func(c *core.Collection) { c.Fields.GetByName("operator").SetHidden(false) })(i)
		}, fix: rule(func(c *core.Collection) { c.Fields.GetByName("operator").SetHidden(true) })},
		{name: "guesses", check: "guesses", in: "rate limits", env: []string{public}, fix: func(i *instance) {
			i.settle(func(s *core.Settings) { s.RateLimits.Enabled = true })
		}},
		{name: "guesses at home", check: "guesses", in: "rate limits", env: []string{public}, fixEnv: []string{"NODKEEP_URL=http://nodkeep.lan"}},
		{name: "superuser at home", check: "superusers", in: "dashboard", env: []string{public}, make: super, fixEnv: []string{"NODKEEP_URL=http://nodkeep.lan"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			open := func(env []string) *instance {
				i := newInstance(t, env...)
				if row.make != nil {
					row.make(i)
				}
				return i
			}
			i := open(row.env)
			weak := func(i *instance) map[string]string {
				said := i.weak()
				if row.check != "guesses" {
					delete(said, "guesses") // of every public instance
				}
				return said
			}
			said := weak(i)
			if !strings.Contains(said[row.check], row.in) || len(said) != 1 {
				t.Errorf("%q is not named alone: %q", row.in, said)
			}
			if strings.Contains(said[row.check], "hidden from all") {
				t.Errorf("the secret is told: %q", said)
			}
			if row.fix == nil {
				i = open(row.fixEnv)
			} else {
				row.fix(i)
			}
			if said := weak(i); len(said) > 0 {
				t.Errorf("with the fix it still says %q", said)
			}
		})
	}
}

// TestEncryptedSettings: a secret of PocketBase's settings is weak until it is
// saved with --encryptionEnv.
func TestEncryptedSettings(t *testing.T) {
	m := newMachine(t)
	m.env = []string{"TEST_SETTINGS_KEY=0123456789abcdef0123456789abcdef"}
	if r := m.run("superuser", "upsert", "root@example.com", "a long password"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	live := m.serve()
	_, a := send(t, "POST", live.base+"/api/collections/_superusers/auth-with-password", "", `{"identity":"root@example.com","password":"a long password"}`)
	if status, a := send(t, "PATCH", live.base+"/api/settings", a.str("token"), `{"smtp":{"password":"hidden from all"}}`); status != 200 {
		t.Fatal(status, a)
	}
	if r := m.run("doctor"); r.code != 0 || !strings.Contains(r.err, "the secrets of SMTP are") || strings.Contains(r.err+r.out, "hidden from all") {
		t.Errorf("%+v", r)
	}
	live.stop(t)
	if r := m.run("superuser", "ips", "--encryptionEnv", "TEST_SETTINGS_KEY"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := m.run("doctor", "--encryptionEnv", "TEST_SETTINGS_KEY"); r.code != 0 || r.err != "" {
		t.Errorf("%+v", r)
	}
}

func send(t *testing.T, method, url, token, body string) (int, answer) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode, parse(t, resp.Body)
}

// TestNoProxyToNotice: what a stranger sends shows no proxy.
func TestNoProxyToNotice(t *testing.T) {
	i := newInstance(t)
	i.forward("203.0.113.9:1234", "X-Forwarded-For")
	i.forward("[2001:db8::1]:1234", "X-Real-IP")
	if said := i.weak(); len(said) > 0 {
		t.Errorf("%q", said)
	}
}

// TestDoctorNamesWeaknesses without calling them faults.
func TestDoctorNamesWeaknesses(t *testing.T) {
	m := newMachine(t)
	m.env = []string{"NODKEEP_ORIGINS=*"}
	for _, when := range []string{"before the first start", "on a folder"} {
		r := m.run("doctor")
		a := parse(t, strings.NewReader(r.out))
		weak := 0
		for _, c := range a.at("checks").([]any) {
			if c := (answer{c}); c.at("weak") == true {
				weak++
				if c.str("name") != "origins" || c.at("ok") != true || c.str("fix") == "" {
					t.Errorf("%s: %s", when, c)
				}
			} else if c.at("weak") != nil {
				t.Errorf("%s: %s", when, c)
			}
		}
		if r.code != 0 || a.at("ok") != true || weak != 1 || !strings.HasPrefix(r.err, "origins: pages of every site") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %d %s%s", when, r.code, r.out, r.err)
		}
		if when == "before the first start" {
			m.ok("account", "add", "ana")
		}
	}
	live := m.serve("--origins", "https://app.example.org")
	if r := m.run("doctor"); r.code != 0 || r.err != "" {
		t.Errorf("it does not ask the server: %+v", r)
	}
	live.stop(t)

	i := newInstance(t, "NODKEEP_ORIGINS=*")
	out, stderr, err := i.command(t.Context(), "doctor")
	if err != nil || stderr != "" || !strings.Contains(out, "WEAK  origins      pages of every site") || strings.Contains(out, "WRONG") {
		t.Errorf("%v, %s, %s", err, stderr, out)
	}
}

func TestIsPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"": false, "https://nodkeep.example.org": true, "https://nodkeep.example.org.:8443/x": true, "http://8.8.8.8": true, "http://[2606:4700::1]:80": true,
		"http://localhost:8090": false, "http://127.0.0.1": false, "http://[::1]:8090": false, "http://10.1.2.3": false, "http://192.168.178.2:8090": false, "http://172.16.0.1": false,
		"http://172.32.0.1": true, "http://100.64.0.1": false, "http://100.128.0.1": true, "http://169.254.1.1": false, "http://[fd00::1]": false, "http://[::ffff:10.0.0.1]": false,
		"http://nas": false, "http://nas.local": false, "http://NAS.LAN": false, "http://x.home.arpa": false, "http://app.localhost": false, "http://db.internal": false, "http://local.example.org": true,
	} {
		if isPublic(address) != want {
			t.Errorf("%q: public is %v", address, !want)
		}
	}
}
