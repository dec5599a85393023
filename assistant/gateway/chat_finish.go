package gateway

import "strings"

// finish takes why the answer ended, in the common words and, where a host
// stands before another, in that one's own: the graver of both holds.
func (c *chatDecoder) finish(word, native string) {
	if word == "" && native == "" {
		return
	}
	why, known := chatFinish(word)
	if own, ok := chatFinish(native); ok && (!known || own == Refused || own == ContextWindow || own == Failed || own == MaxTokens && why != Refused && why != Failed) {
		why, known = own, true
	}
	switch {
	case why == Failed:
		c.a.fail(&Error{Kind: Server, Message: "the host gave up: " + excerpt([]byte(word+" "+native)), Code: word, Retryable: true})
	case !known && !c.calls.none():
		// Whether its calls are whole nobody knows.
		c.a.fail(&Error{Kind: Server, Message: "the answer ended in a way that is not known: " + excerpt([]byte(word+" "+native)), Retryable: true})
	case why == Refused && c.a.refusal == nil:
		c.a.refusal = &Refusal{Category: "content_filter"}
	}
	if isCut(c.a.finish) && !isCut(why) {
		why = "" // the graver of several reasons holds, too
	}
	c.a.over(why)
}

// isCut says that an answer ended before its end.
func isCut(why Finish) bool { return why == MaxTokens || why == Refused || why == ContextWindow }

// chatFinish says what the word of a host means; ok is false if nobody knows.
func chatFinish(word string) (why Finish, ok bool) {
	switch word = strings.ReplaceAll(strings.ToLower(word), "-", "_"); word {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "end", "completed", "complete":
		return Stop, true
	case "tool_calls", "tool_call", "tool_use", "function_call", "function_calls":
		return ToolUse, true
	case "length", "max_tokens", "max_output_tokens", "model_length", "max_completion_tokens":
		return MaxTokens, true
	case "content_filter", "content_filtered", "refusal", "safety", "recitation", "prohibited_content", "blocklist", "spii":
		return Refused, true
	case "model_context_window_exceeded", "context_window", "context_length_exceeded":
		return ContextWindow, true
	case "error", "failed", "abort", "aborted", "cancelled", "canceled", "network_error", "insufficient_system_resource", "timeout":
		return Failed, true
	}
	switch {
	case strings.Contains(word, "malformed"), strings.Contains(word, "error"):
		return Failed, true
	case strings.Contains(word, "content_filter"):
		return Refused, true
	}
	return "", false
}
