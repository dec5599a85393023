package gateway

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	const key = "sk-proj-Zq8/Wn+4Lr=2vTyK"
	m := NewMask(key)
	for text, want := range map[string]string{
		"":                                    "",
		"nothing of it":                       "nothing of it",
		key:                                   "*",
		key + key:                             "*",
		"a " + key + " b":                     "a * b",
		"a " + key[:12] + "… b":               "a *… b",
		"a " + key[12:]:                       "a *",
		strings.ToUpper(key):                  "*",
		"?key=" + url.QueryEscape(key) + "&b": "?key=*&b",
		hex.EncodeToString([]byte(key)):       "*",
		"sk-proj":                             "sk-proj",
		"ünd " + key + " ünd":                 "ünd * ünd",
		key[:9] + " and " + key[9:]:           "* and *",
	} {
		if got := m.Hide(text, "*"); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for _, before := range []string{"", "a", "ab", "abc", "user:", "Bearer "} {
		for _, way := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
			text := way.EncodeToString([]byte(before + key))
			// Of its ends three bytes are told at most.
			if got := m.Hide(text, ""); len(got) > len(way.EncodeToString([]byte(before)))+4 {
				t.Errorf("%q leaves %q of %q", before, got, text)
			}
		}
	}
	for _, row := range []struct{ key, text, want string }{
		{"", "a word", "a word"}, {"key", "a key", "a key"}, {"s3cret", "a S3CRET s3cret!", "a * *!"}, {"s3cret", "s3cre", "s3cre"},
	} {
		if got := NewMask(row.key).Hide(row.text, "*"); got != row.want {
			t.Errorf("%q becomes %q, want %q", row.text, got, row.want)
		}
	}
}

// TestKeysAreRepeatedNowhere: whatever a host does with the key, neither the log
// nor what is known of the answer has it.
func TestKeysAreRepeatedNowhere(t *testing.T) {
	const key = "a-secret-key"
	said := func(status int, headers map[string]string, body string) {
		t.Helper()
		p, _, log := plainProvider(t, answering(status, headers, body))
		p.speech = chat{schemas: new(fitted)}
		res, err := p.Stream(t.Context(), Request{Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "Hi"}}}}}, func(Delta) {})
		told := fmt.Sprintf("%+v %+v %v %s", res, res.Refusal, err, log.String())
		if e, ok := errors.AsType[*Error](err); ok {
			told += fmt.Sprintf("%+v %v", *e, e.Unwrap())
		}
		for _, part := range []string{key, key[:9], key[4:], strings.ToUpper(key), base64.StdEncoding.EncodeToString([]byte(key))[:12]} {
			if strings.Contains(told, part) {
				t.Errorf("%d %v %s tells %q: %s", status, headers, body, part, told)
			}
		}
		if strings.ContainsAny(told, "\x1b\u202e\u009b") {
			t.Errorf("%d %s moves the cursor: %q", status, body, told)
		}
	}
	for _, as := range []string{key, strings.ToUpper(key), key[:9], key[4:], base64.StdEncoding.EncodeToString([]byte(key))} {
		said(401, nil, `{"error":{"message":"Incorrect API key provided: `+as+`","code":"`+as+`","param":"`+as+`","type":"`+as+`"}}`)
		said(400, map[string]string{"X-Request-Id": as}, "Bearer "+as)
		said(307, map[string]string{"Location": "http://127.0.0.1:1/?key=" + as}, "")
		said(307, map[string]string{"Location": "http://[" + as}, "")
		said(200, nil, "data: {\"error\":{\"message\":\"no key "+as+"\",\"code\":\""+as+"\"}}\n\n")
		said(200, map[string]string{"Request-Id": as}, `{"model":"`+as+`","choices":[{"message":{"refusal":"`+as+`"},"finish_reason":"content_filter"}]}`)
		said(200, nil, "<html>"+as)
		said(502, nil, "\x1b[2J\u202e\u009b"+as)
	}
}

// answering is a host that always says the same.
func answering(status int, headers map[string]string, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for name, v := range headers {
			w.Header().Set(name, v)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}
