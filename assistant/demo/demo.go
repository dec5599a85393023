// Package demo is an assistant without a model, for a demonstration of the
// household: it knows some sentences in each language, and answers them with calls
// of tools and with words that are fixed but for what the tools answered. The rest,
// from the loop to the card, is what every assistant has.
package demo

import (
	"context"
	"embed"
	"io/fs"
	"time"

	"github.com/nodkeep/nodkeep/assistant/gateway"
	"github.com/nodkeep/nodkeep/tools"
)

// Name is what it is called, everywhere and in each language: nobody shall take it
// for a model.
const Name = "Script (no model, kein Modell, sin modelo)"

// Config of a Script.
type Config struct {
	Say   func(lang string, t tools.Text) string
	Pause time.Duration // between two pieces of an answer, which comes as if it were being written
}

// Script answers what it knows.
type Script struct{ c Config }

var _ gateway.Provider = (*Script)(nil)

// New makes one.
func New(c Config) *Script { return &Script{c} }

// Stream looks at what was asked and at what tools have answered since, and gives
// the next calls, or the answer. It remembers nothing: ids and amounts are those of
// the results that it is given.
func (s *Script) Stream(ctx context.Context, r gateway.Request, show func(gateway.Delta)) (gateway.Result, error) {
	res := gateway.Result{Model: string(gateway.Scripted), Attempts: 1, Finish: gateway.Failed}
	if r.Meter != nil {
		if err := r.Meter.Hold(ctx); err != nil {
			return res, err
		}
		// A ledger takes a usage of nothing for a host that does not say, and counts the
		// most that it may have been.
		defer r.Meter.Settle(gateway.Spent{Unbilled: true})
	}
	res.Usage = &gateway.Usage{} // nothing was read by a model
	said := s.reply(r)
	for piece := range pieces(said.text) {
		if err := s.wait(ctx); err != nil {
			return res, err
		}
		res.Text += piece
		show(gateway.Delta{Text: piece})
	}
	res.Finish, res.Calls = gateway.Stop, said.calls
	if len(said.calls) > 0 {
		res.Finish = gateway.ToolUse
	}
	return res, nil
}

func (s *Script) wait(ctx context.Context) error {
	if s.c.Pause <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(s.c.Pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pieces are a text a few letters at a time.
func pieces(text string) func(func(string) bool) {
	const few = 6
	return func(yield func(string) bool) {
		for all := []rune(text); len(all) > 0; {
			n := min(few, len(all))
			if !yield(string(all[:n])) {
				return
			}
			all = all[n:]
		}
	}
}

//go:embed locales
var locales embed.FS

// Locales gives the texts in each language.
func Locales() fs.FS { return tools.LocalesIn(locales) }
