package gateway

import (
	"bytes"
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// classify says what an HTTP error means.
func classify(status int, h http.Header, body []byte) *Error {
	body = event(body)
	s := read(body)
	if s.message == "" {
		s.message = cmp.Or(excerpt(body), http.StatusText(status))
	}
	e := s.error(status)
	e.Status = status
	e.RequestID = requestID(h)
	if wait, ok := waitOf(h, time.Now()); ok {
		e.RetryAfter = wait
	}
	switch h.Get("X-Should-Retry") {
	case "true":
		e.Retryable = e.Kind != Billing && e.Kind != Auth && e.Kind != ContextLength
	case "false":
		e.Retryable = false
	}
	return e
}

// event is what the first event says, where a host puts its error into a stream
// although the status tells it already.
func event(body []byte) (data []byte) {
	s := events{each: func(_ string, said []byte) {
		if data == nil {
			data = bytes.Clone(said)
		}
	}}
	if first := bytes.TrimSpace(body); len(first) == 0 || first[0] == '{' || s.add(body) != nil || s.end() != nil || data == nil {
		return body
	}
	return data
}

// spoken is an error that stands where an answer was expected: within a stream,
// or under status 200. It is nil where data is none.
func spoken(data []byte) *Error {
	if !bytes.Contains(data, []byte("error")) {
		return nil // as most of a stream, without reading it twice
	}
	s := read(data)
	if !s.found {
		return nil
	}
	return s.error(0)
}

// Of errors that say in words only what they are.
var (
	tooMuch  = regexp.MustCompile(`(?i)context[ _](length|window|size|limit)|prompt is too long|too many (input )?tokens( in|:)|token count .{0,20}exceeds|tokens.? \+ .?max_new_tokens|input (token count|is too long)|maximum (input|prompt) (length|tokens)|exceeds? the (model'?s )?(maximum|max) (number of )?(input )?tokens`)
	unknown  = regexp.MustCompile(`(?i)unsupported (parameter|value)|tools with reasoning_effort|unknown (name|parameter|field)|unrecognized (request )?(argument|field|key)|extra (inputs|fields) (are )?not permitted|(parameter|argument|field)\S* .{0,60}(not supported|unsupported|not allowed|deprecated)|(is|are) (deprecated|not supported|unsupported) (for|with|by|in|on) th(is|e) (model|endpoint)|do(es)? not (support|accept) (the )?(\W|parameter|argument|field|\S+ (parameter|argument|field|option))`)
	refused  = regexp.MustCompile(`(?i)not supported|unsupported|not allowed`)
	ability  = regexp.MustCompile(`(?i)does not support (?:the )?(tools|images?|vision|thinking|reasoning|effort)\b`)
	quoted   = regexp.MustCompile("(?:'|\"|`)([A-Za-z_][A-Za-z0-9_.]*)(?:'|\"|`)")
	trailing = regexp.MustCompile(`(?i)(?:not supported[^:]*: |does not support (?:the )?parameter )([a-z_]\w*)\.?$`) // xAI
	leading  = regexp.MustCompile(`^([a-z_][a-z0-9_.]*): `)
	ending   = regexp.MustCompile(`(?i)(?:supplied|parameters?|arguments?|fields?|keys?): ([a-z_][a-z0-9_.]*)$`)
	together = regexp.MustCompile(`(?i)tools with (reasoning_effort)`)
	located  = regexp.MustCompile(`'loc': [(\[][^)\]]*'([A-Za-z_][A-Za-z0-9_]*)'[)\]]`) // as Python writes a list of what is wrong
	spent    = regexp.MustCompile(`(?i)exceeded your current quota`)                    // which of Google comes back by itself
	flagged  = regexp.MustCompile(`(?i)was flagged|requires moderation|content (management )?policy`)
	hurry    = regexp.MustCompile(`(?i)rate[ _-]?limit|too many requests`)
	noKey    = regexp.MustCompile(`(?i)(invalid|incorrect|missing|wrong|no)\s+(\S+\s+)?api[ _-]?key|api[ _-]?key.{0,20}(not valid|invalid|missing|required)|API_KEY_INVALID|unauthori[sz]ed`)
	noModel  = regexp.MustCompile(`(?i)model.{0,80}(not found|does not exist|not exist|not available|is not a valid model|no longer available)|(unknown|invalid|no such) model|no endpoints found|^model: `)
	noMoney  = regexp.MustCompile(`(?i)insufficient[ _](credits?|balance|funds)|(used all|out of|does(n't| not) have any)( of)?( your| available| remaining)* credits|credits are (depleted|exhausted|used up)|spending limit|credit balance is too low|billing.{0,20}(not active|disabled|required)|payment required`)
	busy     = regexp.MustCompile(`(?i)overloaded|at capacity|UNAVAILABLE|server is busy|high demand`)
)

// error says what it means. In the middle of a stream there is no status.
func (s said) error(status int) *Error {
	s.message = brief(s.message, longestWord)
	s.kind, s.code, s.param = brief(s.kind, longestLabel), brief(s.code, longestLabel), brief(s.param, longestLabel)
	e := &Error{Message: s.message, Code: cmp.Or(s.code, s.kind), Param: s.param, RetryAfter: s.wait}
	if status == 0 {
		status = s.status
	}
	what := strings.ToLower(s.kind + " " + s.code)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(what, w) })
	}
	switch {
	case has("insufficient_quota", "billing", "insufficient_credits", "payment_required", "credits_exhausted", "exceeded_current_quota"), status == 402, noMoney.MatchString(s.message), spent.MatchString(s.message) && !has("resource_exhausted"):
		e.Kind = Billing
	case has("context_length", "exceed_context", "context_window", "string_above_max_length", "max_prompt_tokens"), tooMuch.MatchString(s.message) && status != 429:
		e.Kind = ContextLength
	case status == 403 && flagged.MatchString(s.message): // the question is refused, not who asks
		e.Kind = BadRequest
	case noKey.MatchString(s.message + " " + s.kind), has("authentication", "permission", "invalid_api_key", "unauthenticated", "unauthorized"), status == 401, status == 403:
		e.Kind = Auth
	case has("unsupported_parameter", "unsupported_value", "unknown_parameter", "extra_forbidden"), (unknown.MatchString(s.message) || ability.MatchString(s.message) || s.param != "" && refused.MatchString(s.message)) && (status == 0 || status == 400 || status == 422):
		e.Kind = Unsupported
		e.Param = cmp.Or(e.Param, named(s.message))
		e.Repair = repair(e.Param, s)
	case has("model_not_found", "invalid_model"), noModel.MatchString(s.message) && status < 429:
		e.Kind = NoModel
	case has("rate_limit", "rate limit", "resource_exhausted", "too_many_requests", "capacity_exceeded"), status == 429, status == 0 && hurry.MatchString(s.message):
		e.Kind, e.Retryable = RateLimit, true
	case has("overloaded"), status == 529, busy.MatchString(s.message+" "+s.kind) && (status == 0 || status >= 500):
		e.Kind, e.Retryable = Overloaded, true
	case status == 408, status == 409, status >= 500, has("timeout", "server_error", "api_error", "internal"):
		e.Kind, e.Retryable = Server, true
	case status >= 300, has("invalid", "not_found", "bad_request", "badrequest", "too_large", "validation"):
		e.Kind = BadRequest
	default:
		e.Kind, e.Retryable = Server, true
	}
	return e
}

