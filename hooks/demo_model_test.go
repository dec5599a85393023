package hooks

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/roster"
)

// TestDemoWithAModel: a model on this machine takes the place of the script, and
// everybody may ask it without another step.
func TestDemoWithAModel(t *testing.T) {
	host := httptest.NewServer(http.NotFoundHandler())
	defer host.Close()
	who := demoAssistant{model: &roster.Suggestion{Name: "Ollama", BaseURL: host.URL, Host: strings.TrimPrefix(host.URL, "http://"), Local: true, Models: talking([]string{"nomic-embed-text", "qwen3:8b"})}}
	var env []string
	for _, name := range []string{"ASSISTANTS", "ASSISTANT_LOCAL_NAME", "ASSISTANT_LOCAL_BASE_URL", "ASSISTANT_LOCAL_MODEL"} {
		v, ok := who.env(name)
		if !ok {
			t.Fatalf("%s is not set", name)
		}
		env = append(env, name+"="+v)
	}
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), who.script, env...)
	if err := i.fill(t.Context(), "http://demo", who); err != nil {
		t.Fatal(err)
	}
	for _, h := range []string{"ana", "ben"} {
		if id, err := i.chosenAssistant(t.Context(), i.user(h).Id); err != nil || id != demoModel {
			t.Errorf("%s asks %q, %v", h, id, err)
		}
	}
	if out := i.out.String(); !strings.Contains(out, "qwen3:8b of Ollama") || !strings.Contains(out, "--script") || strings.Contains(out, "is a script") {
		t.Errorf("it says %s", out)
	}
	if who, err := findDemoAssistant(t.Context(), true); err != nil || who.model != nil {
		t.Errorf("with --script it has %+v, %v", who, err)
	}
	if _, ok := (demoAssistant{}).env("ASSISTANTS"); ok {
		t.Error("the script is a setting")
	}
}
