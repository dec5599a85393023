package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Config of a Provider. Protocol, BaseURL and Model must be given.
type Config struct {
	Protocol  Protocol
	BaseURL   string // without a path it is followed by /v1
	Model     string
	Key       string // local hosts need none
	Transport http.RoundTripper
	Log       *slog.Logger
	Observer  Observer                                   // may be nil
	Now       func() time.Time                           // time.Now unless given
	Sleep     func(context.Context, time.Duration) error // waits unless given
	First     time.Duration                              // for an answer to begin; 5 min: local models load for long
	Idle      time.Duration                              // between two pieces of it; 2 min
	Longest   time.Duration                              // for all of it; 1 h
}

type provider struct {
	c      Config
	speech speech
	url    string
	client *http.Client
	target target // without what was learned
	mask   Mask   // of the key

	mu      sync.Mutex
	learned map[string]string // never changed: replaced
}

// New makes a Provider for one model of one host.
func New(c Config) (Provider, error) {
	s := speechOf(c.Protocol)
	if s == nil {
		return nil, fmt.Errorf("the protocol %q is none of %s, %s, %s", c.Protocol, Anthropic, OpenAI, Responses)
	}
	if c.Model == "" {
		return nil, errors.New("no model is named")
	}
	base, err := Base(c.BaseURL)
	if err != nil {
		return nil, err
	}
	c.Transport = cmp.Or[http.RoundTripper](c.Transport, http.DefaultTransport)
	c.Log = cmp.Or(c.Log, slog.Default())
	c.First, c.Idle = cmp.Or(c.First, 5*time.Minute), cmp.Or(c.Idle, 2*time.Minute)
	c.Longest = cmp.Or(c.Longest, time.Hour)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	return &provider{
		c: c, speech: s, url: base.String() + s.path(),
		// A host that sends elsewhere would send the key elsewhere.
		client: &http.Client{Transport: unled{c.Transport}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		target: target{Protocol: c.Protocol, Host: strings.ToLower(base.Host), Model: c.Model},
		mask:   NewMask(c.Key),
	}, nil
}

// NewTransport reaches hosts, and keeps as many connections to one as answers may
// come from it at once: the usual transport keeps two.
func NewTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 256, 64
	return t
}

// Base is the address below which a host is asked: what was given, or with /v1
// where it has no path.
func Base(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the address is none of a host: give one such as https://api.example.com/v1")
	}
	if u.Path == "" {
		u.Path = "/v1"
	}
	return u, nil
}

func speechOf(p Protocol) speech {
	switch p {
	case Anthropic:
		return anthropic{}
	case OpenAI:
		return chat{schemas: new(fitted)}
	case Responses:
		return responses{}
	}
	return nil
}
