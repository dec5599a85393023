package hooks

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/accounts"
)

// signUp makes an account that waits and gives its pass.
func (i *instance) signUp(handle string) (id, pass string) {
	i.t.Helper()
	status, a := i.web("POST", prefix+"/signup", "", `{"handle":"`+handle+`","password":"a long password"}`)
	if status != 202 {
		i.t.Fatalf("%d %s", status, a)
	}
	return i.user(handle).Id, a.str("waiting", "pass")
}

// look asks where the holder of a pass stands.
func (i *instance) look(pass string) (int, answer) {
	i.t.Helper()
	return i.web("GET", prefix+"/waiting", "Bearer "+pass, "")
}

// onceMore lets networks try again.
func (i *instance) onceMore() {
	i.tries = newLimiter(signUpTries, signUpWindow, signUpNetworks, time.Now)
}

func TestSignUpWaits(t *testing.T) {
	i := newInstance(t)
	status, a := i.web("POST", prefix+"/signup", "", `{"handle":" Cy ","password":"a long password","language":"de"}`)
	if status != 202 || a.len("waiting", "words") != 4 || len(a.str("waiting", "pass")) < 40 || a.str("handle") != "cy" || a.str("status") != "waiting" {
		t.Fatalf("%d %s", status, a)
	}
	cy := i.user("cy")
	if cy.GetString("status") != accounts.Waiting || cy.GetBool("operator") || cy.GetString("language") != "de" || !cy.GetDateTime("approved").IsZero() {
		t.Errorf("%v", cy.FieldsData())
	}
	// It is in the audit, as done by nobody yet, and none of its secrets are.
	var person, door string
	if err := i.pb.DB().NewQuery("SELECT person, door FROM nodkeep_audit WHERE id IN (SELECT entry FROM nodkeep_steps WHERE record = '"+cy.Id+"')").Row(&person, &door); err != nil || person != "" || door != string(tools.DoorWeb) {
		t.Errorf("the audit has %q at %q, %v", person, door, err)
	}
	noted := i.text("nodkeep_audit") + i.text("nodkeep_steps") + i.text(users) + i.text(accounts.Passes)
	for name, secret := range map[string]string{"the pass": a.str("waiting", "pass"), "the words": strings.Join(i.words(cy), " "), "the password": "a long password"} {
		if secret == "" || strings.Contains(noted, secret) {
			t.Errorf("%s can be read in the database", name)
		}
	}
	if strings.Contains(i.text("nodkeep_audit")+i.text("nodkeep_steps"), cy.TokenKey()) {
		t.Error("its key is in the audit")
	}
	status, in := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"cy","password":"a long password"}`)
	if status != 403 || in.str("data", "text", "key") != "admit.waiting" {
		t.Errorf("%d %s", status, in)
	}
	// The pass tells where they stand, with the same words as the operator sees.
	status, w := i.look(a.str("waiting", "pass"))
	want(t, status, w, 200, "")
	if w.str("status") != "waiting" || w.str("handle") != "cy" || !cmp.Equal(w.at("words"), a.at("waiting", "words")) {
		t.Errorf("%s", w)
	}
	i.makeOperator("ann")
	_, l := i.web("GET", prefix+"/operator/waiting", i.token("ann"), "")
	if l.len("items") != 1 || l.str("items", "0", "handle") != "cy" || !cmp.Equal(l.at("items", "0", "words"), a.at("waiting", "words")) {
		t.Errorf("%s", l)
	}
	// Approved, once; the pass is worth nothing then, and was worth no session ever.
	for _, path := range []string{"/me", "/tools", "/operator/waiting"} {
		status, a := i.web("GET", prefix+path, "Bearer "+a.str("waiting", "pass"), "")
		want(t, status, a, 401, tools.Unauthorized)
	}
	status, ok := i.web("POST", prefix+"/operator/waiting/"+cy.Id+"/approve", i.token("ann"), "")
	want(t, status, ok, 200, "")
	status, w = i.look(a.str("waiting", "pass"))
	if status != 200 || w.str("status") != "approved" || w.at("words") != nil {
		t.Errorf("%d %s", status, w)
	}
	status, w = i.look(a.str("waiting", "pass"))
	want(t, status, w, 401, tools.Unauthorized)
	status, in = i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"cy","password":"a long password"}`)
	want(t, status, in, 200, "")
	if i.user("cy").GetString("words") != "" {
		t.Error("the words of somebody who is in are kept")
	}
}

