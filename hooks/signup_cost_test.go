package hooks

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
)

const (
	// dear is a cost at which one password takes many times as long to hash as
	// any refusal may take, also on a busy machine.
	dear = 17
	// fastEnough is what the issue promises of a refusal: that it costs no hash.
	fastEnough = 3 * time.Second
)

// TestRefusedBeforeAnyHash: where nobody may sign up, no way to do it has a
// password hashed, and none makes an account.
func TestRefusedBeforeAnyHash(t *testing.T) {
	w := newWays(t, false)
	w.change(users, func(c *core.Collection) {
		c.Fields.GetByName(core.FieldNamePassword).(*core.PasswordField).Cost = dear
	})
	const (
		password = `"password":"a long password","passwordConfirm":"a long password"`
		form     = "application/x-www-form-urlencoded"
	)
	part := func(name, value string) string {
		return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	parts := part("handle", "cy") + part("password", "a long password") + part("passwordConfirm", "a long password") + "--x--\r\n"
	ways := []struct{ name, path, kind, body string }{
		{"own", prefix + "/signup", "application/json", `{"handle":"cy","password":"a long password"}`},
		{"record", "/api/collections/users/records", "application/json", `{"handle":"cy",` + password + `}`},
		{"record by id", "/api/collections/_pb_users_auth_/records", "application/json", `{"handle":"cy",` + password + `}`},
		{"record in parts", "/api/collections/users/records", "multipart/form-data; boundary=x", parts},
		{"record as a form", "/api/collections/users/records", form, "handle=cy&password=a+long+password&passwordConfirm=a+long+password"},
		{"page", signUpPath, form, "handle=cy&password=a+long+password&email="},
		{"provider", "/api/collections/users/auth-with-oauth2", "application/json", `{"provider":"oidc","code":"cy","codeVerifier":"x","redirectURL":"http://127.0.0.1/"}`},
	}
	was, before := w.settings, w.count(users)
	for _, row := range []struct {
		name   string
		set    func()
		status int
	}{
		{"full", func() { w.settings.Waiting = 0 }, 429},
		{"too often", func() { w.tries = newLimiter(0, signUpWindow, signUpNetworks, time.Now) }, 429},
		{"closed", func() { w.settings.SignUp = signUpClosed }, 403},
	} {
		w.settings = was
		w.onceMore()
		row.set()
		for _, way := range ways {
			r := httptest.NewRequest("POST", way.path, strings.NewReader(way.body))
			r.Header.Set("Content-Type", way.kind)
			rec := httptest.NewRecorder()
			start := time.Now()
			w.handler.ServeHTTP(rec, r)
			if took := time.Since(start); rec.Code != row.status || took > fastEnough {
				t.Errorf("%s, %s: %d after %s: %.300s", way.name, row.name, rec.Code, took, rec.Body)
			}
		}
	}
	if n := w.count(users); n != before {
		t.Errorf("%d accounts more", n-before)
	}
}
