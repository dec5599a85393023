package fake

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func responsesItems() check {
	in := by("type", map[string]fields{
		"input_text":  {"type!": text, "text!": text},
		"input_image": {"type!": text, "image_url!": dataURL(pictures()...), "detail": word("auto", "low", "high")},
		"input_file":  {"type!": text, "filename!": matching(`.`), "file_data!": dataURL("application/pdf")},
	})
	said := by("type", map[string]fields{
		"output_text": {"type!": text, "text!": text, "annotations": list(anything), "logprobs": list(anything)},
		"refusal":     {"type!": text, "refusal!": text},
	})
	status := word("completed", "in_progress", "incomplete")
	message := func(at string, v any) *refusal {
		return by("role", map[string]fields{
			"user":      {"type": text, "role!": text, "content!": either(filled(in))},
			"system":    {"type": text, "role!": text, "content!": either(filled(in))},
			"developer": {"type": text, "role!": text, "content!": either(filled(in))},
			"assistant": {"type": text, "role!": text, "content!": either(filled(said)), "phase": word("commentary", "final_answer"), "status": status, "id": matching(`^msg_`)},
		})(at, v)
	}
	output := either(filled(in))
	others := by("type", map[string]fields{
		"reasoning": {
			"type!": text, "summary!": list(by("type", map[string]fields{"summary_text": {"type!": text, "text!": text}})),
			"encrypted_content": orNull(text), "content": orNull(list(anything)), "status": orNull(status), "id": matching(`^rs_`),
		},
		"function_call":        {"type!": text, "call_id!": matching(`^.{1,64}$`), "name!": matching(`^[a-zA-Z0-9_-]{1,128}$`), "arguments!": text, "status": status, "id": matching(`^fc_`)},
		"function_call_output": {"type!": text, "call_id!": matching(`^.{1,64}$`), "output!": output, "status": status, "id": matching(`^fc_`)},
	})
	return func(at string, v any) *refusal {
		o, _ := v.(map[string]any)
		if o["type"] == nil || o["type"] == "message" {
			return message(at, v)
		}
		return others(at, v)
	}
}

func (h *Host) responsesFields() fields {
	f := fields{
		"model!": text, "input!": either(filled(responsesItems())), "instructions": orNull(text), "stream": truth, "store!": truth,
		"include": list(word("reasoning.encrypted_content")), "max_output_tokens": upTo(128_000), "parallel_tool_calls": truth,
		"prompt_cache_key": matching(`^.{1,64}$`), "tool_choice": word("auto", "none"),
		"reasoning": fields{"effort": word("none", "minimal", "low", "medium", "high", "xhigh", "max"), "summary": word("auto", "concise", "detailed")}.check,
		"tools":     list(fields{"type!": word("function"), "name!": matching(`^[a-zA-Z0-9_-]{1,64}$`), "description": orNull(text), "parameters!": schema(), "strict": truth}.check),
	}
	if h.kind == XAI {
		return f.with(fields{"user": text, "instructions": no("Argument not supported: instructions"), "reasoning": fields{"effort": word("none", "low", "medium", "high"), "summary": word("auto", "concise", "detailed")}.check})
	}
	return f.with(fields{
		"safety_identifier": matching(`^.{1,128}$`), "stream_options": fields{"include_obfuscation": truth}.check,
		"prompt_cache_options": fields{"mode": word("implicit", "explicit"), "ttl": word("30m", "12h")}.check,
	})
}

