package hooks

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"strconv"
	"strings"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// operatorRoutes give the operators' tools an address each. What is in the
// path counts, whatever the body says.
func (a *App) operatorRoutes() []route {
	get := func(path, tool string) route { return route{"GET", "/operator" + path, false, a.listBy(tool, nil)} }
	post := func(path, tool string) route { return route{"POST", "/operator" + path, false, a.actBy(tool)} }
	set := func(path, tool string) route { return route{"POST", "/operator" + path, false, a.setBy(tool)} }
	links := func(path, kind string) route {
		return route{"GET", "/operator" + path, false, a.listBy("nodkeep_link_list", map[string]any{"kind": kind})}
	}
	return []route{
		get("/overview", "nodkeep_overview"),
		{"GET", "/operator/health", false, a.getHealth},
		get("/waiting", "nodkeep_waiting_list"),
		post("/waiting/{account}/approve", "nodkeep_account_approve"),
		post("/waiting/{account}/refuse", "nodkeep_account_refuse"),
		post("/waiting/{account}/pass", "nodkeep_pass_create"),
		get("/accounts", "nodkeep_account_list"),
		post("/accounts", "nodkeep_account_add"),
		post("/accounts/{account}/approve", "nodkeep_account_approve"),
		post("/accounts/{account}/refuse", "nodkeep_account_refuse"),
		post("/accounts/{account}/suspend", "nodkeep_account_suspend"),
		post("/accounts/{account}/restore", "nodkeep_account_restore"),
		get("/operators", "nodkeep_operator_list"),
		post("/operators", "nodkeep_operator_add"),
		post("/operators/{account}/remove", "nodkeep_operator_remove"),
		links("/invites", accounts.Invite),
		post("/invites", "nodkeep_invite_create"),
		post("/invites/{id}/revoke", "nodkeep_link_revoke"),
		links("/resets", accounts.Reset),
		post("/resets", "nodkeep_reset_create"),
		post("/resets/{id}/revoke", "nodkeep_link_revoke"),
		get("/assistants", "nodkeep_assistant_list"),
		set("/assistants", "nodkeep_assistant_set"),
		post("/assistants/{id}/remove", "nodkeep_assistant_remove"),
		get("/grants", "nodkeep_grant_list"),
		set("/grants", "nodkeep_grant_set"),
		get("/budgets", "nodkeep_budget_list"),
		set("/budgets", "nodkeep_budget_set"),
		get("/requests", "nodkeep_more_list"),
		set("/requests/{id}/approve", "nodkeep_more_approve"),
		post("/requests/{id}/refuse", "nodkeep_more_refuse"),
		{"GET", "/operator/figures", false, a.listFigures},
		{"GET", "/operator/audit", false, a.checkChain},
		get("/settings", "nodkeep_setting_list"),
		set("/settings", "nodkeep_setting_set"),
	}
}

// listBy answers what a read tool gives, as lists are answered.
func (a *App) listBy(tool string, fixed map[string]any) endpoint {
	return func(e *core.RequestEvent) (any, error) {
		args := map[string]any{}
		for name, values := range e.Request.URL.Query() {
			value := values[len(values)-1]
			if value == "" {
				continue // asks for nothing
			}
			args[name] = value
			if n, err := strconv.Atoi(value); err == nil && name == "limit" {
				args[name] = n
			}
		}
		for name, v := range fixed {
			args[name] = v
		}
		raw, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		actor, err := a.actorOf(e, true)
		if err != nil {
			return nil, err
		}
		return a.runner.Read(e.Request.Context(), actor, tools.Invocation{Tool: tool, Args: raw})
	}
}

// actBy calls a tool with the body's arguments and those of the path.
func (a *App) actBy(name string) endpoint { return a.callBy(name, func(map[string]any) {}) }

// setBy is actBy for what sets fields: null is "", which tools take for no value,
// and a number is its digits.
func (a *App) setBy(name string) endpoint {
	return a.callBy(name, func(args map[string]any) {
		tool, _ := a.registry.Tool(name)
		for field, v := range args {
			if p := tool.Input.Properties[field]; p == nil || p.Type != "string" || field == "seen" {
				continue
			}
			switch v := v.(type) {
			case nil:
				args[field] = ""
			case float64:
				args[field] = strconv.FormatFloat(v, 'f', -1, 64)
			case bool:
				args[field] = map[bool]string{true: "yes", false: "no"}[v]
			}
		}
	})
}

func (a *App) callBy(name string, read func(args map[string]any)) endpoint {
	return func(e *core.RequestEvent) (any, error) {
		tool, _ := a.registry.Tool(name)
		body, err := callBody(e, tool)
		args := map[string]any{}
		if err == nil && len(body) > 0 {
			err = decode(body, &args)
		}
		if args == nil {
			args = map[string]any{}
		}
		read(args)
		if name, ok := args["account"].(string); ok {
			args["account"] = a.localID(e, name)
		}
		if all, ok := args["accounts"].([]any); ok {
			for n, one := range all {
				if name, ok := one.(string); ok {
					all[n] = a.localID(e, name)
				}
			}
		}
		for _, part := range []string{"account", "id", "assistant"} {
			if v := e.Request.PathValue(part); v != "" {
				args[part] = v
			}
		}
		if v := e.Request.PathValue("account"); v != "" {
			args["account"] = a.localID(e, v)
		}
		raw, failed := json.Marshal(args)
		if err == nil {
			err = failed
		}
		return a.use(e, tools.Invocation{Tool: name, Args: jsontext.Value(raw)}, err)
	}
}

// localID is the id of the account that a command names by its handle or
// address. From the network an id is one already: a handle in the audit would
// outlast the account.
func (a *App) localID(e *core.RequestEvent, name string) string {
	if !isLocal(e.Request) {
		return name
	}
	name = strings.TrimSpace(name)
	if _, err := a.pb.FindRecordById(users, name); err == nil {
		return name // first, as everywhere: a handle may look like an id
	}
	if rec, err := a.memberNamed(name); err == nil {
		return rec.Id
	}
	return name
}

// actorOf says who calls a tool. One for operators is also for superusers, and
// for commands on the machine that name nobody.
func (a *App) actorOf(e *core.RequestEvent, operators bool) (tools.Actor, error) {
	switch {
	case !operators:
	case isLocal(e.Request) && e.Auth == nil:
		return tools.Actor{Door: tools.DoorCLI}, nil
	case e.Auth != nil && e.Auth.IsSuperuser():
		return tools.Actor{Person: e.Auth.Id, Door: tools.DoorDashboard}, nil
	}
	return a.actor(e)
}
