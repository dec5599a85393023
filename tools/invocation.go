package tools

import "encoding/json/jsontext"

// Invocation is a tool to call and its arguments, a JSON object.
type Invocation struct {
	Tool string         `json:"tool"`
	Args jsontext.Value `json:"args"`
}
