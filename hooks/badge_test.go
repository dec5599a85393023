package hooks

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/subscriptions"
)

// realtime is such a connection over HTTP.
type realtime struct {
	id     string
	events chan string // "topic data"
	leave  context.CancelFunc
}

// patient is how long a test waits for what must come. It ends what hangs, and says nothing of
// how fast anything is: what is promised within a time is measured by itself.
const patient = time.Minute

// quiet is how long it listens for what must not.
const quiet = 150 * time.Millisecond

// connect opens one at a server that serves the instance.
func (i *instance) connect(base string) *realtime {
	i.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	i.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/api/realtime", nil)
	if err != nil {
		i.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	s := &realtime{events: make(chan string, 1000), leave: cancel}
	go func() {
		defer close(s.events)
		defer func() { _ = resp.Body.Close() }()
		topic := ""
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "event:"); ok {
				topic = strings.TrimSpace(name)
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data:"); ok {
				s.events <- topic + " " + strings.TrimSpace(data)
			}
		}
	}()
	first := s.next(i.t)
	_, id, _ := strings.Cut(first, `"clientId":"`)
	s.id, _, _ = strings.Cut(id, `"`)
	if s.id == "" {
		i.t.Fatalf("no connection: %s", first)
	}
	return s
}

// next is what comes next; "" is the end.
func (s *realtime) next(t testing.TB) string {
	t.Helper()
	select {
	case e := <-s.events:
		return e
	case <-time.After(patient):
		t.Fatal("nothing came")
		return ""
	}
}

// silent fails where something comes.
func (s *realtime) silent(t testing.TB, why string) {
	t.Helper()
	select {
	case e, ok := <-s.events:
		if ok {
			t.Errorf("%s: %s", why, e)
		}
	case <-time.After(quiet):
	}
}

// hears waits for a number, which may not be the next one.
func (s *realtime) hears(t testing.TB, topic string, n string) (messages int) {
	t.Helper()
	for {
		messages++
		switch s.next(t) {
		case topic + ` {"waiting":` + n + `}`:
			return messages
		case "":
			t.Fatalf("the connection ended before %s", n)
		}
	}
}

// badgeInstance has no pauses, a server, and bob as an operator.
func badgeInstance(t *testing.T) (*instance, string) {
	i := newInstanceWith(t, t.TempDir()+"/pb_data", func(a *App) { a.badge.pause = 0 })
	i.makeOperator("bob")
	s := httptest.NewServer(i.handler)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return i, s.URL
}

