package hooks

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// makeSamples makes the members and calls of the plugins' samples. The members
// read that language, or say none; the first is an operator.
func (a *App) makeSamples(ctx context.Context, lang string) (handles []string, err error) {
	today := time.Now()
	if a.now != nil {
		today = a.now()
	}
	made := map[string]bool{}
	for _, p := range a.registry.Plugins() {
		s, ok := p.(tools.Sampler)
		if !ok {
			continue
		}
		for _, call := range s.Sample(tools.DateOf(today)) {
			if !made[call.By] {
				if err := a.demoMember(ctx, call.By, lang, len(made) == 0); err != nil {
					return handles, err
				}
				made[call.By], handles = true, append(handles, call.By)
			}
			r := request{method: "POST", path: "/tools/" + call.Tool, as: call.By, body: bytes.NewReader(call.Args)}
			if err := a.must(ctx, r); err != nil {
				return handles, fmt.Errorf("sample of %s, %s: %w", p.Name(), call.Tool, err)
			}
		}
	}
	return handles, nil
}
