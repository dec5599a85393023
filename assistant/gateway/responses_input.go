package gateway

import (
	"cmp"
	"encoding/base64"
	"encoding/json/jsontext"
)

// input writes all that was said.
func (w *responsesWriter) input(all []Message) ([]jsontext.Value, error) {
	var out []jsontext.Value
	from, id := current(all), nine
	all = apart(all, func(_ int, m Message) bool { return w.t.wrote(m.Raw) })
	for n, m := range all {
		switch m.Role {
		case User:
			parts := make([]jsontext.Value, 0, len(m.Parts))
			for _, p := range m.Parts {
				v, err := w.part(p)
				if err != nil {
					return nil, err
				}
				if v != nil {
					parts = append(parts, v)
				}
			}
			if len(parts) > 0 {
				out = append(out, object(member{"type", quote("message")}, member{"role", quote("user")}, member{"content", list(parts...)}))
			}
		case Assistant:
			var items []jsontext.Value
			items, id = w.assistant(m, n >= from)
			out = append(out, items...)
		case Tools:
			for _, r := range m.Results {
				out = append(out, object(
					member{"type", quote("function_call_output")}, member{"call_id", quote(id(r.Call))}, member{"output", quote(r.Text)},
				))
			}
		}
	}
	return out, nil
}

// assistant writes an answer: its items as they came, if this host and model
// gave it, else from its text and calls. What was thought goes back only to the
// question that it was thought for. It says under which ids its calls go.
func (w *responsesWriter) assistant(m Message, now bool) (out []jsontext.Value, id func(string) string) {
	if w.t.wrote(m.Raw) {
		for _, v := range m.Raw.Items {
			var h responsesHead
			_ = lenient(v, &h) // it was read as an object before
			switch {
			case h.Type == "reasoning" && !now:
			case h.Type == "reasoning", h.Type == "message", !now:
				// By its id the host would look for what it has not kept, and of a
				// call for what was thought before it.
				out = append(out, with(v, member{"id", nil}))
			default:
				out = append(out, v)
			}
		}
		return out, func(id string) string { return id }
	}
	if m.Text != "" {
		out = append(out, object(
			member{"type", quote("message")}, member{"role", quote("assistant")},
			member{"content", list(object(member{"type", quote("output_text")}, member{"text", quote(m.Text)}))},
		))
	}
	for _, c := range m.Calls {
		out = append(out, object(
			member{"type", quote("function_call")}, member{"call_id", quote(nine(c.ID))}, member{"name", quote(cmp.Or(c.Name, "unknown"))},
			member{"arguments", quote(cmp.Or(string(c.Args), "{}"))},
		))
	}
	return out, nine
}

// part writes what a person says or shows; nil if it is nothing.
func (w *responsesWriter) part(p Part) (jsontext.Value, error) {
	data := func(kind string) jsontext.Value {
		return quote("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(p.Data))
	}
	switch p.Media {
	case Text:
		if p.Text == "" {
			return nil, nil
		}
		return object(member{"type", quote("input_text")}, member{"text", quote(p.Text)}), nil
	case Image:
		return object(member{"type", quote("input_image")}, member{"image_url", data(pictureType(p))}, member{"detail", quote("auto")}), nil
	case PDF:
		return object(member{"type", quote("input_file")}, member{"filename", quote(cmp.Or(p.Name, "document.pdf"))}, member{"file_data", data("application/pdf")}), nil
	}
	return nil, &Error{Kind: Unsupported, Message: "this protocol has no place for " + string(p.Media), Param: string(p.Media)}
}
