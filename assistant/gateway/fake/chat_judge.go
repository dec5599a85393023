package fake

import (
	"encoding/json/jsontext"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

func judgeChat(h *Host, a *Asked) *refusal {
	for _, field := range []string{"temperature", "top_p"} {
		if _, ok := a.Body[field]; ok && h.kind == OpenAIChat {
			return &refusal{kind: unknown, at: field, text: fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", field)}
		}
	}
	for _, tool := range each(a.Body["tools"]) {
		f, _ := tool["function"].(map[string]any)
		a.Tools = append(a.Tools, str(f["name"]))
	}
	if h.kind == Local {
		if no := localTakes(a); no != nil {
			return no
		}
	} else if no := h.chatFields(len(a.Tools) > 0).check("", a.Body); no != nil {
		if no.kind == absent && no.at == "reasoning_effort" {
			return noEffort()
		}
		return no
	}
	if a.Model == "" || strings.Contains(a.Model, "nothing") {
		return &refusal{status: 404, kind: notFound, at: "model", code: "model_not_found", text: fmt.Sprintf("The model '%s' does not exist or you do not have access to it.", a.Model)}
	}
	return h.chatOrder(a)
}

// localTakes is what even a lenient host minds.
func localTakes(a *Asked) *refusal {
	loose := func(f fields) check {
		return func(at string, v any) *refusal {
			o, ok := v.(map[string]any)
			if !ok {
				return mismatch(at, "an object", v)
			}
			for name, c := range f {
				name, must := strings.CutSuffix(name, "!")
				if v, ok := o[name]; ok || must {
					if no := c(join(at, name), v); no != nil {
						return no
					}
				}
			}
			return nil
		}
	}
	part := func(at string, v any) *refusal {
		o, _ := v.(map[string]any)
		switch o["type"] {
		case "text":
			return text(join(at, "text"), o["text"])
		case "image_url":
			return loose(fields{"image_url!": loose(fields{"url!": dataURL(pictures()...)})})(at, v)
		}
		return &refusal{kind: invalid, at: at, text: "invalid message format"}
	}
	message := loose(fields{
		"role!": word("system", "user", "assistant", "tool"), "content": orNull(either(list(part))),
		"tool_calls": list(loose(fields{"function!": loose(fields{"name!": text, "arguments!": text})})),
	})
	return loose(fields{
		"model!": text, "messages!": filled(message), "stream": truth, "tools": list(anything), "max_tokens": upTo(1 << 30),
		"reasoning_effort": word("none", "low", "medium", "high", "max"),
	})("", a.Body)
}

// chatOrder holds the messages against each other, and against what this host
// has said before.
func (h *Host) chatOrder(a *Asked) *refusal {
	messages := each(a.Body["messages"])
	question := 0
	for i, m := range messages {
		switch m["role"] {
		case "user":
			question, a.User = i, textOf(m["content"])
		case "system", "developer":
			a.System += textOf(m["content"])
		}
	}
	var open []string
	last := ""
	for i, m := range messages {
		role, at := str(m["role"]), fmt.Sprintf("messages.%d", i)
		switch {
		case role == "tool":
			id := str(m["tool_call_id"])
			k := slices.Index(open, id)
			if k < 0 && h.kind == Mistral {
				return &refusal{kind: order, text: "Unexpected tool call id " + id + " in tool results"}
			} else if k < 0 && h.kind != Local {
				return &refusal{kind: order, at: join(at, "role"), text: "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'."}
			} else if k >= 0 {
				open = slices.Delete(open, k, k+1)
			}
			a.Results = append(a.Results, textOf(m["content"]))
		case len(open) > 0 && h.kind == Mistral:
			return &refusal{kind: order, text: "Not the same number of function calls and responses"}
		case len(open) > 0 && h.kind != Local:
			return unresponded(open)
		case role == "user" && last == "tool" && h.kind == Mistral:
			return &refusal{kind: order, text: "Unexpected role 'user' after role 'tool'"}
		}
		if role != "tool" {
			a.Results = nil
		}
		if role == "assistant" {
			if no := h.chatAssistant(at, a.Model, m, i > question, &open); no != nil {
				return no
			}
		}
		last = role
	}
	if len(open) > 0 && h.kind != Local {
		return unresponded(open)
	}
	if last != "user" && last != "tool" && h.kind != Local {
		return &refusal{kind: order, text: "Expected last role User or Tool (or Assistant with prefix True) for serving but got " + last}
	}
	return nil
}

func unresponded(ids []string) *refusal {
	return &refusal{kind: order, at: "messages", text: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: " + strings.Join(ids, ", ")}
}

func (h *Host) chatAssistant(at, model string, m map[string]any, current bool, open *[]string) *refusal {
	calls := each(m["tool_calls"])
	if m["content"] == nil && len(calls) == 0 && h.kind != Local {
		return &refusal{kind: invalid, at: join(at, "content"), text: "Invalid value for 'content': expected a string, got null."}
	}
	for _, c := range calls {
		f, _ := c["function"].(map[string]any)
		if v := jsontext.Value(str(f["arguments"])); !v.IsValid() || v.Kind() != '{' {
			return &refusal{kind: invalid, at: at, text: "tool call arguments are not a JSON object"}
		}
		*open = append(*open, str(c["id"]))
	}
	for _, g := range h.given {
		was := g.items[0].(map[string]any)
		if g.model == model && sameChatCalls(was, m) {
			return h.chatSealed(at, was, m, current)
		}
	}
	return h.chatSealed(at, nil, m, current)
}

func sameChatCalls(was, m map[string]any) bool {
	a, b := each(was["tool_calls"]), each(m["tool_calls"])
	return len(a) > 0 && slices.EqualFunc(a, b, func(a, b map[string]any) bool { return a["id"] == b["id"] })
}

// chatSealed looks at what seals the thinking of an assistant's message: it is
// as it came in the question under way, and nothing else anywhere.
func (h *Host) chatSealed(at string, was, m map[string]any, current bool) *refusal {
	switch h.kind {
	case Gemini:
		for i, c := range each(m["tool_calls"]) {
			var had any
			if was != nil {
				had = each(was["tool_calls"])[i]["extra_content"]
			}
			if c["extra_content"] == nil && (had == nil || !current) {
				continue
			}
			f, _ := c["function"].(map[string]any)
			if c["extra_content"] == nil {
				return &refusal{kind: invalid, text: fmt.Sprintf("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:%v`, position %d.", f["name"], i+1)}
			}
			if !reflect.DeepEqual(c["extra_content"], had) {
				return &refusal{kind: invalid, text: "Corrupted thought signature."}
			}
		}
	case OpenRouter:
		var had any
		if was != nil {
			had = was["reasoning_details"]
		}
		got := merged(m["reasoning_details"])
		if len(got) == 0 && (had == nil || !current) {
			return nil
		}
		if !reflect.DeepEqual(got, merged(had)) {
			return &refusal{kind: invalid, at: at, text: "Provider returned error: messages: Invalid `signature` in `thinking` block"}
		}
	case Mistral:
		if got := thoughts(m["content"]); len(got) > 0 && (was == nil || !reflect.DeepEqual(got, thoughts(was["content"]))) {
			return &refusal{kind: invalid, at: join(at, "content"), text: "thinking is not what was given"}
		}
	}
	return nil
}

// merged puts the pieces of a stream together.
func merged(details any) []map[string]any {
	var out []map[string]any
	for _, d := range each(details) {
		i := slices.IndexFunc(out, func(o map[string]any) bool { return o["index"] == d["index"] && o["type"] == d["type"] })
		if i < 0 {
			i, out = len(out), append(out, map[string]any{})
		}
		for k, v := range d {
			if before, ok := out[i][k].(string); ok && k == "text" {
				v = before + str(v)
			}
			if v != nil {
				out[i][k] = v
			}
		}
	}
	return out
}

func thoughts(content any) (out []any) {
	for _, p := range each(content) {
		if p["type"] == "thinking" {
			out = append(out, textOf(p["thinking"]))
		}
	}
	return out
}
