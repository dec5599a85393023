package hooks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"
)

// soon is within what the issue promises that everything of a suspended account
// ends.
const soon = time.Second

// TestSuspensionEndsEverythingSoon has a thousand realtime connections open over
// HTTP, most of one person, who also has requests under way.
func TestSuspensionEndsEverythingSoon(t *testing.T) {
	const ofAnn, ofBob, requests = 900, 100, 20
	i := newInstance(t)
	// A stream, such as an answer that is being written.
	waits := make(chan struct{}, requests)
	i.pb.OnRecordsListRequest("household_categories").BindFunc(func(e *core.RecordsListRequestEvent) error {
		waits <- struct{}{}
		<-e.Request.Context().Done()
		return e.Next()
	})
	s := httptest.NewServer(i.handler)
	t.Cleanup(s.Close)
	connections := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	t.Cleanup(connections.CloseIdleConnections)
	ann, bob := i.token("ann"), i.token("bob")
	open := make([]*listening, ofAnn+ofBob)
	var all sync.WaitGroup
	next := make(chan int)
	for range 16 {
		all.Go(func() {
			for n := range next {
				token := ann
				if n >= ofAnn {
					token = bob
				}
				open[n] = connect(t, connections, s.URL)
				if g := open[n].post(t, connections, s.URL, token, "household_subscriptions/*"); !g.is(204) {
					t.Errorf("connection %d: %v (each takes two file descriptors: see ulimit -n)", n, g)
				}
			}
		})
	}
	for n := range open {
		next <- n
	}
	close(next)
	all.Wait()
	if t.Failed() {
		return
	}
	ask := func(path string) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", ann)
		return r
	}
	var under sync.WaitGroup
	ended := make(chan string, requests)
	for range requests {
		under.Go(func() {
			resp, err := connections.Do(ask("/api/collections/household_categories/records"))
			if err != nil {
				ended <- err.Error()
				return
			}
			said, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			ended <- resp.Status + " " + string(said)
		})
	}
	for range requests {
		select {
		case <-waits:
		case said := <-ended:
			t.Fatal("a request did not stay under way: ", said)
		}
	}

	start := time.Now()
	i.stand("ann", "suspended")
	for _, c := range open[:ofAnn] {
		<-c.over
	}
	under.Wait()
	took := time.Since(start)
	t.Logf("%d connections and %d requests ended in %s", ofAnn, requests, took)
	if took > soon {
		t.Errorf("it took %s", took)
	}
	resp, err := connections.Do(ask(prefix + "/me"))
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("the token afterwards: %v, %v", resp, err)
	}
	if resp != nil {
		_ = resp.Body.Close()
	}
	for n, c := range open[ofAnn:] {
		select {
		case <-c.over:
			t.Fatalf("connection %d of somebody else ended", n)
		default:
		}
	}
	if n := i.pb.SubscriptionsBroker().TotalClients(); n != ofBob {
		t.Errorf("%d connections are left of %d", n, ofBob)
	}
}

// TestAReaderThatDoesNotReadIsNotWaitedFor: a connection whose other side takes
// nothing blocks whoever writes to it.
func TestAReaderThatDoesNotReadIsNotWaitedFor(t *testing.T) {
	i := newInstance(t)
	s := httptest.NewServer(i.handler)
	defer s.Close()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprint(c, "GET /api/realtime HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	l := &listening{}
	for lines := bufio.NewScanner(c); l.id == "" && lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id:"); ok {
			l.id = id
		}
	}
	if g := l.post(t, http.DefaultClient, s.URL, i.token("ann"), "household_subscriptions/*"); !g.is(204) {
		t.Fatal(g)
	}
	client, err := i.pb.SubscriptionsBroker().ClientById(l.id)
	if err != nil {
		t.Fatal(err)
	}
	client.Send(subscriptions.Message{Name: "big", Data: make([]byte, 64<<20)})
	stays := func() bool {
		i.visits.mu.Lock()
		defer i.visits.mu.Unlock()
		return len(i.visits.of) > 0
	}
	time.Sleep(50 * time.Millisecond)
	if !stays() {
		t.Fatal("nothing is blocked")
	}
	start := time.Now()
	i.stand("ann", "suspended")
	for stays() {
		if time.Since(start) > 2*soon {
			t.Fatal("the connection is still held")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if took := time.Since(start); took > soon {
		t.Errorf("it took %s", took)
	}
}

// TestWhoEndsThemselvesIsAnswered: the request that takes an approval away may
// be the person's own.
func TestWhoEndsThemselvesIsAnswered(t *testing.T) {
	i := newInstance(t)
	i.pb.OnRecordsListRequest("household_categories").BindFunc(func(e *core.RecordsListRequestEvent) error {
		i.stand("ann", "suspended")
		if e.Request.Context().Err() != context.Canceled {
			t.Error("the request itself does not end")
		}
		return e.Next()
	})
	s := httptest.NewServer(i.handler)
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/api/collections/household_categories/records", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", i.token("ann"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil || resp.StatusCode != 200 || !strings.Contains(readAll(t, resp), "totalItems") {
		t.Errorf("%v, %v", resp, err)
	}
	// The connection is good for others.
	resp, err = http.DefaultClient.Get(s.URL + "/api/health")
	if err != nil || resp.StatusCode != 200 || readAll(t, resp) == "" {
		t.Errorf("%v, %v", resp, err)
	}
}

// TestADownloadEnds: a protected file comes by a token in its address, and is a
// stream too.
func TestADownloadEnds(t *testing.T) {
	w := newWays(t, false)
	w.change("papers", func(c *core.Collection) {
		c.Fields.GetByName("file").(*core.FileField).MaxSize = 128 << 20
	})
	col, err := w.pb.FindCollectionByNameOrId("papers")
	if err != nil {
		t.Fatal(err)
	}
	paper := core.NewRecord(col)
	paper.Set("file", content(t, "big.txt", strings.Repeat("x", 64<<20))) // more than lies between both sides
	if err := w.pb.Save(paper); err != nil {
		t.Fatal(err)
	}
	begin := func(handle string) *http.Response {
		token, err := w.user(handle).NewFileToken()
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Get(w.server.URL + "/api/files/papers/" + paper.Id + "/" + paper.GetString("file") + "?token=" + token)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp
	}
	ann, bob := begin("ann"), begin("bob")
	w.stand("ann", "suspended")
	time.Sleep(soon) // as long as the issue gives it; nobody reads meanwhile
	if n, err := io.Copy(io.Discard, ann.Body); err == nil {
		t.Errorf("%d bytes came after the suspension", n)
	}
	if n, err := io.Copy(io.Discard, bob.Body); err != nil || n != 64<<20 {
		t.Errorf("somebody else's: %d bytes, %v", n, err)
	}
}
