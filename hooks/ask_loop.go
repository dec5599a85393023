package hooks

import (
	"context"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/tools"
)

// asking answers questions, each in a turn.
type asking interface {
	Ask(ctx context.Context, person *core.Record, q assistant.Question) (following, error)
	Turn(ctx context.Context, person, id string) (following, error)
	Stop(ctx context.Context, person, id string) error
	Conversations(ctx context.Context, person, lang string, limit int, cursor string) (items any, next string, err error)
	End(person string)
	Sweep(context.Context) error
	Close()
}

// following is a turn as it is told.
type following interface {
	Follow(ctx context.Context, after int, f func(assistant.Event) error) error
}

// nobody is who answers while there is no loop.
type nobody struct{}

func (nobody) Ask(context.Context, *core.Record, assistant.Question) (following, error) {
	return nil, tools.Fail(tools.Unavailable, "limit.busy")
}

func (nobody) Turn(context.Context, string, string) (following, error) {
	return nil, tools.Fail(tools.NotFound, "http.nowhere")
}

func (nobody) Stop(context.Context, string, string) error {
	return tools.Fail(tools.NotFound, "http.nowhere")
}

func (nobody) Conversations(context.Context, string, string, int, string) (any, string, error) {
	return []struct{}{}, "", nil
}
func (nobody) End(string)                  {}
func (nobody) Sweep(context.Context) error { return nil }
func (nobody) Close()                      {}
