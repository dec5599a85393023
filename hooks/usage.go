package hooks

import (
	"encoding/json/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/budget"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// figures is what models were used for, and never what was said to them.
type figures struct {
	Items    []figure       `json:"items"`
	Next     string         `json:"next"`
	Currency string         `json:"currency"`
	Handles  []tools.Member `json:"handles,omitzero"` // that begin as was asked for; absent where it was not
}

// figure is a row with whose it is; without a person it is what those used whose
// account is gone.
type figure struct {
	budget.Used
	Handle string `json:"handle"`
}

// listFigures answers operators what was used, by month unless asked by day; or,
// to like, who is called so.
func (a *App) listFigures(e *core.RequestEvent) (any, error) {
	if _, err := a.operatorOf(e); err != nil {
		return nil, err
	}
	if asked := e.Request.URL.Query(); asked.Has("like") {
		all, err := a.handlesLike(e, asked.Get("like"))
		return figures{Items: []figure{}, Currency: a.ledger.Currency(), Handles: all}, err
	}
	q, err := usageQuery(e, "month", "account", "assistant", "by", "from", "to", "limit", "cursor")
	if err != nil {
		return nil, err
	}
	if name := e.Request.URL.Query().Get("account"); name != "" {
		rec, err := ifThere(a.pb.FindRecordById(users, name))
		if err == nil && rec == nil {
			rec, err = a.memberNamed(name)
		}
		if tools.KindOf(err) == tools.Unauthorized { // as commands are told that nobody is called so
			err = tools.Fail(tools.NotFound, "error.no_such_member", tools.Personal(tools.Quoted(name, 60)))
		}
		if err != nil {
			return nil, err
		}
		q.Person = rec.Id
	}
	page, err := a.ledger.Usage(e.Request.Context(), q)
	if err != nil {
		return nil, err
	}
	out := figures{Items: []figure{}, Next: page.Next, Currency: a.ledger.Currency()}
	handles := map[string]string{}
	for _, u := range page.Items {
		if _, known := handles[u.Person]; !known && u.Person != "" {
			rec, err := ifThere(a.pb.FindRecordById(users, u.Person))
			if err != nil {
				return nil, err
			}
			if rec != nil {
				handles[u.Person] = rec.GetString("handle")
			}
		}
		out.Items = append(out.Items, figure{u, handles[u.Person]})
	}
	return out, nil
}

// handlesLike are the accounts whose handle begins so, as operators list them.
func (a *App) handlesLike(e *core.RequestEvent, like string) ([]tools.Member, error) {
	actor, err := a.actorOf(e, true)
	if err != nil {
		return nil, err
	}
	args, err := json.Marshal(map[string]string{"handle": like})
	if err != nil {
		return nil, err
	}
	v, err := a.runner.Read(e.Request.Context(), actor, tools.Invocation{Tool: "nodkeep_account_list", Args: args})
	page, ok := v.(accounts.Page)
	if err != nil || !ok {
		return nil, err
	}
	all := []tools.Member{}
	for _, is := range page.Items {
		all = append(all, tools.Member{ID: is.ID, Handle: is.Handle})
	}
	return all, nil
}

// ownUsage is what a member used, and how far they are from their limits.
type ownUsage struct {
	Currency string            `json:"currency"`
	Day      budget.Sum        `json:"day"`
	Month    budget.Sum        `json:"month"`
	Limits   []standingLimit   `json:"limits"`
	Own      accounts.OwnLimit `json:"own"` // that they set themselves
	Items    []budget.Used     `json:"items"`
	Next     string            `json:"next"`
}

// listOwnUsage answers members what they used, by day unless asked by month.
func (a *App) listOwnUsage(e *core.RequestEvent) (any, error) {
	actor, err := a.member(e)
	if err != nil {
		return nil, err
	}
	q, err := usageQuery(e, "day", "assistant", "by", "from", "to", "limit", "cursor")
	if err != nil {
		return nil, err
	}
	q.Person = actor.Person
	ctx := e.Request.Context()
	now, err := a.ledger.Standing(ctx, actor.Person)
	if err != nil {
		return nil, err
	}
	page, err := a.ledger.Usage(ctx, q)
	if err != nil {
		return nil, err
	}
	own, err := ifThere(a.pb.FindFirstRecordByData(accounts.Limits, "person", actor.Person))
	if err != nil {
		return nil, err
	}
	return ownUsage{now.Currency, now.Day, now.Month, standingLimits(now.Limits), accounts.OwnLimitOf(own, now.Currency), page.Items, page.Next}, nil
}

// usageQuery reads what is asked for, and refuses what is none of known.
func usageQuery(e *core.RequestEvent, by string, known ...string) (q budget.UsageQuery, err error) {
	values := e.Request.URL.Query()
	for name := range values {
		if !slices.Contains(known, name) {
			return q, tools.Fail(tools.Invalid, "error.arguments", tools.T("argument.unknown", tools.Quoted(name, 40), strings.Join(known, ", ")))
		}
	}
	if v := values.Get("by"); v != "" {
		by = v
	}
	if by != "day" && by != "month" {
		return q, tools.Fail(tools.Invalid, "usage.by")
	}
	q = budget.UsageQuery{
		Assistant: values.Get("assistant"), From: values.Get("from"), To: values.Get("to"), Months: by == "month", Cursor: values.Get("cursor"), Limit: 50,
	}
	if v := values.Get("limit"); v != "" {
		if q.Limit, err = strconv.Atoi(v); err != nil || q.Limit < 1 || q.Limit > 200 {
			return q, tools.Fail(tools.Invalid, "nodkeep.error.limit", tools.Quoted(v, 20), 200)
		}
	}
	return q, nil
}
