package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/roster"
)

func TestReadModelSettings(t *testing.T) {
	long := strings.Repeat("i", 32)
	capOf := func(n int64) *int64 { return &n }
	rows := []struct {
		name string
		env  []string
		file string
		want modelSettings
		bad  []string // names of problems
		says string   // in one of them
	}{
		{name: "nothing", want: modelSettings{Currency: "USD"}},
		{
			name: "all",
			env: []string{
				"ASSISTANTS=claude, My-Local,claude", "ASSISTANT_CLAUDE_NAME=Claude", "ASSISTANT_CLAUDE_PROTOCOL=Anthropic", "ASSISTANT_CLAUDE_MODEL=claude-opus-5-5", "ASSISTANT_CLAUDE_KEY=sk-1",
				"ASSISTANT_CLAUDE_IMAGES=on", "ASSISTANT_CLAUDE_PRICE_INPUT=4", "ASSISTANT_CLAUDE_PRICE_OUTPUT=20", "ASSISTANT_CLAUDE_PRICE_CACHE_READ=0.2", "ASSISTANT_CLAUDE_PRICE_CACHE_WRITE=5",
				"ASSISTANT_CLAUDE_EFFORT=Low", "ASSISTANT_CLAUDE_MAX_EFFORT=high", "ASSISTANT_CLAUDE_MODE=write",
				"ASSISTANT_MY_LOCAL_BASE_URL=http://LOCALHOST:11434/v1/chat/completions", "ASSISTANT_MY_LOCAL_MODEL=qwen3:8b", "ASSISTANT_MY_LOCAL_PROTOCOL=openai-chat",
				"ASSISTANT_CURRENCY=eur", "ASSISTANT_ID_KEY=" + long, "NODKEEP_DAILY_CAP=2.50",
			},
			want: modelSettings{
				Assistants: []roster.Fixed{
					{ID: "claude", Fields: map[string]string{
						"name": "Claude", "protocol": "anthropic", "model": "claude-opus-5-5", "key": "sk-1", "images": "yes", "price_input": "4", "price_output": "20",
						"price_cache_read": "0.2", "price_cache_write": "5", "effort": "low", "max_effort": "high", "mode": "write",
					}},
					{ID: "my-local", Fields: map[string]string{"base_url": "http://localhost:11434/v1", "model": "qwen3:8b", "protocol": "openai"}},
				},
				Currency: "EUR", IDKey: long, Cap: capOf(2_500_000),
			},
		},
		{name: "a cap of nothing", env: []string{"NODKEEP_DAILY_CAP=0"}, want: modelSettings{Currency: "USD", Cap: capOf(0)}},
		{name: "no cap", env: []string{"NODKEEP_DAILY_CAP=-1"}, bad: []string{"NODKEEP_DAILY_CAP"}},
		{name: "a cap of parts that are lost", env: []string{"NODKEEP_DAILY_CAP=0.0000001"}, bad: []string{"NODKEEP_DAILY_CAP"}},
		{name: "currency", env: []string{"ASSISTANT_CURRENCY=EURO"}, bad: []string{"ASSISTANT_CURRENCY"}},
		{name: "a short key of ids", env: []string{"ASSISTANT_ID_KEY=short"}, bad: []string{"ASSISTANT_ID_KEY"}},
		{name: "a name that is none", env: []string{"ASSISTANTS=my local"}, bad: []string{"ASSISTANTS"}},
		{name: "a name that is a setting's", env: []string{"ASSISTANTS=id"}, bad: []string{"ASSISTANTS"}},
		{name: "protocol", env: []string{"ASSISTANTS=a", "ASSISTANT_A_PROTOCOL=claude"}, bad: []string{"ASSISTANT_A_PROTOCOL"}},
		{name: "address with a password", env: []string{"ASSISTANTS=a", "ASSISTANT_A_BASE_URL=https://me:secret@example.org/v1"}, bad: []string{"ASSISTANT_A_BASE_URL"}},
		{name: "address with a key", env: []string{"ASSISTANTS=a", "ASSISTANT_A_BASE_URL=https://example.org/v1?key=:secret"}, bad: []string{"ASSISTANT_A_BASE_URL"}},
		{name: "a key of two words", env: []string{"ASSISTANTS=a", "ASSISTANT_A_PROTOCOL=openai", "ASSISTANT_A_KEY=Bearer :secret"}, bad: []string{"ASSISTANT_A_KEY"}},
		{name: "images", env: []string{"ASSISTANTS=a", "ASSISTANT_A_IMAGES=perhaps"}, bad: []string{"ASSISTANT_A_IMAGES"}},
		{name: "price", env: []string{"ASSISTANTS=a", "ASSISTANT_A_PRICE_INPUT=3 USD", "ASSISTANT_A_PRICE_OUTPUT=15"}, bad: []string{"ASSISTANT_A_PRICE_INPUT"}},
		{name: "one price", env: []string{"ASSISTANTS=a", "ASSISTANT_A_PRICE_OUTPUT=15"}, bad: []string{"ASSISTANT_A_PRICE_INPUT"}},
		{name: "effort", env: []string{"ASSISTANTS=a", "ASSISTANT_A_EFFORT=much", "ASSISTANT_A_MAX_EFFORT=9"}, bad: []string{"ASSISTANT_A_EFFORT", "ASSISTANT_A_MAX_EFFORT"}},
		{name: "mode", env: []string{"ASSISTANTS=a", "ASSISTANT_A_MODE=all"}, bad: []string{"ASSISTANT_A_MODE"}},
		{name: "a key that leads nowhere", env: []string{"ASSISTANTS=a", "ASSISTANT_A_KEY=:secret"}, bad: []string{"ASSISTANT_A_KEY"}},
		{name: "an assistant that is not named", env: []string{"ASSISTANTS=claude", "ASSISTANT_CLUADE_KEY=:secret"}, bad: []string{"ASSISTANT_CLUADE_KEY"}, says: "ASSISTANTS=claude,cluade"},
		{name: "a setting that is none", env: []string{"ASSISTANTS=a", "ASSISTANT_A_ADDRESS=x"}, bad: []string{"ASSISTANT_A_ADDRESS"}, says: "BASE_URL"},
		{name: "of another program", env: []string{"ASSISTANT_ID=asst_1", "ASSISTANT_VERBOSE=1"}, want: modelSettings{Currency: "USD"}},
		{name: "in our file all are ours", file: "ASSISTANT_VERBOSE=1\n", bad: []string{"ASSISTANT_VERBOSE"}},
		{name: "two of one name", env: []string{"ASSISTANTS=a,a-max", "ASSISTANT_A_MAX_EFFORT=low"}, bad: []string{"ASSISTANT_A_MAX_EFFORT"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), envFile)
			if row.file != "" {
				if err := os.WriteFile(file, []byte(row.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var names []string
			for _, pair := range row.env {
				name, _, _ := strings.Cut(pair, "=")
				names = append(names, name)
			}
			got, problems := readSettings(environment(row.env...), names, file, nil, func([]string) []string { return nil })
			bad := slices.Sorted(slices.Values(wrongIn(t, problems)))
			if diff := cmp.Diff(row.bad, slices.Compact(bad)); diff != "" {
				t.Fatal(diff, problems)
			}
			if said := fmt.Sprint(problems); !strings.Contains(said, row.says) {
				t.Errorf("%q is not in %s", row.says, said)
			}
			if row.bad == nil {
				if diff := cmp.Diff(row.want, got.models); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
