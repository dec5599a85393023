package hooks

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// TestHealth says how the instance is, in the reader's language, and nothing that is for
// who runs the machine alone.
func TestHealth(t *testing.T) {
	i := newInstance(t, "NODKEEP_URL=http://nodkeep.example.org", "NODKEEP_SIGN_UP=open")
	i.makeOperator("ann")
	ann := i.token("ann")
	look := func(header ...string) answer {
		t.Helper()
		status, a := i.web("GET", prefix+"/operator/health", ann, "", header...)
		want(t, status, a, 200, "")
		return a
	}
	a := look()
	if a.str("checks", "0", "state") != "weak" || a.at("backups", "last") != nil || a.at("backups", "cron") != nil || num(a, "disk", "database") == 0 || a.str("version") == "" || a.len("assistants") != 0 {
		t.Errorf("%s", a)
	}
	if says := i.healthOf(a, "sign_up"); says != "Everybody who finds this instance can make an account" {
		t.Error(says)
	}
	if says := i.healthOf(look("Accept-Language", "de"), "audit"); says != "Die Audit-Kette ist unversehrt" {
		t.Error(says)
	}
	for _, secret := range []string{i.dir, filepath.Base(i.dir), "nodkeep.example.org", "NODKEEP_"} {
		if strings.Contains(a.String(), secret) {
			t.Errorf("%q is told: %s", secret, a)
		}
	}

	if err := i.pb.CreateBackup(t.Context(), "one.zip"); err != nil {
		t.Fatal(err)
	}
	i.settle(func(s *core.Settings) { s.Backups.Cron, s.Backups.CronMaxKeep = "0 4 * * *", 3 })
	who := tools.Actor{Person: i.user("bob").Id, Door: tools.DoorAssistant, Agent: "claude"}
	for _, finish := range []assistant.Finish{assistant.Broken, assistant.Answered} {
		if err := i.runner.Asked(t.Context(), who, assistant.Figures{Assistant: "claude", Finish: finish}, finish.Failed()); err != nil {
			t.Fatal(err)
		}
	}
	a = look()
	if a.str("backups", "cron") != "0 4 * * *" || num(a, "backups", "keep") != 3 || num(a, "backups", "count") != 1 || num(a, "backups", "size") == 0 || a.str("backups", "last") == "" {
		t.Errorf("%s", a)
	}
	if a.str("assistants", "0", "assistant") != "claude" || num(a, "assistants", "0", "asked") != 2 || num(a, "assistants", "0", "failed") != 1 || a.str("assistants", "0", "last") == "" || strings.Contains(a.String(), "bob") {
		t.Errorf("%s", a)
	}
}

// healthOf is what health says under a name.
func (i *instance) healthOf(a answer, name string) string {
	checks, _ := a.at("checks").([]any)
	for _, c := range checks {
		if c := (answer{c}); c.str("name") == name {
			return c.str("says", "text")
		}
	}
	return "no check " + name
}

// TestHealthHasASentence for all that doctor can find.
func TestHealthHasASentence(t *testing.T) {
	i := newInstance(t)
	known := i.catalogue.Keys()
	need := []string{"health.key.wrong", "health.audit.wrong", "health.assistant.wrong", "health.source.wrong"}
	for _, pattern := range []string{"check*.go", "weak*.go", "source.go", "proxy.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for state, find := range map[string]string{"ok": `\bName: "([a-z -]+)", Says`, "weak": `\bweak\("([a-z-]+)"`} {
				for _, m := range regexp.MustCompile(find).FindAllStringSubmatch(string(src), -1) {
					if m[1] != "key" { // doctor speaks of it only where it is wrong
						need = append(need, "health."+strings.ReplaceAll(m[1], "-", "_")+"."+state)
					}
				}
			}
		}
	}
	if len(need) < 15 {
		t.Fatalf("only %d were found", len(need))
	}
	for _, key := range need {
		if !slices.Contains(known, key) {
			t.Errorf("%q is missing", key)
		}
	}
}

// num is a number of an answer, 0 where there is none.
func num(a answer, path ...string) float64 { n, _ := a.at(path...).(float64); return n }
