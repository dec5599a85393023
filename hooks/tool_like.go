package hooks

import "github.com/nodkeep/nodkeep/tools"

// like is the tool whose name is closest to one that is none; "" where none is
// close.
func (a *App) like(name string) string {
	var names []string
	for _, t := range a.registry.Tools() {
		names = append(names, t.Name)
	}
	return tools.Like(name, names)
}
