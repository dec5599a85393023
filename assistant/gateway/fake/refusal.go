package fake

import (
	"fmt"
	"strings"
)

type why string

const (
	unknown  why = "unknown" // a field that the host does not have
	absent   why = "absent"  // a field that it needs
	invalid  why = "invalid" // what it says
	order    why = "order"   // messages in the wrong order
	noKey    why = "no key"
	wrongKey why = "wrong key"
	notFound why = "not found"
)

// refusal is why a host does not take a request; at is the field, such as
// messages.0.content.
type refusal struct {
	status int // 400 unless it says
	kind   why
	at     string
	text   string // in the host's words, where the kind does not give them
	code   string
}

// path writes a field as OpenAI does: messages[0].content.
func (r *refusal) path() string {
	var b strings.Builder
	for i, p := range strings.Split(r.at, ".") {
		switch {
		case p != "" && strings.Trim(p, "0123456789") == "":
			fmt.Fprintf(&b, "[%s]", p)
		case i > 0:
			b.WriteString("." + p)
		default:
			b.WriteString(p)
		}
	}
	return b.String()
}

func (r *refusal) or(status int) int {
	if r.status != 0 {
		return r.status
	}
	return status
}

func (r *refusal) say(byDefault string) string {
	if r.text != "" {
		return r.text
	}
	return byDefault
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func dressAnthropic(r *refusal) (int, string) {
	sort, text := "invalid_request_error", r.text
	switch r.kind {
	case unknown:
		text = r.at + ": " + r.say("Extra inputs are not permitted")
	case absent:
		text = r.at + ": Field required"
	case noKey:
		sort, text = "authentication_error", "x-api-key header is required"
	case wrongKey:
		sort, text = "authentication_error", "invalid x-api-key"
	case notFound:
		sort, text = "not_found_error", r.say("Not Found")
	default:
		if r.at != "" {
			text = r.at + ": " + text
		}
	}
	return r.or(400), write(obj{"type": "error", "error": obj{"type": sort, "message": text}, "request_id": "req_fake"})
}

func dressOpenAI(r *refusal) (int, string) {
	text, code, param := r.text, r.code, r.path()
	switch r.kind {
	case unknown:
		if text == "" {
			text, code = fmt.Sprintf("Unknown parameter: '%s'.", param), "unknown_parameter"
		} else if code == "" {
			code = "unsupported_parameter"
		}
	case absent:
		text, code = fmt.Sprintf("Missing required parameter: '%s'.", param), "missing_required_parameter"
	case noKey:
		text = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
	case wrongKey:
		text, code = "Incorrect API key provided: sk-no***key. You can find your API key at https://platform.openai.com/account/api-keys.", "invalid_api_key"
	}
	return r.or(400), write(obj{"error": obj{"message": text, "type": "invalid_request_error", "param": nullable(param), "code": nullable(code)}})
}

func dressMistral(r *refusal) (int, string) {
	fields := func(sort, text string) (int, string) {
		loc := []any{"body"}
		for p := range strings.SplitSeq(r.at, ".") {
			loc = append(loc, p)
		}
		return r.or(422), write(obj{
			"object": "error", "message": obj{"detail": []any{obj{"type": sort, "loc": loc, "msg": text, "input": nil}}},
			"type": "invalid_request_error", "param": nil, "code": nil,
		})
	}
	switch r.kind {
	case unknown:
		return fields("extra_forbidden", r.say("Extra inputs are not permitted"))
	case absent:
		return fields("missing", "Field required")
	case noKey, wrongKey:
		return 401, `{"detail":"Unauthorized"}`
	case order:
		return 400, write(obj{"object": "error", "message": r.text, "type": "invalid_request_message_order", "param": nil, "code": "3230"})
	case notFound:
		return 404, `{"detail":"Not Found"}`
	}
	if r.code != "" {
		return 400, write(obj{"object": "error", "message": r.text, "type": "invalid_function_call", "param": nil, "code": r.code})
	}
	return fields("value_error", r.text)
}

func dressGemini(r *refusal) (int, string) {
	status, sort, text := r.or(400), "INVALID_ARGUMENT", r.text
	var details []any
	switch r.kind {
	case unknown:
		at, name := "", r.at
		if i := strings.LastIndex(r.at, "."); i >= 0 {
			at, name = " at '"+(&refusal{at: r.at[:i]}).path()+"'", r.at[i+1:]
		}
		text = r.say(fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Cannot find field.", name, at))
		details = []any{obj{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": []any{obj{"description": text}}}}
	case absent:
		text = r.at + " is not specified"
	case noKey:
		status, sort, text = 401, "UNAUTHENTICATED", "Missing or invalid Authorization header."
	case wrongKey:
		status, text = 400, "API key not valid. Please pass a valid API key."
		details = []any{obj{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}}
	case notFound:
		sort = "NOT_FOUND"
	}
	e := obj{"code": status, "message": text, "status": sort}
	if details != nil {
		e["details"] = details
	}
	return status, write([]any{obj{"error": e}})
}

func dressOpenRouter(r *refusal) (int, string) {
	status, text := r.or(400), r.text
	switch r.kind {
	case unknown:
		text = r.say(fmt.Sprintf("Unrecognized key: %q", r.at))
	case absent:
		text = fmt.Sprintf("Input required: specify %q", r.at)
	case noKey:
		text = "No auth credentials found"
	case wrongKey:
		text = "User not found."
	}
	return status, write(obj{"error": obj{"message": text, "code": status}})
}

func dressXAI(r *refusal) (int, string) {
	status, code, text := r.or(400), "Client specified an invalid argument", r.text
	switch r.kind {
	case unknown:
		text = r.say("Argument not supported on this model: " + r.at)
	case absent:
		text = "Failed to deserialize the JSON body into the target type: missing field `" + r.at + "`"
	case noKey:
		code, text = "unauthenticated:bad-credentials", "No API key provided. Specify your API key in the Authorization header."
	case wrongKey:
		status, text = 400, "Incorrect API key provided: sk***ef. You can obtain an API key from https://console.x.ai."
	case notFound:
		code = "The requested resource was not found"
	}
	return status, write(obj{"code": code, "error": text})
}
