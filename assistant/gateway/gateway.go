// Package gateway asks language models: one request in, a stream of text out,
// over three protocols and whatever the hosts make of them. What a host does in
// its own way ends here; nobody else meets it.
package gateway

import (
	"context"
	"time"
)

// Protocol is how a host is spoken to.
type Protocol string

// The protocols.
const (
	Anthropic Protocol = "anthropic"        // Messages
	OpenAI    Protocol = "openai"           // chat completions, as most hosts and all local servers have it
	Responses Protocol = "openai-responses" // stateless
)

// Provider answers requests.
type Provider interface {
	// Stream asks, and gives what is to be seen to show as it comes; show must
	// not wait long. The Result says what became of it. Where Finish is "error"
	// the error is an *Error, the Meter's or the context's; else it is nil.
	Stream(ctx context.Context, r Request, show func(Delta)) (Result, error)
}

// Delta is a piece of what is to be seen: of the answer, or of the thinking
// before it.
type Delta struct{ Text, Reasoning string }

// Meter is told of every attempt at the host, so that none goes unpaid.
type Meter interface {
	// Hold is called before the first byte of an attempt that a host could act
	// on leaves. An error ends the request, and is what Stream returns.
	Hold(context.Context) error
	// Settle is called once after each Hold that gave no error, also when the
	// request was given up.
	Settle(Spent)
}

// Spent is what an attempt used, as far as its host said.
type Spent struct {
	// Unbilled: the host refused before it answered, so it cost nothing.
	Unbilled bool
	// Usage is nil where the host did not say.
	Usage *Usage
	// Cut: the answer broke off or was given up, so that Output is the least
	// that it was.
	Cut bool
	// Billed is by model, where more than one answered.
	Billed []Billed
	// Cost is what the host says that it cost, in millionths of a US dollar; nil
	// where it does not say.
	Cost *int64
}

// Usage counts tokens. The whole prompt is Uncached + CacheRead + CacheWrite;
// Reasoning is a part of Output.
type Usage struct{ Uncached, CacheRead, CacheWrite, Output, Reasoning int64 }

// Billed is what one of several models used.
type Billed struct {
	Model string
	Usage Usage
}

// Finish is why an answer ended.
type Finish string

// The ways in which an answer ends.
const (
	Stop          Finish = "stop"
	ToolUse       Finish = "tool_use"
	MaxTokens     Finish = "max_tokens"
	Refused       Finish = "refusal"
	ContextWindow Finish = "context_window"
	Failed        Finish = "error"
)

// Result is what became of a request.
type Result struct {
	Text, Reasoning string
	Calls           []Call // that may run: none unless Finish is tool_use
	Finish          Finish
	Usage           *Usage // of the last attempt; nil where the host did not say
	Refusal         *Refusal
	Model           string // that answered, as the host calls it
	RequestID       string // by which the host knows the request
	Raw             *Raw   // to send back in the same question; nil unless Finish is stop or tool_use
	Attempts        int
	First           time.Duration // until something was to be seen; 0 if nothing was
}

// Refusal is why a model would not answer; both may be empty.
type Refusal struct{ Category, Message string }