// listen subscribes over HTTP and gives the status.
func (i *instance) listen(base string, s *realtime, token string, topics ...string) int {
	i.t.Helper()
	body := `{"clientId":"` + s.id + `","subscriptions":["` + strings.Join(topics, `","`) + `"]}`
	req, err := http.NewRequest("POST", base+"/api/realtime", strings.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// newcomer makes an account that waits, past all doors.
func (i *instance) newcomer(app core.App, handle string) *core.Record {
	i.t.Helper()
	rec := core.NewRecord(i.user("ann").Collection())
	rec.Set("handle", handle)
	rec.Set("status", "waiting")
	rec.SetRaw("password", i.user("ann").GetRaw("password")) // hashed once is enough
	if err := app.Save(rec); err != nil {
		i.t.Fatal(err)
	}
	return rec
}

// TestBadge: operators and superusers hear how many wait, whoever changes that.
func TestBadge(t *testing.T) {
	i, base := badgeInstance(t)
	root := i.superuser()
	first := i.newcomer(i.pb, "newcomer-0")
	for who, row := range map[string]struct {
		token, topic string
	}{
		"operator":     {i.token("bob"), topicWaiting},
		"superuser":    {root, topicWaiting},
		"with options": {i.token("bob"), `nodkeep/waiting?options=%7B%7D`},
	} {
		s := i.connect(base)
		if status := i.listen(base, s, row.token, row.topic); status != 204 {
			t.Fatal(who, status)
		}
		if e := s.next(t); e != row.topic+` {"waiting":1}` {
			t.Fatalf("%s, right after subscribing: %s", who, e)
		}
		second := i.newcomer(i.pb, "newcomer-1")
		if e := s.next(t); e != row.topic+` {"waiting":2}` {
			t.Fatalf("%s, one more: %s", who, e)
		}
		second.Set("language", "de")
		if err := i.pb.Save(second); err != nil {
			t.Fatal(err)
		}
		s.silent(t, who+", nobody more waits")
		status, a := i.web("POST", prefix+"/operator/waiting/"+second.Id+"/approve", root, "")
		want(t, status, a, 200, "")
		if e := s.next(t); e != row.topic+` {"waiting":1}` {
			t.Fatalf("%s, approved: %s", who, e)
		}
		i.stand("newcomer-1", "")
		s.hears(t, row.topic, "2")
		if err := i.pb.Delete(i.user("newcomer-1")); err != nil {
			t.Fatal(err)
		}
		s.hears(t, row.topic, "1")
		s.leave()
	}
	s := i.connect(base)
	i.listen(base, s, root, topicWaiting)
	s.hears(t, topicWaiting, "1")
	path := "/operator/waiting/" + first.Id + "/refuse"
	_, p := i.local("POST", path, "", "")
	status, a := i.local("POST", path, "", "", digestHeader, p.str("data", "digest"))
	want(t, status, a, 200, "")
	if e := s.next(t); e != topicWaiting+` {"waiting":0}` {
		t.Errorf("refused: %s", e)
	}
}

// TestBadgeIsForOperators, as they are when it is sent.
func TestBadgeIsForOperators(t *testing.T) {
	i, base := badgeInstance(t)
	i.makeOperator("ann")
	s := i.connect(base)
	if status := i.listen(base, s, i.token("bob"), topicWaiting); status != 204 {
		t.Fatal(status)
	}
	s.hears(t, topicWaiting, "0")
	status, a := i.local("POST", "/operator/operators/bob/remove", "", "")
	want(t, status, a, 200, "")
	i.newcomer(i.pb, "newcomer-1")
	s.silent(t, "the role was taken")
	for who, token := range map[string]string{"guest": "", "member": i.token("bob")} {
		other := i.connect(base)
		if status := i.listen(base, other, token, topicWaiting); status != 403 {
			t.Errorf("%s: %d", who, status)
		}
		i.newcomer(i.pb, "newcomer-"+who)
		other.silent(t, who)
	}
	i.makeOperator("bob")
	i.newcomer(i.pb, "newcomer-4")
	s.hears(t, topicWaiting, "4")
	i.stand("bob", "suspended")
	for e := range s.events {
		if e != "" {
			t.Errorf("suspended: %s", e)
		}
	}
	// A superuser that is gone, and an operator that PocketBase's copy still is.
	stale := i.client()
	old := i.user("ann").Fresh()
	stale.Set(apis.RealtimeClientAuthKey, old)
	stale.Subscribe(topicWaiting)
	ann := i.user("ann")
	ann.Set("operator", false)
	if err := i.pb.Save(ann); err != nil {
		t.Fatal(err)
	}
	stale.Set(apis.RealtimeClientAuthKey, old)
	if n, may := i.waitingFor(stale); may || n != 0 {
		t.Errorf("what PocketBase remembers of an account counts: %d", n)
	}
}

// TestBadgeOfWhatDidNotHappen says nothing.
func TestBadgeOfWhatDidNotHappen(t *testing.T) {
	i, base := badgeInstance(t)
	newcomer := i.newcomer(i.pb, "newcomer")
	s := i.connect(base)
	i.listen(base, s, i.token("bob"), topicWaiting)
	s.hears(t, topicWaiting, "1")
	status, a := i.web("POST", prefix+"/operator/waiting/"+newcomer.Id+"/approve?preview=1", i.token("bob"), "")
	want(t, status, a, 200, "")
	status, a = i.web("POST", prefix+"/operator/waiting/"+newcomer.Id+"/refuse", i.token("bob"), "")
	want(t, status, a, 409, "digest_required")
	back := errors.New("back")
	err := i.pb.RunInTransaction(func(tx core.App) error {
		i.newcomer(tx, "another")
		return back
	})
	if !errors.Is(err, back) {
		t.Fatal(err)
	}
	s.silent(t, "nothing was saved")
	err = i.pb.RunInTransaction(func(tx core.App) error {
		i.newcomer(tx, "another")
		i.newcomer(tx, "and-another")
		s.silent(t, "nothing is saved yet")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if e := s.next(t); e != topicWaiting+` {"waiting":3}` {
		t.Errorf("both at once: %s", e)
	}
}

// slow is a client whose reader reads when it is told to.
type slow struct {
	subscriptions.Client
	mu   sync.Mutex
	got  []string
	read chan struct{}
	gone chan struct{}
}

func (s *slow) Send(m subscriptions.Message) {
	select {
	case <-s.read:
		s.mu.Lock()
		s.got = append(s.got, string(m.Data))
		s.mu.Unlock()
	case <-s.gone:
	}
}

func (s *slow) Discard() { close(s.gone) }

func (i *instance) slow(handle string) *slow {
	s := &slow{Client: subscriptions.NewDefaultClient(), read: make(chan struct{}), gone: make(chan struct{})}
	s.Set(apis.RealtimeClientAuthKey, i.user(handle))
	s.Subscribe(topicWaiting)
	i.pb.SubscriptionsBroker().Register(s)
	return s
}

// TestBadgeOfABurst: a reader that does not read holds up nobody, and hears in
// few words where it ends.
func TestBadgeOfABurst(t *testing.T) {
	i, base := badgeInstance(t)
	held, left := i.slow("bob"), i.slow("bob")
	reader := i.connect(base)
	i.listen(base, reader, i.token("bob"), topicWaiting)
	reader.hears(t, topicWaiting, "0")
	for n := range 30 {
		i.newcomer(i.pb, "newcomer-"+string(rune('a'+n%26))+string(rune('a'+n/26)))
	}
	reader.hears(t, topicWaiting, "30")
	last := func() string {
		held.mu.Lock()
		defer held.mu.Unlock()
		if len(held.got) == 0 {
			return ""
		}
		return held.got[len(held.got)-1]
	}
	for until := time.Now().Add(patient); last() != `{"waiting":30}`; {
		select {
		case held.read <- struct{}{}:
		case <-time.After(10 * time.Millisecond):
			if time.Now().After(until) {
				t.Fatalf("it ends with %v", held.got)
			}
		}
	}
	if len(held.got) > 3 {
		t.Errorf("%d messages of 30 changes: %v", len(held.got), held.got)
	}
	// Who goes while something is sent leaves nothing behind.
	i.pb.SubscriptionsBroker().Unregister(left.Id())
	l, _ := left.Get(listenerKey).(*listener)
	if l == nil {
		t.Fatal("it was never rung for")
	}
	for until := time.Now().Add(patient); l.atWork(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("a goroutine waits for whoever is gone")
		}
	}
}

func (b *bell) atWork() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.busy
}

// TestBell: what is rung for is done afterwards, once.
func TestBell(t *testing.T) {
	var b bell
	at, may := make(chan struct{}), make(chan struct{})
	do := func() { at <- struct{}{}; <-may }
	b.ring(0, do)
	<-at
	for range 10 {
		b.ring(0, do)
	}
	may <- struct{}{}
	<-at
	may <- struct{}{}
	for until := time.Now().Add(patient); b.atWork(); time.Sleep(time.Millisecond) {
		select {
		case <-at:
			t.Fatal("ten rings are ten times")
		default:
		}
		if time.Now().After(until) {
			t.Fatal("it does not end")
		}
	}
	b.ring(0, do)
	<-at
	may <- struct{}{}
}

// TestBadgeIsPaced: a burst gives a reader few messages, also one that reads.
func TestBadgeIsPaced(t *testing.T) {
	i := newInstance(t)
	i.badge.pause = time.Hour
	i.makeOperator("bob")
	s := i.slow("bob")
	for n := range 5 {
		i.newcomer(i.pb, "newcomer-"+string(rune('a'+n)))
	}
	s.read <- struct{}{}
	select {
	case s.read <- struct{}{}:
		t.Error("it is told again at once")
	case <-time.After(quiet):
	}
}
