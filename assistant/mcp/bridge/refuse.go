package bridge

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// The JSON-RPC codes of what the bridge says itself.
const (
	codeParse    = -32700
	codeInvalid  = -32600
	codeInternal = -32603
)

var (
	errLost    = errors.New("the server went away before it answered: whether this was done is not known. Look before you ask again")
	errBusy    = errors.New("too many requests are under way: wait for some to be answered")
	errSilent  = errors.New("the server ended its answer without the response")
	errUnbegun = errors.New("no session was begun: send initialize first, or say the protocol version in _meta")
)

// reply is an error of the bridge's own.
type reply struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Error   struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// refused is the end of a token.
type refused struct{ says string }

// Error is what a client is told.
func (r refused) Error() string { return r.says }

// Is makes it one of ErrRefused.
func (r refused) Is(target error) bool { return target == ErrRefused }

func (b *Bridge) refused() error { return refused{b.Refused} }

// refuse answers one request, or, with no id, what could not be read.
func (b *Bridge) refuse(id string, code int, err error) {
	r := reply{JSONRPC: "2.0", ID: jsontext.Value("null")}
	if id != "" {
		r.ID = jsontext.Value(id)
	}
	r.Error.Code, r.Error.Message = code, err.Error()
	line, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		b.Log.Error("an error cannot be said", "error", err)
		return
	}
	b.write(line)
}

// refuseAll answers every request of a message.
func (b *Bridge) refuseAll(m message, code int, err error) {
	if len(m.wants()) == 0 {
		b.Log.Warn("a message did not arrive", "method", m.method, "error", err)
	}
	for _, id := range m.wants() {
		b.refuse(id, code, err)
	}
}

// notify tells the client something that has no parameters, or these.
func (b *Bridge) notify(method string, params any) {
	line, err := json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
	if err != nil {
		b.Log.Error("a notice cannot be said", "method", method, "error", err)
		return
	}
	b.write(line)
}

// media is the type of a body, without what is said beside it.
func media(resp *http.Response) string {
	t, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return t
}

// said is what a response that is no message says in words.
func said(resp *http.Response) string {
	body, err := io.ReadAll(io.LimitReader(resp.Body, 8<<10))
	if err != nil && len(body) == 0 {
		return http.StatusText(resp.StatusCode)
	}
	var ours struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &ours) == nil && ours.Message != "" {
		return ours.Message
	}
	if text := strings.TrimSpace(strings.ToValidUTF8(string(body), "�")); text != "" && media(resp) == "text/plain" {
		return text
	}
	return http.StatusText(resp.StatusCode)
}
