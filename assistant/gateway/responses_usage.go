package gateway

import (
	"encoding/json/jsontext"
	"math"
)

// responsesUsage are the counts at the end of an answer.
type responsesUsage struct {
	Input  num               `json:"input_tokens"`
	In     obj[responsesIn]  `json:"input_tokens_details"`
	Output num               `json:"output_tokens"`
	Out    obj[responsesOut] `json:"output_tokens_details"`
	Total  num               `json:"total_tokens"`
	Ticks  num               `json:"cost_in_usd_ticks"` // of xAI, ten thousand to a millionth of a dollar
	Cost   jsontext.Value    `json:"cost"`              // of OpenRouter, in dollars
	OwnKey jsontext.Value    `json:"is_byok"`           // then the cost is only its fee
	CostOf obj[struct {
		Upstream jsontext.Value `json:"upstream_inference_cost"`
	}] `json:"cost_details"`
}

type responsesIn struct {
	Cached num `json:"cached_tokens"`
	Write  num `json:"cache_write_tokens"`
}

type responsesOut struct {
	Reasoning num `json:"reasoning_tokens"`
}

// sum takes apart what hosts count together: what was read from the cache and
// written to it is a part of the prompt. nil if the host said nothing, or what
// cannot be.
func (u responsesUsage) sum() *Usage {
	s := Usage{Uncached: u.Input.N, CacheRead: u.In.V.Cached.N, CacheWrite: u.In.V.Write.N, Output: u.Output.N, Reasoning: u.Out.V.Reasoning.N}
	if s.CacheRead+s.CacheWrite <= s.Uncached {
		s.Uncached -= s.CacheRead + s.CacheWrite
	}
	// Some count what was thought beside the answer, which their total gives away.
	if s.Reasoning > 0 && u.Total.N == u.Input.N+s.Output+s.Reasoning {
		s.Output += s.Reasoning
	}
	if s == (Usage{}) || min(s.Uncached, s.CacheRead, s.CacheWrite, s.Output, s.Reasoning) < 0 {
		return nil
	}
	return &s
}

// micros is the cost in millionths of a dollar, where the host says it. In what
// other hosts than OpenRouter count a cost nobody knows.
func (u responsesUsage) micros(t target) *int64 {
	if u.Ticks.Is && u.Ticks.N >= 0 {
		n := (u.Ticks.N + 5_000) / 10_000
		return &n
	}
	dollars, ok := decimal(u.Cost)
	if string(u.OwnKey) == "true" {
		more, told := decimal(u.CostOf.V.Upstream)
		dollars, ok = dollars+more, ok && told
	}
	if n := math.Round(dollars * 1e6); ok && t.is("openrouter.ai") && n >= 0 && n < 1e15 {
		micros := int64(n)
		return &micros
	}
	return nil
}
