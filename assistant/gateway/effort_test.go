package gateway

import "testing"

func TestEffort(t *testing.T) {
	for _, row := range []struct {
		protocol    Protocol
		host, model string
		want        Effort
		out         Effort
	}{
		{Anthropic, "api.anthropic.com", "claude-opus-5-5", Max, Max},
		{Anthropic, "api.anthropic.com", "claude-opus-4-7", XHigh, XHigh},
		{Anthropic, "api.anthropic.com", "claude-opus-4-6", XHigh, High},
		{Anthropic, "api.anthropic.com", "claude-sonnet-4-6-20260101", Max, Max},
		{Anthropic, "api.anthropic.com", "claude-sonnet-4-5-20250929", High, ""},
		{Anthropic, "api.anthropic.com", "claude-haiku-4-5", Low, ""},
		{Anthropic, "api.anthropic.com", "claude-opus-4-20250514", Low, ""},
		{Anthropic, "api.anthropic.com", "claude-3-5-sonnet-20241022", Low, ""},
		{Anthropic, "api.anthropic.com", "claude-fable-5-1", XHigh, XHigh},
		{Anthropic, "api.anthropic.com", "claude-next", Max, High},
		{Anthropic, "127.0.0.1:11434", "kimi", XHigh, High},
		{Responses, "api.openai.com", "gpt-6-sol", Max, Max},
		{Responses, "api.openai.com", "gpt-5.4-mini", Max, XHigh},
		{Responses, "api.openai.com", "gpt-5-mini", XHigh, High},
		{Responses, "api.openai.com", "o4-mini", Max, High},
		{Responses, "api.openai.com", "gpt-4.1", Low, ""},
		{Responses, "api.x.ai", "grok-4.7", XHigh, High},
		{OpenAI, "api.openai.com", "gpt-6-sol", XHigh, XHigh},
		{OpenAI, "generativelanguage.googleapis.com", "gemini-4-argon", Max, High},
		{OpenAI, "generativelanguage.googleapis.com", "gemini-4-argon", Medium, Medium},
		{OpenAI, "api.mistral.ai", "m", Medium, none},
		{OpenAI, "api.mistral.ai", "m", Max, High},
		{OpenAI, "openrouter.ai", "m", XHigh, XHigh},
		{OpenAI, "api.x.ai", "grok-4.7", Max, High},
		{OpenAI, "127.0.0.1:11434", "m", XHigh, High},
		{OpenAI, "127.0.0.1:11434", "m", Max, Max},
		{OpenAI, "127.0.0.1:8080", "m", Max, High},
		{OpenAI, "127.0.0.1:8080", "m", Low, Low},
		{OpenAI, "127.0.0.1:8080", "m", "", ""},
	} {
		to := target{Protocol: row.protocol, Host: row.host, Model: row.model}
		if got := to.effort(row.want, "reasoning_effort"); got != row.out {
			t.Errorf("%s %s %s: %q becomes %q, want %q", row.protocol, row.host, row.model, row.want, got, row.out)
		}
	}
}

func TestEffortLearns(t *testing.T) {
	to := target{Protocol: OpenAI, Host: "openrouter.ai", Model: "m"}
	for learned, want := range map[string]Effort{"": "", "high": High, "none": none, "max": XHigh} {
		to.Learned = map[string]string{"reasoning": learned}
		if got := to.effort(XHigh, "reasoning_effort", "reasoning"); got != want {
			t.Errorf("learned %q: %q, want %q", learned, got, want)
		}
	}
	to.Learned = map[string]string{"reasoning": "high"}
	if got := to.effort("", "reasoning"); got != "" {
		t.Errorf("nobody asked for %q", got)
	}
}

func TestThinksAlways(t *testing.T) {
	for model, want := range map[string]bool{
		"gpt-6-sol": true, "gpt-5.4": true, "gpt-5.6-luna": true, "of-the-future": true, "gpt-5": false, "gpt-5.3-codex": false,
		"gpt-4o": false, "o3": false, "gpt-3.5-turbo": false, "ft:gpt-4.1:home": false, "chatgpt-4o-latest": false,
	} {
		if thinksAlways(model) != want {
			t.Error(model)
		}
	}
}
