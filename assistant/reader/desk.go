package reader

import (
	"context"
	"encoding/json/v2"
	"errors"
	"time"

	"github.com/nodkeep/nodkeep/tools"
	"github.com/nodkeep/nodkeep/tools/i18n"
)

// What reading files may cost the instance: each takes memory of several times
// its size.
const (
	Places      = 2               // for files at a time
	placeWait   = 5 * time.Second // for one of them
	readingTime = 20 * time.Second
)

// Config of a Desk. Runner, Registry and Catalogue must be given.
type Config struct {
	Runner    *tools.Runner
	Registry  *tools.Registry
	Catalogue *i18n.Catalogue
	Time      time.Duration // for one file to be read; 20 s
}

// Desk is where members have files read: by whatever door they come, a few at
// a time, as what the file leaves unsaid, and what is known already, is for the
// member who asks.
type Desk struct {
	c      Config
	places chan struct{}
}

// NewDesk makes a Desk.
func NewDesk(c Config) *Desk {
	if c.Time <= 0 {
		c.Time = readingTime
	}
	return &Desk{c, make(chan struct{}, Places)}
}

// Take waits for a place, to be taken before the file is in memory, and given
// back by leave. The error is of kind unavailable.
func (d *Desk) Take(ctx context.Context) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, placeWait)
	defer cancel()
	select {
	case d.places <- struct{}{}:
		return func() { <-d.places }, nil
	case <-ctx.Done():
		return nil, tools.Fail(tools.Unavailable, "reader.busy")
	}
}

// Read reads a file for an actor, who holds a place, and says what is new in
// it. It writes nothing. Errors are those of Read, of kind limit where it took
// too long, or those of the plugin's tools.
func (d *Desk) Read(ctx context.Context, actor tools.Actor, name string, data []byte, answers map[string]string) (tools.Review, error) {
	ctx, cancel := context.WithTimeout(ctx, d.c.Time)
	defer cancel()
	file := File{Name: name, Data: data}
	var err error
	if file.Currency, file.Today, err = d.Home(ctx, actor); err != nil {
		return tools.Review{}, err
	}
	review, err := Read(ctx, file, answers)
	if errors.Is(err, context.DeadlineExceeded) {
		return review, tools.Fail(tools.Limit, "reader.slow").Because(err)
	}
	if err != nil {
		return review, err
	}
	err = d.Match(ctx, actor, &review)
	return review, err
}

// Home is what files leave unsaid: the currency of the actor's household, "" where
// nobody says, and its day.
func (d *Desk) Home(ctx context.Context, actor tools.Actor) (currency string, today tools.Date, err error) {
	today = tools.DateOf(time.Now())
	imports := d.c.Registry.Imports()
	if len(imports) == 0 || imports[0].Home == "" {
		return "", today, nil
	}
	var home struct {
		Currency string     `json:"currency"`
		Today    tools.Date `json:"today"`
	}
	if err := d.ask(ctx, actor, imports[0].Home, struct{}{}, &home); err != nil {
		return "", today, err
	}
	if !home.Today.IsZero() {
		today = home.Today
	}
	return home.Currency, today, nil
}

// Match asks the plugin which rows of a review it knows already, as the person.
// It is asked without the evidence, which may be long and tells it nothing.
func (d *Desk) Match(ctx context.Context, actor tools.Actor, review *tools.Review) error {
	imports := d.c.Registry.Imports()
	if len(imports) == 0 || len(review.Subscriptions) == 0 {
		return nil
	}
	imp := imports[0]
	rows := tools.ImportRows{File: review.File, Fingerprint: review.Fingerprint, Subscriptions: make([]tools.Recurring, len(review.Subscriptions))}
	for i, s := range review.Subscriptions {
		s.Evidence = nil
		rows.Subscriptions[i] = s
	}
	var known struct {
		Subscriptions []tools.Recurring `json:"subscriptions"`
	}
	if err := d.ask(ctx, actor, imp.Match, rows, &known); err != nil {
		return err
	}
	if len(known.Subscriptions) != len(review.Subscriptions) {
		return errors.New(imp.Match + " did not give back every row")
	}
	for i, s := range known.Subscriptions {
		review.Subscriptions[i].Status, review.Subscriptions[i].Known = s.Status, s.Known
	}
	return nil
}

// ask runs a read tool as the person, with values of any type.
func (d *Desk) ask(ctx context.Context, actor tools.Actor, tool string, in, out any) error {
	args, err := json.Marshal(in)
	if err != nil {
		return err
	}
	answer, err := d.c.Runner.Read(ctx, actor, tools.Invocation{Tool: tool, Args: args})
	if err != nil {
		return err
	}
	b, err := json.Marshal(answer, json.WithMarshalers(d.c.Catalogue.Marshalers("en")))
	if err != nil {
		return err
	}
	return json.Unmarshal(b, out)
}