// TestSignUpByRecord: PocketBase's own way to make an account is held to the
// same.
func TestSignUpByRecord(t *testing.T) {
	i := newInstance(t)
	create := func(col, body string) (int, answer) {
		return i.web("POST", "/api/collections/"+col+"/records", "", body)
	}
	const password = `"password":"a long password","passwordConfirm":"a long password"`
	status, a := create("users", `{"handle":"cy",`+password+`}`)
	if status != 202 || a.len("waiting", "words") != 4 || i.user("cy").GetString("status") != accounts.Waiting {
		t.Fatalf("%d %s", status, a)
	}
	if status, w := i.look(a.str("waiting", "pass")); status != 200 || w.str("status") != "waiting" {
		t.Errorf("%d %s", status, w)
	}
	status, a = create("_pb_users_auth_", `{"handle":"dee",`+password+`}`)
	if status != 202 || i.user("dee").GetString("status") != accounts.Waiting {
		t.Fatalf("%d %s", status, a)
	}
	before := i.count(users)
	for _, name := range []string{"id", "status", "operator", "verified", "tokenKey", "approved", "words", "role", "created"} {
		for _, form := range []string{name, name + "+", "+" + name, name + "-"} {
			i.onceMore()
			status, a := create("users", `{"handle":"eve","`+form+`":"approved",`+password+`}`)
			want(t, status, a, 400, tools.Invalid)
			if !strings.Contains(a.str("message"), name) {
				t.Errorf("%s: %s", form, a)
			}
			status, a = i.web("POST", prefix+"/signup", "", `{"handle":"eve","`+form+`":"approved","password":"a long password"}`)
			want(t, status, a, 400, tools.Invalid)
		}
	}
	i.onceMore()
	for body, kind := range map[string]tools.Kind{
		`{"handle":"eve","password":"a long password"}`:                             tools.Invalid, // no confirmation
		`{"handle":"eve","password":"a long password","passwordConfirm":"another"}`: tools.Invalid,
		`{"handle":"CY",` + password + `}`:                                          tools.Conflict,
		`{"handle":"cу",` + password + `}`:                                          tools.Invalid, // a Cyrillic у
		`{"handle":"` + strings.Repeat("a", 10<<10) + `",` + password + `}`:         tools.Invalid,

		`{` + password + `}`: tools.Invalid,
		`{"handle":"eve","email":"ann@example.com",` + password + `}`: tools.Conflict,
	} {
		_, a := create("users", body)
		if a.str("data", "kind") != string(kind) || len(a.String()) > 1000 {
			t.Errorf("%.80s: %s", body, a)
		}
	}
	if n := i.count(users); n != before {
		t.Errorf("%d accounts more", n-before)
	}
}

// TestSignUpSetsNothingElse: what an app has added to accounts may be a role,
// and nobody keeps files of strangers.
func TestSignUpSetsNothingElse(t *testing.T) {
	w := newWays(t, false)
	col, err := w.pb.FindCollectionByNameOrId(users)
	if err != nil {
		t.Fatal(err)
	}
	col.Fields.Add(&core.TextField{Name: "team"}, &core.FileField{Name: "papers", MaxSelect: 2})
	if err := w.pb.Save(col); err != nil {
		t.Fatal(err)
	}
	before := w.count(users)
	part := func(name, file, value string) string {
		return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + value + "\r\n"
	}
	form := part("handle", "", "eve") + part("password", "", "a long password") + part("passwordConfirm", "", "a long password")
	for _, more := range []string{
		part("team", "", "admins"), part("@jsonPayload", "", `{"team":"admins"}`),
		part("avatar", `; filename="a.png"`, "\x89PNG\r\n\x1a\n"), part("papers", `; filename="a.txt"`, "text"), part("papers+", `; filename="a.txt"`, "text"),
	} {
		status, a := w.web("POST", "/api/collections/users/records", "", form+more+"--x--\r\n", "Content-Type", "multipart/form-data; boundary=x")
		want(t, status, a, 400, tools.Invalid)
	}
	status, a := w.web("POST", "/api/collections/users/records", "", `{"handle":"eve","team":"admins","password":"a long password","passwordConfirm":"a long password"}`)
	want(t, status, a, 400, tools.Invalid)
	if status, a := w.byProvider("eve", `,"createData":{"team":"admins"}`); status != 400 {
		t.Errorf("%d %s", status, a)
	}
	if n := w.count(users); n != before {
		t.Errorf("%d accounts more", n-before)
	}
	status, a = w.web("POST", "/api/collections/users/records", "", form+part("name", "", "Eve")+"--x--\r\n", "Content-Type", "multipart/form-data; boundary=x")
	if status != 202 {
		t.Errorf("%d %s", status, a)
	}
}

