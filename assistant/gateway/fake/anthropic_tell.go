package fake

type anthropicTeller struct {
	turn   Turn
	model  string
	blocks []obj
	at     int
	stop   string
	detail any
}

func tellAnthropic(h *Host, turn Turn, a *Asked) teller {
	t := &anthropicTeller{turn: turn, model: a.Model, stop: "end_turn"}
	for i, s := range turn.Steps {
		switch s.kind {
		case say:
			t.blocks = append(t.blocks, obj{"type": "text", "text": s.text})
		case think:
			if s.hidden {
				t.blocks = append(t.blocks, obj{"type": "redacted_thinking", "data": s.seal})
			} else {
				t.blocks = append(t.blocks, obj{"type": "thinking", "thinking": s.text, "signature": s.seal})
			}
		case call:
			t.stop = "tool_use"
			for j := range s.calls {
				c := s.calls[j]
				if c.ID == "" {
					c.ID = h.id("toolu")
				}
				t.blocks = append(t.blocks, obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object(c.Args), "args": c.Args})
			}
		case refuse:
			t.stop = "refusal"
			t.detail = obj{"type": "refusal", "category": "cyber", "explanation": nullable(turn.Steps[i].text)}
		case ceiling:
			t.stop = "max_tokens"
		}
	}
	return t
}

func (t *anthropicTeller) usage(out int64) obj {
	u := t.turn.counted()
	return obj{
		"input_tokens": u.Uncached, "cache_creation_input_tokens": u.CacheWrite, "cache_read_input_tokens": u.CacheRead,
		"output_tokens": out, "output_tokens_details": obj{"thinking_tokens": u.Reasoning}, "service_tier": "standard",
	}
}

func (t *anthropicTeller) begin() []string {
	message := obj{"id": "msg_fake", "type": "message", "role": "assistant", "model": t.model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil}
	if !t.turn.Mute {
		message["usage"] = t.usage(1)
	}
	return []string{
		event("message_start", obj{"type": "message_start", "message": message}),
		event("ping", obj{"type": "ping"}),
	}
}

func (t *anthropicTeller) step(s Step) (out []string) {
	switch s.kind {
	case say:
		return t.block(obj{"type": "text", "text": ""}, func(delta func(obj)) {
			for _, p := range s.pieces() {
				delta(obj{"type": "text_delta", "text": p})
			}
		})
	case think:
		if s.hidden {
			return t.block(t.blocks[t.at], func(func(obj)) {})
		}
		return t.block(obj{"type": "thinking", "thinking": "", "signature": ""}, func(delta func(obj)) {
			for _, p := range s.pieces() {
				if p != "" {
					delta(obj{"type": "thinking_delta", "thinking": p})
				}
			}
			delta(obj{"type": "signature_delta", "signature": s.seal})
		})
	case call:
		for range s.calls {
			b := t.blocks[t.at]
			out = append(out, t.block(obj{"type": "tool_use", "id": b["id"], "name": b["name"], "input": obj{}}, func(delta func(obj)) {
				delta(obj{"type": "input_json_delta", "partial_json": ""})
				for _, p := range (Step{text: b["args"].(string), runes: 7}).pieces() {
					delta(obj{"type": "input_json_delta", "partial_json": p})
				}
			})...)
		}
	case trouble:
		return []string{event("error", obj{"type": "error", "error": obj{"details": nil, "type": "overloaded_error", "message": "Overloaded"}, "request_id": "req_fake"})}
	}
	return out
}

// block is one from its start to its stop.
func (t *anthropicTeller) block(start obj, deltas func(func(obj))) []string {
	i := t.at
	t.at++
	out := []string{event("content_block_start", obj{"type": "content_block_start", "index": i, "content_block": start})}
	deltas(func(d obj) {
		out = append(out, event("content_block_delta", obj{"type": "content_block_delta", "index": i, "delta": d}))
	})
	return append(out, event("content_block_stop", obj{"type": "content_block_stop", "index": i}))
}

func (t *anthropicTeller) end() []string {
	delta := obj{"type": "message_delta", "delta": obj{"stop_reason": t.stop, "stop_sequence": nil, "stop_details": t.detail}}
	if !t.turn.Mute {
		delta["usage"] = t.usage(t.turn.counted().Output)
	}
	return []string{event("message_delta", delta), event("message_stop", obj{"type": "message_stop"})}
}

func (t *anthropicTeller) whole() string {
	message := obj{"id": "msg_fake", "type": "message", "role": "assistant", "model": t.model, "content": t.gave(), "stop_reason": t.stop, "stop_sequence": nil, "stop_details": t.detail}
	if !t.turn.Mute {
		message["usage"] = t.usage(t.turn.counted().Output)
	}
	return write(message)
}

func (t *anthropicTeller) gave() []any {
	out := []any{}
	for _, b := range t.blocks {
		c := obj{}
		for k, v := range b {
			if k != "args" {
				c[k] = v
			}
		}
		if c["text"] == "" && c["type"] == "text" {
			continue
		}
		out = append(out, value(c))
	}
	return out
}
