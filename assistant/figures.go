package assistant

// Figures are the facts of a question as the audit keeps them, for the person and
// for operators: no word of it, and nobody's name.
type Figures struct {
	Assistant string `json:"assistant"`
	Model     string `json:"model"`
	Finish    Finish `json:"finish"`
	Counts
	Tools     []ToolUse `json:"tools"`
	Changes   int       `json:"changes"`
	Proposals []string  `json:"proposals"`
	Took      int64     `json:"took_ms"`
}

// Figures are what the audit keeps of them.
func (f Facts) Figures() Figures {
	out := Figures{
		Assistant: f.Usage.Assistant, Model: f.Model, Finish: f.Finish, Counts: f.Usage.Counts, Tools: f.Tools, Changes: f.Changes, Proposals: f.Proposals,
		Took: f.Took.Milliseconds(),
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