// named is the field that a message is about.
func named(message string) string {
	if m := ability.FindStringSubmatch(message); m != nil {
		return strings.ToLower(m[1])
	}
	for _, way := range []*regexp.Regexp{together, located, quoted} {
		if m := way.FindStringSubmatch(message); m != nil {
			return m[1]
		}
	}
	if m := trailing.FindStringSubmatch(message); m != nil {
		return snake(m[1])
	}
	for _, way := range []*regexp.Regexp{leading, ending} {
		if m := way.FindStringSubmatch(message); m != nil {
			return m[1]
		}
	}
	return ""
}

// snake is a name as it stands in requests, where a host says it as it calls it
// itself: reasoningEffort.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// optional are fields that a request can do without.
var optional = []string{
	"stream_options", "parallel_tool_calls", "parallel_function_calling", "store", "prompt_cache_key", "prompt_cache_options", "safety_identifier", "user", "metadata",
	"reasoning_effort", "reasoning", "output_config", "thinking", "include", "cache_control", "strict",
}

// repair is the change with which the request is worth sending again.
func repair(param string, s said) *Repair {
	top, _, _ := strings.Cut(param, ".")
	switch {
	case param == "reasoning_effort" && strings.Contains(strings.ToLower(s.message), "tools"):
		// This model would think even where nobody says so, but not beside tools.
		return &Repair{Remove: []string{param}, Set: map[string]string{param: "none"}}
	case param == "max_tokens":
		return &Repair{Remove: []string{param}, Add: []string{"max_completion_tokens"}}
	case param == "max_completion_tokens":
		return &Repair{Remove: []string{param}, Add: []string{"max_tokens"}}
	case param == "effort": // as Anthropic calls what stands in its output_config
		return &Repair{Remove: []string{"output_config"}}
	case slices.Contains(optional, top):
		return &Repair{Remove: []string{top}}
	}
	return nil
}

func requestID(h http.Header) string {
	for _, name := range []string{"Request-Id", "X-Request-Id", "X-Amzn-Requestid", "Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return id[:min(len(id), 200)]
		}
	}
	return ""
}
