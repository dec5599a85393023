package hooks

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// TestGuestsSendLittle: what PocketBase would read of a stranger is bounded,
// wherever it can be sent; what an app opens to guests is not ours to bound.
func TestGuestsSendLittle(t *testing.T) {
	i := newInstance(t)
	open := ""
	col := core.NewBaseCollection("notes")
	col.Fields.Add(&core.TextField{Name: "text", Max: 1 << 20})
	col.CreateRule = &open
	if err := i.pb.Save(col); err != nil {
		t.Fatal(err)
	}
	much := `"` + strings.Repeat("a", 300<<10) + `"`
	for _, path := range []string{
		"collections/users/records", "collections/_pb_users_auth_/records",
		"collections/users/auth-with-password", "collections/users/auth-with-otp", "collections/users/auth-with-oauth2",
		"collections/users/request-otp", "collections/users/request-password-reset", "collections/users/confirm-password-reset",
		"collections/_superusers/auth-with-password", "collections/users/confirm-verification", "realtime", "nodkeep/signup",
	} {
		status, a := i.web("POST", "/api/"+path, "", `{"identity":`+much+`}`)
		want(t, status, a, 413, tools.TooLarge)
	}
	if status, a := i.web("POST", "/api/collections/notes/records", "", `{"text":`+much+`}`); status != 200 {
		t.Errorf("%d %.200s", status, a)
	}
	// Also where it is not said how much comes.
	const in = `{"identity":"ann","password":"a long password"`
	r := httptest.NewRequest("POST", "/api/collections/users/auth-with-password", struct{ io.Reader }{strings.NewReader(in + strings.Repeat(" ", 300<<10) + "}")})
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if i.handler.ServeHTTP(w, r); w.Code != 400 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if status, a := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"ann","password":"a long password"}`); status != 200 {
		t.Errorf("%d %s", status, a)
	}
	if status, a := i.web("POST", "/api/collections/users/records", i.superuser(), `{"handle":"cy","password":"a long password","passwordConfirm":"a long password","more":`+much+`}`); status != 200 {
		t.Errorf("%d %.200s", status, a)
	}
}
