package roster

import (
	"context"
	"sync"

	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// Suggestion is a host that could be connected.
type Suggestion struct {
	Name     string           `json:"name"`
	Protocol gateway.Protocol `json:"protocol"`
	BaseURL  string           `json:"base_url"`
	Host     string           `json:"host"`
	Local    bool             `json:"local"`  // on this machine: needs no key, and nothing leaves
	Models   []string         `json:"models"` // that a local one has; empty for the others
	Used     string           `json:"used"`   // id of an assistant that is there already, or ""
}

// neighbour is a program for models at its usual place on this machine.
type neighbour struct{ name, base string }

func neighbours() []neighbour {
	return []neighbour{
		{"Ollama", "http://127.0.0.1:11434"},
		{"LM Studio", "http://127.0.0.1:1234"},
		{"vLLM", "http://127.0.0.1:8000"},
		{"llama.cpp", "http://127.0.0.1:8080"},
	}
}

// mostModels of a local host are suggested.
const mostModels = 50

// Suggest gives what could be connected: first what answers on this machine,
// then the hosts that are known.
func (r *Roster) Suggest(ctx context.Context) ([]Suggestion, error) {
	there, err := r.All(ctx)
	if err != nil {
		return nil, err
	}
	near := neighbours()
	found := make([]*Suggestion, len(near))
	within, cancel := context.WithTimeout(ctx, r.patient.near)
	defer cancel()
	var all sync.WaitGroup
	for n, at := range near {
		all.Go(func() {
			a := made("", map[string]string{fieldBaseURL: at.base}, nil, false)
			if l := r.models(within, a); l.list {
				found[n] = &Suggestion{Name: at.name, Protocol: a.Protocol, BaseURL: a.BaseURL, Host: a.Host, Local: true, Models: l.models[:min(len(l.models), mostModels)]}
			}
		})
	}
	all.Wait()
	items := []Suggestion{}
	for _, s := range found {
		if s != nil {
			items = append(items, *s)
		}
	}
	for _, c := range clouds() {
		items = append(items, Suggestion{Name: c.name, Protocol: c.protocol, BaseURL: c.base, Host: c.host})
	}
	for n := range items {
		if items[n].Models == nil {
			items[n].Models = []string{}
		}
		for _, a := range there {
			if place(a.BaseURL) == place(items[n].BaseURL) {
				items[n].Used = a.ID
				break
			}
		}
	}
	return items, nil
}
