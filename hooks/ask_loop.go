package hooks

import (
	"context"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant"
)

// asking answers questions, each in a turn.
type asking interface {
	Ask(ctx context.Context, person *core.Record, q assistant.Question) (following, error)
	Turn(ctx context.Context, person, id string) (following, error)
	Stop(ctx context.Context, person, id string) error
	Conversations(ctx context.Context, person string, limit int, cursor string) (items []assistant.Conversation, next string, err error)
	End(person string)
	Sweep(context.Context) error
	Close()
}

// following is a turn as it is told.
type following interface {
	Follow(ctx context.Context, after int, f func(assistant.Event) error) error
}
