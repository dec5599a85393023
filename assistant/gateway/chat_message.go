package gateway

import (
	"cmp"
	"encoding/base64"
	"encoding/json/jsontext"
	"net/http"
	"strings"
)

// mostMarks is how many ends of what is to be cached a request may have.
const mostMarks = 4

// messages writes the instructions and all that was said.
func (w *chatWriter) messages(r Request) ([]jsontext.Value, error) {
	var out []jsontext.Value
	if system := w.system(r.System); system != nil {
		out = append(out, system)
	}
	marked := w.markable(r.Messages)
	from, id := current(r.Messages), nine
	for n, m := range apart(r.Messages, func(n int, m Message) bool { return n >= from && w.asItCame(m) }) {
		switch m.Role {
		case User:
			content, err := w.user(m, marked[n])
			if err != nil {
				return nil, err
			}
			if w.d.answered && n > 0 && r.Messages[n-1].Role == Tools {
				// The answer was given up, or broke off, and the person went on.
				out = append(out, object(member{"role", quote("assistant")}, member{"content", quote("…")}))
			}
			out = append(out, object(member{"role", quote("user")}, member{"content", content}))
		case Assistant:
			if n >= from && w.asItCame(m) {
				id = func(id string) string { return id }
				out = append(out, m.Raw.Items[0])
				continue
			}
			id = nine
			if rebuilt := w.rebuilt(m); rebuilt != nil {
				out = append(out, rebuilt)
			}
		case Tools:
			for k, result := range m.Results {
				content := quote(result.Text)
				if marked[n] && k == len(m.Results)-1 {
					content = list(w.text(result.Text, true))
				}
				out = append(out, object(member{"role", quote("tool")}, member{"tool_call_id", quote(id(result.Call))}, member{"content", content}))
			}
		}
	}
	return out, nil
}

// system writes the instructions.
func (w *chatWriter) system(blocks []Block) jsontext.Value {
	var texts []string
	var parts []jsontext.Value
	marks := 0
	for _, b := range blocks {
		if b.Text == "" {
			continue
		}
		mark := w.d.marks && b.Cache && marks < mostMarks/2 && !w.t.refuses("cache_control")
		if mark {
			marks++
		}
		texts, parts = append(texts, b.Text), append(parts, w.text(b.Text, mark))
	}
	if len(texts) == 0 {
		return nil
	}
	w.marks += marks
	content := quote(strings.Join(texts, "\n\n"))
	if marks > 0 {
		content = list(parts...)
	}
	return object(member{"role", quote("system")}, member{"content", content})
}

// markable are the messages at whose end the host is told that requests stay
// the same up to there: the last ones, for those before have been read by then.
func (w *chatWriter) markable(all []Message) map[int]bool {
	if !w.d.marks || w.t.refuses("cache_control") {
		return nil
	}
	marked := map[int]bool{}
	for n := len(all) - 1; n >= 0 && w.marks < mostMarks; n-- {
		if all[n].Cache && all[n].Role != Assistant {
			marked[n] = true
			w.marks++
		}
	}
	return marked
}

func (w *chatWriter) text(text string, mark bool) jsontext.Value {
	part := []member{{"type", quote("text")}, {"text", quote(text)}}
	if mark {
		part = append(part, member{"cache_control", jsontext.Value(`{"type":"ephemeral"}`)})
	}
	return object(part...)
}

// user writes what a person says and shows.
func (w *chatWriter) user(m Message, mark bool) (jsontext.Value, error) {
	if len(m.Parts) == 1 && m.Parts[0].Media == Text && !mark {
		return quote(m.Parts[0].Text), nil
	}
	last := -1
	for n, p := range m.Parts {
		if p.Media == Text && p.Text != "" {
			last = n
		}
	}
	var parts []jsontext.Value
	for n, p := range m.Parts {
		switch p.Media {
		case Text:
			if p.Text != "" {
				parts = append(parts, w.text(p.Text, mark && n == last))
			}
		case Image:
			url := "data:" + pictureType(p) + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
			parts = append(parts, object(member{"type", quote("image_url")}, member{"image_url", object(member{"url", quote(url)})}))
		case PDF:
			part, err := w.pdf(p)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		default:
			return nil, &Error{Kind: Unsupported, Message: "chat completions have no place for " + string(p.Media), Param: string(p.Media)}
		}
	}
	if len(parts) == 0 {
		return quote(""), nil
	}
	return list(parts...), nil
}

// pictureType is what a picture is: hosts look at it themselves, and refuse one
// that says that it is another.
func pictureType(p Part) string {
	if found := http.DetectContentType(p.Data); strings.HasPrefix(found, "image/") {
		return found
	}
	return cmp.Or(p.Type, "image/png")
}

// pdf writes a PDF, if the host takes any.
func (w *chatWriter) pdf(p Part) (jsontext.Value, error) {
	url := func() jsontext.Value {
		return quote("data:application/pdf;base64," + base64.StdEncoding.EncodeToString(p.Data))
	}
	name := quote(cmp.Or(p.Name, "document.pdf"))
	switch w.d.pdf {
	case pdfFile:
		return object(member{"type", quote("file")}, member{"file", object(member{"filename", name}, member{"file_data", url()})}), nil
	case pdfDocument:
		return object(member{"type", quote("document_url")}, member{"document_url", url()}, member{"document_name", name}), nil
	}
	return nil, &Error{Kind: Unsupported, Message: w.t.Host + " takes no PDF over chat completions", Param: string(PDF)}
}

// asItCame says that an answer goes back as its host wrote it.
func (w *chatWriter) asItCame(m Message) bool {
	if !w.t.wrote(m.Raw) || m.Raw.Items[0].Kind() != '{' || !m.Raw.Items[0].IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return false
	}
	for _, c := range m.Calls {
		if w.d.nine && !isNine(c.ID) {
			return false
		}
	}
	return true
}

// rebuilt writes an answer from its text and calls, for a host that has not
// written it; nil if there is nothing of it.
func (w *chatWriter) rebuilt(m Message) jsontext.Value {
	if m.Text == "" && len(m.Calls) == 0 {
		return nil
	}
	out := []member{{"role", quote("assistant")}, {"content", w.content(m.Text)}}
	if len(m.Calls) > 0 {
		calls := make([]jsontext.Value, 0, len(m.Calls))
		for _, c := range m.Calls {
			calls = append(calls, toolCall(nine(c.ID), c.Name, string(c.Args)))
		}
		out = append(out, member{"tool_calls", list(calls...)})
	}
	return object(out...)
}

// content is the text of an answer, which may only have calls.
func (w *chatWriter) content(text string) jsontext.Value {
	if text == "" && !w.d.blank {
		return jsontext.Value("null")
	}
	return quote(text)
}

// toolCall writes a call. Arguments that are none are empty, and a name has only
// what a name may have: hosts look at both, and refuse the whole request.
func toolCall(id, name, args string, more ...member) jsontext.Value {
	return object(append([]member{
		{"id", quote(id)},
		{"type", quote("function")},
		{"function", object(member{"name", quote(callable(name))}, member{"arguments", quote(cmp.Or(args, "{}"))})},
	}, more...)...)
}

// callable is a name as a tool may have one.
func callable(name string) string {
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name[:min(len(name), 64)])
	return cmp.Or(name, "unknown")
}