func (i *instance) count(collection string) (n int) {
	i.t.Helper()
	if err := i.pb.DB().Select("count(*)").From(collection).Row(&n); err != nil {
		i.t.Fatal(err)
	}
	return n
}

func TestSignUpModes(t *testing.T) {
	const body = `{"handle":"cy","password":"a long password"}`
	closed := newInstance(t, "NODKEEP_SIGN_UP=closed")
	status, a := closed.web("POST", prefix+"/signup", "", body)
	want(t, status, a, 403, tools.Forbidden)
	status, a = closed.web("POST", "/api/collections/users/records", "", `{"handle":"cy","password":"a long password","passwordConfirm":"a long password"}`)
	want(t, status, a, 403, tools.Forbidden)

	open := newInstance(t, "NODKEEP_SIGN_UP=open")
	status, a = open.web("POST", prefix+"/signup", "", body)
	if status != 200 || a.str("status") != "approved" || a.at("waiting") != nil {
		t.Errorf("%d %s", status, a)
	}
	status, a = open.web("POST", "/api/collections/users/records", "", `{"handle":"dee","password":"a long password","passwordConfirm":"a long password"}`)
	if status != 200 || a.str("handle") != "dee" || open.user("dee").GetDateTime("approved").IsZero() {
		t.Errorf("%d %s", status, a)
	}
	for _, h := range []string{"cy", "dee"} {
		status, in := open.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"`+h+`","password":"a long password"}`)
		want(t, status, in, 200, "")
	}
}

func TestSignUpInput(t *testing.T) {
	i := newInstance(t)
	for body, kind := range map[string]tools.Kind{
		``:                               tools.Invalid,
		`{`:                              tools.Invalid,
		`[]`:                             tools.Invalid,
		`{"handle":"cy"}`:                tools.Invalid,
		`{"password":"a long password"}`: tools.Invalid,
		`{"email":"cy@example.com","password":"a long password"}`:                       tools.Invalid, // no mail here: no handle from it
		`{"handle":"cy","password":"short"}`:                                            tools.Invalid,
		`{"handle":"cy","password":"` + strings.Repeat("x", 72) + `"}`:                  tools.Invalid,
		`{"handle":"cy","password":"a long password","language":"fr"}`:                  tools.Invalid,
		`{"handle":"cy","password":"a long password","email":"none"}`:                   tools.Invalid,
		`{"handle":"cy","password":"a long password","email":"ann@example.com"}`:        tools.Conflict,
		`{"handle":"ANN","password":"a long password"}`:                                 tools.Conflict,
		`{"handle":"аnn","password":"a long password"}`:                                 tools.Invalid, // a Cyrillic а
		`{"handle":"ann\u200b","password":"a long password"}`:                           tools.Invalid,
		`{"handle":"` + strings.Repeat("x", 10<<10) + `","password":"a long password"}`: tools.Invalid,
		`{"handle":"` + strings.Repeat("x", 20<<10) + `","password":"a long password"}`: tools.TooLarge,
	} {
		i.onceMore()
		before := i.entries()
		_, a := i.web("POST", prefix+"/signup", "", body)
		if a.str("data", "kind") != string(kind) || len(a.String()) > 1000 {
			t.Errorf("%.80s: %s", body, a)
		}
		if i.entries() != before || i.count(users) != 2 {
			t.Errorf("%.80s left something", body)
		}
	}
}

// TestSignUpLimits: a list that holds so many, and networks that try so often.
func TestSignUpLimits(t *testing.T) {
	i := newInstance(t, "NODKEEP_WAITING_MAX=3")
	var wg sync.WaitGroup
	for n := range 12 {
		wg.Go(func() {
			i.web("POST", prefix+"/signup", "", fmt.Sprintf(`{"handle":"new%d","password":"a long password"}`, n))
		})
	}
	wg.Wait()
	if n := i.count(users); n != 2+3 {
		t.Errorf("%d wait", n-2)
	}
	status, a := i.web("POST", prefix+"/signup", "", `{"handle":"late","password":"a long password"}`)
	want(t, status, a, 429, tools.Limit)
	for range signUpTries {
		status, a = i.web("POST", "/api/collections/users/records", "", `{"handle":"late","password":"a long password"}`)
	}
	want(t, status, a, 429, tools.Limit)
	if a.str("data", "text", "key") != "limit.attempts" {
		t.Errorf("%s", a)
	}
	// Members notice nothing of it.
	status, a = i.web("GET", prefix+"/me", i.token("ann"), "")
	want(t, status, a, 200, "")
}

// TestPassDeletes only who was never approved.
func TestPassDeletes(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	_, pass := i.signUp("cy")
	_, dees := i.signUp("dee") // which opens nothing of cy's, nor is closed with it
	status, a := i.web("DELETE", prefix+"/waiting", "Bearer "+pass, "")
	want(t, status, a, 200, "")
	if i.count(users) != 3 || i.count(accounts.Passes) != 1 {
		t.Error("the account or its pass is still there, or another's is not")
	}
	status, a = i.look(dees)
	want(t, status, a, 200, "")
	if a.str("handle") != "dee" {
		t.Errorf("%s", a)
	}
	status, a = i.look(pass)
	want(t, status, a, 401, tools.Unauthorized)

	id, pass := i.signUp("cy")
	status, a = i.web("POST", prefix+"/operator/waiting/"+id+"/approve", i.token("ann"), "")
	want(t, status, a, 200, "")
	status, a = i.web("DELETE", prefix+"/waiting", "Bearer "+pass, "")
	want(t, status, a, 409, tools.Conflict)
	rec := i.user("cy")
	rec.Set("status", accounts.Suspended)
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	status, a = i.web("DELETE", prefix+"/waiting", "Bearer "+pass, "")
	want(t, status, a, 409, tools.Conflict)
	status, a = i.web("DELETE", prefix+"/waiting/pass", "Bearer "+pass, "")
	want(t, status, a, 200, "")
	status, a = i.look(pass)
	want(t, status, a, 401, tools.Unauthorized)
	if i.count(users) != 4 {
		t.Error("an account that was approved went")
	}
	for _, none := range []string{"", "x", strings.Repeat("x", 10<<10)} {
		for _, r := range [][2]string{{"GET", "/waiting"}, {"DELETE", "/waiting"}, {"DELETE", "/waiting/pass"}} {
			status, a := i.web(r[0], prefix+r[1], "Bearer "+none, "")
			want(t, status, a, 401, tools.Unauthorized)
		}
	}
}

// TestRefusedPerson learns it by the pass and may sign up again; of the
// refusal nothing else stays.
func TestRefusedPerson(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	id, pass := i.signUp("cyrano")
	path := prefix + "/operator/waiting/" + id + "/refuse"
	status, a := i.web("POST", path, i.token("ann"), "")
	want(t, status, a, 409, tools.DigestRequired)
	status, a = i.web("POST", path, i.token("ann"), "", digestHeader, a.str("data", "digest"))
	want(t, status, a, 200, "")
	for range 2 {
		status, a = i.look(pass)
		if status != 200 || a.str("status") != "refused" || a.at("handle") != nil || a.at("words") != nil {
			t.Errorf("%d %s", status, a)
		}
	}
	for _, table := range []string{"users", "nodkeep_passes", "nodkeep_audit", "nodkeep_steps", "nodkeep_links"} {
		if dump := i.dump(table); strings.Contains(dump, "cyrano") {
			t.Errorf("%s knows the handle still: %s", table, dump)
		}
	}
	if i.count(accounts.Passes) != 1 {
		t.Errorf("%d passes", i.count(accounts.Passes))
	}
	i.signUp("cyrano")
	if _, v := i.local("GET", "/local/audit", "", ""); v.at("ok") != true {
		t.Errorf("%s", v)
	}
}

// dump is all of a table as text.
func (i *instance) dump(table string) string {
	i.t.Helper()
	rows, err := i.pb.DB().NewQuery("SELECT * FROM {{" + table + "}}").Rows()
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	cols, _ := rows.Columns()
	var out strings.Builder
	for rows.Next() {
		values := make([]any, len(cols))
		for n := range values {
			values[n] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			i.t.Fatal(err)
		}
		for _, v := range values {
			fmt.Fprintf(&out, "%s ", *v.(*any))
		}
	}
	return out.String()
}

// TestApproveWhileTheyLeave: one of both happens, whole.
func TestApproveWhileTheyLeave(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	token := i.token("ann")
	for n := range 10 {
		i.onceMore()
		handle := fmt.Sprintf("cy%d", n)
		id, pass := i.signUp(handle)
		var wg sync.WaitGroup
		var approved, left int
		wg.Go(func() { approved, _ = i.web("POST", prefix+"/operator/waiting/"+id+"/approve", token, "") })
		wg.Go(func() { left, _ = i.web("DELETE", prefix+"/waiting", "Bearer "+pass, "") })
		wg.Wait()
		rec, err := i.pb.FindFirstRecordByData(users, "handle", handle)
		switch {
		case approved == 200 && left == 409 && err == nil && rec.GetString("status") == tools.Approved:
		case approved == 404 && left == 200 && err != nil:
		default:
			t.Errorf("approved %d, left %d, %v", approved, left, err)
		}
	}
}

// TestApprovalIsSaidOnce, also to many who ask at once.
func TestApprovalIsSaidOnce(t *testing.T) {
	i := newInstance(t)
	i.makeOperator("ann")
	id, pass := i.signUp("cy")
	status, a := i.web("POST", prefix+"/operator/waiting/"+id+"/approve", i.token("ann"), "")
	want(t, status, a, 200, "")
	var wg sync.WaitGroup
	said := make(chan int, 20)
	for range cap(said) {
		wg.Go(func() { status, _ := i.look(pass); said <- status })
	}
	wg.Wait()
	close(said)
	told := 0
	for status := range said {
		if status == 200 {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

// TestPassesEnd: five per account, thirty days, and with them what waited for
// too long.
func TestPassesEnd(t *testing.T) {
	const day = 24 * time.Hour
	i := newInstance(t)
	i.makeOperator("ann")
	id, first := i.signUp("cy")
	p, err := i.pb.FindFirstRecordByData(accounts.Passes, "account", id)
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(p.GetDateTime("expires").Time()); left > 30*day || left < 30*day-time.Hour {
		t.Errorf("a pass is good for %s", left)
	}
	for range 6 {
		_, l := i.local("POST", "/operator/waiting/"+id+"/pass", "", "")
		if _, err := i.passBy(strings.TrimPrefix(l.str("output", "link"), accounts.LinkPath)); err != nil {
			t.Fatal(err)
		}
	}
	if n := i.count(accounts.Passes); n != 5 {
		t.Errorf("%d passes", n)
	}
	status, a := i.look(first)
	want(t, status, a, 401, tools.Unauthorized)

	last, err := i.pb.FindRecordsByFilter(accounts.Passes, "", "-created,-id", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	secret := tools.NewSecret()
	last[0].Set("hash", tools.Hash(secret))
	last[0].Set("expires", time.Now().UTC().Add(-time.Second))
	if err := i.pb.Save(last[0]); err != nil {
		t.Fatal(err)
	}
	status, a = i.look(secret)
	want(t, status, a, 410, tools.Expired)
	for _, path := range []string{"/waiting", "/waiting/pass"} {
		status, a = i.web("DELETE", prefix+path, "Bearer "+secret, "")
		want(t, status, a, 410, tools.Expired)
	}
	if err := i.clear(time.Now()); err != nil || i.count(accounts.Passes) != maxPasses-1 || i.count(users) != 3 {
		t.Errorf("%v, %d passes, %d accounts", err, i.count(accounts.Passes), i.count(users))
	}
	if err := i.clear(time.Now().Add(14*day - time.Minute)); err != nil || i.count(users) != 3 {
		t.Errorf("%v: deleted too early", err)
	}
	if err := i.clear(time.Now().Add(14*day + time.Minute)); err != nil || i.count(users) != 2 || i.count(accounts.Passes) != 0 {
		t.Errorf("%v, %d accounts, %d passes", err, i.count(users), i.count(accounts.Passes))
	}
}

// TestSuperuserMakesAccounts in the dashboard, as an operator does.
func TestSuperuserMakesAccounts(t *testing.T) {
	i := newInstance(t)
	root := i.superuser()
	const more = `"password":"a long password","passwordConfirm":"a long password"}`
	status, a := i.web("POST", "/api/collections/users/records", root, `{"handle":"cy",`+more)
	if status != 200 || i.user("cy").GetString("status") != tools.Approved || i.user("cy").GetDateTime("approved").IsZero() {
		t.Errorf("%d %s", status, a)
	}
	status, a = i.web("POST", "/api/collections/users/records", root, `{"handle":"dee","status":"waiting",`+more)
	if status != 200 || i.user("dee").GetString("status") != accounts.Waiting {
		t.Errorf("%d %s", status, a)
	}
	// One that a hook makes has no standing, and so gets in nowhere.
	rec := core.NewRecord(i.user("cy").Collection())
	rec.Set("handle", "eve")
	rec.SetPassword("a long password")
	if err := i.pb.Save(rec); err != nil {
		t.Fatal(err)
	}
	status, a = i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"eve","password":"a long password"}`)
	if status != 403 {
		t.Errorf("%d %s", status, a)
	}
}

// TestFloodLeavesNothing: of ten thousand sign-ups from one network ten wait,
// and the database holds nothing of the others.
func TestFloodLeavesNothing(t *testing.T) {
	i := newInstance(t)
	rows := func() map[string]int {
		var tables []string
		if err := i.pb.DB().NewQuery("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").Column(&tables); err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, table := range tables {
			n[table] = i.count(table)
		}
		return n
	}
	send := func(from, to int) {
		var wg sync.WaitGroup
		for part := range 4 {
			wg.Go(func() {
				for n := from + part; n < to; n += 4 {
					path, body := prefix+"/signup", `{"handle":"flood%d","password":"a long password"}`
					if n%2 == 1 {
						path, body = "/api/collections/users/records", `{"handle":"flood%d","password":"a long password","passwordConfirm":"a long password"}`
					}
					if status, a := i.web("POST", path, "", fmt.Sprintf(body, n)); status != 202 && status != 429 {
						t.Errorf("%d %s", status, a)
					}
				}
			})
		}
		wg.Wait()
	}
	send(0, 100)
	if n := i.count(users); n != 2+10 {
		t.Fatalf("%d accounts", n)
	}
	before := rows()
	send(100, 10_000)
	if diff := cmp.Diff(before, rows()); diff != "" {
		t.Error(diff)
	}
	// Also from other networks: the list is full.
	for range 3 {
		i.onceMore()
		send(0, 10)
	}
	if diff := cmp.Diff(before, rows()); diff != "" {
		t.Error(diff)
	}
	i.pb.Logger().Info("the last line")
	deadline := time.Now().Add(patient)
	for n := 0; n == 0; time.Sleep(100 * time.Millisecond) {
		if err := i.pb.AuxDB().NewQuery("SELECT count(*) FROM _logs WHERE message = 'the last line'").Row(&n); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was logged")
		}
	}
	var n int
	if err := i.pb.AuxDB().NewQuery("SELECT count(*) FROM _logs WHERE json_extract(data, '$.status') = 429").Row(&n); err != nil || n > 20 { // who came at once for the last place
		t.Errorf("%v, %d refusals are logged", err, n)
	}
}

