package hooks

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// list is how every list is answered; this one has no next page.
type list[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next"`
}

type listedTool struct {
	Name   string             `json:"name"`
	Title  tools.Words        `json:"title"`
	Help   string             `json:"help"`
	Effect tools.Effect       `json:"effect"`
	Core   bool               `json:"core"`
	Hidden string             `json:"hidden,omitzero"`
	Input  *jsonschema.Schema `json:"input"`
	Output *jsonschema.Schema `json:"output"`
}

// listTools lists the tools that this person may use: all but those of
// operators, unless they are one.
func (a *App) listTools(e *core.RequestEvent) (any, error) {
	if _, err := a.member(e); err != nil {
		return nil, err
	}
	out := list[listedTool]{}
	for _, t := range a.registry.Tools() {
		if t.Operator && !operates(e.Auth) {
			continue
		}
		out.Items = append(out.Items, listedTool{
			t.Name, tools.Words(tools.T(t.Title)), t.Help, t.Effect, t.Core, t.Hidden, t.Input, t.Output,
		})
	}
	return out, nil
}
