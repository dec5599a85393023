// Package exchange writes what hosts of models are sent and what they answer as
// people read it: in tests, and in reports about a host.
package exchange

import (
	"encoding/json/jsontext"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Result is what an answer came to, whatever protocol it was in.
type Result struct {
	Text      string    `json:"text"`
	Reasoning string    `json:"reasoning"`
	Calls     []Call    `json:"tool_calls"`
	Finish    string    `json:"finish"`
	Usage     *Usage    `json:"usage"`
	Error     *Error    `json:"error"`
	Replay    *Replay   `json:"replay,omitzero"`
	RetryWith *Repair   `json:"retry_with,omitzero"`
	Refusal   *Refusal  `json:"refusal,omitzero"`
	Model     string    `json:"model,omitzero"`
	RequestID string    `json:"request_id,omitzero"`
	From      *Producer `json:"from,omitzero"` // whose replay it is
}

// Call is a tool that the model calls. Arguments are an object, or null where
// what came is none.
type Call struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
	Invalid   bool           `json:"invalid_arguments,omitzero"`
}

// Usage counts tokens. The whole prompt is the first three; reasoning is a part
// of output.
type Usage struct {
	Uncached   int64 `json:"input_uncached"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
	Output     int64 `json:"output"`
	Reasoning  int64 `json:"reasoning"`
}

// Error is why there is no answer.
type Error struct {
	Kind         string `json:"kind"`
	Retryable    bool   `json:"retryable"`
	AfterContent bool   `json:"after_content,omitzero"`
	Status       int    `json:"status,omitzero"`
	Param        string `json:"param,omitzero"`
	Code         string `json:"code,omitzero"`
	RetryAfter   int64  `json:"retry_after_ms,omitzero"`
	Message      string `json:"message"`
}

// Replay is what the next request carries back of an answer: one of these, by
// the protocol.
type Replay struct {
	Content []jsontext.Value `json:"assistant_content,omitzero"`
	Items   []jsontext.Value `json:"input_items,omitzero"`
	Message jsontext.Value   `json:"assistant_message,omitzero"`
}

// Repair is the one change with which the request is made again.
type Repair struct {
	Remove []string          `json:"remove"`
	Add    []string          `json:"add"`
	Set    map[string]string `json:"set,omitzero"`
	AtMost int               `json:"at_most"`
}

// Refusal is why the model would not go on.
type Refusal struct {
	Category *string `json:"category"`
	Message  string  `json:"message,omitzero"`
}

// Producer is who gave an answer.
type Producer struct {
	Protocol gateway.Protocol `json:"protocol"`
	Host     string           `json:"host"`
	Model    string           `json:"model"`
}

// Of is what came of a request, or of a recorded reply.
func Of(r gateway.Result, failed *gateway.Error) (Result, error) {
	out := Result{Text: r.Text, Reasoning: r.Reasoning, Calls: []Call{}, Finish: string(r.Finish), Model: r.Model, RequestID: r.RequestID}
	for _, c := range r.Calls {
		call := Call{ID: c.ID, Name: c.Name, Arguments: c.Args, Invalid: c.Invalid}
		if c.Args == nil {
			call.Arguments = jsontext.Value("null")
		}
		out.Calls = append(out.Calls, call)
	}
	if u := r.Usage; u != nil {
		out.Usage = &Usage{u.Uncached, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning}
	}
	if r.Refusal != nil {
		out.Refusal = &Refusal{Message: r.Refusal.Message}
		if r.Refusal.Category != "" {
			out.Refusal.Category = &r.Refusal.Category
		}
	}
	if failed != nil {
		out.Error = &Error{
			Kind: kind(failed.Kind), Retryable: failed.Retryable, AfterContent: failed.AfterContent, Status: failed.Status, Param: failed.Param,
			Code: failed.Code, RetryAfter: failed.RetryAfter.Milliseconds(), Message: failed.Message,
		}
		if by := failed.Repair; by != nil {
			out.RetryWith = &Repair{Remove: append([]string{}, by.Remove...), Add: append([]string{}, by.Add...), Set: by.Set, AtMost: 1}
		}
	}
	back, err := gateway.Replay(r.Raw)
	if err != nil || len(back) == 0 {
		return out, err
	}
	if r.Raw.Model != "" {
		out.From = &Producer{r.Raw.Protocol, r.Raw.Host, r.Raw.Model}
	}
	switch r.Raw.Protocol {
	case gateway.Anthropic:
		out.Replay = &Replay{Content: back}
	case gateway.Responses:
		out.Replay = &Replay{Items: back}
	default:
		out.Replay = &Replay{Message: back[0]}
	}
	return out, nil
}

// kind is the sort of an error by the names of recorded replies, which know no
// model that is not there: that is a request which is refused.
func kind(k gateway.ErrorKind) string {
	if k == gateway.NoModel {
		k = gateway.BadRequest
	}
	return string(k)
}
