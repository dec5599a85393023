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

// formedTool has what people need for a form of it.
type formedTool struct {
	listedTool
	About string `json:"about"`
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
		out.Items = append(out.Items, listed(t))
	}
	return out, nil
}

func listed(t tools.Tool) listedTool {
	return listedTool{t.Name, tools.Words(tools.T(t.Title)), t.Help, t.Effect, t.Core, t.Hidden, t.Input, t.Output}
}

// toolForm is one tool of the list, with what people call the parts of its
// schemas. It is not at the tool's own address, which answers what it did.
func (a *App) toolForm(e *core.RequestEvent) (any, error) {
	if _, err := a.member(e); err != nil {
		return nil, err
	}
	name := e.Request.PathValue("name")
	t, ok := a.registry.Tool(name)
	if !ok || t.Operator && !operates(e.Auth) {
		return nil, tools.Fail(tools.NotFound, "error.no_tool", tools.Quoted(name, 80))
	}
	fields := a.catalogue.Fields(language(e), name)
	form := formedTool{listedTool: listed(t)}
	form.About, _ = fields.About()
	form.Input, form.Output = fields.Schema(t.Input), fields.Schema(t.Output)
	return form, nil
}