// TestSignUpBehindAProxy: who is limited is who the proxy says, and nobody else
// may say it.
func TestSignUpBehindAProxy(t *testing.T) {
	const header = "X-Forwarded-For"
	try := func(i *instance, address string) (status int) {
		for range signUpTries + 1 {
			status, _ = i.web("POST", prefix+"/signup", "", `{"handle":"x"}`, header, address)
		}
		return status
	}
	behind := newInstance(t, "NODKEEP_TRUSTED_PROXY="+header)
	if status := try(behind, "198.51.100.7"); status != 429 {
		t.Errorf("not limited: %d", status)
	}
	for address, want := range map[string]int{"198.51.100.99": 429, "198.51.101.7": 400, "2001:db8::1": 400, "6.6.6.6, 198.51.100.7": 429} {
		if status, a := behind.web("POST", prefix+"/signup", "", `{"handle":"x"}`, header, address); status != want {
			t.Errorf("%s: %d %s", address, status, a)
		}
	}
	bare := newInstance(t)
	if status := try(bare, "198.51.100.7"); status != 429 {
		t.Errorf("not limited: %d", status)
	}
	if status, a := bare.web("POST", prefix+"/signup", "", `{"handle":"x"}`, header, "203.0.113.1"); status != 429 {
		t.Errorf("a header that nobody trusts opens the door: %d %s", status, a)
	}
}

