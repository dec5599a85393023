package bridge

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"strings"
)

// versionKey is where a message of the new generation says its version.
const versionKey = "io.modelcontextprotocol/protocolVersion"

// message is what the bridge must know of a JSON-RPC message; raw is all of it.
type message struct {
	raw     jsontext.Value
	id      string   // as it stands in JSON; "" for a notification
	method  string   // "" for a response
	name    string   // of the tool, prompt or resource that a call is about
	about   string   // the id that a cancellation names
	version string   // in the new generation
	calls   []string // the ids of a batch that want an answer
	batch   bool
	first   bool // it opens a session of the old generation
}

// envelope is a message on the wire.
type envelope struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  *string        `json:"method,omitzero"`
	Params  jsontext.Value `json:"params,omitzero"`
	Result  jsontext.Value `json:"result,omitzero"`
	Error   jsontext.Value `json:"error,omitzero"`
}

// parameters are those that the bridge looks at.
type parameters struct {
	Meta      map[string]jsontext.Value `json:"_meta"`
	Name      any                       `json:"name"`
	URI       any                       `json:"uri"`
	RequestID jsontext.Value            `json:"requestId"`
}

var (
	errNoJSON    = errors.New("the line is no JSON: each message stands on one line, in UTF-8")
	errNoMessage = errors.New(`this is no JSON-RPC 2.0 message: it needs "jsonrpc":"2.0" and a method, a result or an error`)
)

// parse reads a line. What is no message comes with the id that it has.
func parse(line []byte) (message, error) {
	m := message{raw: line}
	if !m.raw.IsValid() {
		return m, errNoJSON
	}
	if m.raw.Kind() == '[' {
		return m.parseBatch()
	}
	e, err := open(m.raw)
	m.id = identity(e.ID)
	if err != nil {
		return m, err
	}
	if e.Method == nil {
		return m, nil
	}
	m.method = *e.Method
	m.first = m.method == "initialize"
	var p parameters
	if len(e.Params) > 0 && e.Params.Kind() == '{' {
		// What it does not like here, the handler says better.
		_ = json.Unmarshal(e.Params, &p)
	}
	if v := p.Meta[versionKey]; v.Kind() == '"' {
		_ = json.Unmarshal(v, &m.version)
	}
	m.about = identity(p.RequestID)
	switch m.method {
	case "tools/call", "prompts/get":
		m.name, _ = p.Name.(string)
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		m.name, _ = p.URI.(string)
	}
	return m, nil
}

// parseBatch reads an array of messages, which one version had.
func (m message) parseBatch() (message, error) {
	m.batch = true
	var parts []jsontext.Value
	if err := json.Unmarshal(m.raw, &parts); err != nil || len(parts) == 0 {
		return m, errNoMessage
	}
	for _, part := range parts {
		e, err := open(part)
		if err != nil {
			return m, err
		}
		if id := identity(e.ID); id != "" && e.Method != nil {
			m.calls = append(m.calls, id)
		}
	}
	return m, nil
}

// open reads an envelope and says whether it is one.
func open(raw jsontext.Value) (envelope, error) {
	var e envelope
	if raw.Kind() != '{' {
		return e, errNoMessage
	}
	err := json.Unmarshal(raw, &e)
	if err != nil || e.JSONRPC != "2.0" || (e.Method == nil && len(e.Result) == 0 && len(e.Error) == 0) {
		return e, errNoMessage
	}
	return e, nil
}

// identity is an id as it is compared, "" where there is none.
func identity(id jsontext.Value) string {
	if k := id.Kind(); k != '"' && k != '0' {
		return ""
	}
	c := id.Clone()
	if err := c.Canonicalize(); err != nil {
		return ""
	}
	return string(c)
}

// wants are the ids that an answer is due for.
func (m message) wants() []string {
	switch {
	case m.batch:
		return m.calls
	case m.method != "" && m.id != "":
		return []string{m.id}
	}
	return nil
}

// modern says that the message stands alone: its generation has no sessions.
func (m message) modern() bool { return m.version != "" }

// repeatable says that a message changes nothing, so that it may be sent again
// though it may have been read.
func (m message) repeatable() bool {
	switch m.method {
	case "initialize", "ping", "server/discover", "subscriptions/listen", "completion/complete", "logging/setLevel",
		"resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/get":
		return true
	}
	return strings.HasSuffix(m.method, "/list")
}

// leads says that what comes after this message must arrive after it.
func (m message) leads() bool { return m.first || (m.method != "" && m.id == "" && !m.batch) }
