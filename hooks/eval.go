package hooks

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nodkeep/nodkeep/assistant"
	"github.com/nodkeep/nodkeep/assistant/eval"
	"github.com/nodkeep/nodkeep/assistant/gate"
	"github.com/nodkeep/nodkeep/assistant/roster"
	"github.com/nodkeep/nodkeep/tools"
)

// trials makes households in which an assistant is asked, each anew from a seed,
// in a folder that is thrown away.
type trials struct {
	a     *App
	top   string
	is    roster.Assistant
	most  eval.Most
	count int
}

// newTrials makes the seed: the sample household, whose members may ask the
// assistant.
func (a *App) newTrials(ctx context.Context, is roster.Assistant) (t *trials, err error) {
	t = &trials{a: a, is: is}
	if t.top, err = os.MkdirTemp("", "nodkeep-eval-*"); err != nil {
		return nil, err
	}
	h, err := t.open(filepath.Join(t.top, "seed"))
	if err == nil {
		err = errors.Join(t.seed(ctx, h), h.Close())
	}
	if err != nil {
		return nil, errors.Join(err, t.end())
	}
	return t, nil
}

// seed fills the first one.
func (t *trials) seed(ctx context.Context, h trial) error {
	handles, err := h.makeSamples(ctx, "")
	if err != nil {
		return err
	}
	if t.is.Scripted() {
		return h.letAsk(ctx, t.is.ID, nil)
	}
	if err := h.letAsk(ctx, t.is.ID, handles); err != nil {
		return err
	}
	t.most.Prices = h.ledger.PricesOf(t.is.Budgeted())
	return nil
}

// end throws all of it away.
func (t *trials) end() error { return os.RemoveAll(t.top) }

// fresh is a household in which nothing was asked yet, with what is left of what
// the run may cost.
func (t *trials) fresh(ctx context.Context, spent eval.Spent) (eval.Household, error) {
	t.count++
	dir := filepath.Join(t.top, strconv.Itoa(t.count))
	err := os.CopyFS(dir, os.DirFS(filepath.Join(t.top, "seed")))
	if err == nil {
		err = os.Chmod(tools.KeyFile(filepath.Join(dir, "pb_data")), 0o600)
	}
	if err != nil {
		return nil, err
	}
	h, err := t.open(dir)
	if err == nil {
		if limit := t.most.Left(spent); limit != nil {
			limit["everybody"] = true
			err = h.post(ctx, "/operator/budgets", "", limit)
		}
		if err != nil {
			err = errors.Join(err, h.Close())
		}
	}
	return h, err
}

// trial is one such household.
type trial struct {
	*App
	top string
}

// open opens one in a folder of its own. Its settings are the defaults, but for
// what is set of models and of how long they may take; and the mode is that in
// which each change is a card.
func (t *trials) open(top string) (trial, error) {
	config := t.a.Config
	config.DataDir = filepath.Join(top, "pb_data")
	config.Env, config.Names = func(string) (string, bool) { return "", false }, nil
	config.Stdin, config.Stdout, config.Stderr = strings.NewReader(""), io.Discard, io.Discard
	d := New(config)
	if d.dir != config.DataDir && !strings.HasPrefix(d.dir, t.top) {
		if target, err := filepath.EvalSymlinks(t.top); err != nil || !strings.HasPrefix(d.dir, target) {
			return trial{}, errors.New("the folder of the run is not its own")
		}
	}
	models := t.a.settings.models
	models.Cap, models.Assistants = nil, slices.Clone(models.Assistants)
	for i, f := range models.Assistants {
		models.Assistants[i].Fields = maps.Clone(f.Fields)
		models.Assistants[i].Fields["mode"] = string(gate.ModeAsk)
	}
	d.settings.models, d.settings.Limits = models, t.a.settings.Limits
	d.scripts, d.asked, d.now, d.badge.pause = t.a.scripts, t.a.asked, t.a.now, t.a.badge.pause
	h := trial{d, top}
	ok, err := d.tryLock()
	if err == nil && !ok {
		err = errLocked
	}
	if err == nil {
		err = d.openHere()
	}
	if err != nil {
		return trial{}, errors.Join(err, h.Close())
	}
	return h, nil
}

