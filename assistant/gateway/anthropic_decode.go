package gateway

import (
	"cmp"
	"encoding/json/jsontext"
)

// anthropicAnswer reads an answer in the Messages protocol. Events may be
// missing, come twice, or lack their index: what they say is enough to place
// them.
type anthropicAnswer struct {
	t      target
	a      *answer
	blocks []*anthropicBlock // in the order in which they began
	at     map[int64]*anthropicBlock
	usage  anthropicUsage
	over   bool
}

type anthropicEvent struct {
	Type    str                   `json:"type"`
	Message obj[anthropicMessage] `json:"message"`
	Index   num                   `json:"index"`
	Block   jsontext.Value        `json:"content_block"`
	Delta   obj[anthropicDelta]   `json:"delta"`
	Usage   obj[anthropicUsage]   `json:"usage"`
	Request str                   `json:"request_id"`
}

// anthropicMessage is a whole answer, or how one begins.
type anthropicMessage struct {
	Model   str                 `json:"model"`
	Content jsontext.Value      `json:"content"`
	Stop    str                 `json:"stop_reason"`
	Details obj[anthropicWhy]   `json:"stop_details"`
	Usage   obj[anthropicUsage] `json:"usage"`
}

// anthropicDelta is a piece of a block, or how the message ends.
type anthropicDelta struct {
	Type      str               `json:"type"`
	Text      jsontext.Value    `json:"text"`
	Thinking  jsontext.Value    `json:"thinking"`
	Signature jsontext.Value    `json:"signature"`
	Partial   jsontext.Value    `json:"partial_json"`
	Stop      str               `json:"stop_reason"`
	Details   obj[anthropicWhy] `json:"stop_details"`
}

// anthropicWhy is why a model would not answer.
type anthropicWhy struct {
	Category    str `json:"category"`
	Explanation str `json:"explanation"`
}

func (d *anthropicAnswer) event(name string, data []byte) {
	if d.a.err != nil {
		return
	}
	var e anthropicEvent
	if !d.a.parse(data, &e) {
		if name == "error" && d.a.err == nil {
			d.a.fail(said{message: excerpt(data)}.error(0))
		}
		return
	}
	kind := cmp.Or(string(e.Type), name)
	if d.over && kind != "message_delta" { // whose counts some send last
		return
	}
	switch kind {
	case "message_start":
		d.begin(e.Message.V)
	case "content_block_start":
		d.start(e.Index, e.Block)
	case "content_block_delta":
		d.piece(e.Index, e.Delta.V)
	case "content_block_stop":
		if b := d.at[d.place(e.Index)]; b != nil {
			b.closed = true
		}
	case "message_delta":
		d.count(e.Usage)
		d.stop(e.Delta.V.Stop, e.Delta.V.Details.V)
	case "message_stop":
		d.over = true
		d.a.over("")
	case "message": // whole, in one event
		d.whole(data)
	case "ping":
	default:
		d.failed(kind, data, string(e.Request))
	}
}

// failed finds the error in an event that is none of an answer.
func (d *anthropicAnswer) failed(kind string, data []byte, request string) {
	err := spoken(data)
	if err == nil && kind == "error" {
		err = said{message: excerpt(data)}.error(0)
	}
	if err != nil {
		err.RequestID = cmp.Or(err.RequestID, request)
		d.a.fail(err)
	}
}

func (d *anthropicAnswer) whole(body jsontext.Value) {
	var m anthropicMessage
	if !d.a.parse(body, &m) {
		d.a.fail(&Error{Kind: Server, Message: "no answer of a model: " + excerpt(body), Retryable: true})
		return
	}
	if m.Content == nil && m.Stop == "" {
		d.failed("error", body, "")
		return
	}
	d.begin(m)
	if text := word(m.Content); text != "" {
		d.start(num{}, with(jsontext.Value(`{"type":"text"}`), member{"text", m.Content}))
	}
	d.a.unread(each(m.Content, func(v jsontext.Value) {
		d.start(num{N: int64(len(d.blocks)), Is: true}, v)
	}))
	d.stop(m.Stop, m.Details.V)
	d.over = true
	d.a.over("")
}

// begin takes what stands at the top of an answer. Some hosts begin twice.
func (d *anthropicAnswer) begin(m anthropicMessage) {
	d.a.model = cmp.Or(d.a.model, string(m.Model))
	d.count(m.Usage)
}

// stop notes why the answer ends. With that it has ended: some hosts close
// without message_stop.
func (d *anthropicAnswer) stop(reason str, why anthropicWhy) {
	if reason != "" {
		d.a.over("")
	}
	switch reason {
	case "":
		return
	case "end_turn", "stop_sequence", "pause_turn", "stop":
		d.a.finish = Stop
	case "tool_use", "tool_calls":
		d.a.finish = ToolUse
	case "max_tokens", "length":
		d.a.finish = MaxTokens
	case "refusal", "content_filter":
		d.a.finish = Refused
		d.a.refusal = &Refusal{Category: string(why.Category), Message: string(why.Explanation)}
	case "model_context_window_exceeded":
		d.a.finish = ContextWindow
	}
}

func (d *anthropicAnswer) count(u obj[anthropicUsage]) {
	if u.Is {
		d.usage.take(u.V)
	}
	d.a.usage = d.usage.sum()
}

// end puts together what may be called and what is sent back.
func (d *anthropicAnswer) end() {
	d.a.billed = d.usage.billed(d.a.model)
	whole := true
	for _, b := range d.blocks {
		if b.isCall() {
			id, fresh := d.a.call(string(b.head.ID), string(b.head.Name), b.arguments())
			if !fresh {
				continue
			}
			b.head.ID = str(id)
		}
		raw, ok := b.raw(d.t)
		whole = whole && ok
		if raw != nil {
			d.a.raw = append(d.a.raw, raw)
		}
	}
	if !whole {
		d.a.raw = nil
	}
}
