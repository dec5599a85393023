package gateway

import (
	"encoding/json/jsontext"
	"net/http"
	"strings"
)

// speech is how one protocol is spoken and understood.
type speech interface {
	// path is what is asked below the base address, without its version.
	path() string
	// headers says who asks, as this host wants to hear it, and what it wants to
	// hear before it reads the body; the key may be empty.
	headers(h http.Header, r Request, t target, key string)
	// encode writes the body of a request, or says what this host cannot take.
	encode(r Request, t target) ([]byte, error)
	// decoder reads one answer into a.
	decoder(t target, a *answer) decoder
}

// decoder reads the answer to one request. What it is given it must not keep:
// the bytes are used again.
type decoder interface {
	// event is one of a stream, by its name, if it has one.
	event(name string, data []byte)
	// whole is an answer in one piece.
	whole(body jsontext.Value)
	// end comes once after the last event: the stream is over, however it ended.
	end()
}

// target is who is asked, and what was learned about them.
type target struct {
	Protocol Protocol
	Host     string // with its port, lower case
	Model    string
	// Learned are fields that this host refused, by their name on the wire: left
	// out, or, where a value stands, sent under that name ("max_tokens":
	// "max_completion_tokens") or with that value ("reasoning_effort": "high").
	Learned map[string]string
}

// PersonField is the field by which a host is told the opaque id of a person; ""
// where it is told none.
func PersonField(p Protocol, host string) string {
	return target{Protocol: p, Host: strings.ToLower(host)}.personField()
}

func (t target) personField() string {
	switch {
	case t.Protocol == Anthropic:
		return "metadata.user_id"
	case t.Protocol == OpenAI:
		return t.dialect().person
	case t.is("api.openai.com"):
		return "safety_identifier"
	case t.is("api.x.ai"), t.is("openrouter.ai"):
		return "user"
	}
	return ""
}

// refuses says that a host does not take a field.
func (t target) refuses(field string) bool {
	v, known := t.Learned[field]
	return known && v == ""
}

// ReadsPDF says that a host is known to take PDFs over a protocol. Of any other it
// is not known, and what it did with one would be its own.
func ReadsPDF(p Protocol, host string) bool {
	t := target{Protocol: p, Host: strings.ToLower(host)}
	switch p {
	case Anthropic:
		return t.is("api.anthropic.com")
	case OpenAI:
		return t.dialect().pdf != pdfNever
	}
	return t.is("api.openai.com") || t.is("api.x.ai")
}
