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
	if d.a.err != nil || d.over {
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
	case "response.completed", "response.done", "response.incomplete", "response.failed", "response.cancelled":
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

// failed reads the event error, which has its words below the field error, or
// beside it.
func (d *responsesAnswer) failed(data []byte, e responsesEvent) {
	if e.Error.Kind() != '{' && e.Message != "" {
		data = object(member{"error", object(
			member{"type", quote(string(e.Code))}, member{"code", quote(string(e.Code))},
			member{"message", quote(string(e.Message))}, member{"param", quote(string(e.Param))},
		)})
	}
	err := spoken(data)
	if err == nil {
		err = said{message: excerpt(data)}.error(0)
	}
	d.a.fail(err)
}

func (d *responsesAnswer) whole(body jsontext.Value) {
	var w responsesWhole
	if !d.a.parse(body, &w) || (w.Output == nil && w.Status == "") {
		d.a.fail(&Error{Kind: Server, Message: "no answer of a model: " + excerpt(body), Retryable: true})
		return
	}
	d.finish(cmp.Or(string(w.Status), "completed"), w)
}

func (d *responsesAnswer) begin(w responsesWhole) {
	d.a.model = cmp.Or(string(w.Model), d.a.model)
	if w.Usage.Is {
		if u := w.Usage.V.sum(); u != nil {
			d.a.usage, d.a.cost = u, w.Usage.V.micros()
		}
	}
}

// finish reads the end of an answer. The answer itself says more of how it ended
// than the name of the event does.
func (d *responsesAnswer) finish(how string, w responsesWhole) {
	d.begin(w)
	if how == "in_progress" || how == "queued" {
		return // it goes on without us
	}
	d.over = true
	status := string(w.Status)
	switch {
	case how == "failed" || status == "failed":
		var err *Error
		if len(w.Error) > 0 {
			err = spoken(object(member{"error", w.Error}))
		}
		if err == nil {
			err = &Error{Kind: Server, Message: "the host failed without saying why", Retryable: true}
		}
		d.a.fail(err)
		return
	case how == "cancelled" || status == "cancelled":
		d.a.fail(&Error{Kind: Truncated, Message: "the host gave the answer up", Retryable: true})
		return
	}
	d.a.unread(d.merge(w.Output))
	switch why := string(w.Why.V.Reason); {
	case why == "content_filter":
		d.refused = true
		d.a.over(Refused)
	case strings.Contains(why, "context"):
		d.a.over(ContextWindow)
	case why != "", how == "incomplete", status == "incomplete": // it was cut: whatever it calls may be half
		d.a.over(MaxTokens)
	case d.refused:
		d.a.over(Refused)
	default:
		d.a.over(Stop)
	}
}
