package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

// TestATokenAloneChangesNoAccount: PocketBase's own rules let whoever holds a
// token, also one that is years old, rename or delete its account.
func TestATokenAloneChangesNoAccount(t *testing.T) {
	i := newInstance(t)
	ann := i.user("ann")
	static, err := ann.NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	path := "/api/collections/users/records/" + ann.Id
	for _, token := range []string{static, i.token("ann")} {
		for _, body := range []string{`{"handle":"eve"}`, `{"language":"de"}`, `{"password":"another one","passwordConfirm":"another one","oldPassword":"a long password"}`} {
			if status, a := i.web("PATCH", path, token, body); status != 403 {
				t.Errorf("%s: %d %s", body, status, a)
			}
		}
		if status, a := i.web("DELETE", path, token, ""); status != 403 {
			t.Errorf("deleted: %d %s", status, a)
		}
	}
	if i.user("ann").GetString("language") != "" {
		t.Error("the account was changed")
	}
}

// TestOneAddress: an address is the same in any case, for whoever writes it.
func TestOneAddress(t *testing.T) {
	i := newInstance(t)
	status, a := i.web("POST", "/api/collections/users/records", i.superuserOnce(), `{"handle":"cy","email":"ANN@example.com","status":"approved","password":"a long password","passwordConfirm":"a long password"}`)
	if status != 400 {
		t.Errorf("a second account: %d %s", status, a)
	}
	status, in := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"Ann@Example.com","password":"a long password"}`)
	want(t, status, in, 200, "")
	status, a = i.local("POST", "/tools/household_overview", "Ann@Example.com", "")
	want(t, status, a, 200, "")
}

func TestWhatIsWrongWithAnAccountIsSaid(t *testing.T) {
	i := newInstance(t)
	for body, message := range map[string]string{
		`{"handle":"cy","email":"no address"}`:                    "That does not work: the e-mail address is none, or has an account already.",
		`{"handle":"cy","email":"no address","password":"short"}`: "That does not work: the e-mail address is none, or has an account already, a password needs 8 to 71 characters.",
		`{"handle":"Ä"}`: "A handle has 2 to 40 characters: lower case letters from a to z, digits, dot, hyphen and underscore, beginning with a letter or digit.",
	} {
		if _, a := i.local("POST", "/operator/accounts", "", body); a.str("message") != message {
			t.Errorf("%s: %q", body, a.str("message"))
		}
	}
}

func TestMe(t *testing.T) {
	i := newInstance(t)
	ann := i.token("ann")
	before := i.entries()
	status, a := i.web("POST", prefix+"/me", ann, `{"language":"de"}`)
	want(t, status, a, 200, "")
	if a.str("language") != "de" || i.user("ann").GetString("language") != "de" || i.entries() != before+1 {
		t.Errorf("%s, %d entries more", a, i.entries()-before)
	}
	var person, door string
	if err := i.pb.DB().NewQuery("SELECT person, door FROM nodkeep_audit ORDER BY seq DESC LIMIT 1").Row(&person, &door); err != nil || person != i.user("ann").Id || door != "web" {
		t.Errorf("written by %q at %q, %v", person, door, err)
	}
	_, a = i.call("household_fly", ann, "{}")
	if !strings.Contains(a.str("message"), "Werkzeug") {
		t.Errorf("the language is not used: %s", a)
	}
	for body, kind := range map[string]tools.Kind{`{"language":"fr"}`: tools.Invalid, `{"operator":true}`: tools.Invalid, `{"language":1}`: tools.Invalid, `{`: tools.Invalid} {
		status, a := i.web("POST", prefix+"/me", ann, body)
		want(t, status, a, 400, kind)
	}
	status, a = i.web("POST", prefix+"/me", "", `{"language":"de"}`)
	want(t, status, a, 401, tools.Unauthorized)
	// What is empty in an address asks for nothing.
	if status, a := i.local("GET", "/operator/accounts?status=&handle=&cursor=", "", ""); status != 200 || a.len("items") == 0 {
		t.Errorf("%d %s", status, a)
	}
	status, a = i.local("POST", "/operator/accounts", "", `{"handle":"eva","language":"es"}`)
	want(t, status, a, 200, "")
	if i.user("eva").GetString("language") != "es" {
		t.Error("the language of a new account is lost")
	}
}

// TestGoneAccountsAreErased: an account that went past every hook.
func TestGoneAccountsAreErased(t *testing.T) {
	i := newInstance(t)
	ann := i.user("ann")
	i.add(i.token("ann"), "Netflix", "")
	i.add(i.token("bob"), "Spotify", "")
	if _, err := i.pb.NonconcurrentDB().NewQuery("DELETE FROM users WHERE id = '" + ann.Id + "'").Execute(); err != nil {
		t.Fatal(err)
	}
	i.retain(t.Context(), time.Now())
	count := func(person string) (n int) {
		if err := i.pb.DB().NewQuery("SELECT count(*) FROM nodkeep_audit WHERE person = '" + person + "' AND salt != ''").Row(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(ann.Id); n != 0 {
		t.Errorf("%d entries of somebody who is gone", n)
	}
	if count(i.user("bob").Id) == 0 {
		t.Error("entries of somebody who is there were erased")
	}
	if _, v := i.local("GET", "/local/audit", "", ""); v.at("ok") != true {
		t.Errorf("%s", v)
	}
}

// TestOwnAccountOverHTTP: its person alone changes its password and deletes it,
// with the password, and with a code where that is asked for.
func TestOwnAccountOverHTTP(t *testing.T) {
	w := newWays(t, true)
	w.member("cy")
	p := &person{ways: w, handle: "cy", email: "cy@example.com"}
	const right = "a long password"
	proof := func(password string, coded bool) string {
		body := `{"password":"` + password + `"`
		if coded {
			body += `,"otp_id":"` + p.code() + `","code":"123456"`
		}
		return body
	}
	static, err := p.record().NewStaticAuthToken(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ method, path, more string }{
		{"POST", "/me/password", `,"new":"another password"}`},
		{"DELETE", "/me", `}`},
	} {
		try := func(token, body string) (int, answer) {
			return w.web(row.method, prefix+row.path, token, body+row.more)
		}
		for body, key := range map[string]string{proof("wrong", true): "error.password", proof(right, false): "error.second_factor"} {
			status, a := try(w.token("cy"), body)
			want(t, status, a, 403, tools.Forbidden)
			if a.str("data", "text", "key") != key {
				t.Errorf("%s: %s", row.path, a)
			}
		}
		for _, who := range []string{"", w.superuserOnce()} {
			if status, a := try(who, proof(right, true)); status != 401 && status != 403 {
				t.Errorf("%s: %d %s", row.path, status, a)
			}
		}
		// Another's credentials prove nothing of this account, and are theirs.
		if status, a := try(w.token("bob"), proof("nobody's password", true)); status != 403 {
			t.Errorf("%s: %d %s", row.path, status, a)
		}
	}
	if !p.record().ValidatePassword(right) {
		t.Fatal("the password is another")
	}
	delete := func(token string, headers ...string) (int, answer) {
		return w.web("DELETE", prefix+"/me", token, proof(right, true)+"}", headers...)
	}
	status, a := delete(w.token("cy"))
	want(t, status, a, 409, tools.DigestRequired)
	digest := a.str("data", "digest")
	status, a = delete(static, digestHeader, digest)
	want(t, status, a, 403, tools.Forbidden)
	status, a = delete(w.token("cy"), digestHeader, digest)
	want(t, status, a, 200, "")
	if _, err := w.pb.FindFirstRecordByData(users, "handle", "cy"); err == nil || w.count(users) != 2 {
		t.Errorf("the account is there still, or another is not: %v", err)
	}
	// The last operator stays.
	w.makeOperator("ann")
	p.handle, p.email = "ann", "ann@example.com"
	status, a = delete(w.token("ann"))
	want(t, status, a, 409, tools.Conflict)
	if a.str("data", "text", "key") != "nodkeep.error.last_operator" {
		t.Errorf("%s", a)
	}
}
