package exchange

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// TestOf prints every recorded reply in the schema in which its expectation is.
func TestOf(t *testing.T) {
	files, err := filepath.Glob("../gateway/testdata/*/*.expect.json")
	if err != nil || len(files) < 350 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var f struct {
				Body, Protocol, Host string
				Response             struct {
					Status  int
					Headers map[string]string
				}
				Expect map[string]any
			}
			b, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(b, &f, json.MatchCaseInsensitiveNames(true))
			}
			if err != nil {
				t.Fatal(err)
			}
			body, err := os.Open(filepath.Join(filepath.Dir(file), f.Body))
			if err != nil {
				t.Fatal(err)
			}
			defer body.Close()
			p, err := gateway.ParseProtocol(f.Protocol)
			if err != nil {
				t.Fatal(err)
			}
			h := http.Header{}
			for name, v := range f.Response.Headers {
				h.Set(name, v)
			}
			r, failed, err := gateway.Decode(gateway.Reply{Protocol: p, Host: f.Host, Status: f.Response.Status, Header: h, Body: body})
			if err != nil {
				t.Fatal(err)
			}
			out, err := Of(r, failed)
			if err != nil {
				t.Fatal(err)
			}
			b, err = json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(b, &got); err != nil {
				t.Fatal(err)
			}
			holds(t, "", f.Expect, got)
		})
	}
}

// holds finds what is expected in what came. Items that go back may have more.
func holds(t *testing.T, at string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: got %v, want %v", at, got, want)
			return
		}
		for name, v := range w {
			if name == "message_contains" {
				if s, _ := g["message"].(string); !strings.Contains(s, v.(string)) {
					t.Errorf("%s: got %q, want %q in it", at, s, v)
				}
				continue
			}
			holds(t, at+"."+name, v, g[name])
		}
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			t.Errorf("%s: got %v, want %v", at, got, want)
			return
		}
		for i := range w {
			holds(t, at, w[i], g[i])
		}
	default:
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", at, diff)
		}
	}
}

// TestFrom: whose replay it is stands beside it, if somebody said whom was asked.
func TestFrom(t *testing.T) {
	for model, want := range map[string]*Producer{"": nil, "m": {gateway.OpenAI, "h.test", "m"}} {
		out, err := Of(gateway.Result{Finish: gateway.Stop, Text: "Hi", Raw: &gateway.Raw{Protocol: gateway.OpenAI, Host: "h.test", Model: model, Items: []jsontext.Value{jsontext.Value(`{"role":"assistant","content":"Hi"}`)}}}, nil)
		if err != nil || string(out.Replay.Message) != `{"role":"assistant","content":"Hi"}` {
			t.Fatalf("%+v, %v", out.Replay, err)
		}
		if diff := cmp.Diff(want, out.From); diff != "" {
			t.Errorf("asked for %q (-want +got):\n%s", model, diff)
		}
	}
}

// TestRequest reads all that a request may have.
func TestRequest(t *testing.T) {
	const file = `{"model":"m1","system":[{"text":"Rules.","cache":true}],"effort":"high","max_output":99,"person":"p","cache_key":"k","stream":false,
"tools":[{"name":"a","description":"A.","schema":{"type":"object"}},{"name":"b"}],
"messages":[
 {"role":"user","content":[{"type":"image","media_type":"image/png","data":"AAEC"},{"type":"pdf","name":"b.pdf","data":"AAEC","pages":2},{"type":"text","text":"What?"}],"cache":true},
 {"role":"assistant","text":"Hm.","tool_calls":[{"id":"c1","name":"a","arguments":{"x":1}},{"id":"c2","name":"b","invalid_arguments":true},{"id":"c3","name":"b"}],
  "replay":{"input_items":[{"type":"reasoning"}]}},
 {"role":"tool","results":[{"call":"c1","text":"one"},{"call":"c2","text":"no","error":true},{"call":"c3","text":"three"}]},
 {"role":"assistant","text":"So.","replay":{"assistant_message":{"role":"assistant"}},"from":{"protocol":"openai-chat","host":"H","model":"other"}},
 {"role":"user","content":"And?"}]}`
	got, model, err := Request([]byte(file), Producer{Protocol: gateway.Responses, Host: "api.openai.com"}, "usual")
	if err != nil || model != "m1" {
		t.Fatal(model, err)
	}
	v := func(s string) jsontext.Value { return jsontext.Value(s) }
	want := gateway.Request{
		System: []gateway.Block{{Text: "Rules.", Cache: true}}, Effort: gateway.High, MaxOutput: 99, Person: "p", CacheKey: "k", Whole: true,
		Tools: []gateway.Tool{{Name: "a", Description: "A.", Schema: v(`{"type":"object"}`)}, {Name: "b", Schema: v(`{"type":"object","properties":{}}`)}},
		Messages: []gateway.Message{
			{Role: gateway.User, Cache: true, Parts: []gateway.Part{
				{Media: gateway.Image, Type: "image/png", Data: []byte{0, 1, 2}}, {Media: gateway.PDF, Name: "b.pdf", Data: []byte{0, 1, 2}, Pages: 2}, {Media: gateway.Text, Text: "What?"},
			}},
			{
				Role: gateway.Assistant, Text: "Hm.", Calls: []gateway.Call{{ID: "c1", Name: "a", Args: v(`{"x":1}`)}, {ID: "c2", Name: "b", Invalid: true}, {ID: "c3", Name: "b", Args: v(`{}`)}},
				Raw: &gateway.Raw{Protocol: gateway.Responses, Host: "api.openai.com", Model: "m1", Items: []jsontext.Value{v(`{"type":"reasoning"}`)}},
			},
			{Role: gateway.Tools, Results: []gateway.ToolResult{{Call: "c1", Text: "one"}, {Call: "c2", Text: "no", Error: true}, {Call: "c3", Text: "three"}}},
			{Role: gateway.Assistant, Text: "So.", Raw: &gateway.Raw{Protocol: gateway.OpenAI, Host: "h", Model: "other", Items: []jsontext.Value{v(`{"role":"assistant"}`)}}},
			{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: "And?"}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, model, err = Request([]byte(`{"messages":[{"role":"user","content":"A"}]}`), Producer{}, "usual"); model != "usual" || err != nil {
		t.Error(model, err)
	}
}

// TestRequestRefuses says what is wrong, and where.
func TestRequestRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`{`:                               "cannot be read",
		`{"messages":[],"temperature":1}`: "the field /temperature is unknown",
		`{"messages":"x"}`:                "/messages may not be a text",
		`{"messages":[{"role":"user","content":[{"type":"image","data":"%"}]}]}`: "/messages/0/content/0/data: illegal base64",
		`{"max_output":-1,"messages":[{"role":"user","content":"x"}]}`:           "max_output is -1",
		`{"messages":[]}`:                                                                           "no messages",
		`{"effort":"extreme"}`:                                                                      "extreme",
		`{"tools":[{}],"messages":[]}`:                                                              "no name",
		`{"messages":[{"role":"system"}]}`:                                                          "messages[0]: the role",
		`{"messages":[{"role":"user"}]}`:                                                            "messages[0]: a user has content alone",
		`{"messages":[{"role":"tool"}]}`:                                                            "results alone",
		`{"messages":[{"role":"assistant","content":"x"}]}`:                                         "text and tool_calls alone",
		`{"messages":[{"role":"user","content":[{"type":"video"}]}]}`:                               "content[0]: the type",
		`{"messages":[{"role":"user","content":[{"type":"image"}]}]}`:                               "content[0] has no data",
		`{"messages":[{"role":"user","content":[{"type":"text","cache":true}]}]}`:                   "cache",
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","name":"b","arguments":"{}"}]}]}`: "no object",
		`{"messages":[{"role":"user","content":"a"},{"role":"user","content":"a","results":[{}]}]}`: "messages[1]",
	} {
		if _, _, err := Request([]byte(in), Producer{}, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", in, err, want)
		}
	}
}

