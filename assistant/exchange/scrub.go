package exchange

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Scrub takes from a reply what is somebody's: the key, ids of organisations,
// accounts and requests, and what seals thinking. What was the same stays the
// same.
type Scrub struct {
	key  gateway.Mask
	seen map[string]string
	n    map[string]int
}

// NewScrub takes away this key among others.
func NewScrub(key string) *Scrub {
	return &Scrub{key: gateway.NewMask(key), seen: map[string]string{}, n: map[string]int{}}
}

// Body is the body without them; everything else stays byte for byte.
func (s *Scrub) Body(b []byte) []byte {
	text := s.key.Hide(string(b), "KEY")
	// Fields whose value is of one request or account, whatever it looks like.
	field := regexp.MustCompile(`("(request_id|requestId|organization|organization_id|org_id|project|project_id|account_id|user|user_id|safety_identifier|prompt_cache_key|system_fingerprint|generation_id|trace_id|responseId|user_id|signature|encrypted_content|thought_signature|thoughtSignature)"\s*:\s*")((?:[^"\\]|\\.)+)"`)
	text = field.ReplaceAllStringFunc(text, func(m string) string {
		p := field.FindStringSubmatch(m)
		return p[1] + s.stand(p[2], p[3]) + `"`
	})
	// Thinking that is sealed as a whole.
	redacted := regexp.MustCompile(`("type"\s*:\s*"(?:redacted_thinking|reasoning\.encrypted)"\s*,\s*"data"\s*:\s*")((?:[^"\\]|\\.)+)"`)
	text = redacted.ReplaceAllStringFunc(text, func(m string) string {
		p := redacted.FindStringSubmatch(m)
		return p[1] + s.stand("data", p[2]) + `"`
	})
	sealed := regexp.MustCompile(`("data"\s*:\s*")([A-Za-z0-9+/=_-]{24,})"`) // whatever stands before it
	text = sealed.ReplaceAllStringFunc(text, func(m string) string {
		p := sealed.FindStringSubmatch(m)
		return p[1] + s.stand("data", p[2]) + `"`
	})
	// And what looks like one, wherever it stands.
	for _, like := range []struct{ kind, pattern string }{
		{"key", `\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_*.-]{8,}|xai-[A-Za-z0-9]{8,}|AIza[A-Za-z0-9_-]{20,})`},
		{"org", `\b(?:org|proj|team|acct|user)[-_][A-Za-z0-9]{8,}\b`},
		{"request", `\b(?:req|resp|msg|chatcmpl|gen|rs|fc|cmpl)[-_][A-Za-z0-9-]{8,}\b`},
		{"project", `\bprojects/[0-9]{6,}\b`},
		{"address", `[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`},
		{"uuid", `\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`},
	} {
		text = regexp.MustCompile(like.pattern).ReplaceAllStringFunc(text, func(m string) string { return s.stand(like.kind, m) })
	}
	return []byte(text)
}

// stand is what stands for a value: with its beginning, where that says what it
// is an id of, by which readers tell items.
func (s *Scrub) stand(kind, value string) string {
	if to, ok := s.seen[value]; ok {
		return to
	}
	name := kind
	if is := regexp.MustCompile(`^(?:req|resp|msg|chatcmpl|gen|rs|fc|cmpl|org|proj|team|acct|user|fp)[-_]`).FindString(value); is != "" && kind != "key" {
		name = is
	}
	s.n[name]++
	to := fmt.Sprintf("%sREC%d", name, s.n[name])
	if kind == "key" {
		to = "KEY"
	}
	s.seen[value], s.seen[to] = to, to
	return to
}

// Headers are those of a reply that say how to read it.
func (s *Scrub) Headers(h http.Header) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"Content-Type", "Retry-After", "Retry-After-Ms", "X-Should-Retry"} {
		if v := h.Get(name); v != "" {
			out[strings.ToLower(name)] = string(s.Body([]byte(v)))
		}
	}
	return out
}
