package hooks

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestSuspensionOverHTTP2: with https, a connection carries the streams and
// requests of many, of a proxy's visitors for example. A suspension ends those
// of one account and leaves the connection to the others.
func TestSuspensionOverHTTP2(t *testing.T) {
	i := newInstance(t)
	s := httptest.NewUnstartedServer(i.handler)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	client := s.Client()
	listen := func(handle string) *listening {
		t.Helper()
		l := connect(t, client, s.URL)
		if g := l.post(t, client, s.URL, i.token(handle), "household_charges/*"); !g.is(204) {
			t.Fatal(g)
		}
		return l
	}
	ann, bob := listen("ann"), listen("bob")
	// A request that is under way, and whose sender does not go on.
	body, rest := io.Pipe()
	t.Cleanup(func() { _ = rest.Close() })
	r, err := http.NewRequest("POST", s.URL+prefix+"/import", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", i.token("bob"))
	sent := make(chan struct{})
	go func() {
		resp, err := client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		close(sent) // however it ended
	}()
	if _, err := io.WriteString(rest, `{"text":"`); err != nil {
		t.Fatal(err)
	}
	i.stand("bob", "suspended")
	const within = time.Second // as the operator is promised
	timeout := time.After(within)
	select {
	case <-bob.over:
	case <-timeout:
		t.Error("the stream goes on")
	}
	select {
	case <-sent:
	case <-timeout:
		t.Error("the request goes on")
	}
	select {
	case <-ann.over:
		t.Error("the stream of somebody else ended")
	default:
	}
	resp, err := client.Get(s.URL + "/api/health")
	if err != nil {
		t.Fatal(err)
	}
	if readAll(t, resp); resp.StatusCode != 200 || resp.ProtoMajor != 2 {
		t.Error(resp.Status, resp.Proto)
	}
}
