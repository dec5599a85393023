package hooks

import (
	"cmp"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodkeep/nodkeep/assistant/exchange"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/roster"
)

// spoken says with whom, and how.
type spoken struct{ protocol, host, model string }

func (s *spoken) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.protocol, "protocol", "", "anthropic, openai (chat completions) or openai-responses")
	c.Flags().StringVar(&s.host, "host", "", "the host, such as api.mistral.ai or 127.0.0.1:11434, or the address below which it is asked")
	c.Flags().StringVar(&s.model, "model", "", "the model, as the host calls it")
}

// read checks the flags. Where no host is named it is whose protocol it is.
func (s *spoken) read() (p gateway.Protocol, base *url.URL, err error) {
	if s.protocol == "" {
		return "", nil, errors.New("give --protocol: anthropic, openai or openai-responses")
	}
	if p, err = gateway.ParseProtocol(s.protocol); err != nil {
		return "", nil, err
	}
	host := cmp.Or(s.host, map[gateway.Protocol]string{gateway.Anthropic: "api.anthropic.com"}[p], "api.openai.com")
	if base, err = gateway.Base(roster.BaseOf(host)); err != nil {
		return "", nil, fmt.Errorf("--host %s: %w", host, err)
	}
	return p, base, nil
}

func (a *App) wireCommand() *cobra.Command {
	var with spoken
	var status int
	var whole bool
	var headers []string
	var request string
	c := &cobra.Command{
		Use: "wire [BODY|-]", Short: "Reads a reply of a model's host as Nodkeep does, or writes a request to one: for reports about a host", Args: wants(0, 1),
		Example: "  nodkeep wire reply.sse --protocol openai --host api.mistral.ai\n  nodkeep wire --request question.json --protocol anthropic --host api.anthropic.com",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case request == "" && len(args) == 0:
				return errors.New("give the body of a reply (- for standard input), or --request and a file")
			case request != "" && len(args) > 0:
				return fmt.Errorf("%s is a reply, and --request writes a request: give one of both", args[0])
			}
			p, base, err := with.read()
			if err != nil {
				return err
			}
			if request != "" {
				return a.sayRequest(c.Context(), request, p, base, with.model)
			}
			h, err := headersOf(headers)
			if err != nil {
				return err
			}
			if status < 100 || status > 599 {
				return errors.New("--status is one of HTTP, 100 to 599")
			}
			return a.sayReply(c.Context(), args[0], gateway.Reply{Protocol: p, Host: strings.ToLower(base.Host), Model: with.model, Status: status, Header: h})
		},
	}
	with.flags(c)
	c.Flags().IntVar(&status, "status", http.StatusOK, "with which the reply came")
	c.Flags().BoolVar(&whole, "no-stream", false, "no stream was asked for; how to read a reply is seen in it all the same")
	c.Flags().StringArrayVar(&headers, "header", nil, "NAME:VALUE that came with it; may be repeated")
	c.Flags().StringVar(&request, "request", "", "a file with a request (- for standard input), of which to print what is sent")
	return c
}

func headersOf(flags []string) (http.Header, error) {
	h := http.Header{}
	for _, f := range flags {
		name, value, ok := strings.Cut(f, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("--header %q: write NAME:VALUE", f)
		}
		h.Add(name, strings.TrimSpace(value))
	}
	return h, nil
}

// opened is a file, or standard input for "-".
func (a *App) opened(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.Stdin), nil
	}
	return os.Open(name)
}

// sayReply prints what a reply comes to.
func (a *App) sayReply(ctx context.Context, file string, r gateway.Reply) error {
	in, err := a.opened(file)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = in.Close() }() // it was only read
	r.Body = in
	out, err := untilStopped(ctx, func() (exchange.Result, error) { return decoded(r) })
	if err != nil {
		return failed(err)
	}
	return a.printWire(out)
}

func decoded(r gateway.Reply) (exchange.Result, error) {
	res, wrong, err := gateway.Decode(r)
	if err != nil {
		return exchange.Result{}, err
	}
	return exchange.Of(res, wrong)
}

// sayRequest prints what is sent for a request.
func (a *App) sayRequest(ctx context.Context, file string, p gateway.Protocol, base *url.URL, model string) error {
	in, err := a.opened(file)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = in.Close() }() // it was only read
	data, err := untilStopped(ctx, func() ([]byte, error) { return io.ReadAll(in) })
	if err != nil {
		return failed(err)
	}
	r, model, err := exchange.Request(data, exchange.Producer{Protocol: p, Host: base.Host, Model: model}, usual(p, base.Hostname()))
	if err != nil {
		return failed(err)
	}
	sent, err := gateway.Encode(gateway.Config{Protocol: p, BaseURL: base.String(), Model: model}, r)
	if err != nil {
		return failed(err)
	}
	return a.printWire(exchange.Sent(sent))
}

// usual is a model of a host, for requests that name none: what is sent differs by
// it.
func usual(p gateway.Protocol, host string) string {
	for _, at := range []struct{ host, model string }{
		{"anthropic.com", "claude-opus-5-5"},
		{"openai.com", "gpt-6-sol"},
		{"mistral.ai", "mistral-large-2512"},
		{"googleapis.com", "gemini-4-argon"},
		{"openrouter.ai", "anthropic/claude-opus-5.5"},
		{"x.ai", "grok-4.7"},
	} {
		if gateway.IsHost(host, at.host) {
			return at.model
		}
	}
	if p == gateway.Anthropic {
		return "claude-opus-5-5"
	}
	return "model"
}

func (a *App) printWire(v any) error {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return failed(err)
	}
	return a.print(b)
}
