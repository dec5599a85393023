package roster

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// fields makes a map of name=value pairs.
func fields(pairs ...string) map[string]string {
	m := map[string]string{}
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		m[name] = value
	}
	return m
}

func TestWhatAnAssistantIs(t *testing.T) {
	rows := []struct {
		name       string
		fixed, set map[string]string
		want       Assistant
	}{
		{
			name: "a local model", fixed: fields("base_url=http://127.0.0.1:11434/v1", "model=qwen3:8b"),
			want: Assistant{Name: "x", Protocol: gateway.OpenAI, BaseURL: "http://127.0.0.1:11434/v1", Host: "127.0.0.1:11434", Model: "qwen3:8b", Mode: gate.ModeAsk, Local: true, Locked: []string{"base_url", "model", "key"}},
		},
		{
			name: "a cloud by its protocol", fixed: fields("protocol=anthropic", "model=claude-opus-5-5", "key=sk-1", "mode=write", "images=yes", "max_effort=high"),
			want: Assistant{Name: "x", Protocol: gateway.Anthropic, BaseURL: "https://api.anthropic.com", Host: "api.anthropic.com", Model: "claude-opus-5-5", Key: "sk-1", Images: true, MaxEffort: gateway.High, Mode: gate.ModeWrite, Locked: []string{"protocol", "base_url", "model", "key", "images", "max_effort", "mode"}},
		},
		{
			name: "a cloud by its address", set: fields("base_url=https://api.openai.com/v1", "model=gpt-6-sol", "key=sk-2", "name=Sol"),
			want: Assistant{Name: "Sol", Protocol: gateway.Responses, BaseURL: "https://api.openai.com/v1", Host: "api.openai.com", Model: "gpt-6-sol", Key: "sk-2", Mode: gate.ModeAsk},
		},
		{
			name: "operators fill what is open, and no more", fixed: fields("model=m", "mode=ask"), set: fields("model=other", "mode=trusted", "name=Set", "base_url=http://10.0.0.7:8000", "effort=low"),
			want: Assistant{Name: "Set", Protocol: gateway.OpenAI, BaseURL: "http://10.0.0.7:8000", Host: "10.0.0.7:8000", Model: "m", Effort: gateway.Low, Mode: gate.ModeAsk, Locked: []string{"model", "mode"}},
		},
		{
			name: "a key of the environment goes to no address of an operator", fixed: fields("key=sk-env", "protocol=openai", "model=m"), set: fields("base_url=https://evil.example", "protocol=anthropic"),
			want: Assistant{Name: "x", Protocol: gateway.OpenAI, BaseURL: "https://api.openai.com/v1", Host: "api.openai.com", Model: "m", Key: "sk-env", Mode: gate.ModeAsk, Locked: []string{"protocol", "base_url", "model", "key"}},
		},
		{
			name: "nor with a protocol of theirs", fixed: fields("key=sk-env", "base_url=https://api.anthropic.com", "model=m"), set: fields("protocol=openai"),
			want: Assistant{Name: "x", Protocol: gateway.Anthropic, BaseURL: "https://api.anthropic.com", Host: "api.anthropic.com", Model: "m", Key: "sk-env", Mode: gate.ModeAsk, Locked: []string{"protocol", "base_url", "model", "key"}},
		},
		{
			name: "a key of an operator goes to no address of the environment", fixed: fields("base_url=https://a.example/v1", "model=m"), set: fields("key=sk-op"),
			want: Assistant{Name: "x", Protocol: gateway.OpenAI, BaseURL: "https://a.example/v1", Host: "a.example", Model: "m", Mode: gate.ModeAsk, Locked: []string{"base_url", "model", "key"}},
		},
		{
			name: "nothing is said", want: Assistant{Name: "x", Mode: gate.ModeAsk, Lacks: []string{"base_url", "model"}},
		},
		{
			name: "written past the tool", set: fields("base_url=ftp://x", "protocol=openai", "model=m", "mode=everything", "price_input=3"),
			want: Assistant{Name: "x", Protocol: gateway.OpenAI, BaseURL: "https://api.openai.com/v1", Host: "api.openai.com", Model: "m", Mode: gate.ModeAsk, Lacks: []string{"base_url", "mode", "price_output"}},
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := made("x", row.fixed, row.set, false)
			row.want.ID = "x"
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if p := made("x", fields("price_input=3", "price_output=0.25"), nil, true).Prices; p == nil || p.Input != 3_000_000 || p.Output != 250_000 || p.CacheRead != 3_000_000 {
		t.Error(p)
	}
	if p := made("x", fields("price_input=0", "price_output=0"), nil, true).Prices; p == nil || p.Output != 0 {
		t.Error("a price of zero is one")
	}
}

func TestLocalOnesComeFirst(t *testing.T) {
	r, err := New(Config{Fixed: []Fixed{{"cloud", fields("protocol=openai")}, {"b", fields("base_url=http://[::1]:8080")}, {"a", fields("base_url=http://localhost:1234/v1")}}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.All(t.Context())
	if err != nil || len(all) != 3 || all[0].ID != "b" || all[1].ID != "a" || all[2].ID != "cloud" {
		t.Error(all, err)
	}
	if _, err := r.Get(t.Context(), "nosuch"); tools.KindOf(err) != tools.NotFound {
		t.Error(err)
	}
	if _, err := r.provider(all[0]); tools.KindOf(err) != tools.Unavailable {
		t.Error("an assistant without a model is asked: ", err)
	}
	whole := all[0]
	whole.Model, whole.Lacks = "m", nil
	one, err := r.provider(whole)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.provider(whole); err != nil || again != one {
		t.Error("what a provider learned is forgotten", err)
	}
	whole.Key = "other"
	if again, err := r.provider(whole); err != nil || again == one {
		t.Error("the old key would be used", err)
	}
}

func TestEffortHasACeiling(t *testing.T) {
	all := gateway.Efforts()
	for n, wish := range all {
		for most, ceiling := range all {
			a := Assistant{Effort: gateway.Medium, MaxEffort: ceiling}
			if got := a.Within(wish); got != all[min(n, most)] {
				t.Errorf("%q becomes %q below %q", wish, got, ceiling)
			}
			if got := a.Within(""); got != all[min(1, most)] { // its own default
				t.Errorf("nothing becomes %q below %q", got, ceiling)
			}
		}
		if got := (Assistant{}).Within(wish); got != wish {
			t.Errorf("%q becomes %q without a ceiling", wish, got)
		}
	}
	if got := (Assistant{MaxEffort: gateway.Low}).Within(""); got != "" {
		t.Error("a ceiling is no wish: ", got)
	}
}

func TestPersonsAreOpaque(t *testing.T) {
	keyed := func(key string) *Roster {
		r, err := New(Config{IDKey: key, Keys: tools.Keys{Digests: [32]byte{1}}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, other, own := keyed(strings.Repeat("a", 32)), keyed(strings.Repeat("b", 32)), keyed("")
	seen := map[string]bool{}
	for _, r := range []*Roster{one, other, own} {
		for _, account := range []string{"account00000001", "account00000002"} {
			id := r.Person(account)
			if len(id) != 64 || seen[id] || id != r.Person(account) || strings.Contains(id, account) {
				t.Errorf("%q for %s", id, account)
			}
			seen[id] = true
		}
		if r.Person("") != "" {
			t.Error("nobody has an id")
		}
	}
	if _, err := New(Config{IDKey: "short"}); err == nil {
		t.Error("a short key is taken")
	}
}

func TestWhereAssistantsAre(t *testing.T) {
	for _, row := range []struct {
		address     string
		local, near bool
	}{
		{"http://localhost:11434", true, true},
		{"http://127.0.0.53", true, true},
		{"http://[::1]:8080/v1", true, true},
		{"http://host.docker.internal:1234", true, true},
		{"http://192.168.1.9:8000", false, true},
		{"http://10.1.2.3", false, true},
		{"http://[fd00::1]", false, true},
		{"http://ollama:11434", false, true},
		{"http://box.local", false, true},
		{"https://api.openai.com/v1", false, false},
		{"http://8.8.8.8", false, false},
		{"https://localhost.example.org", false, false},
		{"https://127.0.0.1.example.org", false, false},
	} {
		a := made("x", fields("base_url="+row.address, "model=m"), nil, true)
		if a.Local != row.local || a.Near() != row.near {
			t.Errorf("%s: local %v, near %v", row.address, a.Local, a.Near())
		}
	}
	for address, want := range map[string]gateway.Protocol{
		"https://api.anthropic.com": gateway.Anthropic, "https://eu.api.openai.com/v1": gateway.Responses, "https://api.x.ai/v1": gateway.Responses, "https://api.mistral.ai/v1": gateway.OpenAI,
		"https://api.openai.com.evil.example/v1": gateway.OpenAI, "https://evil.example/api.anthropic.com": gateway.OpenAI,
	} {
		if got := protocolOf(address); got != want {
			t.Errorf("%s is spoken to by %s", address, got)
		}
	}
	for field, pairs := range map[string][]string{
		"metadata.user_id": {"protocol=anthropic"}, "safety_identifier": {"base_url=https://api.openai.com/v1"}, "user": {"base_url=https://openrouter.ai/api/v1"}, "": {"base_url=https://api.mistral.ai/v1"},
	} {
		if got := made("x", fields(append(pairs, "model=m")...), nil, true).PersonField(); got != field {
			t.Errorf("%v: %q", pairs, got)
		}
	}
	if got := made("x", fields("base_url=http://localhost:1234"), nil, true).PersonField(); got != "" {
		t.Error("a local host is told of ", got)
	}
}

func TestNamesOfAssistants(t *testing.T) {
	for id, want := range map[string]bool{"claude": true, "my-local-2": true, "": false, "id": false, "Claude": false, "a_b": false, "-a": false, "a-": false, "a--b": false, "ä": false, strings.Repeat("a", 41): false} {
		if IsID(id) != want {
			t.Errorf("%q", id)
		}
	}
}
