package assistant

// Figures are the facts of a question as the audit keeps them, for the person and
// for operators: no word of it, and nobody's name.
type Figures struct {
	Assistant  string    `json:"assistant"`
	Model      string    `json:"model"`
	Finish     Finish    `json:"finish"`
	Requests   int64     `json:"requests"`
	Uncached   int64     `json:"input_uncached"`
	CacheRead  int64     `json:"cache_read"`
	CacheWrite int64     `json:"cache_write"`
	Output     int64     `json:"output"`
	Cost       *int64    `json:"cost_micros"` // nil: nobody knows its price
	Currency   string    `json:"currency"`
	Tools      []ToolUse `json:"tools"`
	Changes    int       `json:"changes"`
	Proposals  []string  `json:"proposals"`
	Took       int64     `json:"took_ms"`
}

// Figures are what the audit keeps of them.
func (f Facts) Figures() Figures {
	u := f.Usage
	out := Figures{
		Assistant: u.Assistant, Model: f.Model, Finish: f.Finish, Requests: u.Requests, Uncached: u.Uncached, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite,
		Output: u.Output, Cost: u.Cost, Currency: u.Currency, Tools: f.Tools, Changes: f.Changes, Proposals: f.Proposals, Took: f.Took.Milliseconds(),
	}
	if out.Tools == nil {
		out.Tools = []ToolUse{}
	}
	if out.Proposals == nil {
		out.Proposals = []string{}
	}
	return out
}

// Failed says that a turn came to no end of its own: something broke, or the
// server ended. Who stopped it, or what limited it, is no fault.
func (f Finish) Failed() bool { return f == Broken || f == Interrupted }
