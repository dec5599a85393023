package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"strings"
)

// anthropicBlock is a piece of an answer: text, thinking, a call, or what is not
// known yet and goes back as it came.
type anthropicBlock struct {
	head      anthropicHead
	start     jsontext.Value // as it came
	text      joined         // or thinking
	signature joined
	input     strings.Builder
	index     int64
	pieces    bool // more came than the start
	closed    bool
}

type anthropicHead struct {
	Type      str              `json:"type"`
	ID        str              `json:"id"`
	Name      str              `json:"name"`
	Text      jsontext.Value   `json:"text"`
	Thinking  jsontext.Value   `json:"thinking"`
	Signature jsontext.Value   `json:"signature"`
	Input     jsontext.Value   `json:"input"`
	To        obj[anthropicTo] `json:"to"`
}

type anthropicTo struct {
	Model str `json:"model"`
}

func (b *anthropicBlock) isCall() bool { return b.head.Type == "tool_use" }

// place is the index that an event is about: the last block where it says none.
func (d *anthropicAnswer) place(index num) int64 {
	if index.Is || len(d.blocks) == 0 {
		return index.N
	}
	return d.blocks[len(d.blocks)-1].index
}

// start begins a block. One that was begun already, and said nothing yet, was
// told twice; else the index is used again.
func (d *anthropicAnswer) start(index num, v jsontext.Value) {
	var h anthropicHead
	if !d.a.parse(v, &h) {
		return
	}
	if !index.Is {
		index.N = int64(len(d.blocks))
	}
	if b := d.at[index.N]; b != nil && !b.pieces && !b.closed && b.head.Type == h.Type && b.head.ID == h.ID && b.head.Name == h.Name {
		return
	}
	b := d.add(index.N, h, v.Clone())
	switch h.Type {
	case "text":
		b.text.add(h.Text)
		d.a.say(word(h.Text))
	case "thinking":
		b.text.add(h.Thinking)
		b.signature.add(h.Signature)
		d.a.think(word(h.Thinking))
	case "fallback":
		if h.To.V.Model != "" {
			d.a.model = string(h.To.V.Model)
		}
	}
}

func (d *anthropicAnswer) add(index int64, h anthropicHead, start jsontext.Value) *anthropicBlock {
	if len(d.blocks) == maxItems {
		d.a.unread(errTooMany)
		return &anthropicBlock{}
	}
	d.a.begun = true
	b := &anthropicBlock{head: h, start: start, index: index}
	if d.at == nil {
		d.at = map[int64]*anthropicBlock{}
	}
	d.blocks, d.at[index] = append(d.blocks, b), b
	return b
}

// piece adds to a block. Where none began, or one of another kind, the piece
// says of which kind it is.
func (d *anthropicAnswer) piece(index num, p anthropicDelta) {
	kind := p.kind()
	if kind == "" {
		return // such as a citation
	}
	b := d.at[d.place(index)]
	known := b != nil && (b.head.Type == "text" || b.head.Type == "thinking")
	if b == nil || (string(b.head.Type) != kind && (known || kind != "tool_use")) {
		if b != nil && !known {
			return // within a block of a kind that is not known
		}
		b = d.add(d.place(index), anthropicHead{Type: str(kind)}, jsontext.Value(`{"type":"`+kind+`"}`))
	}
	b.pieces = true
	switch kind {
	case "text":
		b.text.add(p.Text)
		d.a.say(word(p.Text))
	case "thinking":
		b.text.add(p.Thinking)
		b.signature.add(p.Signature)
		d.a.think(word(p.Thinking))
	default:
		b.input.WriteString(textOf(p.Partial))
	}
}

// kind is of which kind a block is that the piece belongs to; "" if it adds
// nothing that is read.
func (p anthropicDelta) kind() string {
	switch p.Type {
	case "text_delta":
		return "text"
	case "thinking_delta", "signature_delta":
		return "thinking"
	case "input_json_delta":
		return "tool_use"
	case "":
	default:
		return ""
	}
	switch {
	case p.Text.Kind() == '"':
		return "text"
	case p.Thinking.Kind() == '"', p.Signature.Kind() == '"':
		return "thinking"
	case p.Partial != nil:
		return "tool_use"
	}
	return ""
}

// arguments are what came in pieces, else what stood at the start.
func (b *anthropicBlock) arguments() string {
	if strings.TrimSpace(b.input.String()) != "" {
		return b.input.String()
	}
	if b.head.Input.Kind() == '[' {
		return string(b.head.Input)
	}
	return textOf(b.head.Input)
}

// raw is the block as it goes back, nil if it does not; false if it cannot be
// sent back as it came.
func (b *anthropicBlock) raw(t target) (jsontext.Value, bool) {
	v := b.start
	switch b.head.Type {
	case "text":
		if b.pieces {
			v = with(v, member{"text", b.text.value()})
		}
		if blank(word(b.text.value())) {
			return nil, true // which is refused as a text
		}
	case "thinking":
		if len(b.signature.inner) == 0 && t.isAnthropic() {
			return nil, true // unsigned, it is refused
		}
		if b.pieces {
			v = with(v, member{"thinking", b.text.value()})
			if len(b.signature.inner) > 0 {
				v = with(v, member{"signature", b.signature.value()})
			}
		}
	case "tool_use":
		args, invalid := arguments(b.arguments())
		if invalid { // an object is wanted, and the model is to see what it wrote
			args = with(jsontext.Value("{}"), member{"INVALID_JSON", quote(b.arguments())})
		}
		v = with(v, member{"id", quote(string(b.head.ID))}, member{"name", quote(cmp.Or(string(b.head.Name), "unknown"))}, member{"input", args})
	default:
		if b.input.Len() > 0 {
			v = with(v, member{"input", jsontext.Value(b.input.String())})
		}
	}
	return v, v.IsValid()
}