// Close throws it away, but for the seed.
func (h trial) Close() error {
	err := h.close()
	if filepath.Base(h.top) == "seed" {
		return err
	}
	return errors.Join(err, os.RemoveAll(h.top))
}

func (h trial) actor(by string) (tools.Actor, error) {
	rec, err := h.memberNamed(by)
	if err != nil {
		return tools.Actor{}, err
	}
	return tools.Actor{Person: rec.Id, Door: tools.DoorCLI}, nil
}

// Do makes a call as a member.
func (h trial) Do(ctx context.Context, by string, inv tools.Invocation) ([]string, error) {
	who, err := h.actor(by)
	if err != nil {
		return nil, err
	}
	receipt, err := h.runner.Apply(ctx, who, "", inv)
	return receipt.Audit, err
}

// Read reads as a member.
func (h trial) Read(ctx context.Context, by, lang string, inv tools.Invocation) (jsontext.Value, error) {
	who, err := h.actor(by)
	if err != nil {
		return nil, err
	}
	out, err := h.runner.Read(ctx, who, inv)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out, json.WithMarshalers(h.catalogue.Marshalers(lang)))
}

// Preview says what calls would change.
func (h trial) Preview(ctx context.Context, by, lang string, invs []tools.Invocation) ([]eval.Change, error) {
	who, err := h.actor(by)
	if err != nil {
		return nil, err
	}
	p, err := h.runner.Preview(ctx, who, invs...)
	return h.changes(lang, p, err)
}

// PreviewUndo says what an undo would.
func (h trial) PreviewUndo(ctx context.Context, by, lang string, audit []string) ([]eval.Change, error) {
	who, err := h.actor(by)
	if err != nil {
		return nil, err
	}
	p, err := h.runner.PreviewUndo(ctx, who, tools.UndoSpec{Audit: audit})
	return h.changes(lang, p, err)
}

// changes are those of a preview, as those of a card come to people.
func (h trial) changes(lang string, p tools.Preview, err error) (all []eval.Change, _ error) {
	for _, it := range p.Items {
		b, err := json.Marshal(it.Changes, json.WithMarshalers(h.catalogue.Marshalers(lang)))
		if err != nil {
			return nil, err
		}
		var some []eval.Change
		if err := json.Unmarshal(b, &some); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, err
}

// Decide says yes or no to a card.
func (h trial) Decide(ctx context.Context, by string, c eval.Card, yes bool, reason string) ([]string, error) {
	who, err := h.actor(by)
	if err != nil {
		return nil, err
	}
	if !yes {
		_, err := h.gate.Discard(ctx, who, c.ID, reason)
		return nil, err
	}
	p, err := h.gate.Confirm(ctx, who, c.ID, c.Digest, nil)
	if err != nil || p.Receipt == nil {
		return nil, errors.Join(err, fmt.Errorf("the card is %s", p.State))
	}
	return p.Receipt.Audit, nil
}

// Title is that of a tool's screens.
func (h trial) Title(tool, lang string) string {
	t, _ := h.registry.Tool(tool)
	return h.catalogue.Say(lang, tools.T(t.Title))
}

// Ask asks the assistant, and waits for the end.
func (h trial) Ask(ctx context.Context, by string, q assistant.Question, told func(assistant.Event) error) error {
	rec, err := h.memberNamed(by)
	if err != nil {
		return err
	}
	t, err := h.loop.Ask(ctx, rec, q)
	if err != nil {
		return err
	}
	return t.Follow(ctx, 0, told)
}

// Spent is what was spent in it.
func (h trial) Spent(ctx context.Context, by string) (eval.Spent, error) {
	rec, err := h.memberNamed(by)
	if err != nil {
		return eval.Spent{}, err
	}
	s, err := h.ledger.Standing(ctx, rec.Id)
	return eval.Spent{Cost: s.Month.Cost, Tokens: s.Month.Tokens}, err
}
