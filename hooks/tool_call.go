package hooks

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// digestHeader binds a call to the preview that its person saw.
const digestHeader = "X-Nodkeep-Digest"

// shown is a preview of one call.
type shown struct {
	Output  any            `json:"output"`
	Effect  tools.Effect   `json:"effect"`
	Card    tools.Card     `json:"card"`
	Changes []tools.Change `json:"changes"`
	Unseen  int            `json:"unseen"`
	Sends   []string       `json:"sends"`
	Money   bool           `json:"money"`
	Digest  string         `json:"digest"`
	Expires time.Time      `json:"expires"`
}

func show(p tools.Preview) shown {
	i := p.Items[0]
	return shown{i.Output, i.Effect, i.Card, i.Changes, i.Unseen, i.Sends, i.Money, p.Digest, p.Expires}
}

// done is a call that was applied.
type done struct {
	Output  any           `json:"output"`
	Receipt tools.Receipt `json:"receipt"`
}

// callTool reads, previews or applies, as the tool and the request say.
func (a *App) callTool(e *core.RequestEvent) (any, error) {
	inv := tools.Invocation{Tool: e.Request.PathValue("name")}
	tool, known := a.registry.Tool(inv.Tool)
	if e.Auth == nil && (!isLocal(e.Request) || !tool.Operator) {
		return nil, tools.Fail(tools.Unauthorized, "http.sign_in")
	}
	body, err := callBody(e, tool)
	inv.Args = body
	if err == nil && !known {
		if like := a.like(inv.Tool); like != "" {
			err = tools.Fail(tools.NotFound, "http.no_tool_like", inv.Tool, like)
		}
	}
	return a.use(e, inv, err)
}

// use makes a call of a tool, unless the door found something wrong with it.
func (a *App) use(e *core.RequestEvent, inv tools.Invocation, wrong error) (any, error) {
	ctx := e.Request.Context()
	tool, _ := a.registry.Tool(inv.Tool)
	actor, refusal := a.actorOf(e, tool.Operator)
	if actor == (tools.Actor{}) {
		return nil, refusal
	}
	if refusal == nil {
		refusal = wrong
	}
	preview, read := isPreview(e), tool.Effect == tools.EffectRead
	digest := e.Request.Header.Get(digestHeader)
	if refusal == nil && !read && (tool.SignedIn || digest != "" && !preview) {
		refusal = mayConfirm(e)
	}
	switch {
	case refusal != nil && (preview || read):
		return nil, refusal
	case refusal != nil:
		return nil, a.runner.Refuse(actor, inv, refusal)
	case preview:
		p, err := a.runner.Preview(ctx, actor, inv)
		if err != nil {
			return nil, err
		}
		return show(p), nil
	case read:
		out, err := a.runner.Read(ctx, actor, inv)
		return struct {
			Output any `json:"output"`
		}{out}, err
	}
	receipt, err := a.runner.Apply(ctx, actor, digest, inv)
	if err != nil {
		return nil, orShow(err, func() (tools.Preview, error) { return a.runner.Preview(ctx, actor, inv) })
	}
	return done{receipt.Outputs[0], receipt}, nil
}

// orShow adds to digest_required what there is to agree to.
func orShow(err error, preview func() (tools.Preview, error)) error {
	if tools.KindOf(err) != tools.DigestRequired {
		return err
	}
	p, failed := preview()
	if failed != nil {
		return failed
	}
	return needsNod{err, show(p)}
}

// isPreview takes any value but a clear no for a yes: who names the parameter
// does not mean to change anything.
func isPreview(e *core.RequestEvent) bool {
	query, err := url.ParseQuery(e.Request.URL.RawQuery)
	if err != nil {
		return true // whatever it was to say, it is no clear wish to change something
	}
	values, there := query["preview"]
	return there && slices.ContainsFunc(values, func(v string) bool {
		return !slices.Contains([]string{"0", "false"}, strings.ToLower(v))
	})
}
