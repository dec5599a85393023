package hooks

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/cron"

	"github.com/nodkeep/nodkeep/tools/accounts"
)

// TestHourly: what waited too long goes within the hour; what is old enough
// goes once a day, also on a machine that is off at night.
func TestHourly(t *testing.T) {
	i := newInstance(t, "NODKEEP_AUDIT_DAYS=60", "NODKEEP_UNDO_DAYS=1")
	var job *cron.Job
	for _, j := range i.pb.Cron().Jobs() {
		if j.Id() == "nodkeep.retention" {
			job = j
		}
	}
	if job == nil || job.Expression() != "17 * * * *" {
		t.Fatalf("%+v", job)
	}
	age := func(table, handle string) {
		t.Helper()
		query := "UPDATE users SET created = '2026-01-01 00:00:00.000Z' WHERE handle = '" + handle + "'"
		if table == accounts.Links {
			query = "UPDATE nodkeep_links SET expires = '2026-01-01 00:00:00.000Z'"
		}
		if _, err := i.pb.NonconcurrentDB().NewQuery(query).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	i.makeOperator("ann")
	i.invite("ann")
	age(accounts.Links, "")
	// Waiting, refused in the dashboard, and refused though it was let in once.
	for _, handle := range []string{"quill", "zora", "otto", "pia"} {
		i.newcomer(i.pb, handle)
	}
	i.stand("zora", accounts.Refused)
	i.stand("otto", "approved")
	i.stand("otto", accounts.Refused)
	for _, handle := range []string{"quill", "zora", "otto", "ann"} {
		age(users, handle)
	}
	job.Run()
	for handle, stays := range map[string]bool{"quill": false, "zora": false, "otto": true, "pia": true, "ann": true} {
		if _, err := i.pb.FindFirstRecordByData(users, "handle", handle); (err == nil) != stays {
			t.Errorf("%s stays: %v", handle, err == nil)
		}
		if !stays {
			for _, table := range []string{"nodkeep_audit", "nodkeep_steps", accounts.Passes} {
				if strings.Contains(i.text(table), handle) {
					t.Errorf("%s stands in %s still", handle, table)
				}
			}
		}
	}
	if n := i.count(accounts.Links); n != 0 {
		t.Errorf("%d links are left", n)
	}

	full := func() (n int) {
		t.Helper()
		if err := i.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE salt != '' AND kind != 'erasure'").Row(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if full() == 0 {
		t.Fatal("there is nothing to erase")
	}
	noon := time.Date(2027, 6, 1, 12, 17, 0, 0, time.UTC)
	i.retained.Store(&noon)
	i.hourly(noon.Add(time.Hour))
	if full() == 0 {
		t.Error("it is erased every hour")
	}
	i.hourly(noon.Add(15 * time.Hour)) // at night
	if full() != 0 || !i.retained.Load().After(noon) {
		t.Error("it is not erased at night")
	}
	i.add(i.token("ann"), "Netflix", "")
	i.hourly(noon.Add(40 * time.Hour))
	if n := full(); n != 0 {
		t.Errorf("after a night that was missed %d are left", n)
	}
}

// TestSuspendAndRestore over HTTP: all ends, nothing is lost, and who is back
// signs in anew.
func TestSuspendAndRestore(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	ann, old := i.token("ann"), i.token("bob")
	i.add(old, "Bob's secret", `,"private":true`)
	static, err := i.user("bob").NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	request, client := i.visit("bob"), i.listener("bob")
	path := prefix + "/operator/accounts/" + i.user("bob").Id
	_, a := i.web("POST", path+"/suspend", ann, "")
	status, a := i.web("POST", path+"/suspend", ann, "", digestHeader, a.str("data", "digest"))
	want(t, status, a, 200, "")
	if request.Err() == nil || !client.IsDiscarded() {
		t.Error("something of bob's goes on")
	}
	const signIn = `{"identity":"bob","password":"a long password"}`
	if status, a := i.web("POST", "/api/collections/users/auth-with-password", "", signIn); status != 403 {
		t.Errorf("%d %s", status, a)
	}
	status, a = i.web("POST", path+"/restore", ann, "")
	want(t, status, a, 200, "")
	for _, token := range []string{old, static} {
		status, a = i.web("GET", prefix+"/me", token, "")
		want(t, status, a, 401, "")
	}
	status, a = i.web("POST", "/api/collections/users/auth-with-password", "", signIn)
	want(t, status, a, 200, "")
	_, a = i.call("household_subscription_list", a.str("token"), "{}")
	if !strings.Contains(a.String(), "Bob's secret") {
		t.Errorf("what bob had is gone: %s", a)
	}
	var acts []string
	if err := i.pb.DB().NewQuery("SELECT tool FROM nodkeep_audit WHERE person = '" + i.user("ann").Id + "' AND kind != 'refusal' AND tool LIKE 'nodkeep_account_%' ORDER BY seq").Column(&acts); err != nil || strings.Join(acts, " ") != "nodkeep_account_suspend nodkeep_account_restore" {
		t.Errorf("the audit has %v, %v", acts, err)
	}
}

// TestHourlyInParts: what is much to delete leaves members room between, and
// one that cannot be deleted keeps few of the others.
func TestHourlyInParts(t *testing.T) {
	const all = 3*clearedAtOnce + 1
	i := newInstance(t, "NODKEEP_WAITING_MAX=100")
	i.makeOperator("ann")
	for n := range all {
		i.newcomer(i.pb, fmt.Sprintf("late%d", n))
	}
	if _, err := i.pb.NonconcurrentDB().NewQuery("UPDATE users SET created = '2026-01-01 00:00:00.000Z' WHERE status = 'waiting'").Execute(); err != nil {
		t.Fatal(err)
	}
	at := map[core.App]int{}
	stuck := "late0"
	i.pb.OnRecordDelete(users).BindFunc(func(e *core.RecordEvent) error {
		if at[e.App]++; e.Record.GetString("handle") == stuck {
			return errors.New("it is stuck")
		}
		return e.Next()
	})
	if err := i.clear(time.Now()); err == nil {
		t.Error("a failure is not told")
	}
	if n := i.waits(); n == 0 || n > clearedAtOnce {
		t.Errorf("%d are left beside one that is stuck", n)
	}
	stuck = ""
	if err := i.clear(time.Now()); err != nil || i.waits() != 0 {
		t.Error(err, i.waits())
	}
	for _, n := range at {
		if n > clearedAtOnce {
			t.Errorf("%d are deleted at once", n)
		}
	}
}

// waits is how many wait.
func (i *instance) waits() (n int) {
	i.t.Helper()
	if err := i.pb.DB().NewQuery("SELECT count(*) FROM users WHERE status = 'waiting'").Row(&n); err != nil {
		i.t.Fatal(err)
	}
	return n
}
