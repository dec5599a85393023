package hooks

import (
	"bytes"
	"encoding/json/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/assistant/exchange"
	"github.com/nodkeep/nodkeep/assistant/gateway/fake"
)

// runIn runs one command without a folder.
func runIn(t *testing.T, stdin string, change func(*App), env []string, args ...string) ran {
	t.Helper()
	var out, stderr bytes.Buffer
	a := New(Config{
		DataDir: filepath.Join(t.TempDir(), "pb_data"), Env: environment(env...), Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &stderr,
		Terminal: func() bool { return false }, Screen: func() bool { return false },
	})
	change(a)
	code := a.Run(args)
	if _, err := os.Stat(a.dir); !os.IsNotExist(err) {
		t.Errorf("%v made a folder", args)
	}
	return ran{code, out.String(), stderr.String()}
}

const bodies = "../assistant/gateway/testdata/wire/"

// TestWireReads prints what recorded replies come to.
func TestWireReads(t *testing.T) {
	run := func(args ...string) exchange.Result {
		t.Helper()
		r := runIn(t, "", func(*App) {}, nil, append([]string{"wire"}, args...)...)
		if r.code != 0 || r.err != "" {
			t.Fatalf("%+v", r)
		}
		var out exchange.Result
		if err := json.Unmarshal([]byte(r.out), &out, json.RejectUnknownMembers(true)); err != nil {
			t.Fatal(err)
		}
		return out
	}
	r := run(bodies+"003-chat-tool-no-index-two-calls.sse", "--protocol", "openai-chat", "--host", "generativelanguage.googleapis.com")
	if r.Finish != "tool_use" || len(r.Calls) != 2 || r.Calls[0].ID != "fc-one" || string(r.Calls[0].Arguments) == "" || r.Error != nil || r.Usage != nil {
		t.Errorf("%+v", r)
	}
	r = run(bodies+"121-http-anth-429-retry-after.json", "--protocol", "anthropic", "--status", "429", "--header", "Retry-After: 12", "--no-stream")
	if r.Error == nil || r.Error.Kind != "rate_limit" || !r.Error.Retryable || r.Error.RetryAfter != 12000 || r.Error.Status != 429 {
		t.Errorf("%+v", r.Error)
	}
	body, err := os.ReadFile(bodies + "201-resp-phases.sse")
	if err != nil {
		t.Fatal(err)
	}
	out := runIn(t, string(body), func(*App) {}, nil, "wire", "-", "--protocol", "openai-responses")
	if out.code != 0 || !strings.Contains(out.out, `"input_items": [`) || !strings.Contains(out.out, `"phase": "commentary"`) || !strings.Contains(out.out, `"cache_read": 64`) {
		t.Errorf("%+v", out)
	}
	for want, args := range map[string][]string{
		"give the body":        {"--protocol", "anthropic"},
		"give --protocol":      {"x"},
		"is none of anthropic": {"x", "--protocol", "grpc"},
		"one of HTTP":          {"x", "--protocol", "anthropic", "--status", "42"},
		"write NAME:VALUE":     {"x", "--protocol", "anthropic", "--header", "hello"},
		"give one of both":     {"x", "--protocol", "anthropic", "--request", "y"},
		"--host http://a b":    {"x", "--protocol", "anthropic", "--host", "http://a b"},
	} {
		if r := runIn(t, "", func(*App) {}, nil, append([]string{"wire"}, args...)...); r.code != exitUsage || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%v: %+v, want %q", args, r, want)
		}
	}
	if r := runIn(t, "", func(*App) {}, nil, "wire", "no/such", "--protocol", "anthropic"); r.code != exitFailed || !strings.Contains(r.err, "no/such") {
		t.Errorf("%+v", r)
	}
}

// TestWireWrites prints what a request sends, to hosts of all protocols.
func TestWireWrites(t *testing.T) {
	const file = `{"system":"Rules.","messages":[{"role":"user","content":"Look."}],"effort":"high"}`
	rows := []struct {
		args          []string
		url, key, has string
	}{
		{[]string{"--protocol", "anthropic"}, "https://api.anthropic.com/v1/messages", "X-Api-Key", `"model": "claude-opus-5-5"`},
		{[]string{"--protocol", "openai-responses", "--model", "gpt-x"}, "https://api.openai.com/v1/responses", "Authorization", `"model": "gpt-x"`},
		{[]string{"--protocol", "openai", "--host", "api.mistral.ai"}, "https://api.mistral.ai/v1/chat/completions", "Authorization", `"max_tokens": 8192`},
		{[]string{"--protocol", "openai", "--host", "generativelanguage.googleapis.com"}, "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", "Authorization", `"gemini-4-argon"`},
		{[]string{"--protocol", "openai", "--host", "openrouter.ai"}, "https://openrouter.ai/api/v1/chat/completions", "Authorization", `"reasoning": {`},
		{[]string{"--protocol", "openai", "--host", "127.0.0.1:11434"}, "http://127.0.0.1:11434/v1/chat/completions", "", `"model": "model"`},
		{[]string{"--protocol", "openai", "--host", "https://models.example.org/v2"}, "https://models.example.org/v2/chat/completions", "", `"Look."`},
	}
	for _, row := range rows {
		r := runIn(t, file, func(*App) {}, nil, append([]string{"wire", "--request", "-"}, row.args...)...)
		var got exchange.Sending
		if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != 0 {
			t.Fatalf("%v: %v %+v", row.args, err, r)
		}
		if got.Headers["Accept"] == "" || got.Headers["Content-Type"] != "application/json" || strings.Contains(r.out, "Bearer sk-") {
			t.Errorf("%v: headers %v", row.args, got.Headers)
		}
		if got.Method != "POST" || got.URL != row.url || row.key != "" && !strings.Contains(got.Headers[row.key], "•••") || !strings.Contains(r.out, row.has) {
			t.Errorf("%v: %s", row.args, r.out)
		}
	}
	for in, want := range map[string]string{`{"messages":[{"role":"user","content":"Look.","x":1}]}`: "cannot be read", `{"messages":[{"role":"user","content":[{"type":"pdf","data":"AAEC"}]}]}`: "PDF"} {
		if r := runIn(t, in, func(*App) {}, nil, "wire", "--request", "-", "--protocol", "openai", "--host", "127.0.0.1:1234"); r.code != exitFailed || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", in, r)
		}
	}
}

