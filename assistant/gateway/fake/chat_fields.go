package fake

import "fmt"

// chatFields are what each host takes in a body of chat completions.
func (h *Host) chatFields(tools bool) fields {
	f := fields{
		"model!": text, "messages!": filled(h.chatMessage()), "stream": truth,
		"tools": filled(h.chatTool()), "tool_choice": word("auto", "none", "required"),
	}
	usage := fields{"include_usage": truth}.check
	efforts := func(words ...string) check { return word(words...) }
	switch h.kind {
	case OpenAIChat:
		f = f.with(fields{
			"max_completion_tokens": upTo(128_000), "stream_options": fields{"include_usage": truth, "include_obfuscation": truth}.check,
			"store": word0(false), "safety_identifier": matching(`^.{1,128}$`), "prompt_cache_key": matching(`^.{1,64}$`),
			"prompt_cache_options": fields{"mode": word("implicit", "explicit"), "ttl": word("30m", "12h")}.check,
			"parallel_tool_calls":  truth, "reasoning_effort": efforts("none", "minimal", "low", "medium", "high", "xhigh", "max"),
			"max_tokens": no("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
		})
		if tools {
			f["reasoning_effort!"] = func(at string, v any) *refusal {
				if v != "none" {
					return noEffort()
				}
				return nil
			}
			delete(f, "reasoning_effort")
		} else {
			f["parallel_tool_calls"] = func(at string, _ any) *refusal {
				return &refusal{kind: invalid, at: at, text: "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified."}
			}
		}
	case Mistral:
		f = f.with(fields{"max_tokens": upTo(1 << 20), "parallel_tool_calls": truth, "prompt_cache_key": text, "reasoning_effort": efforts("none", "high")})
		f["tool_choice"] = word("auto", "none", "any", "required")
	case Gemini:
		f = f.with(fields{"max_tokens": upTo(1 << 16), "stream_options": usage, "reasoning_effort": efforts("none", "minimal", "low", "medium", "high")})
	case OpenRouter:
		f = f.with(fields{
			"max_tokens": upTo(1 << 20), "stream_options": usage, "user": text, "parallel_tool_calls": truth,
			"reasoning":        fields{"effort": efforts("none", "minimal", "low", "medium", "high", "xhigh", "max"), "exclude": truth, "enabled": truth}.check,
			"reasoning_effort": efforts("none", "minimal", "low", "medium", "high", "xhigh", "max"), "usage": fields{"include": truth}.check,
			"plugins": list(fields{"id!": word("file-parser"), "pdf": fields{"engine": word("cloudflare-ai", "mistral-ocr", "native")}.check}.check),
		})
	case XAIChat:
		f = f.with(fields{
			"max_completion_tokens": upTo(1 << 20), "stream_options": usage, "user": text, "parallel_function_calling": truth,
			"reasoning_effort": efforts("none", "low", "medium", "high"),
		})
	}
	return f
}

func noEffort() *refusal {
	return &refusal{kind: unknown, at: "reasoning_effort", text: "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead, or set reasoning_effort to 'none'."}
}

func word0(want bool) check {
	return func(at string, v any) *refusal {
		if v != want {
			return &refusal{kind: invalid, at: at, text: fmt.Sprintf("%s must be %v", at, want)}
		}
		return nil
	}
}

// no refuses a field with words of its own.
func no(words string) check {
	return func(at string, _ any) *refusal { return &refusal{kind: unknown, at: at, text: words} }
}

func (h *Host) chatTool() check {
	function := fields{"name!": matching(`^[a-zA-Z0-9_-]{1,64}$`), "description": text, "parameters!": schema(), "strict": truth}
	switch h.kind {
	case Gemini:
		delete(function, "strict")
		function["parameters!"] = noneEmpty(schema("$schema", "additionalProperties", "exclusiveMinimum", "exclusiveMaximum", "const", "propertyNames", "multipleOf", "uniqueItems", "allOf", "oneOf"))
	case XAIChat:
	}
	return fields{"type!": word("function"), "function!": function.check}.check
}

func (h *Host) chatMessage() check {
	cache := fields{}
	if h.kind == OpenRouter {
		cache["cache_control"] = anthropicCache().check
	}
	words := fields{"type!": text, "text!": text}.with(cache)
	texts := by("type", map[string]fields{"text": words})
	picture := fields{"url!": dataURL(pictures()...), "detail": word("auto", "low", "high")}.check
	user := map[string]fields{"text": words, "image_url": fields{"type!": text, "image_url!": picture}.with(cache)}
	said := map[string]fields{"text": words}
	assistant := fields{"role!": text, "name": text}
	function := fields{"name!": text, "arguments!": text}.check
	toolCall := fields{"id!": matching(`.`), "type!": word("function"), "function!": function}
	tool := fields{"role!": text, "tool_call_id!": text, "content!": either(filled(texts))}
	switch h.kind {
	case OpenAIChat, OpenRouter:
		user["file"] = fields{"type!": text, "file!": fields{"filename!": text, "file_data!": dataURL("application/pdf")}.check}.with(cache)
		assistant["refusal"] = orNull(text)
		if h.kind == OpenRouter {
			assistant["reasoning"], assistant["reasoning_details"] = orNull(text), list(by("type", map[string]fields{
				"reasoning.text":      {"type!": text, "text": orNull(text), "signature": orNull(text), "format": text, "index": anything, "id": orNull(text)},
				"reasoning.encrypted": {"type!": text, "data!": text, "format": text, "index": anything, "id": orNull(text)},
				"reasoning.summary":   {"type!": text, "summary!": text, "format": text, "index": anything, "id": orNull(text)},
			}))
			tool["name"] = text
		}
	case Mistral:
		user["image_url"] = fields{"type!": text, "image_url!": func(at string, v any) *refusal {
			if _, ok := v.(string); ok {
				return dataURL(pictures()...)(at, v)
			}
			return picture(at, v)
		}}
		user["document_url"] = fields{"type!": text, "document_url!": dataURL("application/pdf"), "document_name": text}
		said["thinking"] = fields{"type!": text, "thinking!": list(texts), "closed": truth}
		assistant["prefix"] = truth
		tool["name"] = text
		toolCall = fields{"id!": mistralID, "type": word("function"), "function!": function, "index": anything}
		tool["tool_call_id!"] = mistralID
	case Gemini:
		toolCall["extra_content"] = fields{"google!": fields{"thought_signature!": text}.check}.check
	}
	assistant["content"] = orNull(either(filled(by("type", said))))
	assistant["tool_calls"] = filled(toolCall.check)
	system := fields{"role!": text, "content!": either(filled(texts)), "name": text}
	roles := map[string]fields{
		"system": system, "assistant": assistant, "tool": tool,
		"user": {"role!": text, "content!": either(filled(by("type", user))), "name": text},
	}
	if h.kind == OpenAIChat || h.kind == XAIChat {
		roles["developer"] = system
	}
	return by("role", roles)
}

func mistralID(at string, v any) *refusal {
	if matching(`^[a-zA-Z0-9]{9}$`)(at, v) != nil {
		return &refusal{kind: invalid, code: "3280", text: fmt.Sprintf("Tool call id was %v but must be a-z, A-Z, 0-9, with a length of 9.", v)}
	}
	return nil
}
