// Package assistant answers people with a model: a question in, events out. It
// calls the same tools as every other door, as the person who asks; what changes
// something goes through the gate.
package assistant

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/assistant/offer"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/assistant/upload"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// Config of a Loop. What may be left out says so.
type Config struct {
	App       core.App
	Keys      tools.Keys
	Registry  *tools.Registry
	Runner    *tools.Runner
	Gate      *gate.Gate
	Catalogue *i18n.Catalogue
	Menu      *offer.Menu
	Uploads   *upload.Store

	// For gives an assistant as a person asks it, and Choose the one that a person
	// asks who names none.
	For    func(ctx context.Context, person, id string) (roster.Assistant, gateway.Provider, error)
	Choose func(ctx context.Context, person string) (id string, err error)

	Currency string                                    // of what models cost
	Limits   func() Limits                             // as they are now; the default ones unless given
	Observer Observer                                  // may be nil
	Asked    func(context.Context, tools.Actor, Facts) // is told of each turn that is over; may be nil
	Log      *slog.Logger                              // the app's unless given
	Now      func() time.Time                          // time.Now unless given
	Turns    int                                       // of a person at a time; 3
}

// Loop answers questions, each in a turn.
type Loop struct {
	c    Config
	pace pace

	mu      sync.Mutex
	running map[string]*Turn // by id
	starts  map[string]int   // questions of a person that are about to begin
	asking  map[question]chan struct{}
	closed  bool
	wait    sync.WaitGroup
}

// New makes a Loop.
func New(c Config) (*Loop, error) {
	if c.App == nil || c.Registry == nil || c.Runner == nil || c.Gate == nil || c.Catalogue == nil || c.Menu == nil || c.Uploads == nil || c.For == nil || c.Choose == nil {
		return nil, errors.New("an assistant needs an app, tools, a gate, sentences, files and models")
	}
	if c.Limits == nil {
		c.Limits = DefaultLimits
	}
	if c.Log == nil {
		c.Log = c.App.Logger()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Turns <= 0 {
		c.Turns = 3
	}
	return &Loop{c: c, running: map[string]*Turn{}, starts: map[string]int{}, asking: map[question]chan struct{}{}}, nil
}

func (l *Loop) now() time.Time { return l.c.Now().UTC() }

// Close ends all turns, and waits until they are written down.
func (l *Loop) Close() {
	l.mu.Lock()
	l.closed = true
	for _, t := range l.running {
		t.cancel(errClosing)
	}
	l.mu.Unlock()
	l.wait.Wait()
}

// End ends all turns of somebody who may act no more.
func (l *Loop) End(person string) { l.end(person, errEvicted) }

// Halt stops all turns of somebody whose sessions have ended.
func (l *Loop) Halt(person string) { l.end(person, errStopped) }

func (l *Loop) end(person string, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.running {
		if t.person == person {
			t.cancel(why)
		}
	}
}

// Why a turn is ended from outside.
var (
	errStopped = errors.New("the person stopped it")
	errEvicted = errors.New("the account may act no more")
	errClosing = errors.New("the server ends")
	errTime    = errors.New("the turn took too long")
)

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