// TestOneBodyForBothSignUps: what PocketBase's own create takes of somebody,
// ours takes too.
func TestOneBodyForBothSignUps(t *testing.T) {
	i := newInstance(t)
	for handle, path := range map[string]string{"cy": prefix + "/signup", "dee": "/api/collections/users/records"} {
		body := `{"handle":"` + handle + `","name":"Somebody","language":"es","email":"` + handle + `@example.net","emailVisibility":true,"password":"a long password","passwordConfirm":`
		status, a := i.web("POST", path, "", body+`"another password"}`)
		want(t, status, a, 400, tools.Invalid)
		status, a = i.web("POST", path, "", body+`"a long password"}`)
		want(t, status, a, 202, "")
		rec := i.user(handle)
		if rec.GetString("name") != "Somebody" || rec.GetString("language") != "es" || !rec.EmailVisibility() || rec.Email() != handle+"@example.net" || !rec.ValidatePassword("a long password") {
			t.Errorf("%s: %v", path, rec.FieldsData())
		}
	}
	long := strings.Repeat("x", 100)
	for _, bad := range []struct{ language, password, key string }{
		{"fr", "a long password", "nodkeep.error.language"},
		{"de", long, "nodkeep.error.account"},
	} {
		for _, path := range []string{prefix + "/signup", "/api/collections/users/records"} {
			status, a := i.web("POST", path, "", `{"handle":"eve","language":"`+bad.language+`","password":"`+bad.password+`","passwordConfirm":"`+bad.password+`"}`)
			if want(t, status, a, 400, tools.Invalid); a.str("data", "text", "key") != bad.key {
				t.Errorf("%s: %s", path, a)
			}
		}
	}
	status, a := i.web("POST", prefix+"/signup", "", `{"handle":"eve","name":"`+strings.Repeat("x", 300)+`","password":"a long password"}`)
	want(t, status, a, 400, tools.Invalid)
}

