package hooks
import ("testing";"context";"database/sql";"time";"github.com/pocketbase/dbx";"fmt")
func TestDbgQueries(t *testing.T) {
	i := newInstance(t)
	token := i.token("ann")
	id, _ := i.add(token, "Netflix", `,"tags":["home","fun"]`)
	log := func(ctx context.Context, d time.Duration, s string, rows *sql.Rows, err error) { fmt.Println("  Q", d, s[:min(len(s),230)]) }
	elog := func(ctx context.Context, d time.Duration, s string, rows sql.Result, err error) { fmt.Println("  E", d, s[:min(len(s),150)]) }
	for _, db := range []dbx.Builder{i.pb.ConcurrentDB(), i.pb.NonconcurrentDB()} {
		db.(*dbx.DB).QueryLogFunc = log; db.(*dbx.DB).ExecLogFunc = elog
	}
	for k := range 2 {
	fmt.Println("=== preview")
	i.web("POST", prefix+"/tools/household_subscription_update?preview=1", token, fmt.Sprintf(`{"id":"%s","notes":"%d"}`, id, k))
	}
	fmt.Println("=== apply")
	i.web("POST", prefix+"/tools/household_subscription_update", token, fmt.Sprintf(`{"id":"%s","notes":"%d"}`, id, 7))
}
