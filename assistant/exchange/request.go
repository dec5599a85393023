package exchange

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// asked is a request as it stands in a file.
type asked struct {
	Model     string         `json:"model"`
	System    texts          `json:"system"`
	Messages  []message      `json:"messages"`
	Tools     []tool         `json:"tools"`
	Effort    gateway.Effort `json:"effort"`
	MaxOutput int            `json:"max_output"`
	Person    string         `json:"person"`
	CacheKey  string         `json:"cache_key"`
	Stream    *bool          `json:"stream"`
}

type tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      jsontext.Value `json:"schema"`
}

type message struct {
	Role    gateway.Role `json:"role"`
	Content parts        `json:"content"`
	Text    string       `json:"text"`
	Calls   []Call       `json:"tool_calls"`
	Results []result     `json:"results"`
	Cache   bool         `json:"cache"`
	Replay  *Replay      `json:"replay"`
	From    *Producer    `json:"from"`
}

type result struct {
	Call  string `json:"call"`
	Text  string `json:"text"`
	Error bool   `json:"error"`
}

type block struct {
	Text  string `json:"text"`
	Cache bool   `json:"cache"`
}

type part struct {
	Type      gateway.Media `json:"type"`
	Text      string        `json:"text"`
	MediaType string        `json:"media_type"`
	Name      string        `json:"name"`
	Data      []byte        `json:"data"`
	Pages     int           `json:"pages"`
}

// texts is one text, or several; parts what a person says, or several things.
type (
	texts []block
	parts []part
)

func strict() json.Options { return json.RejectUnknownMembers(true) }

// UnmarshalJSON reads one text, or several.
func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if jsontext.Value(b).Kind() == '"' {
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		*t = texts{{Text: one}}
		return nil
	}
	return json.Unmarshal(b, (*[]block)(t), strict())
}

// UnmarshalJSON reads a text, or several things.
func (p *parts) UnmarshalJSON(b []byte) error {
	var one string
	if jsontext.Value(b).Kind() == '"' {
		if err := json.Unmarshal(b, &one); err != nil {
			return err
		}
		*p = parts{{Type: gateway.Text, Text: one}}
		return nil
	}
	return json.Unmarshal(b, (*[]part)(p), strict())
}

// Request reads a request for a host, and which model is asked: the one given, the
// one that it names, or the usual one. What is to be sent back of an answer is
// from those who are asked, unless it says from whom.
func Request(data []byte, to Producer, usual string) (r gateway.Request, model string, err error) {
	var in asked
	if err := json.Unmarshal(data, &in, strict()); err != nil {
		return r, "", unread(err)
	}
	to.Model = cmp.Or(to.Model, in.Model, usual)
	if in.Effort != "" && !slices.Contains(gateway.Efforts(), in.Effort) {
		return r, "", fmt.Errorf("the effort %q is none of low, medium, high, xhigh, max", in.Effort)
	}
	if in.MaxOutput < 0 {
		return r, "", fmt.Errorf("max_output is %d: give a whole number of tokens above 0, or leave it out", in.MaxOutput)
	}
	r = gateway.Request{Effort: in.Effort, MaxOutput: in.MaxOutput, Person: in.Person, CacheKey: in.CacheKey, Whole: in.Stream != nil && !*in.Stream}
	for _, b := range in.System {
		r.System = append(r.System, gateway.Block(b))
	}
	for _, t := range in.Tools {
		if t.Name == "" {
			return r, "", fmt.Errorf("a tool has no name")
		}
		if t.Schema == nil {
			t.Schema = jsontext.Value(`{"type":"object","properties":{}}`)
		}
		r.Tools = append(r.Tools, gateway.Tool(t))
	}
	if len(in.Messages) == 0 {
		return r, "", fmt.Errorf("there are no messages")
	}
	for n, m := range in.Messages {
		out, err := m.read(to)
		if err != nil {
			return r, "", fmt.Errorf("messages[%d]: %w", n, err)
		}
		r.Messages = append(r.Messages, out)
	}
	return r, to.Model, nil
}