// TestApprovalIsSaidToWhoReadsIt: HEAD asks and hears nothing, so the pass
// stays for who comes after.
func TestApprovalIsSaidToWhoReadsIt(t *testing.T) {
	i := newInstance(t)
	_, pass := i.signUp("cy")
	v := &visitor{i: i}
	if code, body, _ := v.do("POST", "/sign-up", newcomerForm("dee")); code != 303 {
		t.Fatalf("%d %s", code, body)
	}
	i.stand("cy", tools.Approved)
	i.stand("dee", tools.Approved)
	if status, a := i.web("HEAD", prefix+"/waiting", "Bearer "+pass, ""); status != 200 {
		t.Errorf("%d %s", status, a)
	}
	if code, _, h := v.do("HEAD", waitingPath, nil); code != 200 || h.Get("Set-Cookie") != "" {
		t.Errorf("%d %v", code, h)
	}
	if status, w := i.look(pass); status != 200 || w.str("status") != tools.Approved {
		t.Errorf("%d %s", status, w)
	}
	if code, body, _ := v.do("GET", waitingPath, nil); code != 200 || !strings.Contains(body, "dee") || i.count(accounts.Passes) != 0 {
		t.Errorf("%d, %d passes are left: %s", code, i.count(accounts.Passes), body)
	}
}
