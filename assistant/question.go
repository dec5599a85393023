package assistant

import (
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Question is what a person asks. It has a Text, or Answers to the form of the
// turn before.
type Question struct {
	Client       string            // the client's own id of it: the same again is the same turn
	Conversation string            // "" begins one
	Text         string            // at most Limits.Message bytes
	Answers      map[string]string // by the id of each question of the form
	Scope        Scope
	Assistant    string         // "" is the conversation's, else the first that the person may ask
	Effort       gateway.Effort // "" is the assistant's own
	Files        []File
	Language     string     // of what the person reads
	Door         tools.Door // where they ask; assistant unless given
}

// Scope is what a question is about.
type Scope struct {
	Of      Of          `json:"of,omitzero"`
	Records []tools.Ref `json:"records,omitempty"`
	Private bool        `json:"private,omitzero"` // what only the person sees goes to the model too
}

// Of is how far a question reaches from the records that it names.
type Of string

// The reaches.
const (
	All    Of = "all"    // everything that the person may see; so does ""
	Ticked Of = "ticked" // these records, and what they name
	Record Of = "record" // the one that is open, and what it names
	Tree   Of = "tree"   // that, and all that belongs to it
)

// File is one that the person attached. Only one that they show goes to a model.
type File struct {
	tools.Upload
	Show bool
}
