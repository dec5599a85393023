package hooks

import (
	"encoding/json/v2"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"
)

// TestSchemaIsKept does in the dashboard what would leave an instance that
// does not start, or delete what no audit names.
func TestSchemaIsKept(t *testing.T) {
	i := newInstance(t)
	super := i.superuser()
	fields := func(name string, change func(core.FieldsList) core.FieldsList) string {
		col, err := i.pb.FindCollectionByNameOrId(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(map[string]any{"fields": change(col.Fields)})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	without := func(field string) func(core.FieldsList) core.FieldsList {
		return func(l core.FieldsList) core.FieldsList { l.RemoveByName(field); return l }
	}
	renamed := func(l core.FieldsList) core.FieldsList { l.GetByName("notes").SetName("remarks"); return l }
	rows := []struct {
		name, method, collection, body string
		in                             string // of the answer; "" when it is allowed
	}{
		{"rename of a plugin's", "PATCH", "household_subscriptions", `{"name":"subs"}`, "household_subscriptions cannot be renamed"},
		{"rename of ours", "PATCH", "nodkeep_outbox", `{"name":"outbox"}`, "nodkeep_outbox cannot be renamed"},
		{"rename of the accounts", "PATCH", "users", `{"name":"people"}`, "users cannot be renamed"},
		{"delete a plugin's", "DELETE", "household_charges", "", "household_charges cannot be deleted"},
		{"delete ours", "DELETE", "nodkeep_outbox", "", "nodkeep_outbox cannot be deleted"},
		{"remove a field", "PATCH", "household_subscriptions", fields("household_subscriptions", without("notes")), "The field notes of household_subscriptions"},
		{"rename a field", "PATCH", "household_subscriptions", fields("household_subscriptions", renamed), "The field notes of household_subscriptions"},
		{"remove the handle", "PATCH", "users", fields("users", without("handle")), "The field handle of users"},
		{"add a field", "PATCH", "household_subscriptions", fields("household_subscriptions", func(l core.FieldsList) core.FieldsList {
			l.Add(&core.TextField{Name: "colour"})
			return l
		}), ""},
		{"another list rule", "PATCH", "household_subscriptions", `{"listRule":"owner = @request.auth.id"}`, ""},
		{"a field of the operator's own", "PATCH", "users", fields("users", without("avatar")), ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			path := "/api/collections/" + row.collection
			status, a := i.web(row.method, path, super, row.body)
			if ok := status == 200; ok != (row.in == "") || !strings.Contains(a.String(), row.in) {
				t.Errorf("%d %.300s", status, a)
			}
		})
	}
	i.add(i.token("ann"), "Netflix", "")
}
