package fake

type chatTeller struct {
	kind    Kind
	turn    Turn
	model   string
	usage   bool // asked for
	message obj
	calls   []obj
	at      int
	why     string
	first   bool
}

func tellChat(h *Host, turn Turn, a *Asked) teller {
	options, _ := a.Body["stream_options"].(map[string]any)
	t := &chatTeller{kind: h.kind, turn: turn, model: a.Model, why: "stop", first: true}
	t.usage = options["include_usage"] == true || h.kind == Mistral || h.kind == Gemini || h.kind == OpenRouter
	said, thought, seal := "", "", ""
	t.message = obj{"role": "assistant", "content": nil}
	for _, s := range turn.Steps {
		switch s.kind {
		case say:
			said += s.text
		case think:
			thought += s.text
			seal = s.seal
		case call:
			t.why = "tool_calls"
			for _, c := range s.calls {
				if c.ID == "" {
					c.ID = h.id("call")
				}
				o := obj{"id": c.ID, "type": "function", "function": obj{"name": c.Name, "arguments": c.Args}}
				if h.kind == Gemini && seal != "" {
					o["extra_content"] = obj{"google": obj{"thought_signature": seal}}
					seal = ""
				}
				t.calls = append(t.calls, o)
			}
		case refuse:
			t.why = "content_filter"
			if h.kind == OpenAIChat {
				t.why, t.message["refusal"] = "stop", s.text
			}
		case ceiling:
			t.why = "length"
		}
	}
	if said != "" {
		t.message["content"] = said
	}
	if len(t.calls) > 0 {
		t.message["tool_calls"] = t.calls
	}
	if h.kind == Gemini && t.why == "tool_calls" {
		t.why = "stop"
	}
	if thought != "" || seal != "" {
		switch h.kind {
		case OpenRouter:
			t.message["reasoning"] = thought
			t.message["reasoning_details"] = []any{obj{"type": "reasoning.text", "text": thought, "signature": seal, "format": "anthropic-claude-v1", "index": 0}}
		case Mistral:
			content := []any{obj{"type": "thinking", "thinking": []any{obj{"type": "text", "text": thought}}}}
			if said != "" {
				content = append(content, obj{"type": "text", "text": said})
			}
			t.message["content"] = content
		case XAIChat:
			t.message["reasoning_content"] = thought
		case Local:
			t.message["reasoning"] = thought
		}
	}
	return t
}

func (t *chatTeller) counted() obj {
	u := t.turn.counted()
	in := u.Uncached + u.CacheRead + u.CacheWrite
	o := obj{"prompt_tokens": in, "completion_tokens": u.Output, "total_tokens": in + u.Output}
	if t.kind == Local {
		return o
	}
	o["prompt_tokens_details"] = obj{"cached_tokens": u.CacheRead}
	o["completion_tokens_details"] = obj{"reasoning_tokens": u.Reasoning}
	switch t.kind {
	case OpenAIChat:
		o["prompt_tokens_details"] = obj{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite}
	case OpenRouter:
		o["prompt_tokens_details"] = obj{"cached_tokens": u.CacheRead, "cache_write_tokens": u.CacheWrite}
		o["cost"] = 0.00012
	case XAIChat:
		o["completion_tokens"] = u.Output - u.Reasoning
		o["cost_in_usd_ticks"] = 1_200_000
	}
	return o
}

func (t *chatTeller) chunk(delta obj, why any, more obj) string {
	if t.first {
		delta["role"], t.first = "assistant", false
	}
	o := obj{
		"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1795900000, "model": t.model,
		"choices": []any{obj{"index": 0, "delta": delta, "finish_reason": why}},
	}
	if t.kind == Gemini && !t.turn.Mute {
		o["usage"] = t.counted() // in every chunk, the same at the end
	}
	for k, v := range more {
		o[k] = v
	}
	return event("", o)
}

