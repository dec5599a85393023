package hooks

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodkeep/nodkeep/tools"
)

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

// TestSignInInTurn: of those who try at once few are checked at a time, and one
// network leaves others their turn.
func TestSignInInTurn(t *testing.T) {
	i := newInstance(t)
	const password, body = "/api/collections/users/auth-with-password", `{"identity":"ann","password":"a long password"}`
	var leaves []func()
	for range maxChecking() {
		leave, err := i.checking.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	from := func(address, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), "POST", path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = address + ":1"
		w := httptest.NewRecorder()
		i.handler.ServeHTTP(w, r)
		return w
	}
	var wg sync.WaitGroup
	answers := make(chan int, mostSigningOf+1)
	for range mostSigningOf {
		wg.Go(func() { answers <- from("203.0.113.5", password, body).Code })
	}
	for ; i.signing.count() < mostSigningOf; time.Sleep(time.Millisecond) {
		if len(answers) > 0 {
			t.Fatal("somebody was not kept waiting: ", <-answers)
		}
	}
	for _, path := range []string{password, "/api/collections/users/auth-with-otp", "/api/collections/_superusers/auth-with-password"} {
		w := from("203.0.113.6", path, body)
		want(t, w.Code, parse(t, w.Body), 429, tools.Limit)
	}
	// One who sends slowly takes no place.
	slow, sent := io.Pipe()
	r := httptest.NewRequest("POST", password, slow)
	r.RemoteAddr = "192.0.2.9:1"
	wg.Go(func() { i.handler.ServeHTTP(httptest.NewRecorder(), r) })
	if _, err := sent.Write([]byte("{")); err != nil { // it is being read
		t.Fatal(err)
	}
	if n := i.signing.count(); n != mostSigningOf {
		t.Errorf("%d wait", n)
	}
	if err := sent.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Go(func() { answers <- from("198.51.100.7", password, body).Code })
	for ; i.signing.count() <= mostSigningOf && len(answers) == 0; time.Sleep(time.Millisecond) {
	}
	for _, leave := range leaves {
		leave()
	}
	wg.Wait()
	close(answers)
	for code := range answers {
		if code != http.StatusOK {
			t.Error(code)
		}
	}
	if n := i.signing.count(); n != 0 {
		t.Errorf("%d wait for ever", n)
	}
}

func (h *held[K]) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all
}
