package hooks

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestWhyThereIsNoSession: whoever shows the right credentials is told why in
// their language, and nobody else is.
func TestWhyThereIsNoSession(t *testing.T) {
	i := newInstance(t)
	right, wrong := `{"identity":"ann","password":"a long password"}`, `{"identity":"ann","password":"another password"}`
	path := "/api/collections/users/auth-with-password"
	_, nobody := i.web("POST", path, "", `{"identity":"nobody","password":"another password"}`)
	for _, row := range []struct{ status, language, key, says string }{
		{"waiting", "en", "admit.waiting", "This account still waits for the operator to approve it."},
		{"waiting", "de", "admit.waiting", "Dieses Konto wartet noch auf die Freigabe durch einen Operator."},
		{"suspended", "es", "admit.suspended", "Esta cuenta está suspendida. Un operador puede restablecerla."},
		{"refused", "en", "admit.refused", "The operator refused this account."},
		{"", "en", "admit.unknown", "This account is not approved."},
	} {
		i.stand("ann", row.status)
		for _, who := range []string{"", i.superuserOnce()} { // whom the auth rule lets pass
			status, a := i.web("POST", path, who, right, "Accept-Language", row.language)
			want(t, status, a, 403, tools.Forbidden)
			if a.str("message") != row.says || a.str("data", "text", "key") != row.key {
				t.Errorf("%s: %s", row.status, a)
			}
			status, a = i.web("POST", path, who, wrong, "Accept-Language", row.language)
			if status != 400 || a.String() != nobody.String() {
				t.Errorf("with the wrong password: %d %s, as nobody %s", status, a, nobody)
			}
		}
		status, a := i.web("POST", "/api/collections/users/impersonate/"+i.user("ann").Id, i.superuserOnce(), `{}`, "Accept-Language", row.language)
		want(t, status, a, 403, tools.Forbidden)
		status, a = i.web("GET", prefix+"/me", i.token("ann"), "", "Accept-Language", row.language)
		want(t, status, a, 401, tools.Unauthorized)
		if a.str("message") != row.says {
			t.Errorf("%s with a token: %s", row.status, a)
		}
	}
	// Without the rule that the migration sets, the sentence is the same.
	col, err := i.pb.FindCollectionByNameOrId(users)
	if err != nil {
		t.Fatal(err)
	}
	open := ""
	col.AuthRule = &open
	if err := i.pb.Save(col); err != nil {
		t.Fatal(err)
	}
	status, a := i.web("POST", path, "", right)
	want(t, status, a, 403, tools.Forbidden)
	// A refusal of somebody else's hook is theirs.
	i.pb.OnRecordAuthWithPasswordRequest(users).BindFunc(func(e *core.RecordAuthWithPasswordRequestEvent) error {
		return e.ForbiddenError("Not from here.", nil)
	})
	if _, a := i.web("POST", path, "", wrong); a.str("message") != "Not from here." {
		t.Errorf("%s", a)
	}
}

// TestTheGateAsksNothing: the account of a token is loaded with the token, and
// only a moment after accounts ended one of those is read again.
func TestTheGateAsksNothing(t *testing.T) {
	i := newInstance(t)
	token := i.token("ann")
	queries := func() (n int) {
		count := func(context.Context, time.Duration, string, *sql.Rows, error) { n++ }
		var dbs []*dbx.DB
		for _, b := range []dbx.Builder{i.pb.ConcurrentDB(), i.pb.NonconcurrentDB()} {
			db, ok := b.(*dbx.DB)
			if !ok {
				t.Fatalf("%T", b)
			}
			db.QueryLogFunc = count
			dbs = append(dbs, db)
		}
		status, a := i.web("GET", prefix+"/texts/en", token, "")
		want(t, status, a, 200, "")
		for _, db := range dbs {
			db.QueryLogFunc = nil
		}
		return n
	}
	was := queries()
	i.stand("bob", "suspended")
	if got := queries(); got != was {
		t.Errorf("%d queries after somebody else was suspended, %d before", got, was)
	}
	if was != 1 {
		t.Errorf("%d queries to load a token and answer a constant", was)
	}
}
