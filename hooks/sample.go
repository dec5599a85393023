package hooks

import (
	"bytes"
	"context"
	"encoding/json/v2"
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

// letAsk lets everybody ask an assistant. To one that words would go to, the
// members of the sample, who are nobody, have agreed.
func (a *App) letAsk(ctx context.Context, id string, agree []string) error {
	if err := a.post(ctx, "/operator/grants", "", map[string]any{"assistant": id, "everybody": true, "allow": true}); err != nil {
		return err
	}
	for _, handle := range agree {
		if err := a.post(ctx, "/me/consents", handle, map[string]any{"assistant": id}); err != nil {
			return err
		}
	}
	return nil
}

// post makes a request that must go well.
func (a *App) post(ctx context.Context, path, as string, args map[string]any) error {
	body, err := json.Marshal(args)
	if err != nil {
		return err
	}
	return a.must(ctx, request{method: "POST", path: path, as: as, body: bytes.NewReader(body)})
}
