package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"strings"
)

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
