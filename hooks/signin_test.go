package hooks

import "testing"

// TestSignInAsTyped: a handle signs in as it signed up.
func TestSignInAsTyped(t *testing.T) {
	i := newInstance(t)
	for identity, want := range map[string]int{
		"ann": 200, "Ann": 200, " ANN ": 200, "ann@example.com": 200, "ANN@example.com": 200, "an": 400, "a nn": 400, " ": 400, "_": 400, "\u212A": 400,
	} {
		status, a := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"`+identity+`","password":"a long password"}`)
		if status != want {
			t.Errorf("%q: %d %s", identity, status, a)
		}
	}
	for field, want := range map[string]int{"handle": 200, "email": 400} {
		status, a := i.web("POST", "/api/collections/users/auth-with-password", "", `{"identity":"Ann","identityField":"`+field+`","password":"a long password"}`)
		if status != want {
			t.Errorf("%s: %d %s", field, status, a)
		}
	}
}