// unread says what is wrong with a file in the words of who wrote it.
func unread(err error) error {
	var wrong *json.SemanticError
	switch {
	case !errors.As(err, &wrong):
		return fmt.Errorf("the request cannot be read: it is no JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("the request cannot be read: the field %s is unknown", wrong.JSONPointer)
	case wrong.Err != nil:
		return fmt.Errorf("the request cannot be read: %s: %w", wrong.JSONPointer, wrong.Err)
	}
	kinds := map[jsontext.Kind]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number", 'n': "null", 't': "true", 'f': "false"}
	return fmt.Errorf("the request cannot be read: %s may not be %s", cmp.Or(string(wrong.JSONPointer), "all of it"), kinds[wrong.JSONKind])
}

func (m message) read(to Producer) (gateway.Message, error) {
	out := gateway.Message{Role: m.Role, Cache: m.Cache}
	switch m.Role {
	case gateway.User:
		if len(m.Content) == 0 || m.Text != "" || m.Calls != nil || m.Results != nil {
			return out, fmt.Errorf("a user has content alone")
		}
		for n, p := range m.Content {
			switch {
			case p.Type != gateway.Text && p.Type != gateway.Image && p.Type != gateway.PDF:
				return out, fmt.Errorf("content[%d]: the type %q is none of text, image, pdf", n, p.Type)
			case p.Type != gateway.Text && len(p.Data) == 0:
				return out, fmt.Errorf("content[%d] has no data", n)
			}
			out.Parts = append(out.Parts, gateway.Part{Media: p.Type, Text: p.Text, Type: p.MediaType, Name: p.Name, Data: p.Data, Pages: p.Pages})
		}
	case gateway.Assistant:
		if m.Results != nil || m.Content != nil {
			return out, fmt.Errorf("an assistant has text and tool_calls alone")
		}
		out.Text = m.Text
		for _, c := range m.Calls {
			call := gateway.Call{ID: c.ID, Name: c.Name, Args: c.Arguments, Invalid: c.Invalid}
			switch {
			case c.Invalid || c.Arguments == nil:
				call.Args = nil
				if !c.Invalid {
					call.Args = jsontext.Value("{}")
				}
			case c.Arguments.Kind() != '{':
				return out, fmt.Errorf("the arguments of %s are no object: with invalid_arguments they are left out", c.Name)
			}
			out.Calls = append(out.Calls, call)
		}
		out.Raw = m.raw(to)
	case gateway.Tools:
		if len(m.Results) == 0 || m.Text != "" || m.Calls != nil || m.Content != nil {
			return out, fmt.Errorf("a tool has results alone")
		}
		for _, r := range m.Results {
			out.Results = append(out.Results, gateway.ToolResult(r))
		}
	default:
		return out, fmt.Errorf("the role %q is none of user, assistant, tool", m.Role)
	}
	return out, nil
}

// raw is the answer as its host wrote it.
func (m message) raw(to Producer) *gateway.Raw {
	if m.Replay == nil {
		return nil
	}
	if m.From != nil {
		to = *m.From
	}
	items := m.Replay.Content
	switch {
	case m.Replay.Items != nil:
		items = m.Replay.Items
	case m.Replay.Message != nil:
		items = []jsontext.Value{m.Replay.Message}
	}
	if p, err := gateway.ParseProtocol(string(to.Protocol)); err == nil {
		to.Protocol = p
	}
	return &gateway.Raw{Protocol: to.Protocol, Host: strings.ToLower(to.Host), Model: to.Model, Items: items}
}

// Sending is a request as it leaves, with a header a line.
type Sending struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    jsontext.Value    `json:"body"`
}

// Sent is what a request sends.
func Sent(s gateway.Sending) Sending {
	out := Sending{Method: s.Method, URL: s.URL, Headers: map[string]string{}, Body: s.Body}
	for name, values := range s.Headers {
		out.Headers[name] = strings.Join(values, ", ")
	}
	return out
}
