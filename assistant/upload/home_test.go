package upload

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"

	"github.com/nodkeep/nodkeep/assistant/reader"
	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/toolstest"
)

// home is an app with a store, whose clock a test turns.
type home struct {
	app *toolstest.App
	*Store
	t       *testing.T
	now     time.Time
	ann     string
	foreign []tools.Text
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{app: toolstest.NewWith(t, tools.Config{Decide: decide}, bankPlugin{}), t: t, now: time.Now()}
	keys, err := tools.LoadKeys(h.app.DataDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	desk := reader.NewDesk(reader.Config{Runner: h.app.Runner, Registry: h.app.Registry, Catalogue: h.app.Catalogue})
	h.Store, err = New(Config{
		App: h.app, Keys: keys, Registry: h.app.Registry, Desk: desk, Base: func() string { return "https://home.example" }, Now: func() time.Time { return h.now },
		Foreign: func(_ context.Context, _ tools.Actor, sources []tools.Text) error {
			h.foreign = append(h.foreign, sources...)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.ann = h.id("ann")
	return h
}

func (h *home) id(handle string) string {
	h.t.Helper()
	rec, err := h.app.FindFirstRecordByData(tools.Members, "handle", handle)
	if err != nil {
		h.t.Fatal(err)
	}
	return rec.Id
}

func body(name, data string) func() (tools.Upload, error) {
	return func() (tools.Upload, error) { return tools.Upload{Name: name, Data: []byte(data)}, nil }
}

func (h *home) put(name, data string) Upload {
	h.t.Helper()
	up, err := h.Put(h.t.Context(), h.ann, int64(len(data)), body(name, data))
	if err != nil {
		h.t.Fatal(err)
	}
	return up
}

func (h *home) link() (l Link, secret string) {
	h.t.Helper()
	l, err := h.Link(h.t.Context(), tools.Actor{Person: h.ann}, LinkIn{Name: "bank.csv"})
	if err != nil {
		h.t.Fatal(err)
	}
	return l, l.Link[len("https://home.example"+Path):]
}

// kept are the files that are stored.
func (h *home) kept() (keys []string) {
	h.t.Helper()
	err := h.files(func(files *filesystem.System) error {
		there, err := files.List(prefix)
		for _, f := range there {
			keys = append(keys, f.Key)
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return keys
}

// rowsThere is how many rows there are, living or not.
func (h *home) rowsThere() (n int) {
	h.t.Helper()
	if err := h.app.DB().Select("count(*)").From(tools.UploadsTable).Row(&n); err != nil {
		h.t.Fatal(err)
	}
	return n
}

func wantKind(t *testing.T, err error, kind tools.Kind) {
	t.Helper()
	if err == nil || tools.KindOf(err) != kind {
		t.Errorf("got %v, want one of kind %s", err, kind)
	}
}

var errCut = errors.New("cut off")

func large(n int) string { return string(bytes.Repeat([]byte("x"), n)) }

// set changes a stored row past the store.
func (h *home) set(id string, values dbx.Params) {
	h.t.Helper()
	if _, err := h.app.NonconcurrentDB().Update(tools.UploadsTable, values, dbx.HashExp{"id": id}).Execute(); err != nil {
		h.t.Fatal(err)
	}
}

// decide lets agents read.
func decide(ctx context.Context, app core.App, a tools.Actor, w tools.Weight) (tools.Decision, error) {
	if w.Effect == tools.EffectRead {
		return tools.Run, nil
	}
	return tools.DecidePerson(ctx, app, a, w)
}
