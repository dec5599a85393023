package hooks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
)

// TestScriptedAssistant: one without a model is said to be one wherever it is
// listed; who is granted it asks it without agreeing to anything, and it costs
// nothing; who is not, does not.
func TestScriptedAssistant(t *testing.T) {
	script := gateway.NewScript(gateway.Scene{Say: "As written.", Usage: &gateway.Usage{}, Always: true})
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.scripts = []roster.Script{{ID: "script", Name: "Script (no model)", Provider: script}}
	}, "ASSISTANTS=cloud,near", "ASSISTANT_CLOUD_BASE_URL=https://api.mistral.ai/v1", "ASSISTANT_CLOUD_MODEL=m", "ASSISTANT_NEAR_BASE_URL=http://127.0.0.1:9", "ASSISTANT_NEAR_MODEL=m")
	_, list := i.local("GET", "/local/assistants", "", "")
	for n, id := range []string{"near", "script", "cloud"} {
		if is := list.at("items", string(rune('0'+n))); list.str("items", string(rune('0'+n)), "id") != id {
			t.Errorf("place %d is %v, want %s", n, is, id)
		}
	}
	if list.at("items", "1", "scripted") != true || list.at("items", "1", "local") != true || list.at("items", "0", "scripted") != false {
		t.Errorf("listed as %s", list)
	}
	if _, err := i.converses("ann", "script"); err == nil || !strings.Contains(err.Error(), "budget.error.grant") {
		t.Errorf("without a grant: %v", err)
	}
	status, a := i.local("POST", "/operator/grants", "", `{"assistant":"script","everybody":true,"allow":true}`)
	want(t, status, a, 200, "")
	res, err := i.converses("ann", "script")
	if err != nil || res.Text != "As written." {
		t.Fatalf("%+v, %v", res, err)
	}
	mine := i.see("/me/assistants", i.token("ann"))
	if mine.at("items", "0", "agreed") != true || mine.at("items", "0", "scripted") != true || !strings.Contains(mine.str("items", "0", "goes", "text"), "Nothing goes") {
		t.Errorf("ann is told %s", mine)
	}
	used := i.see("/me/usage", i.token("ann"))
	if used.at("items", "0", "requests") != 1.0 || used.at("items", "0", "cost_micros") != 0.0 {
		t.Errorf("used %s", used)
	}
	asked := len(script.Asked())
	_, b := i.local("POST", "/operator/assistants/script/test", "", "")
	if b.at("ok") != true || len(script.Asked()) != asked {
		t.Errorf("tried: %s", b)
	}
	status, p := i.web("GET", "/privacy", "", "", "Accept", "application/json")
	if status != 200 || !strings.Contains(p.String(), "is no model but a script") || strings.Contains(p.String(), "not told who asks Script") {
		t.Errorf("privacy says %s", p)
	}
	if checks, err := i.checkAssistants(t.Context()); err != nil || !strings.Contains(checks[1].Says, "no model") {
		t.Errorf("doctor says %+v, %v", checks, err)
	}
}
