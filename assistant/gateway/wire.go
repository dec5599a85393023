package gateway

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// ParseProtocol reads the name of a protocol as people write it.
func ParseProtocol(name string) (Protocol, error) {
	switch p := Protocol(name); p {
	case Anthropic, OpenAI, Responses:
		return p, nil
	case "openai-chat":
		return OpenAI, nil
	}
	return "", fmt.Errorf("the protocol %q is none of %s, %s, %s", name, Anthropic, OpenAI, Responses)
}

// Reply is what a host once answered.
type Reply struct {
	Protocol Protocol
	Host     string // with its port, if it is not the usual one
	Model    string // that was asked for; only replies that are sent back need it
	Status   int    // of HTTP
	Header   http.Header
	Body     io.Reader
}

// Decode reads a recorded reply as Stream would have, without asking anybody.
func Decode(r Reply) (Result, *Error, error) {
	s := speechOf(r.Protocol)
	if s == nil {
		return Result{}, nil, fmt.Errorf("the protocol %q is not known", r.Protocol)
	}
	id := requestID(r.Header)
	if r.Status < 200 || r.Status > 299 {
		said, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
		if err != nil {
			return Result{}, nil, err
		}
		return Result{Finish: Failed, RequestID: id}, classify(r.Status, r.Header, said), nil
	}
	t := target{Protocol: r.Protocol, Host: r.Host, Model: r.Model}
	a := &answer{show: func(Delta) {}}
	in := newIntake(a, s.decoder(t, a))
	buf := make([]byte, 4<<10)
	for {
		n, err := r.Body.Read(buf)
		if in.add(buf[:n]) != nil {
			break // it says so itself
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Result{}, nil, err
		}
	}
	in.end()
	res, failed := a.result(t)
	res.RequestID = id
	return res, failed, nil
}

// Sending is a request as it would leave. The key is masked.
type Sending struct {
	Method  string         `json:"method"`
	URL     string         `json:"url"`
	Headers http.Header    `json:"headers"`
	Body    jsontext.Value `json:"body"`
}

// Encode writes what a Provider would send first, without sending it.
func Encode(c Config, r Request) (Sending, error) {
	made, err := New(c)
	if err != nil {
		return Sending{}, err
	}
	p, ok := made.(*provider)
	if !ok {
		return Sending{}, errors.New("the provider does not send by itself")
	}
	if r.MaxOutput <= 0 {
		r.MaxOutput = DefaultOutput
	}
	body, err := p.speech.encode(r, p.target)
	if err != nil {
		return Sending{}, err
	}
	return Sending{Method: http.MethodPost, URL: p.url, Headers: p.headers(r, p.target, masked), Body: body}, nil
}

// Replay is what the next request to the same host and model carries back of an
// answer: content blocks, a message, or output items. It is nil where nothing
// has to be as it came.
func Replay(raw *Raw) ([]jsontext.Value, error) {
	if raw == nil {
		return nil, nil
	}
	s := speechOf(raw.Protocol)
	if s == nil {
		return nil, fmt.Errorf("the protocol %q is not known", raw.Protocol)
	}
	ask := Request{MaxOutput: DefaultOutput, Messages: []Message{
		{Role: User, Parts: []Part{{Media: Text, Text: "?"}}}, {Role: Assistant, Raw: raw},
	}}
	body, err := s.encode(ask, target{Protocol: raw.Protocol, Host: raw.Host, Model: raw.Model})
	if err != nil {
		return nil, err
	}
	var sent struct {
		Messages []struct {
			Role    string         `json:"role"`
			Content jsontext.Value `json:"content"`
		} `json:"messages"`
		Input []jsontext.Value `json:"input"`
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, err
	}
	switch raw.Protocol {
	case Responses:
		return sent.Input[min(1, len(sent.Input)):], nil
	case OpenAI:
		var whole struct {
			Messages []jsontext.Value `json:"messages"`
		}
		if err := json.Unmarshal(body, &whole); err != nil {
			return nil, err
		}
		return whole.Messages[min(1, len(whole.Messages)):], nil
	}
	var blocks []jsontext.Value
	if len(sent.Messages) < 2 {
		return nil, nil
	}
	err = json.Unmarshal(sent.Messages[1].Content, &blocks)
	return blocks, err
}
