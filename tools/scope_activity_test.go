package tools_test

import (
	"encoding/json/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

// TestScopeActivity: what an agent is told of what was done is only what touched
// records in scope and nothing else; what names others by a relation has their
// ids, not their names.
func TestScopeActivity(t *testing.T) {
	s := openScoped(t)
	said := map[string]string{} // entries, by what was done
	did := func(name string, f func(*tools.Call) error) {
		t.Helper()
		said[s.do(f).Audit[0]] = name
	}
	a, b, hidden, g2 := s.ids["a"].ID, s.ids["b"].ID, s.ids["hidden"].ID, s.ids["g2"].ID
	did("b changed", update("lab_subs", &b, map[string]any{"note": "1"}))
	did("hidden changed", update("lab_subs", &hidden, map[string]any{"note": "Secret"}))
	did("a and hidden changed", func(c *tools.Call) error {
		if err := update("lab_subs", &a, map[string]any{"note": "2"})(c); err != nil {
			return err
		}
		return update("lab_subs", &hidden, map[string]any{"note": "Secret too"})(c)
	})
	did("a moved to g2", update("lab_subs", &a, map[string]any{"group": g2}))
	did("a charged", add("lab_charges", map[string]any{"sub": a, "amount": 2}, nil))
	did("hidden charged", add("lab_charges", map[string]any{"sub": hidden, "amount": 777}, nil))
	did("a tag", add("lab_tags", map[string]any{"name": "new"}, nil))
	var lost, open, closed string
	did("lost made", add("lab_subs", map[string]any{"name": "lost"}, &lost))
	did("lost gone", remove("lab_subs", &lost))
	did("opened made", add("lab_subs", map[string]any{"name": "opened", "flag": true}, &open))
	did("opened charged", add("lab_charges", map[string]any{"sub": open}, nil))
	did("opened", update("lab_subs", &open, map[string]any{"flag": false}))
	did("opened changed", update("lab_subs", &open, map[string]any{"note": "3"}))
	did("closed made", add("lab_subs", map[string]any{"name": "closed"}, &closed))
	did("closed", update("lab_subs", &closed, map[string]any{"flag": true}))
	did("hidden gone", remove("lab_subs", &hidden))
	if _, err := s.try(s.ann, s.write(func(*tools.Call) error { return tools.Fail(tools.Invalid, "lab.Secret") })); err == nil {
		t.Fatal("not refused")
	}
	agent := s.ann
	agent.Agent, agent.Door = "token", tools.DoorMCP

	for _, row := range []struct {
		scope *tools.Scope
		want  string
	}{
		{&tools.Scope{}, "opened changed; lost gone; lost made; a tag; a charged; a moved to g2; b changed"},
		{&tools.Scope{Only: s.only("a"), Private: true}, "a tag; a charged; a moved to g2"},
		{&tools.Scope{Only: s.only("b")}, "a tag; b changed"},
		{&tools.Scope{Only: map[string][]string{"lab_subs": {hidden}}}, "a tag"},
		{&tools.Scope{Only: map[string][]string{"lab_subs": {hidden}}, Private: true}, "hidden gone; a tag; hidden charged; hidden changed"},
	} {
		list, err := s.Runner.Activity(tools.WithScope(t.Context(), *row.scope), agent, tools.ActivityQuery{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list.Items {
			if e.Created.IsZero() || said[e.ID] == "" {
				continue // what openScoped did
			}
			got = append(got, said[e.ID])
		}
		if strings.Join(got, "; ") != row.want {
			t.Errorf("%+v tells of %s\nnot %s", row.scope, strings.Join(got, "; "), row.want)
		}
		raw, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if !row.scope.Private && (strings.Contains(string(raw), "Secret") || strings.Contains(string(raw), "777")) {
			t.Errorf("%+v tells: %s", row.scope, raw)
		}
		if row.scope.Only != nil && strings.Contains(string(raw), `"g2"`) {
			t.Errorf("%+v names what is not in it: %s", row.scope, raw)
		}
	}
	// What narrows nothing leaves nothing out.
	plain, err := s.Runner.Activity(t.Context(), agent, tools.ActivityQuery{})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := s.Runner.Activity(tools.WithScope(t.Context(), tools.Scope{Private: true}), agent, tools.ActivityQuery{})
	if err != nil || len(wide.Items) != len(plain.Items) || !slices.ContainsFunc(wide.Items, func(e tools.Entry) bool { return said[e.ID] == "hidden changed" }) {
		t.Errorf("%d of %d: %v", len(wide.Items), len(plain.Items), err)
	}
}
