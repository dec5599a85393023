// Package roster knows which assistants there are: those that the environment
// names, with what operators say where it is silent. It tries them, and says in
// words what is wrong with one.
package roster

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Config of a Roster.
type Config struct {
	App       core.App
	Keys      tools.Keys
	Fixed     []Fixed // from the environment, in its order
	Scripts   []Script
	IDKey     string // of the opaque ids of persons; "" derives one
	Currency  string // of prices
	Transport http.RoundTripper
	Observer  gateway.Observer // may be nil
	Log       *slog.Logger     // the default one unless given
	Now       func() time.Time // time.Now unless given
	// Sleep waits before a host is asked again; it does unless given.
	Sleep func(context.Context, time.Duration) error
	// Trial meters a test call: it counts like any other, but needs neither a
	// grant nor an agreement. Nil meters nothing.
	Trial func(person string, a Assistant, r gateway.Request) gateway.Meter
	// Meter is that of a person's request. Without it no person can ask.
	Meter func(person string, a Assistant, r gateway.Request) gateway.Meter
}

// Roster is the assistants of an instance.
type Roster struct {
	c       Config
	trying  sync.Mutex // one test at a time: it costs
	mu      sync.Mutex
	kept    map[string]keptProvider
	patient patience
}

// keptProvider is one, as long as its assistant stays as it is: it learns what its
// host refuses.
type keptProvider struct {
	of identity
	gateway.Provider
}

// identity is what makes another provider of an assistant.
type identity struct {
	protocol            gateway.Protocol
	address, model, key string
}

// patience is how long a test waits.
type patience struct{ near, answer, slow time.Duration }

// New makes a Roster.
func New(c Config) (*Roster, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Transport == nil {
		c.Transport = gateway.NewTransport()
	}
	if c.IDKey != "" && len(c.IDKey) < tools.MinKey {
		return nil, errors.New("the key of opaque ids is too short")
	}
	return &Roster{c: c, kept: map[string]keptProvider{}, patient: patience{near: time.Second, answer: 90 * time.Second, slow: 15 * time.Second}}, nil
}

// Person is the opaque id of an account that hosts are told; "" for nobody.
func (r *Roster) Person(account string) string {
	if account == "" {
		return ""
	}
	if r.c.IDKey == "" {
		return r.opaque("assistant person", account)
	}
	h := hmac.New(sha256.New, []byte(r.c.IDKey))
	h.Write([]byte(account))
	return hex.EncodeToString(h.Sum(nil))
}

// provider asks an assistant for nobody in particular, and counts nothing: see
// For. One that lacks something is refused.
func (r *Roster) provider(a Assistant) (gateway.Provider, error) {
	if !a.Ready() {
		return nil, tools.Fail(tools.Unavailable, "roster.lacks", a.Name, a.lacking())
	}
	if s, ok := r.script(a.ID); ok {
		return s.Provider, nil
	}
	is := identity{a.Protocol, a.BaseURL, a.Model, a.Key}
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.kept[a.ID]; ok && p.of == is {
		return p.Provider, nil
	}
	p, err := gateway.New(gateway.Config{
		Protocol: a.Protocol, BaseURL: a.BaseURL, Model: a.Model, Key: a.Key,
		Transport: r.c.Transport, Log: r.c.Log, Observer: r.c.Observer, Now: r.c.Now, Sleep: r.c.Sleep,
	})
	if err != nil {
		return nil, err
	}
	r.kept[a.ID] = keptProvider{is, p}
	return p, nil
}

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
