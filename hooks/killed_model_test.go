package hooks

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/pocketbase/dbx"

	"github.com/nodkeep/nodkeep/tools"
)

// TestKilledWhileAModelAnswers: what was sent when the server was killed counts
// in full, once, and what surely never left counts for nothing.
func TestKilledWhileAModelAnswers(t *testing.T) {
	asked := make(chan struct{}, 4)
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Well\"}}]}\n\n")
		w.(http.Flusher).Flush()
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer busy.Close()
	// One that takes a connection and never says a word of TLS.
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	go func() {
		for {
			c, err := mute.Accept()
			if err != nil {
				return
			}
			defer func() { _ = c.Close() }()
			asked <- struct{}{}
		}
	}()

	m := newMachine(t)
	m.env = []string{
		"ASSISTANTS=busy,mute", "ASSISTANT_BUSY_BASE_URL=" + busy.URL, "ASSISTANT_BUSY_MODEL=m", "ASSISTANT_BUSY_PRICE_INPUT=1", "ASSISTANT_BUSY_PRICE_OUTPUT=2",
		"ASSISTANT_MUTE_BASE_URL=https://" + mute.Addr().String(), "ASSISTANT_MUTE_MODEL=m",
	}
	for _, id := range []string{"busy", "mute"} {
		s := m.serve()
		c := m.command("assistant", "test", id)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-asked:
		case <-time.After(patient):
			t.Fatal("the host was not asked")
		}
		if id == "mute" {
			time.Sleep(100 * time.Millisecond) // whatever would leave has left
		}
		_ = s.Process.Kill()
		_, _ = s.Wait(), c.Wait() // both end as they must
	}
	for range 2 { // opening it once more counts nothing again
		i := openInstance(t, m.dir, func(*App) {})
		var rows []struct {
			Assistant string
			Requests  int
			Tokens    int64 `db:"tokens"`
			Cost      int64
		}
		if err := i.pb.DB().NewQuery("SELECT assistant, requests, input_uncached + output AS tokens, cost FROM " + tools.UsageTable).All(&rows); err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1 || rows[0].Assistant != "busy" || rows[0].Requests != 1 || rows[0].Tokens < 2000 || rows[0].Cost < rows[0].Tokens {
			t.Errorf("%+v", rows)
		}
		var held int
		if err := i.pb.DB().Select("count(*)").From(tools.HoldsTable).Where(dbx.NewExp("TRUE")).Row(&held); err != nil || held != 0 {
			t.Error(held, "are held still", err)
		}
		if err := i.close(); err != nil {
			t.Fatal(err)
		}
	}
}
