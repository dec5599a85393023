package hooks

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/exchange"
	"github.com/nodkeep/nodkeep/assistant/gateway"
)

// sample is a question that is asked of every host whose replies are recorded.
type sample struct {
	name    string
	request gateway.Request
}

// samples are few and short: each costs something.
func samples(whole bool) []sample {
	say := func(text string) []gateway.Message {
		return []gateway.Message{{Role: gateway.User, Parts: []gateway.Part{{Media: gateway.Text, Text: text}}}}
	}
	tools := []gateway.Tool{{
		Name: "get_item", Description: "Gives one item of the household.",
		Schema: jsontext.Value(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`),
	}}
	return []sample{
		{"text", gateway.Request{Messages: say("Say in one short sentence what a household is."), MaxOutput: 1000, Whole: whole}},
		{"tool", gateway.Request{Messages: say("Get the item i1 with the tool."), Tools: tools, MaxOutput: 1000, Whole: whole}},
		{"parallel", gateway.Request{Messages: say("Get the items i1 and i2 with the tool, both at once."), Tools: tools, MaxOutput: 1000, Whole: whole}},
		{"thinking", gateway.Request{Messages: say("A bill of 17.40 is split among three, one pays double. Think, then get the item with the id that is the single share in cents."), Tools: tools, Effort: gateway.High, MaxOutput: 4000, Whole: whole}},
	}
}

func (a *App) recordCommand() *cobra.Command {
	var with spoken
	var variable, out string
	var whole bool
	var only []string
	c := &cobra.Command{
		Use: "record", Short: "Asks a model's host a few questions and writes its replies as bodies for tests, without what is secret", Args: wants(0, 0),
		Example: "  MISTRAL_KEY=… nodkeep record --protocol openai --host api.mistral.ai --model mistral-large-2512 --key-env MISTRAL_KEY --out bodies",
		RunE: func(c *cobra.Command, _ []string) error {
			p, base, err := with.read()
			switch {
			case err != nil:
				return err
			case with.model == "":
				return errors.New("give --model, as the host calls it")
			case out == "":
				return errors.New("give --out: the folder to write to")
			}
			all := samples(whole)
			for _, name := range only {
				if !slices.ContainsFunc(all, func(s sample) bool { return s.name == name }) {
					return fmt.Errorf("--only %s is none of text, tool, parallel, thinking", name)
				}
			}
			key := ""
			if variable != "" {
				if key, _ = a.Env(variable); key == "" {
					return failure{fmt.Errorf("%s is not set: the key of the host belongs there", variable)}
				}
			}
			r := &recording{a: a, protocol: p, base: base, model: with.model, key: key, out: out, whole: whole}
			for _, s := range all {
				if len(only) > 0 && !slices.Contains(only, s.name) {
					continue
				}
				if err := r.record(c.Context(), s); err != nil {
					return failed(err)
				}
			}
			return nil
		},
	}
	with.flags(c)
	c.Flags().StringVar(&variable, "key-env", "", "the variable of the environment that has the key; none for hosts that want none")
	c.Flags().StringVar(&out, "out", "", "the folder to write to")
	c.Flags().BoolVar(&whole, "no-stream", false, "asks for each answer in one piece")
	c.Flags().StringSliceVar(&only, "only", nil, "of the questions just these: text, tool, parallel, thinking")
	return c
}

// recording asks one model.
type recording struct {
	a          *App
	protocol   gateway.Protocol
	base       *url.URL
	model, key string
	out        string
	whole      bool
}

// record asks one question and writes what came.
func (r *recording) record(ctx context.Context, s sample) error {
	next := r.a.asked
	if next == nil {
		next = http.DefaultTransport
	}
	tap := &tap{next: next}
	p, err := gateway.New(gateway.Config{
		Protocol: r.protocol, BaseURL: r.base.String(), Model: r.model, Key: r.key, Transport: tap, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	_, asked := p.Stream(ctx, s.request, func(gateway.Delta) {})
	got := tap.last()
	if got == nil || ctx.Err() != nil {
		return fmt.Errorf("%s: %w", s.name, asked)
	}
	scrub := exchange.NewScrub(r.key)
	body := scrub.Body(got.body.Bytes())
	header := scrub.Headers(got.header)
	end := "close"
	if got.err != nil {
		end = "cut"
	}
	reply := gateway.Reply{Protocol: r.protocol, Host: strings.ToLower(r.base.Host), Model: r.model, Status: got.status, Header: http.Header{}, Body: bytes.NewReader(body)}
	for name, v := range header {
		reply.Header.Set(name, v)
	}
	expect, err := decoded(reply)
	if err != nil {
		return err
	}
	expect.RequestID, expect.From = "", nil
	name, err := r.write(s.name, body, header, end, got.status, expect)
	if err != nil {
		return err
	}
	if e := expect.Error; e != nil {
		return r.a.say("%s: %s (%s: %s)\n", name, expect.Finish, e.Kind, visible(e.Message))
	}
	return r.a.say("%s: %s\n", name, expect.Finish)
}

// fixture is what stands beside a body.
type fixture struct {
	ID       string `json:"id"`
	Body     string `json:"body"`
	Protocol string `json:"protocol"`
	Host     string `json:"host"`
	Response struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		End     string            `json:"end"`
	} `json:"response"`
	Stream bool     `json:"request_stream"`
	Source []string `json:"source"`
	Quirk  string   `json:"quirk"`
	Expect any      `json:"expect"`
}

// write writes a body and what it is to come to, under the next free number from
// 901: below are those that were written by hand.
func (r *recording) write(name string, body []byte, header map[string]string, end string, status int, expect exchange.Result) (string, error) {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return "", err
	}
	there, err := os.ReadDir(r.out)
	if err != nil {
		return "", err
	}
	n := 900
	for _, f := range there {
		number, _, _ := strings.Cut(f.Name(), "-")
		if had, err := strconv.Atoi(number); err == nil {
			n = max(n, had)
		}
	}
	host := strings.NewReplacer(":", "-", "[", "", "]", "").Replace(strings.ToLower(r.base.Host))
	f := fixture{
		ID: fmt.Sprintf("%d-%s-%s", n+1, host, name), Host: strings.ToLower(r.base.Host), Stream: !r.whole, Expect: expect,
		Source: []string{"recorded " + time.Now().UTC().Format(time.DateOnly) + " from " + r.model}, Quirk: "a real reply",
	}
	f.Protocol = string(r.protocol)
	if r.protocol == gateway.OpenAI {
		f.Protocol = "openai-chat"
	}
	f.Body = f.ID + "." + ending(header["content-type"], body)
	f.Response.Status, f.Response.Headers, f.Response.End = status, header, end
	if err := os.WriteFile(filepath.Join(r.out, f.Body), body, 0o644); err != nil {
		return "", err
	}
	b, err := json.Marshal(f, json.Deterministic(true), jsontext.WithIndent(" "))
	if err != nil {
		return "", err
	}
	return f.ID, os.WriteFile(filepath.Join(r.out, f.ID+".expect.json"), append(b, '\n'), 0o644)
}

// ending is that of a body's name.
func ending(mime string, body []byte) string {
	switch {
	case strings.HasPrefix(mime, "text/event-stream"):
		return "sse"
	case bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")):
		return "html"
	}
	return "json"
}

// tap keeps what comes of requests.
type tap struct {
	next http.RoundTripper
	mu   sync.Mutex
	all  []*tapped
}

type tapped struct {
	io.ReadCloser
	status int
	header http.Header
	body   bytes.Buffer
	err    error // by which it broke off
}

// RoundTrip lets a request through.
func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	kept := &tapped{ReadCloser: resp.Body, status: resp.StatusCode, header: resp.Header}
	resp.Body = kept
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, kept)
	return resp, nil
}

// Read keeps what is read.
func (k *tapped) Read(p []byte) (int, error) {
	n, err := k.ReadCloser.Read(p)
	k.body.Write(p[:n])
	if err != nil && !errors.Is(err, io.EOF) {
		k.err = err
	}
	return n, err
}

func (t *tap) last() *tapped {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.all) == 0 {
		return nil
	}
	return t.all[len(t.all)-1]
}
