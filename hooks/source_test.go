package hooks

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodkeep/nodkeep/tools"
)

const ecbSource = "household_ecb_rates"

// ecbFile is a day in the form of the ECB's files, with invented rates.
const ecbFile = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time="2026-01-09"><Cube currency="USD" rate="1.0812"/></Cube></Cube></gesmes:Envelope>`

// publisher answers for every host, as the sources' own would.
func publisher(t *testing.T, answer http.HandlerFunc) http.RoundTripper {
	t.Helper()
	s := httptest.NewTLSServer(answer)
	t.Cleanup(s.Close)
	tr := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // its certificate is for example.com
	}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

// follower is an instance with the ECB's rates switched on and bob as operator.
func follower(t *testing.T, answer http.HandlerFunc) (*instance, tools.Source) {
	t.Helper()
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) { a.transport = publisher(t, answer) }, "NODKEEP_SOURCES="+ecbSource)
	i.promote("bob")
	on := i.sources()
	if len(on) != 1 || on[0].Name != ecbSource {
		t.Fatal(on)
	}
	return i, on[0]
}

func (i *instance) promote(handle string) {
	i.t.Helper()
	rec := i.user(handle)
	rec.Set("operator", true)
	if err := i.pb.Save(rec); err != nil {
		i.t.Fatal(err)
	}
}

func (i *instance) rates() (n int64) {
	i.t.Helper()
	n, err := i.pb.CountRecords("household_rates")
	if err != nil {
		i.t.Fatal(err)
	}
	return n
}

// TestSourceIsTaken: what is fetched comes in through the tool, as the operator,
// and can be undone like anything else; where nothing is new nothing is written.
func TestSourceIsTaken(t *testing.T) {
	var asked []*http.Request
	i, s := follower(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r)
		http.SetCookie(w, &http.Cookie{Name: "visitor", Value: "1"})
		fmt.Fprint(w, ecbFile)
	})
	for range 2 {
		if err := i.takeSource(t.Context(), s); err != nil || i.rates() != 1 {
			t.Fatal(i.rates(), err)
		}
	}
	if len(asked) != 2 {
		t.Fatal(len(asked))
	}
	for _, r := range asked {
		if r.Method != "GET" || r.Host != "www.ecb.europa.eu" || len(r.Cookies()) != 0 || !strings.HasPrefix(r.UserAgent(), "nodkeep/") || strings.Contains(r.UserAgent(), " ") {
			t.Errorf("%s %s %s %s", r.Method, r.Host, r.Cookies(), r.UserAgent())
		}
	}
	status, audit := i.web("GET", prefix+"/audit?tool=household_rate_import", i.token("bob"), "")
	if status != 200 || audit.len("items") != 1 {
		t.Fatalf("%d %s", status, audit)
	}
	if a := audit; a.str("items", "0", "actor", "door") != "hook" || a.str("items", "0", "actor", "agent_name") != ecbSource || a.str("items", "0", "actor", "person") != i.user("bob").Id {
		t.Errorf("%s", a)
	}
	body := `{"audit":["` + audit.str("items", "0", "id") + `"]}`
	status, shown := i.web("POST", prefix+"/undo", i.token("bob"), body) // it deletes, so its card comes first
	want(t, status, shown, 409, tools.DigestRequired)
	if status, a := i.web("POST", prefix+"/undo", i.token("bob"), body, digestHeader, shown.str("data", "digest")); status != 200 || i.rates() != 0 {
		t.Errorf("%d are left after the undo: %d %s", i.rates(), status, a)
	}
}

// TestSourceIsRefused: whatever else answers changes nothing, and what is told
// of it repeats none of it.
func TestSourceIsRefused(t *testing.T) {
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/there" {
				fmt.Fprint(w, ecbFile)
				return
			}
			http.Redirect(w, r, to, http.StatusFound)
		}
	}
	rows := []struct {
		name   string
		answer http.HandlerFunc
		want   string // in the reason
	}{
		{"redirected elsewhere", redirect("https://secret.example.com/there"), errElsewhere.Error()},
		{"redirected to another port", redirect("https://www.ecb.europa.eu:8443/there"), errElsewhere.Error()},
		{"redirected to plain HTTP", redirect("http://www.ecb.europa.eu/there"), errElsewhere.Error()},
		{"redirected for ever", redirect("/secret"), errElsewhere.Error()},
		{"not found", http.NotFound, "status 404"},
		{"empty", func(http.ResponseWriter, *http.Request) {}, "invalid household.error.empty"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><p>secret") }, "invalid household.error.rate_page"},
		{"words", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, strings.Replace(ecbFile, "1.0812", "secret", 1))
		}, "invalid household.error.rate_value"},
		{"too large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxFetch+1)) }, errTooLarge.Error()},
		{"larger than its tool takes", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(ecbFile + strings.Repeat(" ", maxFetch-len(ecbFile))))
		}, "too_large"},
		{"no text", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret\xff") }, errNoText.Error()},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000")
			fmt.Fprint(w, ecbFile)
		}, "unexpected EOF"},
	}
	var answer http.HandlerFunc
	i, s := follower(t, func(w http.ResponseWriter, r *http.Request) { answer(w, r) })
	for _, row := range rows {
		answer = row.answer
		err := i.takeSource(t.Context(), s)
		if err == nil || !strings.Contains(reasonOf(err), row.want) || strings.Contains(reasonOf(err), "secret") || i.rates() != 0 {
			t.Errorf("%s: %v, %d rates", row.name, err, i.rates())
		}
		i.tellSource(s, err)
		if c := i.sourceCheck(); c.Fix == "" || !strings.Contains(c.Says, row.want) || strings.Contains(c.Says, "secret") {
			t.Errorf("%s: %+v", row.name, c)
		}
	}
	answer = redirect("/there")
	err := i.takeSource(t.Context(), s)
	if i.tellSource(s, err); err != nil || i.rates() != 1 {
		t.Errorf("redirected within the host: %v, %d rates", err, i.rates())
	}
	if c := i.sourceCheck(); c.Fix != "" {
		t.Errorf("%+v", c)
	}
}

// sourceCheck is what doctor says of the sources.
func (i *instance) sourceCheck() check {
	i.t.Helper()
	checks, err := i.checkSources(i.t.Context())
	if err != nil || len(checks) != 1 {
		i.t.Fatal(checks, err)
	}
	return checks[0]
}

// TestSourceNeedsAnOperator: it is taken for the member who is one for longest,
// and for nobody who is no member any more.
func TestSourceNeedsAnOperator(t *testing.T) {
	i, s := follower(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, ecbFile) })
	i.promote("ann") // who is there for longer than bob
	first, err := i.operator()
	if err != nil || first.GetString("handle") != "ann" {
		t.Fatal(first, err)
	}
	if c := i.sourceCheck(); c.Fix != "" || !strings.Contains(c.Says, "nothing yet") {
		t.Errorf("%+v", c)
	}
	for _, handle := range []string{"ann", "bob"} {
		rec := i.user(handle)
		rec.Set("status", "suspended")
		if err := i.pb.Save(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := i.takeSource(t.Context(), s); !errors.Is(err, errNoOperator) || i.rates() != 0 {
		t.Errorf("%v, %d rates", err, i.rates())
	}
	if c := i.sourceCheck(); !strings.Contains(c.Fix, "account add NAME --operator") {
		t.Errorf("%+v", c)
	}
}

// TestServerFollowsSources: one that is switched on is fetched after the start,
// and not again when it was taken a moment ago.
func TestServerFollowsSources(t *testing.T) {
	asked := make(chan struct{}, 10)
	i, _ := follower(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, ecbFile)
		asked <- struct{}{}
	})
	i.settled = 0
	stop := i.followSources(t.Context())
	<-asked
	stop() // waits until what was fetched is taken, or given up
	if err := i.takeSource(t.Context(), i.sources()[0]); err != nil || i.rates() != 1 {
		t.Fatal(i.rates(), err)
	}
	<-asked
	if c := i.sourceCheck(); c.Fix != "" || !strings.Contains(c.Says, "last had something new at 20") {
		t.Errorf("%+v", c)
	}
	last, err := i.runner.Taken(t.Context(), i.sources()[0])
	if err != nil || last.IsZero() {
		t.Fatal(last, err)
	}
	i.followSources(t.Context())()
	if len(asked) != 0 {
		t.Error("it was fetched again at once")
	}
}

// TestNothingIsFetchedUnasked: without the setting no source is followed.
func TestNothingIsFetchedUnasked(t *testing.T) {
	i := newInstanceWith(t, filepath.Join(t.TempDir(), "pb_data"), func(a *App) {
		a.settled = 0
		a.transport = publisher(t, func(http.ResponseWriter, *http.Request) { t.Error("something was fetched") })
	})
	i.promote("ann")
	i.followSources(t.Context())()
	if c := i.sourceCheck(); c.Fix != "" || !strings.Contains(c.Says, "nothing is fetched") {
		t.Errorf("%+v", c)
	}
	if len(i.registry.Sources()) == 0 || len(i.sources()) != 0 {
		t.Errorf("%v", i.sources())
	}
}

// TestReasonOfAMail: a server may repeat whom it does not know.
func TestReasonOfAMail(t *testing.T) {
	err := fmt.Errorf("send: %w", &textproto.Error{Code: 550, Msg: "no such user ann@example.com"})
	if got := reasonOf(err); got != "the server answered 550" {
		t.Error(got)
	}
}
