package gateway

import (
	"cmp"
	"encoding/base64"
	"encoding/json/jsontext"
)

// anthropicTurn is a message as it is sent.
type anthropicTurn struct {
	user    bool
	results []jsontext.Value // of tools, which come first
	blocks  []jsontext.Value
}

// messages writes all that was said. What tools answered and what a person says
// next is one message.
func (w *anthropicWriter) messages(all []Message) ([]jsontext.Value, error) {
	var turns []*anthropicTurn
	of := func(user bool) *anthropicTurn {
		if n := len(turns); n > 0 && turns[n-1].user == user {
			return turns[n-1]
		}
		t := &anthropicTurn{user: user}
		turns = append(turns, t)
		return t
	}
	from, id := current(all), nine
	all = apart(all, func(n int, m Message) bool { return n >= from && w.t.wrote(m.Raw) })
	for n, m := range all {
		var blocks []jsontext.Value
		switch m.Role {
		case User:
			for _, p := range m.Parts {
				b, err := w.part(p)
				if err != nil {
					return nil, err
				}
				if b != nil {
					blocks = append(blocks, b)
				}
			}
		case Assistant:
			blocks, id = w.assistant(m, n >= from)
		case Tools:
			for _, r := range m.Results {
				blocks = append(blocks, w.result(r, id))
			}
		}
		if len(blocks) == 0 {
			continue // a message of nothing is refused
		}
		if w.turns[n] {
			w.last(blocks)
		}
		if t := of(m.Role != Assistant); m.Role == Tools {
			t.results = append(t.results, blocks...)
		} else {
			t.blocks = append(t.blocks, blocks...)
		}
	}
	out := make([]jsontext.Value, len(turns))
	for i, t := range turns {
		role := "assistant"
		if t.user {
			role = "user"
		}
		out[i] = object(member{"role", quote(role)}, member{"content", list(append(t.results, t.blocks...)...)})
	}
	return out, nil
}

// last marks the last block that can be marked: what was thought cannot.
func (w *anthropicWriter) last(blocks []jsontext.Value) {
	for n := len(blocks) - 1; n >= 0; n-- {
		var h anthropicHead
		_ = lenient(blocks[n], &h) // it was written here, or read before
		switch h.Type {
		case "text", "image", "document", "tool_use", "tool_result":
			blocks[n] = marked(blocks[n])
			return
		}
	}
}

// assistant writes an answer: as it came, if this host and model gave it to the
// question that is being answered, else from its text and calls. It says under
// which ids its calls go.
func (w *anthropicWriter) assistant(m Message, now bool) ([]jsontext.Value, func(string) string) {
	if now && w.t.wrote(m.Raw) {
		blocks := make([]jsontext.Value, len(m.Raw.Items))
		copy(blocks, m.Raw.Items) // whose elements stay as they are
		return blocks, func(id string) string { return id }
	}
	var blocks []jsontext.Value
	if !blank(m.Text) {
		blocks = append(blocks, object(member{"type", quote("text")}, member{"text", quote(m.Text)}))
	}
	for _, c := range m.Calls {
		args := c.Args
		if c.Invalid || args.Kind() != '{' {
			args = jsontext.Value("{}")
		}
		blocks = append(blocks, object(
			member{"type", quote("tool_use")}, member{"id", quote(nine(c.ID))}, member{"name", quote(cmp.Or(c.Name, "unknown"))}, member{"input", args},
		))
	}
	return blocks, nine
}

func (w *anthropicWriter) result(r ToolResult, id func(string) string) jsontext.Value {
	out := []member{{"type", quote("tool_result")}, {"tool_use_id", quote(id(r.Call))}}
	if !blank(r.Text) {
		out = append(out, member{"content", list(object(member{"type", quote("text")}, member{"text", quote(r.Text)}))})
	}
	if r.Error {
		out = append(out, member{"is_error", jsontext.Value("true")})
	}
	return object(out...)
}

// part writes what a person says or shows; nil if it is nothing.
func (w *anthropicWriter) part(p Part) (jsontext.Value, error) {
	data := func(kind string) jsontext.Value {
		return object(member{"type", quote("base64")}, member{"media_type", quote(kind)}, member{"data", quote(base64.StdEncoding.EncodeToString(p.Data))})
	}
	switch p.Media {
	case Text:
		if blank(p.Text) {
			return nil, nil
		}
		return object(member{"type", quote("text")}, member{"text", quote(p.Text)}), nil
	case Image:
		return object(member{"type", quote("image")}, member{"source", data(pictureType(p))}), nil
	case PDF:
		out := []member{{"type", quote("document")}, {"source", data("application/pdf")}}
		if p.Name != "" {
			out = append(out, member{"title", quote(p.Name)})
		}
		return object(out...), nil
	}
	return nil, &Error{Kind: Unsupported, Message: "this protocol has no place for " + string(p.Media), Param: string(p.Media)}
}
