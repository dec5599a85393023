package gateway

import (
	"cmp"
	"encoding/json/jsontext"
	"math"
	"strconv"
)

// usage takes what the host says that was used. Every time it says all of it.
func (c *chatDecoder) usage(v jsontext.Value) {
	if v.Kind() != '{' {
		return
	}
	var u struct {
		Prompt     num `json:"prompt_tokens"`
		Completion num `json:"completion_tokens"`
		Total      num `json:"total_tokens"`
		CacheHit   num `json:"prompt_cache_hit_tokens"`
		Cached     num `json:"cached_tokens"`
		Reasoning  num `json:"reasoning_tokens"`
		PromptOf   obj[struct {
			Read    num `json:"cached_tokens"`
			Write   num `json:"cache_write_tokens"`
			Created num `json:"cache_creation_tokens"`
		}] `json:"prompt_tokens_details"`
		CompletionOf obj[struct {
			Reasoning num `json:"reasoning_tokens"`
		}] `json:"completion_tokens_details"`
		Ticks  jsontext.Value `json:"cost_in_usd_ticks"`
		Cost   jsontext.Value `json:"cost"`
		OwnKey jsontext.Value `json:"is_byok"`
		CostOf obj[struct {
			Upstream jsontext.Value `json:"upstream_inference_cost"`
		}] `json:"cost_details"`
	}
	if lenient(v, &u) != nil {
		return
	}
	c.cost(u.Cost, u.Ticks, u.OwnKey, u.CostOf.V.Upstream)
	prompt, completion := u.Prompt.N, u.Completion.N
	if prompt == 0 && completion == 0 {
		return // nothing was counted
	}
	in, reasoning := u.PromptOf.V, cmp.Or(u.CompletionOf.V.Reasoning.N, u.Reasoning.N)
	used := Usage{
		CacheRead:  cmp.Or(in.Read.N, u.Cached.N, u.CacheHit.N),
		CacheWrite: cmp.Or(in.Write.N, in.Created.N),
		Output:     completion, Reasoning: reasoning,
	}
	used.Uncached = prompt - used.CacheRead - used.CacheWrite
	if used.Uncached < 0 && prompt >= 0 {
		used.Uncached = prompt // it counts what it had in its cache apart
	}
	switch more := u.Total.N - prompt - completion; {
	case reasoning > 0 && (u.Total.Is && more == reasoning || reasoning > completion):
		used.Output += reasoning // which was counted apart
	case c.d.outside && u.Total.Is && more > 0 && reasoning <= 0:
		used.Output, used.Reasoning = completion+more, more
	}
	c.a.usage = &used
}

// cost takes what the host says that it cost. Only of one is it known in which
// currency; the other names it.
func (c *chatDecoder) cost(cost, ticks, ownKey, upstream jsontext.Value) {
	dollars, ok := decimal(cost)
	switch t, told := decimal(ticks); {
	case told:
		dollars, ok = t/1e10, true
	case !c.d.cost || !ok:
		return
	case string(ownKey) == "true":
		// The cost is the host's fee; the model's own is paid elsewhere.
		more, told := decimal(upstream)
		if !told {
			c.a.cost = nil
			return
		}
		dollars += more
	}
	if micros := dollars * 1e6; ok && micros >= 0 && micros < 1e15 {
		n := int64(math.Floor(micros + 0.5))
		c.a.cost = &n
	}
}

// decimal is a number, also one written as a text.
func decimal(v jsontext.Value) (float64, bool) {
	f, err := strconv.ParseFloat(word(v), 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}
