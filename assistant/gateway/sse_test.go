package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read gives the events of a stream that comes in pieces of n bytes.
func readEvents(t testing.TB, stream string, n int) (got []string) {
	t.Helper()
	s := events{each: func(name string, data []byte) { got = append(got, name+"|"+string(data)) }}
	for b := []byte(stream); len(b) > 0; {
		k := min(n, len(b))
		if err := s.add(bytes.Clone(b[:k])); err != nil {
			t.Fatal(err)
		}
		b = b[k:]
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEvents(t *testing.T) {
	rows := []struct {
		name, stream string
		want         []string
	}{
		{"plain", "event: a\ndata: 1\n\ndata: 2\n\n", []string{"a|1", "|2"}},
		{"no space", "data:{\"a\":1}\n\n", []string{`|{"a":1}`}},
		{"one space of two", "data:  x\n\n", []string{"| x"}},
		{"CRLF", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []string{"a|1", "|2"}},
		{"CR", "event: a\rdata: 1\r\rdata: 2\r\r", []string{"a|1", "|2"}},
		{"all line ends", "data: 1\r\n\ndata: 2\r\rdata: 3\n\r\n", []string{"|1", "|2", "|3"}},
		{"several lines", "data: a\ndata: b\n\n", []string{"|a\nb"}},
		{"comments", ": hello\n\ndata: 1\n:ping\n\n: x\n\n", []string{"|1"}},
		{"a byte order mark", "\xef\xbb\xbfdata: 1\n\n", []string{"|1"}},
		{"no last empty line", "data: 1\n\ndata: 2", []string{"|1", "|2"}},
		{"unknown fields", "id: 7\nretry: 10\nx: y\nnothing\ndata: 1\n\n", []string{"|1"}},
		{"an error field", "data: 1\nerror: {\"code\":500}\n\ndata: 2\n\n", []string{"|1", `error|{"code":500}`, "|2"}},
		{"an object without a field", "data: 1\n\n{\"error\":\"x\"}\n\n", []string{"|1", `|{"error":"x"}`}},
		{"other line ends stay", "data: a\u2028b\u0085c\v\fd\n\n", []string{"|a\u2028b\u0085c\v\fd"}},
		{"empty data", "data:\n\ndata: \n\nevent: x\n\ndata: 1\n\n", []string{"|", "|", "|1"}},
		{"a name is for one event", "event: x\n\ndata: 1\n\n", []string{"|1"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for n := 1; n <= len(row.stream); n++ {
				if diff := cmp.Diff(row.want, readEvents(t, row.stream, n)); diff != "" {
					t.Fatalf("in pieces of %d bytes: %s", n, diff)
				}
			}
		})
	}
}

// TestEventsAreBounded: a host that never ends its line fills no memory.
func TestEventsAreBounded(t *testing.T) {
	for _, begin := range []string{"data: ", "", ": "} {
		s := events{each: func(string, []byte) { t.Error("an event of it") }}
		piece := []byte(strings.Repeat("x", 1<<20))
		var err error
		for n := 0; err == nil; n++ {
			if n > 40 {
				t.Fatal("it takes more and more")
			}
			if n == 0 {
				err = s.add([]byte(begin))
			}
			if err == nil {
				err = s.add(piece)
			}
		}
		if !errors.Is(err, errTooLong) {
			t.Error(err)
		}
	}
	s := events{each: func(string, []byte) {}}
	var err error
	for n := 0; err == nil && n < 100; n++ { // many lines of one event
		err = s.add([]byte("data: " + strings.Repeat("y", 1<<20) + "\n"))
	}
	if !errors.Is(err, errTooLong) {
		t.Error(err)
	}
}

// TestLongLinesAreForgotten: after one long line a stream needs little again.
func TestLongLinesAreForgotten(t *testing.T) {
	var streams []*events
	for range 20 {
		s := &events{each: func(string, []byte) {}}
		if err := s.add([]byte("data: " + strings.Repeat("z", 1<<20) + "\n\ndata: 1\n\n")); err != nil {
			t.Fatal(err)
		}
		streams = append(streams, s)
	}
	runtime.GC()
	for n, s := range streams {
		if kept := cap(s.line) + cap(s.data); kept > 256<<10 {
			t.Fatalf("stream %d keeps %d bytes", n, kept)
		}
	}
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{"data: 1\n\n", "event: a\r\ndata:{}\r\rerror: x\n", ":\n\ndata", "\xef\xbb\xbfdata: \xff\n\n"} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, stream string, n int) {
		if len(stream) > 0 {
			if diff := cmp.Diff(readEvents(t, stream, len(stream)), readEvents(t, stream, max(1, min(n, len(stream))))); diff != "" {
				t.Error(fmt.Sprintf("%q in pieces: ", stream), diff)
			}
		}
	})
}
