package fake

import "fmt"

type responsesTeller struct {
	turn    Turn
	model   string
	items   []obj
	at, seq int
	status  string
	why     any
}

func tellResponses(h *Host, turn Turn, a *Asked) teller {
	t := &responsesTeller{turn: turn, model: a.Model, status: "completed"}
	phase := "final_answer"
	for _, s := range turn.Steps {
		if s.kind == call {
			phase = "commentary"
		}
	}
	message := func(part obj) obj {
		o := obj{"type": "message", "id": fmt.Sprintf("msg_fake%d", len(t.items)), "status": "completed", "role": "assistant", "content": []any{part}}
		if h.kind == OpenAI {
			o["phase"] = phase
		}
		return o
	}
	for _, s := range turn.Steps {
		switch s.kind {
		case say:
			t.items = append(t.items, message(obj{"type": "output_text", "text": s.text, "annotations": []any{}, "logprobs": []any{}}))
		case refuse:
			t.items = append(t.items, message(obj{"type": "refusal", "refusal": s.text}))
		case think:
			summary := []any{}
			if s.text != "" && !s.hidden {
				summary = append(summary, obj{"type": "summary_text", "text": s.text})
			}
			t.items = append(t.items, obj{"type": "reasoning", "id": fmt.Sprintf("rs_fake%d", len(t.items)), "summary": summary, "encrypted_content": s.seal})
		case call:
			for _, c := range s.calls {
				if c.ID == "" {
					c.ID = h.id("call")
				}
				t.items = append(t.items, obj{"type": "function_call", "id": fmt.Sprintf("fc_fake%d", len(t.items)), "status": "completed", "call_id": c.ID, "name": c.Name, "arguments": c.Args})
			}
		case ceiling:
			t.status, t.why = "incomplete", obj{"reason": "max_output_tokens"}
		}
	}
	return t
}

func (t *responsesTeller) response(status string, output any, usage any) obj {
	return obj{
		"id": "resp_fake", "object": "response", "created_at": 1795900000, "status": status, "model": t.model, "output": output,
		"store": false, "error": nil, "incomplete_details": nil, "usage": usage,
	}
}

func (t *responsesTeller) event(name string, more obj) string {
	o := obj{"type": name, "sequence_number": t.seq}
	t.seq++
	for k, v := range more {
		o[k] = v
	}
	return event(name, o)
}

func (t *responsesTeller) begin() []string {
	return []string{
		t.event("response.created", obj{"response": t.response("in_progress", []any{}, nil)}),
		t.event("response.in_progress", obj{"response": t.response("in_progress", []any{}, nil)}),
	}
}

func (t *responsesTeller) step(s Step) (out []string) {
	switch s.kind {
	case say, refuse:
		kind, field := "output_text", "text"
		if s.kind == refuse {
			kind, field = "refusal", "refusal"
		}
		return t.item(obj{"content": []any{}}, func(at obj) (out []string) {
			at["content_index"] = 0
			part := t.items[t.at]["content"].([]any)[0]
			out = append(out, t.event("response.content_part.added", plus(at, obj{"part": obj{"type": kind, field: ""}})))
			for _, p := range s.pieces() {
				out = append(out, t.event("response."+kind+".delta", plus(at, obj{"delta": p, "obfuscation": "k3x9"})))
			}
			return append(out, t.event("response."+kind+".done", plus(at, obj{field: s.text})),
				t.event("response.content_part.done", plus(at, obj{"part": part})))
		})
	case think:
		return t.item(obj{"summary": []any{}, "encrypted_content": "unfinished"}, func(at obj) (out []string) {
			if s.text == "" || s.hidden {
				return nil
			}
			at["summary_index"] = 0
			part := obj{"type": "summary_text", "text": s.text}
			out = append(out, t.event("response.reasoning_summary_part.added", plus(at, obj{"part": obj{"type": "summary_text", "text": ""}})))
			for _, p := range s.pieces() {
				out = append(out, t.event("response.reasoning_summary_text.delta", plus(at, obj{"delta": p})))
			}
			return append(out, t.event("response.reasoning_summary_text.done", plus(at, obj{"text": s.text})),
				t.event("response.reasoning_summary_part.done", plus(at, obj{"part": part})))
		})
	case call:
		for range s.calls {
			out = append(out, t.item(obj{"arguments": ""}, func(at obj) (out []string) {
				args := t.items[t.at]["arguments"].(string)
				for _, p := range (Step{text: args, runes: 7}).pieces() {
					out = append(out, t.event("response.function_call_arguments.delta", plus(at, obj{"delta": p})))
				}
				return append(out, t.event("response.function_call_arguments.done", plus(at, obj{"arguments": args})))
			})...)
		}
	case trouble:
		failed := t.response("failed", []any{}, nil)
		failed["error"] = obj{"code": "server_is_overloaded", "message": "Our servers are currently overloaded. Please try again later."}
		return []string{t.event("response.failed", obj{"response": failed})}
	}
	return out
}

func plus(a, b obj) obj {
	out := obj{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out
}

// item is one from being added, without what comes after, to being done.
func (t *responsesTeller) item(added obj, inside func(at obj) []string) []string {
	item := t.items[t.at]
	start := plus(item, added)
	if item["status"] != nil {
		start["status"] = "in_progress"
	}
	out := []string{t.event("response.output_item.added", obj{"output_index": t.at, "item": start})}
	out = append(out, inside(obj{"item_id": item["id"], "output_index": t.at})...)
	out = append(out, t.event("response.output_item.done", obj{"output_index": t.at, "item": item}))
	t.at++
	return out
}

func (t *responsesTeller) over() obj {
	var usage any
	if u := t.turn.counted(); !t.turn.Mute {
		in := u.Uncached + u.CacheRead + u.CacheWrite
		usage = obj{
			"input_tokens": in, "input_tokens_details": obj{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite},
			"output_tokens": u.Output, "output_tokens_details": obj{"reasoning_tokens": u.Reasoning}, "total_tokens": in + u.Output,
		}
	}
	r := t.response(t.status, t.items, usage)
	r["incomplete_details"] = t.why
	return r
}

func (t *responsesTeller) end() []string {
	return []string{t.event("response."+t.status, obj{"response": t.over()})}
}

func (t *responsesTeller) whole() string { return write(t.over()) }

func (t *responsesTeller) gave() []any {
	out := []any{}
	for _, item := range t.items {
		out = append(out, value(item))
	}
	return out
}
