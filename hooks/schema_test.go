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
	// as changes a field in place.
	as := func(field string, change func(core.Field)) func(core.FieldsList) core.FieldsList {
		return func(l core.FieldsList) core.FieldsList { change(l.GetByName(field)); return l }
	}
	shown := func(f core.Field) { f.SetHidden(false) }
	values := func(to ...string) func(core.Field) {
		return func(f core.Field) { f.(*core.SelectField).Values = to }
	}
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
		{"put another field in its place", "PATCH", "users", fields("users", as("operator", func(f core.Field) { f.SetId("bool999") })), "The field operator of users cannot be replaced"},
		{"put one of another type in its place", "PATCH", "users", fields("users", func(l core.FieldsList) core.FieldsList {
			l.RemoveByName("status")
			l.Add(&core.TextField{Name: "status"})
			return l
		}), "The field status of users cannot be replaced"},
		{"show the role", "PATCH", "users", fields("users", as("operator", shown)), "The field operator of users must stay hidden"},
		{"show the words", "PATCH", "users", fields("users", as("words", shown)), "The field words of users must stay hidden"},
		{"show the hash of a link", "PATCH", "nodkeep_links", fields("nodkeep_links", as("hash", shown)), "The field hash of nodkeep_links must stay hidden"},
		{"take a standing away", "PATCH", "users", fields("users", as("status", values("waiting", "approved"))), "The field status of users must keep its values"},
		{"add a standing", "PATCH", "users", fields("users", as("status", values("guest", "waiting", "approved", "refused", "suspended"))), ""},
		{"hide the handle", "PATCH", "users", fields("users", as("handle", func(f core.Field) { f.SetHidden(true) })), ""},
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
