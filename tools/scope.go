package tools

// Ref names a record.
type Ref struct {
	Collection string `json:"collection"`
	ID         string `json:"id"`
}

// Scope narrows what a run finds, below what its person may see: what a question
// is about, and nothing else, goes to a model.
type Scope struct {
	Private bool                `json:"private,omitzero"` // what only the person sees is found too
	Only    map[string][]string `json:"only,omitzero"`    // by collection, the ids that are found; nil: all
}
