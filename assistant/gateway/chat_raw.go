package gateway

import (
	"encoding/json/jsontext"
	"strings"
)

// chatRaw gathers what has to go back within a question as the host wrote it.
type chatRaw struct {
	thoughts bool // the host gets its thinking back
	parts    []chatPart
	field    string // under which thinking came
	thinking strings.Builder
	details  []chatDetail
	extra    jsontext.Value
}

// chatPart is a part of what was said, from as many pieces as it came in.
type chatPart struct {
	thought bool
	first   jsontext.Value
	pieces  int
	text    []byte
}

// say takes a piece of text.
func (r *chatRaw) say(said string) {
	if said == "" {
		return
	}
	if len(r.parts) == 0 || r.parts[len(r.parts)-1].thought {
		r.parts = append(r.parts, chatPart{})
	}
	p := &r.parts[len(r.parts)-1]
	p.text = append(p.text, said...)
}

// part takes a piece of thinking that stands among the text.
func (r *chatRaw) part(v jsontext.Value, thought string) {
	if len(r.parts) == 0 || !r.parts[len(r.parts)-1].thought {
		r.parts = append(r.parts, chatPart{thought: true, first: v})
	}
	p := &r.parts[len(r.parts)-1]
	p.pieces++
	p.text = append(p.text, thought...)
}

func (r *chatRaw) thought(field, piece string) {
	if r.field == "" {
		r.field = field
	}
	r.thinking.WriteString(piece)
}

// message writes all of it.
func (r *chatRaw) message(a *answer, calls *chatCalls, d dialect) jsontext.Value {
	out := []member{{"role", quote("assistant")}, {"content", r.content(a, d)}}
	switch {
	case len(r.details) > 0:
		all := make([]jsontext.Value, 0, len(r.details))
		for _, detail := range r.details {
			all = append(all, detail.value())
		}
		out = append(out, member{"reasoning_details", list(all...)})
	case r.thoughts && r.thinking.Len() > 0:
		out = append(out, member{r.field, quote(r.thinking.String())})
	}
	if r.extra != nil {
		out = append(out, member{"extra_content", r.extra})
	}
	if !calls.none() {
		all := make([]jsontext.Value, 0, len(calls.slots))
		for _, s := range calls.slots {
			args, _ := arguments(string(s.args))
			all = append(all, toolCall(s.id, string(s.name), string(args), s.extra...))
		}
		out = append(out, member{"tool_calls", list(all...)})
	}
	return object(out...)
}

// content is a text, unless thinking stands in it.
func (r *chatRaw) content(a *answer, d dialect) jsontext.Value {
	among := false
	parts := make([]jsontext.Value, 0, len(r.parts))
	for _, p := range r.parts {
		text := object(member{"type", quote("text")}, member{"text", quote(string(p.text))})
		switch {
		case !p.thought:
			parts = append(parts, text)
			continue
		case p.pieces == 1:
			parts = append(parts, p.first)
		default:
			all, _ := members(p.first)
			if n := at(all, "thinking"); n >= 0 {
				all[n].value = list(text)
			}
			parts = append(parts, object(all...))
		}
		among = true
	}
	switch {
	case among:
		return list(parts...)
	case a.text.Len() == 0 && !d.blank:
		return jsontext.Value("null")
	}
	return quote(a.text.String())
}

// chatDetail is a piece of thinking as OpenRouter passes it on.
type chatDetail struct {
	kind, index string
	pieces      int
	raw         jsontext.Value
	all         []member
	field       string // that holds its text
	text        joined
}

// mostMembers is how many members of one are put together; with more it stays
// as it is.
const mostMembers = 16

// detail takes pieces, and gives what can be read of them.
func (r *chatRaw) detail(v jsontext.Value) string {
	var read strings.Builder
	for n, e := range elements(v) {
		all, ok := members(e)
		if !ok {
			continue
		}
		d := chatDetail{raw: e, pieces: 1}
		if len(all) <= mostMembers {
			d.all = all
			if k := at(all, "type"); k >= 0 {
				d.kind = text(all[k].value)
			}
			if k := at(all, "index"); k >= 0 {
				d.index = string(all[k].value)
			}
			switch d.kind {
			case "reasoning.text":
				d.field = "text"
			case "reasoning.summary":
				d.field = "summary"
			}
		}
		piece := ""
		if k := at(d.all, d.field); k >= 0 {
			piece = text(d.all[k].value)
			d.text.add(d.all[k].value)
		}
		read.WriteString(piece)
		// The first of a list may go on with what the last list ended with.
		if last := len(r.details) - 1; n == 0 && last >= 0 && d.field != "" && r.details[last].kind == d.kind && r.details[last].index == d.index {
			r.details[last].join(d)
			continue
		}
		r.details = append(r.details, d)
	}
	return read.String()
}

func (d *chatDetail) join(next chatDetail) {
	d.pieces++
	d.text.inner = append(d.text.inner, next.text.inner...)
	for _, m := range next.all {
		if m.name == d.field || string(m.value) == "null" {
			continue
		}
		if n := at(d.all, m.name); n >= 0 {
			d.all[n] = m
		} else if len(d.all) < mostMembers {
			d.all = append(d.all, m)
		}
	}
}

// value is it as it came, or put together.
func (d *chatDetail) value() jsontext.Value {
	if d.pieces == 1 {
		return d.raw
	}
	if n := at(d.all, d.field); n >= 0 {
		d.all[n].value = d.text.value()
	} else {
		d.all = append(d.all, member{d.field, d.text.value()})
	}
	return object(d.all...)
}
