package hooks

import (
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// undo takes entries back, or shows what that would do.
func (a *App) undo(e *core.RequestEvent) (any, error) {
	ctx := e.Request.Context()
	actor, refusal := a.actor(e)
	if e.Auth == nil {
		return nil, refusal
	}
	body, err := jsonBody(e)
	if refusal == nil {
		refusal = err
	}
	var in struct {
		Audit  []string `json:"audit"`
		Agent  string   `json:"agent"`
		Since  string   `json:"since"`
		Except []string `json:"except"`
	}
	if refusal == nil {
		refusal = decode(body, &in)
	}
	var since time.Time
	if refusal == nil && in.Since != "" {
		since, refusal = sinceTime(in.Since)
	}
	preview, digest := isPreview(e), e.Request.Header.Get(digestHeader)
	if refusal == nil && digest != "" && !preview {
		refusal = mayConfirm(e)
	}
	switch {
	case refusal != nil && preview:
		return nil, refusal
	case refusal != nil:
		return nil, a.runner.Refuse(actor, tools.Invocation{Tool: tools.UndoTool, Args: body}, refusal)
	}
	spec := tools.UndoSpec{Audit: in.Audit, Agent: in.Agent, Since: since, Except: in.Except}
	look := func() (tools.Preview, error) { return a.runner.PreviewUndo(ctx, actor, spec) }
	if preview {
		p, err := look()
		if err != nil {
			return nil, err
		}
		return show(p), nil
	}
	receipt, err := a.runner.Undo(ctx, actor, digest, spec)
	if err != nil {
		return nil, orShow(err, look)
	}
	return receipt, nil
}
