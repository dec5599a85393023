// Package upload keeps files that members give for a tool: a picture for one
// that takes a picture, a statement to be read. An agent can hand over no large
// file among its arguments; it names one that is kept here, and the person
// brings it by a one-time link.
//
// A file is its person's alone, is kept sealed, and for an hour. Its row comes
// before it and goes before it, so that a crash leaves at most what Sweep finds.
package upload

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/pocketbase/pocketbase/core"

	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/tools"
)

// What a person may keep here, and for how long.
const (
	MaxBytes = 10 << 20 // of one file
	MaxTotal = 50 << 20 // of all of a person's
	MaxFiles = 20       // of a person's, links that wait for one among them

	Lifetime = time.Hour        // of a file, from when it came
	LinkTime = 15 * time.Minute // in which a link can be used

	// comingTime is longer than any door lets a file take to come. What has not
	// come by then was cut off.
	comingTime = 5 * time.Minute
)

// State of an Upload.
type State string

// The states.
const (
	Open   State = "open"   // a link waits for the file
	Coming State = "coming" // the file is on its way
	Ready  State = "ready"
)

// Upload is what is known of a file.
type Upload struct {
	ID      string    `json:"id"`
	State   State     `json:"state"`
	Name    string    `json:"name"`
	Type    string    `json:"type"` // by its content; "" until it is there
	Size    int64     `json:"size"` // bytes
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

// Config of a Store. App, Keys and Registry must be given; Desk and Base where
// statements are read and links are made.
type Config struct {
	App      core.App
	Keys     tools.Keys
	Registry *tools.Registry
	Desk     *reader.Desk
	Base     func() string // where the server is reached; "" where none is
	Log      *slog.Logger  // the app's unless given
	Now      func() time.Time

	// Foreign notes that an agent read what a file says, before it is handed out.
	Foreign func(context.Context, tools.Actor, []tools.Text) error
}

// Store keeps uploads.
type Store struct {
	c       Config
	sealing chan struct{} // a place for each file that is sealed or opened: it takes several times its size
}

// New makes a Store.
func New(c Config) (*Store, error) {
	if c.App == nil || c.Registry == nil {
		return nil, errors.New("a store of uploads needs an app and a registry")
	}
	if c.Log == nil {
		c.Log = c.App.Logger()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Base == nil {
		c.Base = func() string { return "" }
	}
	return &Store{c, make(chan struct{}, 2)}, nil
}

// row is an upload as it is stored.
type row struct {
	ID      string `db:"id"`
	Person  string `db:"person"`
	Token   string `db:"token"`
	Hash    string `db:"hash"`
	Name    string `db:"name"`
	Type    string `db:"type"`
	State   State  `db:"state"`
	Size    int64  `db:"size"`
	Created string `db:"created"`
	Expires string `db:"expires"`
}

func (r row) shown() Upload {
	return Upload{r.ID, r.State, r.Name, r.Type, r.Size, tools.ParseStamp(r.Created), tools.ParseStamp(r.Expires)}
}

// errNone is for a file that is none, is another's, or has expired.
func errNone(id string) error {
	return tools.Fail(tools.NotFound, "uploads.none", tools.Quoted(id, 40))
}

// errOver is for a link that was used, has expired, or never was.
func errOver() error { return tools.Fail(tools.Expired, "uploads.over") }
