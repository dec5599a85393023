package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"strings"
)

// responsesAnswer reads an answer in the Responses protocol. What is done with
// an item counts for more than what was added of it, and the items at the end
// only for what never came before: some hosts send none there.
type responsesAnswer struct {
	t       target
	a       *answer
	items   []*responsesItem // in the order in which they began
	at      map[int64]*responsesItem
	ids     map[string]*responsesItem
	refusal strings.Builder
	refused bool
	over    bool
}

type responsesEvent struct {
	Type      str                 `json:"type"`
	Object    str                 `json:"object"`
	Response  obj[responsesWhole] `json:"response"`
	Index     num                 `json:"output_index"`
	Part      num                 `json:"content_index"`
	ItemID    str                 `json:"item_id"`
	CallID    str                 `json:"call_id"`
	Name      str                 `json:"name"`
	Item      jsontext.Value      `json:"item"`
	Piece     obj[responsesPart]  `json:"part"`
	Delta     jsontext.Value      `json:"delta"`
	Text      str                 `json:"text"`
	Refusal   str                 `json:"refusal"`
	Arguments jsontext.Value      `json:"arguments"`
	Error     jsontext.Value      `json:"error"`
	Code      str                 `json:"code"`
	Message   str                 `json:"message"`
	Param     str                 `json:"param"`
}

// responsesWhole is the state of the whole answer.
type responsesWhole struct {
	Status str                 `json:"status"`
	Model  str                 `json:"model"`
	Output jsontext.Value      `json:"output"`
	Error  jsontext.Value      `json:"error"`
	Why    obj[responsesWhy]   `json:"incomplete_details"`
	Usage  obj[responsesUsage] `json:"usage"`
}

type responsesWhy struct {
	Reason str `json:"reason"`
}

type responsesPart struct {
	Type    str `json:"type"`
	Text    str `json:"text"`
	Refusal str `json:"refusal"`
}

func (d *responsesAnswer) event(name string, data []byte) {
	if d.over {
		return
	}
	var e responsesEvent
	if !d.a.parse(data, &e) {
		if name == "error" && d.a.err == nil {
			d.a.fail(said{message: excerpt(data)}.error(0))
		}
		return
	}
	switch kind := cmp.Or(string(e.Type), name); kind {
	case "response.created", "response.in_progress", "response.queued":
		d.begin(e.Response.V)
	case "response.failed":
		d.finish("failed", e.Response.V) // after an error, too: it has the counts
	default:
		if d.a.err == nil {
			d.answers(kind, data, e)
		}
	}
}

// answers reads an event of an answer in which nothing went wrong so far.
func (d *responsesAnswer) answers(kind string, data []byte, e responsesEvent) {
	switch kind {
	case "response.completed", "response.done", "response.incomplete", "response.cancelled":
		if !e.Response.Is { // some say it without the answer around it
			_ = lenient(data, &e.Response.V) // it was read before
		}
		d.finish(strings.TrimPrefix(kind, "response."), e.Response.V)
	case "error", "response.error":
		d.failed(data, e)
	case "response.output_item.added":
		d.added(e)
	case "response.output_item.done":
		d.done(e)
	default:
		if !d.piece(kind, e) {
			d.other(data, e)
		}
	}
}

// piece reads what adds to an item; false if the event does not.
func (d *responsesAnswer) piece(kind string, e responsesEvent) bool {
	switch kind {
	case "response.output_text.delta":
		it, text := d.item(e, "message"), word(e.Delta)
		it.shown.WriteString(text)
		d.a.say(text)
	case "response.output_text.done":
		d.item(e, "message").part(e.Part.N, string(e.Text))
	case "response.content_part.done":
		switch e.Piece.V.Type {
		case "output_text", "text":
			d.item(e, "message").part(e.Part.N, string(e.Piece.V.Text))
		case "refusal":
			d.refuse(string(e.Piece.V.Refusal))
		}
	case "response.refusal.delta":
		d.refused = true
		d.refusal.WriteString(word(e.Delta))
	case "response.refusal.done":
		d.refuse(string(e.Refusal))
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta", "response.reasoning_summary.delta", "response.reasoning.delta":
		it, text := d.item(e, "reasoning"), word(e.Delta)
		it.shown.WriteString(text)
		d.a.think(text)
	case "response.function_call_arguments.delta":
		d.item(e, "function_call").pieces.WriteString(textOf(e.Delta))
	case "response.function_call_arguments.done":
		it := d.item(e, "function_call")
		it.args = cmp.Or(textOf(e.Arguments), it.args)
	case "response.content_part.added", "response.reasoning_summary_part.added", "response.reasoning_summary_part.done",
		"response.reasoning_summary_text.done", "response.reasoning_text.done", "keepalive", "ping":
	default:
		return false
	}
	return true
}

// refuse takes a refusal that is told in full.
func (d *responsesAnswer) refuse(text string) {
	d.refused = true
	if d.refusal.Len() == 0 {
		d.refusal.WriteString(text)
	}
}

// other is an event of no known kind: an error without its name, an answer in
// one piece, or what is for somebody else.
func (d *responsesAnswer) other(data []byte, e responsesEvent) {
	if e.Object == "response" {
		d.whole(data)
		return
	}
	if err := spoken(data); err != nil {
		d.a.fail(err)
	}
}
