package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"strings"
)

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
			d.a.usage, d.a.cost = u, w.Usage.V.micros(d.t)
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

// end shows what was told only in parts, and puts together what may be called
// and what is sent back.
func (d *responsesAnswer) end() {
	whole := true
	for _, it := range d.items {
		if it.head.Type == "message" && !it.done && d.a.err == nil {
			d.rest(it, strings.Join(it.parts, ""), d.a.say)
		}
		if it.head.Type == "function_call" {
			args := cmp.Or(it.args, it.pieces.String(), textOf(it.head.Arguments))
			told := args
			if it.head.Status == "incomplete" {
				told = "{" // whatever it looks like, half of it is missing
			}
			id, fresh := d.a.call(cmp.Or(string(it.head.CallID), string(it.head.ID)), string(it.head.Name), told)
			if !fresh {
				continue
			}
			it.head.CallID, it.args = str(id), args
		}
		raw, ok := it.sendable()
		whole = whole && ok
		if raw != nil {
			d.a.raw = append(d.a.raw, raw)
		}
	}
	if !whole {
		d.a.raw = nil
	}
	if d.refused {
		d.a.refusal = &Refusal{Message: d.refusal.String()}
	}
}

// sendable is the item as it goes back, nil if it does not; false if it cannot
// be sent back as it came. Only what the host left out is added.
func (it *responsesItem) sendable() (jsontext.Value, bool) {
	v := it.raw
	if v == nil {
		v = object(member{"type", quote(string(it.head.Type))})
	}
	switch it.head.Type {
	case "function_call":
		if !it.done || it.head.CallID == "" || word(it.head.Arguments) != it.args {
			v = with(v, member{"arguments", quote(it.args)})
		}
		if !it.done && it.head.Status != "" {
			v = with(v, member{"status", quote("completed")})
		}
		v = with(v, member{"call_id", quote(string(it.head.CallID))}, member{"name", quote(string(it.head.Name))})
	case "message":
		text := it.shown.String()
		if !it.done && text != "" {
			v = with(v, member{"role", quote("assistant")}, member{"content", list(object(
				member{"type", quote("output_text")}, member{"text", quote(text)}, member{"annotations", jsontext.Value("[]")},
			))})
		}
		if text == "" {
			return nil, true
		}
	case "reasoning":
		if !it.done { // what it was is not known, and half of it is refused
			return nil, true
		}
	}
	return v, v.IsValid()
}
