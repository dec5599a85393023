package gateway

import "encoding/json/jsontext"

// chatChunk is a piece of an answer, or all of it.
type chatChunk struct {
	Model        str            `json:"model"`
	Choices      jsontext.Value `json:"choices"`
	Usage        jsontext.Value `json:"usage"`
	Error        jsontext.Value `json:"error"`
	ErrorType    jsontext.Value `json:"error_type"`
	ErrorMessage jsontext.Value `json:"error_message"`
	Message      jsontext.Value `json:"message"`
	Detail       jsontext.Value `json:"detail"`
}

type chatChoice struct {
	Index   num            `json:"index"`
	Delta   obj[chatDelta] `json:"delta"`
	Message obj[chatDelta] `json:"message"`
	Finish  str            `json:"finish_reason"`
	Native  str            `json:"native_finish_reason"`
	Error   jsontext.Value `json:"error"`
	Usage   jsontext.Value `json:"usage"`
}

// chatDelta is a piece of a message, or a message.
type chatDelta struct {
	Content          jsontext.Value    `json:"content"`
	Refusal          str               `json:"refusal"`
	ReasoningContent jsontext.Value    `json:"reasoning_content"`
	Reasoning        jsontext.Value    `json:"reasoning"`
	Details          jsontext.Value    `json:"reasoning_details"`
	ToolCalls        jsontext.Value    `json:"tool_calls"`
	FunctionCall     obj[chatFunction] `json:"function_call"`
	Extra            jsontext.Value    `json:"extra_content"`
}

// given says that a field is there and says something.
func given(v jsontext.Value) bool {
	switch string(v) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}

// text is a string; "" for anything else.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	return word(v)
}
