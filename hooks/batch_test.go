package hooks

import (
	"encoding/json/v2"
	"testing"

	"github.com/pocketbase/pocketbase/core"
)

// TestBatch: nobody makes an account in a batch, in no spelling, and no
// password is hashed for it.
func TestBatch(t *testing.T) {
	i := newInstance(t)
	s := i.pb.Settings()
	s.Batch.Enabled = true
	if err := i.pb.Save(s); err != nil {
		t.Fatal(err)
	}
	super := i.superuser()
	col := i.user("ann").Collection()
	free := ""
	open, err := i.pb.FindCollectionByNameOrId(users)
	if err != nil {
		t.Fatal(err)
	}
	open.CreateRule = &free // so that only the batch is in the way
	if err := i.pb.Save(open); err != nil {
		t.Fatal(err)
	}
	hashed := 0
	i.pb.OnRecordCreateRequest(users).BindFunc(func(e *core.RecordRequestEvent) error { hashed++; return e.Next() })
	batch := func(token, method, url string) (int, answer) {
		t.Helper()
		r := map[string]any{"method": method, "url": url, "body": map[string]any{"handle": "eve", "password": "a long password", "passwordConfirm": "a long password"}}
		b, err := json.Marshal(map[string]any{"requests": []any{map[string]any{"method": "DELETE", "url": "/api/collections/theirs/records/x"}, r}})
		if err != nil {
			t.Fatal(err)
		}
		return i.web("POST", "/api/batch", token, string(b), "Accept-Language", "en")
	}
	for who, token := range map[string]string{"guest": "", "member": i.token("ann")} {
		for _, r := range [][2]string{
			{"POST", "/api/collections/users/records"},
			{"PUT", "/api/collections/users/records"},
			{"POST", "/api/collections/users/records?expand=x"},
			{"POST", "/api/collections/USERS/records"},
			{"PUT", "/api/collections/" + col.Id + "/records"},
		} {
			if status, a := batch(token, r[0], r[1]); status != 403 || a.str("message") != "Accounts cannot be made in a batch: sign up one at a time." {
				t.Errorf("%s %v: %d %s", who, r, status, a)
			}
		}
		for _, r := range [][2]string{{"POST", "/api/collections/theirs/records"}, {"PATCH", "/api/collections/users/records/" + i.user("bob").Id}} {
			if status, a := batch(token, r[0], r[1]); status != 400 { // as PocketBase refuses it
				t.Errorf("%s %v: %d %s", who, r, status, a)
			}
		}
		if status, a := i.web("POST", "/api/batch", token, `{"requests":[null]}`); status < 400 {
			t.Errorf("%d %s", status, a)
		}
	}
	if hashed > 0 {
		t.Errorf("%d passwords were hashed", hashed)
	}
	status, a := i.web("POST", "/api/batch", super, `{"requests":[{"method":"POST","url":"/api/collections/users/records","body":{"handle":"eve","password":"a long password","passwordConfirm":"a long password"}}]}`)
	if status != 200 {
		t.Errorf("a superuser: %d %s", status, a)
	}
}
