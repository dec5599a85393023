package hooks

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pocketbase/dbx"
)

// How many times as long a page of activity may take where the record that all of
// it hangs on changed so often since.
const (
	laterChanges = 5000
	maxPast      = 4
)

// BenchmarkPast holds a page of what another did with a subscription that changed
// very often since against the same page where nothing came later.
func BenchmarkPast(b *testing.B) {
	var pages []func()
	for _, later := range []int{0, laterChanges} {
		i := newInstance(b)
		token := i.token("bob")
		id, entry := i.add(token, "ours", "")
		var last int
		for n := range 50 {
			if status, a := i.call("household_subscription_update", token, fmt.Sprintf(`{"id":"%s","notes":"%d"}`, id, n)); status != http.StatusOK {
				b.Fatal(a)
			}
		}
		if err := i.pb.DB().NewQuery("SELECT max(seq) FROM nodkeep_audit").Row(&last); err != nil {
			b.Fatal(err)
		}
		for _, sql := range []string{
			`INSERT INTO nodkeep_audit (id,seq,at,kind,state,person,door,tool,effect,salt) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<{:n})
				SELECT printf('e%014d',i),{:last}+i,a.at,a.kind,a.state,a.person,a.door,a.tool,a.effect,a.salt FROM n JOIN nodkeep_audit a ON a.id={:entry} WHERE {:n}>0`,
			`INSERT INTO nodkeep_steps (id,entry,n,op,collection,record,[before],[after]) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<{:n})
				SELECT printf('s%014d',i),printf('e%014d',i),0,'update','household_subscriptions',{:id},printf('{"notes":"%d"}',i),printf('{"notes":"%d"}',i+1) FROM n WHERE {:n}>0`,
		} {
			if _, err := i.pb.DB().NewQuery(sql).Bind(dbx.Params{"n": later, "last": last, "id": id, "entry": entry}).Execute(); err != nil {
				b.Fatal(err)
			}
		}
		page := fmt.Sprintf("%s/audit?limit=50&cursor=%d", prefix, last+1)
		if status, a := i.web("GET", page, i.token("ann"), ""); status != http.StatusOK || strings.Count(fmt.Sprint(a), id) < 50 {
			b.Fatalf("ann is not told what bob did: %d %.500v", status, a)
		}
		pages = append(pages, i.caller(b, "GET", page, ""))
	}
	took := quick(b, pages...)
	got := took[1] / took[0]
	b.ReportMetric(took[0], "µs-now")
	b.ReportMetric(took[1], "µs-past")
	b.ReportMetric(got, "ratio")
	b.ReportMetric(maxPast, "limit")
	if got > maxPast {
		b.Errorf("after %d later changes a page takes %.1f times as long, at most %d are allowed", laterChanges, got, maxPast)
	}
}