// TestRecord records a host, and reads back what it wrote.
func TestRecord(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bodies")
	call := fake.Call{Name: "get_item", Args: `{"id":"i1"}`}
	h := fake.New(
		t, fake.Anthropic, fake.Answer(fake.Say("People who live together.").In(5)), fake.Answer(fake.Calls(call)), fake.Answer(fake.Calls(call, call)),
		fake.Answer(fake.Think("Four shares.", "SEALED-FOR-ONE-ORG"), fake.Calls(call)),
		fake.Fail(401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key `+fake.Key+` of org-0123456789"},"request_id":"req_0123456789"}`, "Set-Cookie", "a=b"),
	)
	record := func(args ...string) ran {
		return runIn(t, "", func(a *App) { a.asked = h.Transport() }, []string{"MY_KEY=" + fake.Key},
			append([]string{"record", "--protocol", "anthropic", "--model", "claude-opus-5-5", "--key-env", "MY_KEY", "--out", out}, args...)...)
	}
	r := record()
	if r.code != 0 || strings.Count(r.out, "\n") != 4 || !strings.Contains(r.out, "901-api.anthropic.com-text: stop") || !strings.Contains(r.out, "904-api.anthropic.com-thinking: tool_use") {
		t.Fatalf("%+v", r)
	}
	if r = record("--only", "text"); r.code != 0 || !strings.Contains(r.out, "905-api.anthropic.com-text: error (auth: invalid x-api-key ") || strings.Contains(r.out, fake.Key) || strings.Contains(r.out, "0123456789") {
		t.Fatalf("%+v", r)
	}
	files, err := os.ReadDir(out)
	if err != nil || len(files) != 10 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{fake.Key, "0123456789", "SEALED", "a=b", "req_fake"} {
			if bytes.Contains(b, []byte(secret)) {
				t.Errorf("%s has %s:\n%s", f.Name(), secret, b)
			}
		}
		if !strings.HasSuffix(f.Name(), ".expect.json") {
			continue
		}
		var is fixture
		var want, got any
		is.Expect = &want
		if err := json.Unmarshal(b, &is); err != nil {
			t.Fatal(err)
		}
		read := runIn(t, "", func(*App) {}, nil, "wire", filepath.Join(out, is.Body), "--protocol", is.Protocol, "--host", is.Host, "--status", "200")
		if is.Response.Status != 200 {
			read = runIn(t, "", func(*App) {}, nil, "wire", filepath.Join(out, is.Body), "--protocol", is.Protocol, "--host", is.Host, "--status", "401")
		}
		if err := json.Unmarshal([]byte(read.out), &got); err != nil {
			t.Fatal(err)
		}
		a, b2 := mustJSON(t, want), mustJSON(t, got)
		if a != b2 {
			t.Errorf("%s: read back\n%s\nwant\n%s", f.Name(), b2, a)
		}
	}
	for want, args := range map[string][]string{
		"is none of text":  {"--only", "song"},
		"MY_OTHER is not":  {"--key-env", "MY_OTHER"},
		"as the host call": {"--model", ""},
	} {
		if r := record(args...); r.code == 0 || !strings.Contains(r.err, want) {
			t.Errorf("%v: %+v, want %q", args, r, want)
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWirePage sends the request of the documentation.
func TestWirePage(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	_, file, ok := strings.Cut(string(page), "```json\n")
	file, _, end := strings.Cut(file, "```")
	if !ok || !end {
		t.Fatal("there is no request on the page")
	}
	for _, protocol := range []string{"anthropic", "openai", "openai-responses"} {
		r := runIn(t, file, func(*App) {}, nil, "wire", "--request", "-", "--protocol", protocol)
		if r.code != 0 || !strings.Contains(r.out, "What is due today?") || !strings.Contains(r.out, "Rent") || !strings.Contains(r.out, "list_items") {
			t.Errorf("%s: %+v", protocol, r)
		}
	}
}

// TestWireDoesNotPlayWithTheTerminal: what a reply says is spelled out where it
// would move the cursor, and means the same.
func TestWireDoesNotPlayWithTheTerminal(t *testing.T) {
	const text = "a\u009b2J\u202eb\u200fc\x7f ü 🙂"
	r := runIn(t, `{"choices":[{"message":{"role":"assistant","content":"`+text+`"},"finish_reason":"stop"}]}`, func(*App) {}, nil, "wire", "-", "--protocol", "openai")
	if r.code != 0 || strings.ContainsAny(r.out, "\u009b\u202e\u200f\x7f") || !strings.Contains(r.out, "ü 🙂") {
		t.Errorf("%+v", r)
	}
	var is exchange.Result
	if err := json.Unmarshal([]byte(r.out), &is); err != nil || is.Text != text {
		t.Errorf("%q, %v", is.Text, err)
	}
}
