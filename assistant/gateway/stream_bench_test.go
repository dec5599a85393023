package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The limits of issue 6.
const (
	streams    = 200
	firstLimit = 5 * time.Millisecond // added to the first token, at the 95th percentile
	idleLimit  = 12 << 20             // bytes for 100 streams
	thinks     = 300 * time.Millisecond
	runs       = 2 * time.Second // of one stream; all of them begin within it
)

// chunk is a piece of an answer as a chat host sends it.
func chunk(text string) string {
	return `data: {"id":"c1","object":"chat.completion.chunk","created":1795900000,"model":"m","choices":[{"index":0,"delta":{"content":"` + text + `"},"finish_reason":null}]}` + "\n\n"
}

const lastChunk = `data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

// scripted is a host that thinks, and then talks for a while.
func scripted(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	flush := w.(http.Flusher).Flush
	time.Sleep(thinks)
	for until := time.Now().Add(runs); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		if _, err := io.WriteString(w, chunk("some words of an answer ")); err != nil {
			return
		}
		flush()
	}
	_, _ = io.WriteString(w, lastChunk)
}

// BenchmarkFirstToken has 200 answers come at once, through the gateway and
// through a bare reverse proxy, and says what each adds to the host's own time
// until its first token.
func BenchmarkFirstToken(b *testing.B) {
	host := httptest.NewServer(http.HandlerFunc(scripted))
	defer host.Close()
	to, err := url.Parse(host.URL)
	if err != nil {
		b.Fatal(err)
	}
	many := &http.Transport{MaxIdleConnsPerHost: streams}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, FlushInterval: -1, Transport: many})
	defer proxy.Close()
	p, err := New(Config{Protocol: OpenAI, BaseURL: host.URL, Model: "m", Transport: &http.Transport{MaxIdleConnsPerHost: streams}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	request := Request{System: []Block{{Text: strings.Repeat("Rules. ", 500)}}, Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: "What is due?"}}}}, MaxOutput: 1000}
	ours := func() (first time.Duration) {
		begun := time.Now()
		if _, err := p.Stream(context.Background(), request, func(Delta) {
			if first == 0 {
				first = time.Since(begun)
			}
		}); err != nil {
			b.Error(err)
		}
		return first - thinks
	}
	body, err := chat{}.encode(request, p.(*provider).target)
	if err != nil {
		b.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: streams}}
	bare := func() time.Duration {
		begun := time.Now()
		resp, err := client.Post(proxy.URL, "application/json", strings.NewReader(string(body)))
		if err != nil {
			b.Error(err)
			return 0
		}
		defer func() { _ = resp.Body.Close() }()
		r := bufio.NewReader(resp.Body)
		if _, err := r.ReadString('\n'); err != nil {
			b.Error(err)
		}
		first := time.Since(begun)
		_, _ = io.Copy(io.Discard, r)
		return first - thinks
	}
	all := func(one func() time.Duration) time.Duration {
		var mu sync.Mutex
		var added []time.Duration
		var wg sync.WaitGroup
		for range streams {
			wg.Go(func() {
				time.Sleep(time.Duration(rand.Int64N(int64(runs / 2)))) // all run together after that
				d := one()
				mu.Lock()
				added = append(added, d)
				mu.Unlock()
			})
		}
		wg.Wait()
		slices.Sort(added)
		return added[len(added)*95/100]
	}
	all(ours) // connections and caches are there afterwards
	all(bare)
	for b.Loop() {
		gateway, proxied := all(ours), all(bare)
		b.ReportMetric(float64(gateway.Microseconds())/1000, "ms-p95")
		b.ReportMetric(float64(gateway)/float64(proxied), "of-a-proxy")
		if gateway > firstLimit {
			b.Errorf("%v are added to the first token, at most %v; a bare proxy adds %v", gateway, firstLimit, proxied)
		}
	}
}

// BenchmarkIdleStreams says what 100 answers need that have begun and stand
// still. The host is part of it: as little as one can be.
func BenchmarkIdleStreams(b *testing.B) {
	const idle = 100
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go stand(c)
		}
	}()
	for b.Loop() {
		p, err := New(Config{Protocol: OpenAI, BaseURL: "http://" + l.Addr().String(), Model: "m", Transport: &http.Transport{MaxIdleConnsPerHost: idle}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		before := inUse()
		ctx, cancel := context.WithCancel(context.Background())
		var begun, over sync.WaitGroup
		for range idle {
			begun.Add(1)
			over.Go(func() {
				_, _ = p.Stream(ctx, Request{Messages: []Message{{Role: User, Parts: []Part{{Media: Text, Text: strings.Repeat("words ", 2000)}}}}}, func(Delta) { begun.Done() })
			})
		}
		begun.Wait()
		took := inUse() - before
		b.ReportMetric(float64(took)/(1<<20), "MB/100")
		if took > idleLimit {
			b.Errorf("100 idle streams take %d bytes, at most %d", took, idleLimit)
		}
		cancel()
		over.Wait()
	}
}

// stand answers with one piece, and nothing more.
func stand(c net.Conn) {
	defer func() { _ = c.Close() }()
	one := make([]byte, 1)
	var head []byte
	for !strings.HasSuffix(string(head), "\r\n\r\n") {
		if _, err := c.Read(one); err != nil {
			return
		}
		head = append(head, one[0])
	}
	_, after, _ := strings.Cut(string(head), "Content-Length: ")
	size, _ := strconv.ParseInt(after[:strings.IndexByte(after, '\r')], 10, 64)
	if _, err := io.CopyN(io.Discard, c, size); err != nil {
		return
	}
	piece := chunk("Well")
	_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(piece), piece)
	_, _ = c.Read(one) // until the other side is gone
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
