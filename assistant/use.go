package assistant

import (
	"context"
	"sync"

	"github.com/nodkeep/nodkeep/tools"
)

// uses count the tools of a turn, in the order in which each was first called.
type uses struct {
	mu  sync.Mutex
	all []ToolUse
}

func (u *uses) add(name string, failed bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := 0
	if failed {
		n = 1
	}
	for i := range u.all {
		if u.all[i].Name == name {
			u.all[i].Calls++
			u.all[i].Failed += n
			return
		}
	}
	u.all = append(u.all, ToolUse{name, 1, n})
}

// started tells the person which tool is at work.
func (t *turn) started(j *job) {
	t.emit(EventTool, ToolEvent{j.tool.Name, tools.T(j.tool.Title), Started})
}

// ended tells them that it is not any more.
func (t *turn) ended(j *job) {
	state := Done
	if j.err != nil {
		state = Failed
	}
	t.uses.add(j.tool.Name, j.err != nil)
	t.emit(EventTool, ToolEvent{j.tool.Name, tools.T(j.tool.Title), state})
}

// watched tells the observer of a call, if there is one.
func (t *turn) watched(ctx context.Context, j *job) (context.Context, func(error)) {
	if t.l.c.Observer == nil {
		return ctx, func(error) {}
	}
	return t.l.c.Observer.Tool(ctx, j.tool.Name, j.call.ID)
}
