package tools_test

import (
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// warden is a plugin with a tool for operators, and one for everybody.
type warden struct{}

func (warden) Name() string { return "warden" }
func (warden) Tools() []tools.Tool {
	nothing := func(*tools.Call, struct{}) (string, error) { return "", nil }
	const hidden = "Only people look after the instance."
	return []tools.Tool{
		tools.New(tools.Def{Name: "warden_act", Title: "lab.write", Help: "Does nothing, for operators.", Effect: tools.EffectWrite, Operator: true, Hidden: hidden}, nothing),
		tools.New(tools.Def{Name: "warden_do", Title: "lab.write", Help: "Does nothing, for everybody.", Effect: tools.EffectWrite}, nothing),
		tools.NewRead(tools.Def{Name: "warden_look", Title: "lab.write", Help: "Looks, for operators.", Operator: true, Hidden: hidden}, func(r *tools.Reader, _ struct{}) (bool, error) {
			return r.Operator(), nil
		}),
	}
}

// TestToolsForOperators: members with the role, superusers and the machine use
// them; the latter two use nothing else, alone or among others.
func TestToolsForOperators(t *testing.T) {
	b := open(t, tools.Config{}, warden{})
	ann := b.Member("ann")
	ann.Set("operator", true)
	waits := b.Member("dora")
	waits.Set("operator", true)
	waits.Set("status", "suspended")
	for _, rec := range []*core.Record{ann, waits} {
		if err := b.Save(rec); err != nil {
			t.Fatal(err)
		}
	}
	root := tools.Actor{Person: b.superuser().Id, Door: tools.DoorDashboard}
	machine := tools.Actor{Door: tools.DoorCLI}
	with := func(a tools.Actor, agent string) tools.Actor {
		a.Agent = agent
		return a
	}
	act, do, look := b.Call("warden_act", nil), b.Call("warden_do", nil), b.Call("warden_look", nil)
	one := b.do(add("lab_tags", map[string]any{"name": "t"}, nil)).Audit[0]
	const yes = tools.Kind("")
	for name, row := range map[string]struct {
		actor             tools.Actor
		act, do, mix, und tools.Kind
	}{
		"an operator":            {b.ann, yes, yes, yes, yes},
		"a member":               {b.bob, tools.Forbidden, yes, tools.Forbidden, yes},
		"a suspended operator":   {tools.Actor{Person: waits.Id, Door: tools.DoorWeb}, tools.Forbidden, tools.Forbidden, tools.Forbidden, tools.Forbidden},
		"an operator's agent":    {with(b.ann, "a1"), tools.Forbidden, tools.Forbidden, tools.Forbidden, tools.Forbidden},
		"a superuser":            {root, yes, tools.Forbidden, tools.Forbidden, tools.Forbidden},
		"a superuser's agent":    {with(root, "a1"), tools.Forbidden, tools.Forbidden, tools.Forbidden, tools.Forbidden},
		"the machine":            {machine, yes, tools.Unauthorized, tools.Unauthorized, tools.Unauthorized},
		"an agent on it":         {with(machine, "a1"), tools.Forbidden, tools.Forbidden, tools.Forbidden, tools.Forbidden},
		"a member at the panel":  {tools.Actor{Person: ann.Id, Door: tools.DoorDashboard}, tools.Unauthorized, tools.Forbidden, tools.Unauthorized, tools.Forbidden},
		"nobody at the panel":    {tools.Actor{Door: tools.DoorDashboard}, tools.Unauthorized, tools.Forbidden, tools.Unauthorized, tools.Forbidden},
		"a superuser on the web": {tools.Actor{Person: root.Person, Door: tools.DoorWeb}, tools.Unauthorized, tools.Unauthorized, tools.Unauthorized, tools.Unauthorized},
		"nobody on the web":      {tools.Actor{Door: tools.DoorWeb}, tools.Unauthorized, tools.Unauthorized, tools.Unauthorized, tools.Unauthorized},
	} {
		is := func(what string, err error, want tools.Kind) {
			t.Helper()
			if got := tools.KindOf(err); (err == nil) != (want == yes) || (err != nil && got != want) {
				t.Errorf("%s %s: %v, want %q", name, what, err, want)
			}
		}
		_, err := b.Runner.Apply(t.Context(), row.actor, "", act)
		is("acts", err, row.act)
		out, err := b.Runner.Read(t.Context(), row.actor, look)
		is("looks", err, row.act)
		if err == nil && out != true {
			t.Errorf("%s is no operator for what reads", name)
		}
		_, err = b.Runner.Apply(t.Context(), row.actor, "", do)
		is("does", err, row.do)
		for _, mixed := range [][]tools.Invocation{{act, do}, {do, act}} {
			_, err = b.Runner.Apply(t.Context(), row.actor, "", mixed...)
			is("mixes", err, row.mix)
		}
		_, err = b.Runner.PreviewUndo(t.Context(), row.actor, tools.UndoSpec{Audit: []string{one}})
		is("takes back", err, row.und)
	}
}

// nested takes a secret where the audit would not look for it.
type nested struct{ warden }

func (nested) Tools() []tools.Tool {
	type in struct {
		Login struct {
			Password tools.Secret `json:"password"`
		} `json:"login"`
	}
	return []tools.Tool{tools.New(tools.Def{Name: "warden_act", Title: "lab.write", Help: "Takes a secret.", Effect: tools.EffectWrite},
		func(*tools.Call, in) (string, error) { return "", nil })}
}

// exposed is for operators and would be offered to models.
type exposed struct{ warden }

func (exposed) Tools() []tools.Tool {
	return []tools.Tool{tools.New(tools.Def{Name: "warden_act", Title: "lab.write", Help: "Does nothing.", Effect: tools.EffectWrite, Operator: true},
		func(*tools.Call, struct{}) (string, error) { return "", nil })}
}

// TestToolsThatWouldLeak stop the start.
func TestToolsThatWouldLeak(t *testing.T) {
	for _, p := range []tools.Plugin{nested{}, exposed{}} {
		if _, err := tools.NewRegistry(p); err == nil {
			t.Errorf("%T was taken", p)
		} else {
			t.Log(err)
		}
	}
}
