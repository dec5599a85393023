package stream

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// deadlines is a connection that notes when a write may take until.
type deadlines struct {
	http.ResponseWriter
	until []time.Time
}

// SetWriteDeadline notes it.
func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.until = append(d.until, t)
	return nil
}

// Flush has nothing to do.
func (*deadlines) Flush() {}

// TestWritesEnd: no write waits for ever for a client that does not read, and a
// stream says that it is there until it is over.
func TestWritesEnd(t *testing.T) {
	d := &deadlines{ResponseWriter: httptest.NewRecorder()}
	w := New(d, time.Hour)
	w.Begin()
	if w.alive == nil {
		t.Error("it will never say that it is there")
	}
	if _, err := w.Write([]byte("data: x\n\n")); err != nil {
		t.Fatal(err)
	}
	w.stillThere()
	if err := w.Event(7, "delta", []byte("{\"text\":\"a\",\r\n\"b\":1}")); err != nil {
		t.Fatal(err)
	}
	if len(d.until) != 3 {
		t.Errorf("%d writes have their time", len(d.until))
	}
	for _, until := range d.until {
		if left := time.Until(until); left <= 0 || left > WriteTime {
			t.Errorf("a write may take until %s", until)
		}
	}
	w.End()
	w.stillThere()
	const all = "data: x\n\n:\n\nid: 7\nevent: delta\ndata: {\"text\":\"a\",\ndata: \"b\":1}\n\n"
	if got := d.ResponseWriter.(*httptest.ResponseRecorder).Body.String(); got != all {
		t.Errorf("%q", got)
	}
	w = New(d, time.Hour)
	w.End()
	if w.Begin(); w.alive != nil {
		t.Error("it begins after its end")
	}
}
