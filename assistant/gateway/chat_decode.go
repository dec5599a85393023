package gateway

import (
	"bytes"
	"encoding/json/jsontext"
	"strings"
)

// chatDecoder reads the answer to one request of chat completions.
type chatDecoder struct {
	a *answer
	d dialect

	choice  int64 // the one that is read: the first that came
	chosen  bool
	done    bool // the host said so: what comes after it is no part of the answer
	calls   chatCalls
	raw     chatRaw
	refusal strings.Builder
	said    halves
	thought halves
	stray   []byte // what was no part of an answer, should nothing else explain its end
}

func newChatDecoder(t target, a *answer) *chatDecoder {
	d := t.dialect()
	return &chatDecoder{a: a, d: d, raw: chatRaw{thoughts: d.thoughts}}
}

func (c *chatDecoder) event(name string, data []byte) {
	data = bytes.TrimSpace(data)
	if c.done {
		return
	}
	if name == "error" {
		c.wrong(data)
		return
	}
	switch {
	case len(data) == 0:
	case string(data) == "[DONE]":
		c.done = true
		c.a.over("")
	case data[0] == '{':
		var chunk chatChunk
		if lenient(data, &chunk) != nil {
			c.unreadable(data)
			return
		}
		c.chunk(&chunk, data, false)
	case data[0] == '[':
		if e := spoken(data); e != nil {
			c.a.fail(e)
			return
		}
		fallthrough
	default:
		if c.stray == nil {
			c.stray = []byte(excerpt(data))
		}
	}
}

// unreadable is what begins like a piece of an answer. Events that no empty line
// parts come as one; what is cut off after the end takes nothing away.
func (c *chatDecoder) unreadable(data []byte) {
	if bytes.IndexByte(data, '\n') < 0 {
		if !c.a.ended {
			c.a.parse(data, new(chatChunk)) // says what is wrong with it
		}
		return
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		c.event("", line)
	}
}

func (c *chatDecoder) whole(body jsontext.Value) {
	var chunk chatChunk
	if lenient(body, &chunk) != nil {
		c.a.fail(&Error{Kind: Server, Message: "no answer of a model: " + excerpt(body)})
		return
	}
	c.chunk(&chunk, body, true)
	if chunk.Choices.Kind() != '[' && c.a.err == nil {
		c.a.fail(&Error{Kind: Server, Message: "no answer of a model: " + excerpt(body)})
	}
	c.a.over("")
}

// wrong takes what a host calls an error, whatever it has made of it.
func (c *chatDecoder) wrong(data jsontext.Value) {
	if e := spoken(data); e != nil {
		c.a.fail(e)
		return
	}
	if !data.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		data = quote(excerpt(data))
	}
	if e := spoken(object(member{"error", data})); e != nil {
		c.a.fail(e)
		return
	}
	c.a.fail(&Error{Kind: Server, Message: "the host failed, and did not say why", Retryable: true})
}

// chunk reads a piece of an answer.
func (c *chatDecoder) chunk(chunk *chatChunk, data []byte, whole bool) {
	switch {
	case given(chunk.Error) || given(chunk.ErrorType) || given(chunk.ErrorMessage):
		if e := spoken(data); e != nil {
			c.a.fail(e)
		}
	case len(chunk.Choices) == 0:
		if e := spoken(data); e != nil {
			c.a.fail(e)
		} else if chunk.Message.Kind() == '"' || given(chunk.Detail) {
			c.wrong(data)
		}
	}
	if c.a.model == "" {
		c.a.model = string(chunk.Model)
	}
	c.usage(chunk.Usage)
	var choices objs[chatChoice]
	if len(chunk.Choices) == 0 || lenient(chunk.Choices, &choices) != nil {
		return
	}
	for n := range choices {
		choice := &choices[n]
		index := choice.Index.N
		if !choice.Index.Is {
			if n > 0 {
				continue
			}
			index = c.choice
		}
		if !c.chosen {
			c.choice, c.chosen = index, true
		}
		if index == c.choice {
			c.take(choice, whole)
		}
	}
}

// take reads a piece of the choice.
func (c *chatDecoder) take(choice *chatChoice, whole bool) {
	said := &choice.Delta
	// Some end a stream with all that they said.
	if choice.Message.Is && (whole || !said.Is && c.a.text.Len() == 0 && c.calls.none()) {
		said = &choice.Message
	}
	if delta := &said.V; said.Is {
		c.think(delta)
		c.content(delta.Content)
		c.refusal.WriteString(string(delta.Refusal))
		c.a.begun = c.a.begun || given(delta.Extra) || given(delta.Details) || delta.Refusal != ""
		if given(delta.Extra) {
			c.raw.extra = delta.Extra
		}
		c.call(delta)
	}
	c.usage(choice.Usage)
	if given(choice.Error) {
		c.wrong(object(member{"error", choice.Error}))
	}
	c.finish(string(choice.Finish), string(choice.Native))
}

// think takes the thinking, which some send under two names.
func (c *chatDecoder) think(delta *chatDelta) {
	field, value := "reasoning_content", delta.ReasoningContent
	if !given(value) {
		field, value = "reasoning", delta.Reasoning
	}
	thought := c.thought.text(value)
	inside := c.raw.detail(delta.Details)
	if !given(value) {
		c.a.think(inside)
		return
	}
	c.a.think(thought)
	c.raw.thought(field, thought)
}

// call takes pieces of calls, of today's form and of the one before it.
func (c *chatDecoder) call(delta *chatDelta) {
	var pieces objs[chatPiece]
	switch delta.ToolCalls.Kind() {
	case '[':
		_ = lenient(delta.ToolCalls, &pieces) // it was read as a value already
	case '{':
		_ = lenient(list(delta.ToolCalls), &pieces)
	}
	for n := range pieces {
		c.put(&pieces[n], n > 0)
	}
	if delta.FunctionCall.Is {
		c.put(&chatPiece{Function: delta.FunctionCall}, false)
	}
}

func (c *chatDecoder) put(p *chatPiece, another bool) {
	c.a.begun = true
	if !c.calls.add(p, another) {
		c.a.unread(errTooMany)
	}
}

func (c *chatDecoder) end() {
	c.calls.tell(c.a)
	switch {
	case c.refusal.Len() > 0:
		c.a.finish = Refused
		c.a.refusal = &Refusal{Message: c.refusal.String()}
	case !c.a.ended && c.stray != nil:
		c.a.fail(&Error{Kind: Server, Message: "no answer of a model: " + string(c.stray), Retryable: true})
	}
	if c.a.ended && c.a.err == nil {
		c.a.raw = []jsontext.Value{c.raw.message(c.a, &c.calls, c.d)}
	}
}