// TestScrub takes away whose a reply is, and nothing else.
func TestScrub(t *testing.T) {
	s := NewScrub("my-own-key-0123")
	got := string(s.Body([]byte(`event: x
data: {"id":"msg_01ABCDEFGHIJ","request_id":"req_011CSHoEeqs5C35K2UUqR7Fy","organization":"org-9f8e7d6c5b4a","text":"The key my-own-key-0123 and sk-proj-ABCDEFGH1234 of org-9f8e7d6c5b4a"}

data: {"type":"thinking","signature":"EqQBCkYIARgCKkDx/+=","again":"msg_01ABCDEFGHIJ","encrypted_content":"gAAAAABo","system_fingerprint":"fp_44709d6fcb","call_id":"call_1","name":"get_item"}
data: {"type":"redacted_thinking","data":"EmwKAhgBEgy3"} {"trace":"6f1ed002-ab12-4c3d-9e8f-0123456789ab","signature":""}
data: {"thought_signature":"CikBjz1rX","data":"gAAAAABoZm9vYmFyYmF6cXV4Zm9v","type":"reasoning.encrypted"} {"consumer":"projects/123456789012","to":"ann.b@example.org"}
data: xai-Q1w2E3r4T5y6 AIzaSyA1b2C3d4E5f6G7h8I9j0K
`)))
	want := `event: x
data: {"id":"msg_REC1","request_id":"req_REC1","organization":"org-REC1","text":"The key KEY and KEY of org-REC1"}

data: {"type":"thinking","signature":"signatureREC1","again":"msg_REC1","encrypted_content":"encrypted_contentREC1","system_fingerprint":"fp_REC1","call_id":"call_1","name":"get_item"}
data: {"type":"redacted_thinking","data":"dataREC1"} {"trace":"uuidREC1","signature":""}
data: {"thought_signature":"thought_signatureREC1","data":"dataREC2","type":"reasoning.encrypted"} {"consumer":"projectREC1","to":"addressREC1"}
data: KEY KEY
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	h := s.Headers(http.Header{"Content-Type": {"text/event-stream"}, "Openai-Organization": {"ours"}, "Set-Cookie": {"a=b"}, "X-Request-Id": {"req_1"}, "Retry-After": {"3"}})
	if diff := cmp.Diff(map[string]string{"content-type": "text/event-stream", "retry-after": "3"}, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestScrubFindsTheKey, whatever a host made of it.
func TestScrubFindsTheKey(t *testing.T) {
	s := NewScrub("Zq8Wn4Lr2vTyK99x")
	for body, want := range map[string]string{
		"ZQ8WN4LR2VTYK99X": "KEY", "Zq8Wn4Lr2vTy…": "KEY…", "key: Wn4Lr2vTyK99x.": "key: KEY.", `"WnE4V240THIydlR5Szk5eA=="`: `"KEYA=="`, "nothing": "nothing",
	} {
		if got := string(s.Body([]byte(body))); got != want {
			t.Errorf("%s becomes %s, want %s", body, got, want)
		}
	}
}
