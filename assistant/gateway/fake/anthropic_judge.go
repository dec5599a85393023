package fake

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const toolName = `^[a-zA-Z0-9_-]{1,128}$`

// claudeCannot says which Claude has no effort, or not the highest ones.
func claudeCannot(model, effort string) bool {
	old := strings.Contains(model, "-4-5") || strings.Contains(model, "haiku-4")
	return old || effort == "xhigh" && (strings.Contains(model, "-4-6") || strings.Contains(model, "sonnet-4"))
}

func anthropicCache() fields {
	return fields{"type!": word("ephemeral"), "ttl": word("5m", "1h")}
}

func anthropicBlocks() (user, assistant, result, system check) {
	cache := fields{"cache_control": orNull(anthropicCache().check)}
	words := fields{"type!": text, "text!": some}.with(cache)
	picture := fields{"type!": text, "source!": func(at string, v any) *refusal {
		return source(at, v, "image", pictures())
	}}.with(cache)
	document := fields{"type!": text, "title": orNull(text), "context": orNull(text), "source!": func(at string, v any) *refusal {
		return source(at, v, "document", []string{"application/pdf"})
	}}.with(cache)
	results := by("type", map[string]fields{"text": words, "image": picture, "document": document})
	return by("type", map[string]fields{
			"text": words, "image": picture, "document": document,
			"tool_result": fields{"type!": text, "tool_use_id!": matching(`^[a-zA-Z0-9_-]+$`), "content": either(list(results)), "is_error": truth}.with(cache),
		}), by("type", map[string]fields{
			"text":              words.with(fields{"citations": orNull(list(anything))}),
			"thinking":          {"type!": text, "thinking!": text, "signature!": text},
			"redacted_thinking": {"type!": text, "data!": text},
			"fallback":          {"type!": text, "from!": anything, "to!": anything, "trigger": anything},
			"tool_use":          fields{"type!": text, "id!": matching(`^[a-zA-Z0-9_-]+$`), "name!": matching(toolName), "input!": fieldsOfAny, "caller": anything}.with(cache),
		}), results, either(list(by("type", map[string]fields{"text": words})))
}

func fieldsOfAny(at string, v any) *refusal {
	if _, ok := v.(map[string]any); !ok {
		return &refusal{kind: invalid, at: at, text: "Input should be a valid dictionary"}
	}
	return nil
}

func source(at string, v any, sort string, mimes []string) *refusal {
	if no := (fields{"type!": word("base64"), "media_type!": word(mimes...), "data!": text}).check(at, v); no != nil {
		return no
	}
	o := v.(map[string]any)
	return base64Of(at+"."+sort, str(o["data"]), str(o["media_type"]))
}

func anthropicFields() fields {
	user, assistant, _, system := anthropicBlocks()
	return fields{
		"model!": text, "max_tokens!": upTo(128_000), "stream": truth, "system": system,
		"metadata":       fields{"user_id": orNull(matching(`^.{1,256}$`))}.check,
		"output_config":  fields{"effort": word("low", "medium", "high", "xhigh", "max")}.check,
		"cache_control":  orNull(anthropicCache().check),
		"stop_sequences": list(text),
		"thinking":       by("type", map[string]fields{"adaptive": {"type!": text, "display": word("summarized", "omitted")}, "disabled": {"type!": text}}),
		"tool_choice":    by("type", map[string]fields{"auto": {"type!": text, "disable_parallel_tool_use": truth}, "none": {"type!": text}}),
		"tools": list(fields{
			"name!": matching(toolName), "description": text, "input_schema!": schema(), "strict": truth,
			"cache_control": orNull(anthropicCache().check), "type": word("custom"),
		}.check),
		"messages!": filled(by("role", map[string]fields{
			"user": {"role!": text, "content!": either(filled(user))}, "assistant": {"role!": text, "content!": either(filled(assistant))},
		})),
	}
}

func judgeAnthropic(h *Host, a *Asked) *refusal {
	for _, field := range []string{"temperature", "top_p", "top_k"} {
		if _, ok := a.Body[field]; ok {
			return &refusal{kind: invalid, text: fmt.Sprintf("`%s` is deprecated for this model.", field)}
		}
	}
	if no := anthropicFields().check("", a.Body); no != nil {
		return no
	}
	if !strings.HasPrefix(a.Model, "claude-") {
		return &refusal{status: 404, kind: notFound, text: "model: " + a.Model}
	}
	if c, ok := a.Body["output_config"].(map[string]any); ok && claudeCannot(a.Model, str(c["effort"])) {
		return &refusal{kind: invalid, text: "This model does not support the effort parameter."}
	}
	if n := strings.Count(string(a.Raw), `"cache_control":{`); n > 4 {
		return &refusal{kind: invalid, text: fmt.Sprintf("A maximum of 4 blocks with cache_control may be provided. Found %d.", n)}
	}
	a.System = textOf(a.Body["system"])
	for _, tool := range each(a.Body["tools"]) {
		if slices.Contains(a.Tools, str(tool["name"])) {
			return &refusal{kind: invalid, text: "tools: Tool names must be unique."}
		}
		a.Tools = append(a.Tools, str(tool["name"]))
	}
	return h.anthropicOrder(a)
}

