package gateway

import "cmp"

// anthropicUsage are counts as they stand at one moment: they are no sums of
// what came before.
type anthropicUsage struct {
	Input   num                `json:"input_tokens"`
	Read    num                `json:"cache_read_input_tokens"`
	Write   num                `json:"cache_creation_input_tokens"`
	Writes  obj[anthropicLife] `json:"cache_creation"`
	Output  num                `json:"output_tokens"`
	Details obj[anthropicPart] `json:"output_tokens_details"`
	Tries   objs[anthropicTry] `json:"iterations"`
}

// anthropicLife are tokens written to the cache, by how long they stay there.
type anthropicLife struct {
	Minutes num `json:"ephemeral_5m_input_tokens"`
	Hour    num `json:"ephemeral_1h_input_tokens"`
}

type anthropicPart struct {
	Thinking num `json:"thinking_tokens"`
}

// anthropicTry is one of several models that were asked in turn.
type anthropicTry struct {
	Model  str `json:"model"`
	Input  num `json:"input_tokens"`
	Read   num `json:"cache_read_input_tokens"`
	Write  num `json:"cache_creation_input_tokens"`
	Output num `json:"output_tokens"`
}

// take lays later counts over earlier ones, field by field. A prompt of nothing
// is no correction: some hosts end with zeros.
func (u *anthropicUsage) take(n anthropicUsage) {
	if !n.Write.Is && n.Writes.Is {
		n.Write = num{n.Writes.V.Minutes.N + n.Writes.V.Hour.N, n.Writes.V.Minutes.Is || n.Writes.V.Hour.Is}
	}
	lay := func(old *num, n num) {
		if n.Is {
			*old = n
		}
	}
	if n.Input.N != 0 || n.Read.N != 0 || n.Write.N != 0 {
		lay(&u.Input, n.Input)
		lay(&u.Read, n.Read)
		lay(&u.Write, n.Write)
	}
	lay(&u.Output, n.Output)
	lay(&u.Details.V.Thinking, n.Details.V.Thinking)
	if len(n.Tries) > 0 {
		u.Tries = n.Tries
	}
}

// sum is what was used; nil if the host did not say, or said what cannot be:
// nothing at all, or less than that.
func (u *anthropicUsage) sum() *Usage {
	s := Usage{Uncached: u.Input.N, CacheRead: u.Read.N, CacheWrite: u.Write.N, Output: u.Output.N, Reasoning: u.Details.V.Thinking.N}
	if s == (Usage{}) || min(s.Uncached, s.CacheRead, s.CacheWrite, s.Output, s.Reasoning) < 0 {
		return nil
	}
	return &s
}

// billed is what each model used, where several were asked.
func (u *anthropicUsage) billed(model string) []Billed {
	if len(u.Tries) < 2 {
		return nil
	}
	out := make([]Billed, len(u.Tries))
	for i, t := range u.Tries {
		out[i] = Billed{cmp.Or(string(t.Model), model), Usage{Uncached: t.Input.N, CacheRead: t.Read.N, CacheWrite: t.Write.N, Output: t.Output.N}}
	}
	return out
}