func judgeResponses(h *Host, a *Asked) *refusal {
	for _, field := range []string{"temperature", "top_p"} {
		if _, ok := a.Body[field]; ok && h.kind == OpenAI {
			return &refusal{kind: unknown, at: field, text: fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model.", field)}
		}
	}
	if no := h.responsesFields().check("", a.Body); no != nil {
		return no
	}
	if a.Body["store"] != false {
		return &refusal{kind: invalid, at: "store", text: "Zero data retention is on for this organization: store must be false."}
	}
	if family := map[Kind]string{OpenAI: "gpt-", XAI: "grok-"}[h.kind]; !strings.HasPrefix(a.Model, family) {
		return &refusal{status: 404, kind: notFound, at: "model", code: "model_not_found", text: fmt.Sprintf("The model '%s' does not exist or you do not have access to it.", a.Model)}
	}
	a.System = str(a.Body["instructions"])
	for _, tool := range each(a.Body["tools"]) {
		a.Tools = append(a.Tools, str(tool["name"]))
	}
	if s, ok := a.Body["input"].(string); ok {
		a.User = s
		return nil
	}
	return h.responsesOrder(a)
}

// responsesOrder holds the items against each other, and against what this host
// has said before.
func (h *Host) responsesOrder(a *Asked) *refusal {
	items := each(a.Body["input"])
	question := -1
	var calls, done []string
	for i, item := range items {
		at := "input." + strconv.Itoa(i)
		id := str(item["call_id"])
		switch item["type"] {
		case "function_call":
			if slices.Contains(calls, id) {
				return &refusal{kind: invalid, at: at, text: "Duplicate function_call with call_id " + id + "."}
			}
			calls = append(calls, id)
		case "function_call_output":
			if !slices.Contains(calls, id) || slices.Contains(done, id) {
				return &refusal{kind: invalid, at: "input", text: "No tool call found for function call output with call_id " + id + "."}
			}
			done = append(done, id)
			a.Results = append(a.Results, textOf(item["output"]))
		case nil, "message":
			if item["role"] == "user" {
				question, a.User, a.Results = i, textOf(item["content"]), nil
			} else if item["role"] != "assistant" {
				a.System += textOf(item["content"])
			}
		}
		if item["type"] != "function_call_output" && item["role"] != "user" {
			a.Results = nil
		}
		if item["id"] != nil && (item["type"] == "reasoning" || item["type"] == "message") {
			return &refusal{status: 404, kind: invalid, at: "input", text: fmt.Sprintf("Item with id '%v' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.", item["id"])}
		}
	}
	for _, id := range calls {
		if !slices.Contains(done, id) {
			return &refusal{kind: invalid, at: "input", text: "No tool output found for function call " + id + "."}
		}
	}
	return h.reasoned(a.Model, items, question)
}

// reasoned looks at the reasoning: it is this host's and the model's, stands
// right before what it led to, and is not left out of the question under way.
func (h *Host) reasoned(model string, items []map[string]any, question int) *refusal {
	for i, item := range items {
		if item["type"] == "reasoning" {
			g, j := h.reasoning(model, item)
			if j < 0 {
				return &refusal{kind: invalid, code: "invalid_encrypted_content", text: fmt.Sprintf("The encrypted content %.8v... could not be verified. Reason: Encrypted content could not be decrypted or parsed.", item["encrypted_content"])}
			}
			if i+1 >= len(items) || j+1 >= len(g.items) || !likeItem(items[i+1], g.items[j+1]) {
				return &refusal{kind: invalid, at: "input", text: fmt.Sprintf("Item 'rs_fake%d' of type 'reasoning' was provided without its required following item.", j)}
			}
			continue
		}
		if i < question {
			continue
		}
		for _, g := range h.given {
			j := slices.IndexFunc(g.items, func(v any) bool { return likeItem(item, v) })
			if g.model != model || j < 1 || item["type"] != "function_call" {
				continue
			}
			before, _ := g.items[j-1].(map[string]any)
			if before["type"] == "reasoning" && (i == 0 || items[i-1]["encrypted_content"] != before["encrypted_content"]) {
				return &refusal{kind: invalid, at: "input", text: fmt.Sprintf("Item 'fc_fake' of type 'function_call' was provided without its required 'reasoning' item: 'rs_fake%d'.", j-1)}
			}
			if str(item["arguments"]) != str(g.items[j].(map[string]any)["arguments"]) {
				return &refusal{kind: invalid, at: "input", text: "function_call does not match the one that was made."}
			}
		}
	}
	return nil
}

// reasoning finds the answer that an item of reasoning is from.
func (h *Host) reasoning(model string, item map[string]any) (given, int) {
	for _, g := range h.given {
		for j, v := range g.items {
			o := v.(map[string]any)
			if g.model == model && o["type"] == "reasoning" && o["encrypted_content"] == item["encrypted_content"] && write(o["summary"]) == write(item["summary"]) {
				return g, j
			}
		}
	}
	return given{}, -1
}

// likeItem says that an item is the one that was given.
func likeItem(item map[string]any, was any) bool {
	o := was.(map[string]any)
	if item["type"] == "function_call" {
		return o["type"] == "function_call" && o["call_id"] == item["call_id"]
	}
	if item["type"] == "reasoning" {
		return o["type"] == "reasoning" && o["encrypted_content"] == item["encrypted_content"]
	}
	return o["type"] == "message" && item["role"] == "assistant" && textOf(o["content"]) == textOf(item["content"]) && o["phase"] == item["phase"]
}