func (t *chatTeller) begin() []string {
	if t.kind == OpenRouter {
		return []string{": OPENROUTER PROCESSING\n\n", t.chunk(obj{"content": ""}, nil, nil)}
	}
	return []string{t.chunk(obj{"content": ""}, nil, nil)}
}

func (t *chatTeller) step(s Step) (out []string) {
	switch s.kind {
	case say:
		for _, p := range s.pieces() {
			out = append(out, t.chunk(obj{"content": p}, nil, nil))
		}
	case think:
		for _, p := range s.pieces() {
			if d := t.thought(p); d != nil {
				out = append(out, t.chunk(d, nil, nil))
			}
		}
		if t.kind == OpenRouter {
			out = append(out, t.chunk(obj{"reasoning_details": []any{obj{"type": "reasoning.text", "signature": s.seal, "format": "anthropic-claude-v1", "index": 0}}}, nil, nil))
		}
	case call:
		for range s.calls {
			out = append(out, t.call()...)
		}
	case refuse:
		if t.kind == OpenAIChat {
			out = append(out, t.chunk(obj{"refusal": s.text}, nil, nil))
		}
	case trouble:
		e := obj{"code": 502, "message": "The server is overloaded. Please try again later.", "type": "server_error"}
		if t.kind == OpenRouter {
			return []string{t.chunk(obj{"content": ""}, "error", obj{"error": e})}
		}
		return []string{event("", obj{"error": e})}
	}
	return out
}

func (t *chatTeller) thought(p string) obj {
	switch t.kind {
	case OpenRouter:
		return obj{"reasoning": p, "reasoning_details": []any{obj{"type": "reasoning.text", "text": p, "format": "anthropic-claude-v1", "index": 0}}}
	case Mistral:
		return obj{"content": []any{obj{"type": "thinking", "thinking": []any{obj{"type": "text", "text": p}}}}}
	case XAIChat:
		return obj{"reasoning_content": p}
	case Local:
		return obj{"reasoning": p}
	}
	return nil // OpenAI and Gemini show nothing of it
}

// call is one as the kind streams it: in pieces, or whole.
func (t *chatTeller) call() []string {
	i, c := t.at, t.calls[t.at]
	t.at++
	function := c["function"].(obj)
	switch t.kind {
	case Gemini:
		return []string{t.chunk(obj{"tool_calls": []any{c}}, nil, nil)}
	case Local:
		return []string{t.chunk(obj{"tool_calls": []any{plus(c, obj{"index": 0})}}, nil, nil)}
	case Mistral, XAIChat:
		return []string{t.chunk(obj{"tool_calls": []any{plus(c, obj{"index": i})}}, nil, nil)}
	}
	out := []string{t.chunk(obj{"tool_calls": []any{obj{"index": i, "id": c["id"], "type": "function", "function": obj{"name": function["name"], "arguments": ""}}}}, nil, nil)}
	for _, p := range (Step{text: function["arguments"].(string), runes: 7}).pieces() {
		out = append(out, t.chunk(obj{"tool_calls": []any{obj{"index": i, "function": obj{"arguments": p}}}}, nil, nil))
	}
	return out
}

func (t *chatTeller) end() []string {
	more := obj{}
	if !t.turn.Mute && (t.kind == Mistral || t.kind == Gemini) {
		more["usage"] = t.counted()
	}
	out := []string{t.chunk(obj{}, t.why, more)}
	if t.usage && !t.turn.Mute && len(more) == 0 {
		out = append(out, event("", obj{"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1795900000, "model": t.model, "choices": []any{}, "usage": t.counted()}))
	}
	return append(out, "data: [DONE]\n\n")
}

func (t *chatTeller) whole() string {
	o := obj{
		"id": "chatcmpl-fake", "object": "chat.completion", "created": 1795900000, "model": t.model,
		"choices": []any{obj{"index": 0, "message": t.message, "finish_reason": t.why}},
	}
	if !t.turn.Mute {
		o["usage"] = t.counted()
	}
	return write(o)
}

func (t *chatTeller) gave() []any { return []any{value(t.message)} }
