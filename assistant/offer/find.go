package offer

import (
	"encoding/json/jsontext"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/tools"
)

// How many tools a search finds, unless it is said, and at most.
const (
	found     = 5
	mostFound = 10
	longWords = 400 // bytes that are looked at
)

// Found is a tool that a search found.
type Found struct {
	Name   string         `json:"name"`
	Help   string         `json:"help"`
	Effect tools.Effect   `json:"effect"`
	Schema jsontext.Value `json:"schema"` // of its arguments
}

// Find lists the n tools of the plugins that fit some words best, the best
// first, of those that the agent may have called; 5 where n is 0, 10 at most.
func (m *Menu) Find(a gate.Agent, words string, n int) []Found {
	if n <= 0 {
		n = found
	}
	reached := m.view(a).reached
	list := []Found{}
	for _, name := range m.index().find(words[:min(len(words), longWords)]) {
		mark, ok := reached[name]
		if !ok {
			continue
		}
		if len(list) == min(n, mostFound) {
			break
		}
		s := m.shown()[name]
		list = append(list, Found{name, s.Help + mark, s.Effect, s.schema})
	}
	return list
}
