package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"strconv"
	"strings"
	"time"
)

// said is what hosts say of an error, gathered from the many forms.
type said struct {
	kind, code, message, param string
	status                     int
	wait                       time.Duration
	found                      bool
	depth                      int // of what it was found in
}

// Bounds of what is looked at of an error. What is deeper or longer says nothing
// to anybody, and takes a host no time to write.
const (
	deepestError = 4
	longestWord  = 4000
)

// read finds an error in whatever a host sent.
func read(body []byte) said { return readAt(body, 0) }

func readAt(body []byte, depth int) (s said) {
	if s.depth = depth; depth > deepestError {
		return s
	}
	var list []jsontext.Value
	if lenient(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var top struct {
		Type         str            `json:"type"`
		Object       str            `json:"object"`
		Error        jsontext.Value `json:"error"`
		Message      jsontext.Value `json:"message"`
		Detail       jsontext.Value `json:"detail"`
		Code         jsontext.Value `json:"code"`
		Param        jsontext.Value `json:"param"`
		ErrorType    str            `json:"error_type"`
		ErrorMessage str            `json:"error_message"`
	}
	if lenient(body, &top) != nil {
		return s
	}
	switch {
	case len(top.Error) > 0 && string(top.Error) != "null" && string(top.Error) != `""` && string(top.Error) != "{}":
		s.found = true
		s.inner(top.Error)
		s.code = cmp.Or(s.code, word(top.Code))
	case top.ErrorMessage != "" || top.ErrorType != "":
		s.found, s.kind, s.message = true, string(top.ErrorType), string(top.ErrorMessage)
	case top.Object == "error" || top.Type == "error":
		if s.found = true; top.Type != "error" {
			s.kind = string(top.Type)
		}
		s.code, s.param = word(top.Code), word(top.Param)
		s.tell(top.Message)
	default: // no error within a stream, but what an HTTP status may come with
		s.code, s.param = word(top.Code), word(top.Param)
		s.tell(top.Message)
		s.tell(top.Detail)
	}
	if n, err := strconv.Atoi(s.code); err == nil && n >= 100 && n < 600 { // others are numbers of the host's own
		s.status, s.code = n, ""
	}
	return s
}

// inner reads the value of the field error.
func (s *said) inner(v jsontext.Value) {
	var in struct {
		Type     str            `json:"type"`
		Code     jsontext.Value `json:"code"`
		Status   jsontext.Value `json:"status"`
		Message  jsontext.Value `json:"message"`
		Param    jsontext.Value `json:"param"`
		Detail   jsontext.Value `json:"detail"`
		Metadata obj[struct {
			Raw jsontext.Value `json:"raw"`
		}] `json:"metadata"`
		Details objs[struct {
			Reason     str `json:"reason"`
			RetryDelay str `json:"retryDelay"`
		}] `json:"details"`
	}
	if lenient(v, &in) != nil {
		s.tell(v)
		return
	}
	s.kind, s.code, s.param = string(in.Type), word(in.Code), word(in.Param)
	s.tell(in.Message)
	s.tell(in.Detail)
	if status := word(in.Status); status != "" && s.kind == "" {
		if _, err := strconv.Atoi(status); err != nil {
			s.kind = status
		}
	}
	for _, d := range in.Details {
		if d.Reason != "" && s.param == "" && s.kind != "" {
			s.kind += " " + string(d.Reason)
		}
		if wait, err := time.ParseDuration(string(d.RetryDelay)); err == nil && wait > 0 {
			s.wait = wait
		}
	}
	if raw := in.Metadata.V.Raw; len(raw) > 0 && string(raw) != "null" {
		s.upstream(raw)
	}
}

// upstream adds what a host behind the host said, which often says more.
func (s *said) upstream(raw jsontext.Value) {
	text := word(raw)
	if deep := readAt([]byte(cmp.Or(text, string(raw))), s.depth+1); deep.found || deep.message != "" {
		s.kind, s.code, s.param = cmp.Or(deep.kind, s.kind), cmp.Or(s.code, deep.code), cmp.Or(s.param, deep.param)
		text = cmp.Or(deep.message, text)
	}
	if text != "" && !strings.Contains(s.message, text) {
		s.message = strings.TrimSpace(s.message + " " + text)
	}
}

// tell reads a message: a sentence, or a list of what is wrong with each field.
func (s *said) tell(v jsontext.Value) {
	if text := word(v); text != "" {
		s.message = cmp.Or(s.message, text)
		return
	}
	var fields objs[struct {
		Type str  `json:"type"`
		Loc  last `json:"loc"`
		Msg  str  `json:"msg"`
	}]
	var boxed struct {
		Detail jsontext.Value `json:"detail"`
	}
	switch {
	case len(v) == 0 || string(v) == "null":
	case s.depth < deepestError && lenient(v, &boxed) == nil && len(boxed.Detail) > 0:
		s.depth++
		s.tell(boxed.Detail)
		s.depth--
	case lenient(v, &fields) == nil && len(fields) > 0:
		f := fields[0]
		s.message, s.param = cmp.Or(s.message, string(f.Msg)), cmp.Or(s.param, string(f.Loc))
		if strings.Contains(string(f.Type), "extra") {
			s.code = cmp.Or(s.code, "unknown_parameter")
		}
	case s.message == "":
		s.message = excerpt(v)
	}
}

// word is a string or a number as text; "" for anything else.
func word(v jsontext.Value) string {
	switch {
	case len(v) == 0:
		return ""
	case v[0] == '"':
		var s string
		_ = lenient(v, &s) // it was read as a value already
		return s
	case v.Kind() == '0':
		return strings.TrimSuffix(string(v), ".0")
	}
	return ""
}

// last is the last of a list of words: the field that a path leads to.
type last string

// UnmarshalJSONFrom takes any value.
func (l *last) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	var path []jsontext.Value
	if lenient(v, &path) == nil && len(path) > 0 {
		*l = last(word(path[len(path)-1]))
	}
	return err
}