// anthropicOrder holds the messages against each other, and against what this
// host has said before.
func (h *Host) anthropicOrder(a *Asked) *refusal {
	messages := each(a.Body["messages"])
	if str(messages[0]["role"]) != "user" {
		return &refusal{kind: invalid, at: "messages", text: "first message must use the \"user\" role"}
	}
	question := 0
	for i, m := range messages {
		if str(m["role"]) == "user" && asks(m["content"]) {
			question = i
			a.User, a.Results = textOf(justText(m["content"])), nil
		}
	}
	if str(messages[len(messages)-1]["role"]) == "assistant" {
		return &refusal{kind: invalid, text: "This model does not support assistant message prefill. The conversation must end with a user message."}
	}
	var open []string
	seen := map[string]bool{}
	for i, m := range messages {
		at := "messages." + strconv.Itoa(i)
		blocks := each(m["content"])
		if str(m["role"]) == "assistant" {
			if len(open) > 0 {
				return unanswered(at, open)
			}
			for _, b := range blocks {
				if id := str(b["id"]); b["type"] == "tool_use" {
					if seen[id] {
						return &refusal{kind: invalid, at: at, text: "`tool_use` ids must be unique"}
					}
					seen[id], open = true, append(open, id)
				}
			}
			if no := h.sealed(at, a.Model, m["content"], i > question); no != nil {
				return no
			}
			continue
		}
		others := false
		a.Results = nil
		for j, b := range blocks {
			if b["type"] != "tool_result" {
				others = true
				continue
			}
			id := str(b["tool_use_id"])
			k := slices.Index(open, id)
			if k < 0 || others {
				return &refusal{kind: invalid, at: fmt.Sprintf("%s.content.%d", at, j), text: fmt.Sprintf("unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", id)}
			}
			open = slices.Delete(open, k, k+1)
			a.Results = append(a.Results, textOf(b["content"]))
		}
		if len(open) > 0 {
			return unanswered(at, open)
		}
	}
	return nil
}

func unanswered(at string, ids []string) *refusal {
	return &refusal{kind: invalid, at: at, text: fmt.Sprintf("`tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", strings.Join(ids, ", "))}
}

// asks says that a user's message has more than results of tools.
func asks(content any) bool {
	if _, ok := content.(string); ok {
		return true
	}
	return slices.ContainsFunc(each(content), func(b map[string]any) bool { return b["type"] != "tool_result" })
}

// justText leaves out the results of tools.
func justText(content any) any {
	if s, ok := content.(string); ok {
		return s
	}
	var out []any
	for _, b := range each(content) {
		if b["type"] == "text" {
			out = append(out, b)
		}
	}
	return out
}

// sealed holds an assistant's message against the answer that it was: in the
// question under way it is what came, thinking and all; before it, what
// thinking there is must be this host's and the model's.
func (h *Host) sealed(at, model string, content any, current bool) *refusal {
	blocks := each(content)
	thoughts := 0
	for j, b := range blocks {
		if b["type"] != "thinking" && b["type"] != "redacted_thinking" {
			continue
		}
		thoughts++
		if !slices.ContainsFunc(h.given, func(g given) bool {
			return g.model == model && slices.ContainsFunc(g.items, func(v any) bool { return reflect.DeepEqual(v, any(b)) })
		}) {
			return &refusal{kind: invalid, at: fmt.Sprintf("%s.content.%d", at, j), text: "Invalid `signature` in `thinking` block"}
		}
	}
	if !current {
		return nil
	}
	for _, g := range h.given {
		if g.model != model || !sameCalls(g.items, blocks) || !has(g.items, "thinking", "redacted_thinking") {
			continue
		}
		if thoughts == 0 {
			return &refusal{kind: invalid, at: at + ".content.0.type", text: "Expected `thinking` or `redacted_thinking`, but found `" + str(blocks[0]["type"]) + "`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceding the lastmost set of `tool_use` and `tool_result` blocks)."}
		}
		if !reflect.DeepEqual(unmarked(blocks), g.items) {
			return &refusal{kind: invalid, at: at + ".content", text: "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response."}
		}
		return nil
	}
	return nil
}

func has(items []any, sorts ...string) bool {
	return slices.ContainsFunc(items, func(v any) bool {
		o, _ := v.(map[string]any)
		return slices.Contains(sorts, str(o["type"]))
	})
}

// sameCalls says that both have the same calls, and some.
func sameCalls(items []any, blocks []map[string]any) bool {
	ids := func(in []map[string]any) (out []string) {
		for _, b := range in {
			if b["type"] == "tool_use" {
				out = append(out, str(b["id"]))
			}
		}
		return out
	}
	a, b := ids(each(any(items))), ids(blocks)
	return len(a) > 0 && slices.Equal(a, b)
}

// unmarked is blocks without what marks them for the cache.
func unmarked(blocks []map[string]any) []any {
	var out []any
	for _, b := range blocks {
		c := map[string]any{}
		for k, v := range b {
			if k != "cache_control" {
				c[k] = v
			}
		}
		out = append(out, c)
	}
	return out
}
