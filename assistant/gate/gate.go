// Package gate decides what an agent's call becomes: it runs, a person is asked
// first, or it is refused. It decides from who acts, the mode and what a preview
// shows, never from a model's words; and it keeps what waits for a nod.
package gate

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/tools"
)

// Config of a Gate. App, Registry, Keys and English must be given.
type Config struct {
	App      core.App
	Registry *tools.Registry
	Keys     tools.Keys
	English  func(tools.Text) string // the sentence of a Text, for the audit

	// Assistant says what an assistant may do for a person as it is now; an error
	// is why that person may not ask it. Nil: no assistant acts for anybody.
	Assistant func(ctx context.Context, person, id string) (Mode, error)

	Own          func() bool                   // a nod counts on our own surfaces only, never in a client's form; no unless given
	Forbid, Asks []string                      // tools that no agent may call, or only with a nod
	Told         func(person, proposal string) // a proposal is new or was decided; it must not wait
	Log          *slog.Logger                  // the app's unless given
	Now          func() time.Time              // time.Now unless given
	Pending      int                           // proposals of an agent that wait for a person at a time; 20
	Asked        int                           // proposals of an agent to a person in a day, or twice its writes if that is more; 300
	Writes       int                           // what an assistant changes for a person in a day without a nod; 100
	Kept         int                           // days that a decided proposal is kept; 30
	TaintedFor   time.Duration                 // how long foreign text counts as read; 30 min
}

// Gate decides, and keeps proposals. Bind it to the runner that asks it.
type Gate struct {
	c   Config
	app core.App
	run *tools.Runner

	imports []tools.Import // of the registry
}

// New makes a Gate.
func New(c Config) (*Gate, error) {
	if c.App == nil || c.Registry == nil || c.English == nil {
		return nil, errors.New("a gate needs an app, a registry and sentences")
	}
	if c.Own == nil {
		c.Own = func() bool { return false }
	}
	if c.Told == nil {
		c.Told = func(string, string) {}
	}
	if c.Log == nil {
		c.Log = c.App.Logger()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Pending <= 0 {
		c.Pending = 20
	}
	if c.Asked <= 0 {
		c.Asked = 300
	}
	if c.Writes <= 0 {
		c.Writes = 100
	}
	if c.Kept <= 0 {
		c.Kept = 30
	}
	if c.TaintedFor <= 0 {
		c.TaintedFor = 30 * time.Minute
	}
	return &Gate{c: c, app: c.App, imports: c.Registry.Imports()}, nil
}

// Bind gives the runner that this gate decides for: made with g.Decide and
// g.Foreign.
func (g *Gate) Bind(r *tools.Runner) { g.run = r }

func (g *Gate) now() time.Time { return g.c.Now().UTC() }

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
